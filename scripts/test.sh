#!/usr/bin/env bash
# Installs missing dependencies, then checks everything: scripts/lint.sh, all tests on the
# available GPU or software renderer, and the web page in Chromium. scripts/test-web.sh has
# longer tests of the page; scripts/other-systems.sh checks other desktops.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests

step() { printf '\n== %s\n' "$*"; "$@"; }

# Incremental compilation only costs time where nothing is built twice.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

# The tests often wait and the lints keep one core busy, so they run in parallel, as does the
# build of the page. Background output is printed when the job is joined.
logs=$(mktemp -d)
groups=()
finish() {
  for group in ${groups[@]+"${groups[@]}"}; do
    kill -- "-$group" 2>/dev/null || true
  done
  rm -rf "$logs"
}
trap finish EXIT

# `beside SCRIPT ARGUMENT...` starts a script in the background, in its own process group.
beside() {
  set -m
  "$@" >"$logs/${1##*/}" 2>&1 &
  set +m
  groups+=($!)
}

# `join SCRIPT` waits for the oldest background script, prints its output and returns its status.
join() {
  local failed=0
  wait "${groups[0]}" || failed=$?
  groups=("${groups[@]:1}")
  printf '\n== %s\n' "$1"
  cat "$logs/${1##*/}"
  return "$failed"
}

beside scripts/web.sh --quick
beside scripts/lint.sh
step cargo test --workspace --all-features

# The page, against captures of the program that the tests have built.
join scripts/web.sh
beside scripts/test-solver.sh
TARSUS=target/debug/tarsus TARSUS_WEB_TESTS=short step scripts/test-web.sh web/tests/*.test.mjs
join scripts/lint.sh
join scripts/test-solver.sh
