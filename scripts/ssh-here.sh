#!/usr/bin/env bash
# Tests shards over ssh with GNU parallel: a private server on this machine, two logins,
# and one shard that is killed halfway and restarted by parallel. The frames must be
# byte-identical to those of an uninterrupted run.
#
#   scripts/ssh-here.sh [FRAMES] [SHARDS]     200 frames in 4 shards by default
#
# On Debian and Ubuntu: apt install openssh-server parallel. TARSUS is the path of the
# program, target/release/tarsus by default. The system is not changed: keys and settings
# are in a temporary folder.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
case "${1:-}" in
  -h | --help) sed -n '2,10s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
frames="${1:-200}"
shares="${2:-4}"
tarsus=$(realpath "${TARSUS:-$here/target/release/tarsus}")
PATH="$PATH:/usr/sbin"
for program in sshd ssh ssh-keygen parallel; do
  if ! command -v "$program" >/dev/null; then
    echo "ssh-here.sh: $program is missing: apt install openssh-server parallel" >&2
    exit 1
  fi
done
folder=$(mktemp -d)
server=
clean_up() {
  if [ -n "$server" ]; then kill "$server" 2>/dev/null || true; fi
  rm -rf "$folder"
}
trap clean_up EXIT
ssh-keygen -q -t ed25519 -N '' -f "$folder/host"
ssh-keygen -q -t ed25519 -N '' -f "$folder/user"
cp "$folder/user.pub" "$folder/allowed"
port=$((20000 + RANDOM % 20000))
cat >"$folder/sshd_config" <<END
ListenAddress 127.0.0.1
Port $port
HostKey $folder/host
AuthorizedKeysFile $folder/allowed
PidFile $folder/sshd.pid
PasswordAuthentication no
PermitRootLogin prohibit-password
StrictModes no
UsePAM no
END
# sshd's privilege separation needs this folder.
if [ "$(id -u)" = 0 ]; then mkdir -p /run/sshd; fi
"$(command -v sshd)" -D -f "$folder/sshd_config" -E "$folder/sshd.log" &
server=$!
cat >"$folder/ssh" <<END
#!/bin/sh
exec ssh -p $port -i $folder/user -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR "\$@"
END
chmod +x "$folder/ssh"
for _ in $(seq 1 100); do
  if "$folder/ssh" 127.0.0.1 true 2>/dev/null; then break; fi
  sleep 0.1
done
"$folder/ssh" 127.0.0.1 true

run="$here/tests/fixtures/moving.wgsl --size 160x90 --ssaa 8 --frames $frames --quiet"
"$tarsus" capture $run -o "$folder/whole"
{
  # Kill one shard as soon as some frames exist.
  while [ "$(find "$folder/frames" -name 'frame_*.png' 2>/dev/null | wc -l)" -lt $((frames / 10)) ]; do sleep 0.05; done
  for process in /proc/[0-9]*; do
    line=$(tr '\0' ' ' <"$process/cmdline" 2>/dev/null) || continue
    case "$line" in
      "$tarsus capture "*"$folder/frames"*) kill -9 "${process#/proc/}" && echo "killed: $line"; break ;;
    esac
  done
} &
killer=$!
seq 1 "$shares" | PARALLEL_SSH="$folder/ssh" parallel --will-cite --retries 3 --joblog "$folder/log" \
  -S 1/127.0.0.1,1/localhost \
  "$tarsus capture $run --resume -o $folder/frames --shard {}/$shares"
wait "$killer"
diff -rq "$folder/whole" "$folder/frames"
"$tarsus" capture --merge "$folder/frames" --frames "$frames" -o "$folder/film.apng"
echo "$frames frames in $shares shares over ssh are the whole run, byte for byte"
