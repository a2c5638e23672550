#!/usr/bin/env bash
# Exports scenes to GLSL ES 3.00, draws them in Chromium's WebGL 2 and compares each with
# captures of the program at three times, with a limit of 40 dB. Chromium renders in software
# and takes minutes to compile a creature.
#
#   scripts/export-browser.sh             every built-in scene that can be exported
#   scripts/export-browser.sh SCENE...    the given scenes
#
# TARSUS is the path of the program, if already built; SIZE is the size of the pictures (96x54
# by default), SECONDS_PER_SCENE the time limit per scene in Chromium (600 by default).
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac

[ -n "${TARSUS:-}" ] || cargo build --release --locked
size=${SIZE:-96x54}
if [ $# -eq 0 ]; then
  set -- ik_diagram ik_field line_walker creature spider strider crane strandbeest herd tracks
fi
exec node crates/render/tests/oracle/webgl2.mjs "${TARSUS:-target/release/tarsus}" "${size%x*}" "${size#*x}" "${SECONDS_PER_SCENE:-600}" "$@"
