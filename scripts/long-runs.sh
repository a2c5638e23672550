#!/usr/bin/env bash
# Runs the tests that take too long for every day: hours in the window, compressed by stepping
# its clock, a recording of an hour, 1,000 reloads, and videos and folders of 100,000 tiny
# frames. Prints the time and the peak memory of each.
#
#   scripts/long-runs.sh                        all of them
#   scripts/long-runs.sh hours|reloads|film|frames
#
# FRAMES replaces the number of frames, 100000. TARSUS is the path of the program for film and
# frames, target/release/tarsus by default.
set -euo pipefail
cd "$(dirname "$0")/.."
parts=()
for part in "$@"; do
  case "$part" in
    -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
    hours | reloads | film | frames) parts+=("$part") ;;
    *) echo "long-runs.sh: unknown part '$part': see --help" >&2; exit 2 ;;
  esac
done
[ ${#parts[@]} -gt 0 ] || parts=(hours reloads film frames)
frames="${FRAMES:-100000}"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

fail() {
  echo "long-runs.sh: $*" >&2
  exit 1
}

# Runs a command and prints its time and peak memory; sets `peak` to the memory in KiB.
measured() {
  local name=$1
  shift
  /usr/bin/time -f '%e %M' -o "$folder/time" "$@"
  local seconds
  read -r seconds peak <"$folder/time"
  echo "long-runs.sh: $name: $seconds s, $((peak / 1024)) MiB at most"
}

# Prints the path of a test binary. The profile distinguishes it from the program under test,
# which Cargo lists too.
test_binary() {
  cargo test --all-features "$@" --no-run --message-format json 2>/dev/null \
    | sed -n '/"test":true},"features"/s/.*"executable":"\([^"]*\)".*/\1/p' | tail -n 1
}

# A session of eight hours must not use more memory than one of minutes.
hours() {
  local tests
  tests=$(test_binary -p tarsus-player --lib)
  measured "some minutes of a session" "$tests" session::tests::long --test-threads 1
  local short=$peak
  TARSUS_LONG=full measured "8 hours of a session, and a recording of an hour" \
    "$tests" session::tests::long::session_memory --test-threads 1
  [ "$peak" -le $((short * 105 / 100 + 4096)) ] || fail "the session has grown from $short to $peak KiB"
  TARSUS_LONG=full measured "a recording of an hour, written, read and played" \
    "$tests" session::tests::long::long_recording --test-threads 1
}

reloads() {
  local tests
  tests=$(test_binary --test window)
  # Cargo has built the path of the program into the window tests, so TARSUS has no effect.
  TARSUS_LONG=full measured "1,000 reloads" "$tests" good_and_bad_edits --nocapture
}

program() {
  tarsus=$(realpath "${TARSUS:-target/release/tarsus}")
  scene=$PWD/tests/fixtures/moving.wgsl
}

film() {
  program
  measured "a film of 1000 frames" "$tarsus" capture "$scene" --quiet --size 16x16 --frames 1000 -o "$folder/short.mp4"
  local short=$peak
  measured "a film of $frames frames" "$tarsus" capture "$scene" --quiet --size 16x16 --frames "$frames" -o "$folder/long.mp4"
  [ "$peak" -le $((short * 105 / 100 + 8192)) ] || fail "memory grows with the frames, from $short to $peak KiB"
  local counted
  counted=$(ffprobe -v error -count_packets -show_entries stream=nb_read_packets -of csv=p=0 "$folder/long.mp4")
  [ "$counted" = "$frames" ] || fail "the film has $counted frames"
}

frames() {
  program
  local run=("$scene" --quiet --size 16x16 --frames "$frames")
  measured "$frames frames in PNG" "$tarsus" capture "${run[@]}" -o "$folder/out"
  local counted
  counted=$(find "$folder/out" -type f | wc -l)
  [ "$counted" = "$frames" ] || fail "there are $counted files"
  measured "the same again with --resume" "$tarsus" capture "${run[@]}" -o "$folder/out" --resume
  measured "gathered to a film" "$tarsus" capture --merge "$folder/out" --quiet --frames "$frames" -o "$folder/gathered.mp4"
}

for part in "${parts[@]}"; do "$part"; done
