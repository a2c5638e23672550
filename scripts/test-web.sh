#!/usr/bin/env bash
# Builds the web page and tests it in Chromium, in WebGL2 and in WebGPU, against
# captures of the program.
#
#   scripts/test-web.sh             everything
#   scripts/test-web.sh FILE...     some of web/tests/*.test.mjs
#
# TARSUS names the program, if it is built already.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

scripts/setup.sh --web
scripts/web.sh
[ -n "${TARSUS:-}" ] || cargo build --locked
npm run --prefix web --silent check
if [ $# -eq 0 ]; then
  set -- web/tests/*.test.mjs
fi
# One file after another: each has browsers of its own, which draw with all processors.
for file in "$@"; do
  echo "== $file"
  node --test --test-reporter spec "$file"
done
