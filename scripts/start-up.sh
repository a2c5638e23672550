#!/bin/bash
# Measures how long short commands take as whole processes, in seconds, best first. Run it
# on an idle machine.
#
#   cargo build --release && scripts/start-up.sh
set -eu
tarsus=${TARSUS:-target/release/tarsus}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
TIMEFORMAT=%R

# A first, unmeasured run fills Mesa's shader cache.
measure() {
    echo "tarsus $*"
    "$tarsus" "$@" >/dev/null 2>&1
    for _ in $(seq "${ROUNDS:=7}"); do
        { time "$tarsus" "$@" >/dev/null 2>&1; } 2>&1
    done | sort -n | tr '\n' ' '
    echo
}

measure --help
measure check shaders/ik_diagram.wgsl
measure adapters
measure capture ik_diagram --time 0 --size 800x450 -o "$folder/diagram.png"
