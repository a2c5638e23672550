#!/usr/bin/env bash
# Prints the lines of Rust code of each crate: without blank lines, comments and tests.
#
#   scripts/count-lines.sh [REVISION]    of the working tree, or of a revision
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  -h | --help) sed -n '2,4s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
folder=.
if [ $# -gt 0 ]; then
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  git archive "$1" | tar -x -C "$folder"
fi
cd "$folder"
# Test modules end their file here, and files of tests are called tests.rs or are in tests/.
{ git ls-files '*.rs' 2>/dev/null || find . -name '*.rs' | sed 's|^\./||'; } | sort -u | awk '
  /(^|\/)(tests|benches|examples)\// || /\/tests\.rs$/ || /^web\// { next }
  {
    file = $0
    crate = match(file, /^crates\/[^\/]+/) ? substr(file, RSTART, RLENGTH) : (file ~ /^shaders/ ? "shaders" : "src")
    block = 0
    while ((getline line < file) > 0) {
      sub(/^[ \t]+/, "", line)
      if (line ~ /^#\[cfg\((all\()?test[,)]/) {
        if ((getline line < file) > 0 && line ~ /^[ \t]*(pub\([a-z: ]+\) )?mod [a-z_]+ \{/) break
        continue
      }
      if (line == "" || line ~ /^\/\//) continue
      lines[crate]++; total++
    }
    close(file)
  }
  END {
    for (crate in lines) printf "%7d  %s\n", lines[crate], crate | "sort -k2"
    close("sort -k2")
    printf "%7d  total\n", total
  }'
