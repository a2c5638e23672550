#!/bin/bash
# Measures GLSL: CPU seconds per frame of 640x360 in tarsus and in the system's OpenGL
# ES, and their ratio. Runs alternate and the best of each counts; the time of a process before
# its second frame is excluded. Needs a C compiler, EGL and GLESv2, and the same software
# driver for both: CPU time says nothing about a GPU.
#
#   cargo build --release && scripts/glsl-speed.sh [SHADER.glsl]...
set -eu
tarsus=${TARSUS:-target/release/tarsus}
frames=${FRAMES:-8}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT='%U %S'
cc -O1 crates/render/tests/oracle/gles.c -o "$folder/gles" -lEGL -lGLESv2
[ $# -gt 0 ] || set -- benches/glsl/*.glsl

seconds() {
    { time "$@" >/dev/null 2>&1; } 2>&1 | awk '{ print $1 + $2 }'
}

# Updates the minimum of the seconds that `$frames` frames take: `least MORE ONE MINIMUM`, where
# MORE is the time of a process with one frame more, and ONE that of a process with one frame.
least() {
    awk -v more="$1" -v one="$2" -v was="$3" \
        'BEGIN { now = more - one; print (was == "" || now < was) ? now : was }'
}

by_tarsus() {
    seconds "$tarsus" capture "$shader" --adapter software --size 640x360 --fps 4 \
        --frames "$1" --quiet -o - --format raw
}

by_gles() {
    times=$(seq -s, 0 0.25 "$(awk -v n="$1" 'BEGIN { print (n - 1) / 4 }')")
    seconds "$folder/gles" 640 360 "$times" "$folder/whole.frag" ----
}

for shader; do
    {
        printf '#version 300 es\nprecision highp float;\nprecision highp int;\n'
        printf 'uniform vec3 iResolution;\nuniform float iTime;\nuniform int iFrame;\nout vec4 pixel;\n'
        cat "$shader"
        printf 'void main() { mainImage(pixel, gl_FragCoord.xy); pixel.a = 1.0; }\n'
    } >"$folder/whole.frag"
    own='' other=''
    for _ in $(seq "${ROUNDS:-5}"); do
        own=$(least "$(by_tarsus $((frames + 1)))" "$(by_tarsus 1)" "$own")
        other=$(least "$(by_gles $((frames + 1)))" "$(by_gles 1)" "$other")
    done
    awk -v name="$(basename "$shader")" -v own="$own" -v other="$other" -v n="$frames" 'BEGIN {
        printf "%-16s tarsus %.3f s  OpenGL ES %.3f s  ratio %.2f\n", name, own / n, other / n, own / other }'
done
