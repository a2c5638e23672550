#!/usr/bin/env bash
# Builds the web page and tests it in Chromium, with WebGL2 and with WebGPU, against
# captures of the program.
#
#   scripts/test-web.sh             everything, on the page as published
#   scripts/test-web.sh --short     everything once, on a quickly built page
#   scripts/test-web.sh FILE...     the given web/tests/*.test.mjs, on the existing page
#
# TARSUS is the path of the program, if already built.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

scripts/setup.sh --web
. scripts/node.sh
case "${1:-}" in
  "")
    scripts/web.sh
    ;;
  --short)
    shift
    export TARSUS_WEB_TESTS=short
    scripts/web.sh --quick
    ;;
  *)
    if ! [ -f target/web/index.html ]; then
      echo "test-web.sh: there is no target/web: scripts/web.sh builds it" >&2
      exit 1
    fi
    ;;
esac
[ -n "${TARSUS:-}" ] || cargo build --locked
npm run --prefix web --silent check
if [ $# -eq 0 ]; then
  set -- web/tests/*.test.mjs
fi
# Two files at a time: each starts its own browsers, which render on all cores, but often waits.
node --test --test-concurrency 2 --test-reporter spec "$@"
