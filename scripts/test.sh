#!/usr/bin/env bash
# Sets up what is missing, then checks everything: what scripts/lint.sh checks, all
# tests on the adapter at hand, and the web page in Chromium, whose longer tests are
# those of scripts/test-web.sh. For other desktops there is scripts/other-systems.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests

step() { printf '\n== %s\n' "$*"; "$@"; }

# What makes a second build quicker only costs where there is none.
[ -z "${CI:-}" ] || export CARGO_INCREMENTAL=0

# Tests often wait and lints keep one processor busy: they run beside each other, and
# so does the building of the page. What is printed beside the tests is shown later.
logs=$(mktemp -d)
groups=()
finish() {
  for group in ${groups[@]+"${groups[@]}"}; do
    kill -- "-$group" 2>/dev/null || true
  done
  rm -rf "$logs"
}
trap finish EXIT

# `beside SCRIPT ARGUMENT...`: starts it in a process group of its own.
beside() {
  set -m
  "$@" >"$logs/${1##*/}" 2>&1 &
  set +m
  groups+=($!)
}

# `join SCRIPT`: waits for it, and fails if it did.
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
step cargo test --all-features

# The page, against pictures of the program that the tests have built.
join scripts/web.sh
beside scripts/test-solver.sh
TARSUS=target/debug/tarsus TARSUS_WEB_TESTS=short step scripts/test-web.sh web/tests/*.test.mjs
join scripts/lint.sh
join scripts/test-solver.sh
