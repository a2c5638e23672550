#!/usr/bin/env bash
# Kills captures with SIGKILL at random times and checks that no damaged file is ever taken
# for a complete one. PNG frames and checkpoints continue with --resume after every kill and
# end up byte-identical to an uninterrupted run; an APNG or MP4 is complete or absent.
#
#   scripts/kill-test.sh [KILLS] [SEED]        500 kills by default
#
# TARSUS is the path of the program, target/release/tarsus by default.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
kills="${1:-500}"
RANDOM="${2:-1}"
tarsus=$(realpath "${TARSUS:-target/release/tarsus}")
moving=$PWD/tests/fixtures/moving.wgsl
ink=$PWD/tests/fixtures/ink.wgsl
folder=$(mktemp -d)
child=
clean_up() {
  if [ -n "$child" ]; then kill -9 "$child" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap clean_up EXIT
cd "$folder"

fail() {
  echo "kill-test.sh: $*" >&2
  exit 1
}

# Arguments of each kind of output; a run takes about a second.
png=("$moving" --size 64x36 --frames 60 --ssaa 16)
film=("$moving" --size 64x36 --frames 60 --ssaa 4)
state=("$ink" --size 64x36 --frames 60 --ssaa 4 --checkpoint-every 7)
"$tarsus" capture "${png[@]}" --quiet -o whole-png
"$tarsus" capture "${state[@]}" --quiet -o whole-state
"$tarsus" capture "${film[@]}" --quiet -o whole.apng
"$tarsus" capture "${film[@]}" --quiet -o whole.mp4

# Starts a capture and kills it after a random delay of at most the given milliseconds.
# Succeeds if the capture was still running.
killed_within() {
  local most=$1 status=0
  shift
  "$tarsus" capture "$@" --quiet 2>/dev/null &
  child=$!
  sleep "$(awk -v r="$RANDOM" -v most="$most" 'BEGIN { printf "%.4f", r / 32768 * most / 1000 }')"
  kill -9 "$child" 2>/dev/null || true
  # An ffmpeg whose input ends early exits normally.
  wait "$child" 2>/dev/null || status=$?
  child=
  [ "$status" = 137 ]
}

# Checks that every visible file equals that of the uninterrupted run.
same_as_far() {
  local name
  while IFS= read -r name; do
    cmp -s "$1/$name" "$2/$name" || fail "$name is not that of the whole run after kill $count"
  done < <(cd "$1" && find . -type f ! -name '.*' | sort)
}

# Prints the duration of a run in milliseconds.
lasts() {
  local begun
  begun=$(date +%s%N)
  "$tarsus" capture "$@" --quiet
  echo $((($(date +%s%N) - begun) / 1000000))
}
t_png=$(lasts "${png[@]}" -o time-png)
t_state=$(lasts "${state[@]}" -o time-state)
t_apng=$(lasts "${film[@]}" -o time.apng)
t_mp4=$(lasts "${film[@]}" -o time.mp4)

count=0 hits=0 ended=0
begun=$(date +%s)
while [ "$count" -lt "$kills" ]; do
  count=$((count + 1))
  case $((count % 4)) in
    0) killed_within "$t_png" "${png[@]}" --resume -o out-png && hits=$((hits + 1)) ;;
    1) killed_within "$t_state" "${state[@]}" --resume -o out-state && hits=$((hits + 1)) ;;
    2) killed_within "$((t_apng * 11 / 10))" "${film[@]}" -o out.apng && hits=$((hits + 1)) ;;
    3) killed_within "$((t_mp4 * 11 / 10))" "${film[@]}" -o out.mp4 && hits=$((hits + 1)) ;;
  esac || true
  if [ -d out-png ]; then same_as_far out-png whole-png; fi
  if [ -d out-state ]; then same_as_far out-state whole-state; fi
  for film_file in out.apng out.mp4; do
    if [ -e "$film_file" ]; then
      cmp -s "$film_file" "whole${film_file#out}" || fail "$film_file is not whole after kill $count"
      rm "$film_file"
    fi
  done
  # From time to time, complete the interrupted runs, compare them and start over.
  if [ $((RANDOM % 6)) = 0 ]; then
    for kind in png state; do
      declare -n run="$kind"
      "$tarsus" capture "${run[@]}" --quiet --resume -o "out-$kind"
      diff -rq "out-$kind" "whole-$kind" || fail "the resumed run differs after kill $count"
      rm -r "out-$kind"
    done
    ended=$((ended + 1))
  fi
done
for kind in png state; do
  declare -n run="$kind"
  "$tarsus" capture "${run[@]}" --quiet --resume -o "out-$kind"
  diff -rq "out-$kind" "whole-$kind" || fail "the resumed run differs at the end"
done
for film_file in out.apng out.mp4; do
  "$tarsus" capture "${film[@]}" --quiet -o "$film_file"
  cmp "$film_file" "whole${film_file#out}" || fail "$film_file differs at the end"
done
left=$(find . -name '.*.part' -o -name '.tarsus-*.lock' | wc -l)
[ "$left" = 0 ] || fail "$left hidden files are left"
echo "$count kills, $hits of them in a running capture, $((ended + 1)) resumed to the end: no damaged file under its name, everything byte for byte that of whole runs ($(($(date +%s) - begun)) s)"
