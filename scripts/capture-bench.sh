#!/bin/sh
# Measures captures as whole processes: the time of 60 PNG frames of a gradient at
# 1280x720, and the memory of 300 and of 3000 frames. Run it on an idle machine.
#
#   cargo build --release && scripts/capture-bench.sh
set -eu
tarsus=${TARSUS:-target/release/tarsus}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cat >"$folder/gradient.wgsl" <<'WGSL'
#import tarsus::frame::frame
fn main_image(p: vec2f) -> vec4f { return vec4f(p / frame.resolution, 0.5 + 0.5 * sin(frame.time), 1.0); }
WGSL

echo "60 PNG frames at 1280x720, seconds of the whole process, best of ${ROUNDS:=11} first:"
for _ in $(seq "$ROUNDS"); do
    /usr/bin/time -f %e -o "$folder/time" "$tarsus" capture "$folder/gradient.wgsl" \
        --frames 60 --quiet -o "$folder/out" 2>/dev/null
    cat "$folder/time"
done | sort -n | tr '\n' ' '
echo

echo "peak memory in KiB of 300 and of 3000 frames at 640x360:"
for frames in 300 3000; do
    /usr/bin/time -f %M -o "$folder/memory" "$tarsus" capture "$folder/gradient.wgsl" \
        --size 640x360 --frames $frames --quiet -o "$folder/out" 2>/dev/null
    cat "$folder/memory"
done
