#!/usr/bin/env bash
# Tests scripts/capture.sbatch with a real Slurm on this machine: a controller and two
# workers, one of which is killed halfway with all its tasks. Slurm requeues them on the
# other worker, and the frames must be byte-identical to those of an uninterrupted run.
#
#   scripts/slurm-here.sh [FRAMES] [SHARDS]     400 frames in 8 shards by default
#
# On Debian and Ubuntu: apt install slurm-wlm munge. TARSUS is the path of the program
# (target/release/tarsus by default), SCENE the scene, FOLDER the working folder; the default
# is a temporary folder, removed at the end. The system is not changed.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
case "${1:-}" in
  -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
frames="${1:-400}"
shares="${2:-8}"
scene="${SCENE:-$here/tests/fixtures/moving.wgsl}"
export TARSUS="${TARSUS:-$here/target/release/tarsus}"
for program in slurmctld slurmd munged sbatch squeue scontrol; do
  if ! PATH="$PATH:/usr/sbin" command -v "$program" >/dev/null; then
    echo "slurm-here.sh: $program is missing: apt install slurm-wlm munge" >&2
    exit 1
  fi
done
if ! [ -x "$TARSUS" ]; then
  echo "slurm-here.sh: $TARSUS is missing: cargo build --release, or name another with TARSUS" >&2
  exit 1
fi
PATH="$PATH:/usr/sbin"

folder="${FOLDER:-$(mktemp -d)}"
mkdir -p "$folder"/{state,spool,out}
started=()
# Prints the processes of jobs on one of our workers, and the slurmstepd processes that run them.
of_worker() {
  local file process parent
  for file in $(grep -lzx "SLURMD_NODENAME=$1" /proc/[0-9]*/environ 2>/dev/null || true); do
    if ! grep -qzx "HERE=$folder" "$file" 2>/dev/null; then continue; fi
    process=$(basename "$(dirname "$file")")
    echo "$process"
    parent=$(awk '/^PPid:/ { print $2 }' "/proc/$process/status" 2>/dev/null || true)
    if grep -q "^slurmstepd" "/proc/${parent:-0}/comm" 2>/dev/null; then echo "$parent"; fi
  done
}
clean_up() {
  scancel --quiet --user="$(id -un)" 2>/dev/null || true
  for worker in worker1 worker2; do
    of_worker "$worker" | xargs -r kill -9 2>/dev/null || true
  done
  for process in ${started[@]+"${started[@]}"}; do
    kill -9 "$process" 2>/dev/null || true
  done
  if [ -z "${FOLDER:-}" ]; then rm -rf "$folder"; fi
}
trap clean_up EXIT

dd if=/dev/urandom of="$folder/munge.key" bs=1024 count=1 status=none
chmod 600 "$folder/munge.key"
host=$(hostname -s)
export SLURM_CONF="$folder/slurm.conf" HERE="$folder"
cat >"$SLURM_CONF" <<END
ClusterName=here
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=27817
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge.socket
CredType=cred/munge
MpiDefault=none
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdParameters=config_overrides
SlurmdTimeout=10
ReturnToService=2
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool/%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/%n.pid
SlurmctldLogFile=$folder/slurmctld.log
SlurmdLogFile=$folder/%n.log
NodeName=worker1 NodeHostname=$host NodeAddr=127.0.0.1 Port=27818 CPUs=2 State=UNKNOWN
NodeName=worker2 NodeHostname=$host NodeAddr=127.0.0.1 Port=27819 CPUs=2 State=UNKNOWN
PartitionName=here Nodes=worker1,worker2 Default=YES MaxTime=INFINITE State=UP
END

say() { printf '%s %s\n' "$(date +%H:%M:%S)" "$*"; }
until_true() {
  local what=$1
  shift
  for _ in $(seq 1 1200); do
    if "$@" >/dev/null 2>&1; then return 0; fi
    sleep 0.25
  done
  echo "slurm-here.sh: waited for 5 minutes: $what" >&2
  tail -n 20 "$folder"/*.log >&2 || true
  exit 1
}
start_worker() {
  mkdir -p "$folder/spool/$1"
  slurmd -D -N "$1" >"$folder/$1.out" 2>&1 &
  started+=("$!")
  eval "$1=$!"
}

say "one whole run of $frames frames"
run=("$scene" --size 160x90 --ssaa 16 --frames "$frames" --quiet)
"$TARSUS" capture "${run[@]}" -o "$folder/whole" --threads 1

munged --foreground --force --num-threads=2 --key-file="$folder/munge.key" --socket="$folder/munge.socket" \
  --pid-file="$folder/munged.pid" --seed-file="$folder/munge.seed" >"$folder/munged.log" 2>&1 &
started+=("$!")
until_true "munged" test -S "$folder/munge.socket"
slurmctld -D >"$folder/slurmctld.out" 2>&1 &
started+=("$!")
start_worker worker1
start_worker worker2
both_idle() { [ "$(sinfo --noheader --states=idle --format=%D)" = 2 ]; }
until_true "two workers" both_idle
say "$(slurmctld -V): two workers are idle"

job=$(cd "$folder/out" && OUTPUT="$folder/frames" sbatch --parsable --array="1-$shares" \
  --cpus-per-task=1 --mem=0 "$here/scripts/capture.sbatch" "${run[@]}")
say "job $job: $shares tasks"
has_frames() { [ "$(find "$folder/frames" -name 'frame_*.png' | wc -l)" -ge $((frames / 8)) ]; }
until_true "an eighth of the frames" has_frames

say "worker1 is killed with all its tasks, at $(find "$folder/frames" -name 'frame_*.png' | wc -l) frames"
kill -9 "$worker1"
tasks=$(of_worker worker1)
if [ -z "$tasks" ]; then
  echo "slurm-here.sh: worker1 had no task any more: use more frames" >&2
  exit 1
fi
# A task that has exited in the meantime is fine.
kill -9 $tasks 2>/dev/null || true
until_true "the tasks of worker1 are requeued" grep -qi "requeue.*due to failure of node\|requeue.*due to node failure\|requeue job.*node" "$folder/slurmctld.log"
say "$(grep -i 'requeue' "$folder/slurmctld.log" | head -n 1 | sed 's/^\[[^]]*\] //')"
start_worker worker1
say "worker1 is back"
is_done() { [ -z "$(squeue --noheader --job "$job" 2>/dev/null)" ]; }
until_true "all tasks" is_done

diff -rq "$folder/whole" "$folder/frames"
say "$(find "$folder/frames" -name 'frame_*.png' | wc -l) frames are the whole run, byte for byte, and nothing else is there"
"$TARSUS" capture --merge "$folder/frames" --frames "$frames" -o "$folder/film.apng"
