#!/usr/bin/env bash
# Runs a program on a software renderer that looks like a GPU with vertical sync: see
# fifo-layer/layer.c, which this builds. Needs libvulkan-dev and a C compiler.
#
#   scripts/fifo.sh COMMAND [ARGUMENT…]   runs a command; FIFO_HZ and FIFO_LOG apply
#   scripts/fifo.sh --table TARSUS        opens scenes of 2 to 12 ms in windows under Xvfb, and
#                                         prints how each one is paced after it has settled
set -euo pipefail

folder=$(cd "$(dirname "$0")" && pwd)
build=${CARGO_TARGET_DIR:-$folder/../target}/fifo-layer
mkdir -p "$build"
build=$(cd "$build" && pwd)
if [ "$folder/fifo-layer/layer.c" -nt "$build/layer.so" ]; then
  # Renamed, because another run may be using the old one.
  cc -shared -fPIC -O2 -Wall -Wextra -Werror -fvisibility=hidden \
    "$folder/fifo-layer/layer.c" -o "$build/layer.so.$$" -lpthread
  mv "$build/layer.so.$$" "$build/layer.so"
  cp "$folder/fifo-layer/layer.json" "$build/layer.json"
fi

with_layer() {
  VK_LAYER_PATH=$build VK_INSTANCE_LAYERS=VK_LAYER_tarsus_fifo "$@"
}

# Writes a scene with $1 iterations per pixel.
write_scene() {
  cat >"$work/scene.wgsl" <<WGSL
#import tarsus::frame
fn main_image(p: vec2f) -> vec4f {
    var sum = fract(frame::frame.time);
    for (var i = 0; i < $1; i++) { sum = fract(sin(sum + p.x) * 437.5); }
    return vec4f(sum);
}
WGSL
}

# Milliseconds of a picture of 400x225 with $1 iterations per pixel.
measure() {
  write_scene "$1"
  "$program" bench "$work/scene.wgsl" --size 400x225 --json | grep -o '"frame":{"least_ms":[0-9.]*' | grep -o '[0-9.]*$'
}

table() {
  program=$(realpath "$1")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  per_iteration=$(awk "BEGIN { print ($(measure 1000) - $(measure 200)) / 800 }")
  echo "cost    refresh  shown/s  waits  targets in the last 8 of 12 s"
  for ms in 2 4 6 8 10 12; do
    write_scene "$(awk "BEGIN { print int($ms / $per_iteration) }")"
    for hertz in 59.81 0; do
      rm -f "$work/log"
      status=0
      FIFO_HZ=$hertz FIFO_LOG=$work/log with_layer xvfb-run -a -s "-screen 0 1280x800x24" \
        timeout 12 "$program" view "$work/scene.wgsl" --size 400x225 >/dev/null 2>&1 || status=$?
      [ "$status" = 124 ] || { echo "the window ended early: status $status" >&2; exit 1; }
      awk -v ms="$ms" -v hertz="$hertz" '
        { time[NR] = $1; kind[NR] = $2; detail[NR] = $3 }
        END {
          last = time[NR]
          for (i = 1; i <= NR; i++) {
            if (kind[i] == "target") size = detail[i]
            if (time[i] < last - 8) { settled = size; continue }
            if (kind[i] == "present") { presents++; if (detail[i] > 2) waits++ }
            if (kind[i] == "target") targets = targets " " size
          }
          printf "%2d ms %9s %8.2f %6d  %s%s\n", ms, hertz, presents / 8, waits, settled,
            targets ? ", then" targets : ""
        }' "$work/log"
    done
  done
}

case "${1:-}" in
  --table) shift; table "$@" ;;
  -h | --help | "") sed -n '2,8s/^# \{0,1\}//p' "$0" ;;
  *) with_layer "$@" ;;
esac
