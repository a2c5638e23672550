#!/usr/bin/env bash
# Captures into a small in-memory file system until it is full, and checks that the run
# reports the error, that every finished file is intact, and that --resume completes the run
# once there is space. An exceeded quota ends writing in the same way.
#
#   scripts/full-disk.sh
#
# Mounts in its own namespace, so it needs root or unprivileged user namespaces. TARSUS is the
# path of the program, target/release/tarsus by default.
set -euo pipefail
cd "$(dirname "$0")/.."
case "${1:-}" in
  -h | --help) sed -n '2,9s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
if [ -z "${IN_NAME_SPACE:-}" ]; then
  TARSUS=$(realpath "${TARSUS:-target/release/tarsus}")
  export TARSUS IN_NAME_SPACE=1
  map=()
  [ "$(id -u)" = 0 ] || map=(--map-root-user)
  exec unshare --mount "${map[@]}" "$0"
fi
scene=$PWD/tests/fixtures/noise.wgsl
folder=$(mktemp -d)
trap 'umount "$folder/small"; rm -rf "$folder"' EXIT
mkdir "$folder/small"
mount -t tmpfs -o size=1m tmpfs "$folder/small"

fail() {
  echo "full-disk.sh: $*" >&2
  exit 1
}

frames=(--size 256x144 --frames 40)
"$TARSUS" capture "$scene" --quiet "${frames[@]}" -o "$folder/whole"
tried=0
for output in out out.apng out.gif out.mp4 out.y4m; do
  # Videos of static noise are small.
  if [ "$output" = out.mp4 ]; then mount -o remount,size=32k "$folder/small"; fi
  run=("$scene" --quiet "${frames[@]}" -o "$folder/small/$output")
  code=0
  said=$("$TARSUS" capture "${run[@]}" 2>&1) || code=$?
  [ "$code" = 1 ] || fail "$output: exit code $code: $said"
  [[ "$said" == *"No space left on device"* ]] || fail "$output: it says: $said"
  if [ "$output" = out ]; then
    while IFS= read -r name; do
      cmp "$folder/small/out/$name" "$folder/whole/$name" || fail "$name is damaged"
    done < <(ls "$folder/small/out")
    kept=$(find "$folder/small/out" -type f | wc -l)
    mount -o remount,size=16m "$folder/small"
    "$TARSUS" capture "${run[@]}" --resume
    diff -rq "$folder/small/out" "$folder/whole" || fail "the resumed run differs"
    rm -r "$folder/small/out"
    mount -o remount,size=1m "$folder/small"
  fi
  left=$(find "$folder/small" -type f | wc -l)
  [ "$left" = 0 ] || fail "$output: $left files are left"
  tried=$((tried + 1))
done
echo "$tried outputs on a full file system: told of, nothing damaged or left; a run with $kept of 40 frames went on to the whole"
