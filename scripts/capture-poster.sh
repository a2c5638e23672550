#!/bin/sh
# Renders one picture of 20000x12000 pixels and prints its peak memory, time and file
# size. Fails above 1.5 GiB of memory. SCENE replaces the default scene.
#
#   cargo build --release && scripts/capture-poster.sh [SCENE]
set -eu
tarsus=${TARSUS:-target/release/tarsus}
scene=${1:-tests/fixtures/moving.wgsl}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
/usr/bin/time -f '%M %e' -o "$folder/used" \
    "$tarsus" capture "$scene" --size 20000x12000 -o "$folder/poster.png"
read -r kib seconds <"$folder/used"
size=$(wc -c <"$folder/poster.png")
echo "20000x12000: $((kib / 1024)) MiB of memory at most, $seconds s, a file of $((size >> 20)) MiB"
[ "$kib" -lt $((1536 * 1024)) ]
