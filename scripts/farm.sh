#!/usr/bin/env bash
# Simulates rendering a video on many preemptible machines, and prints the time and the
# cost. Each machine renders one shard; a lost machine is replaced after a while, and its
# shard continues with the frame that was interrupted.
#
#   scripts/farm.sh [NAME=VALUE...]
#
#   frames=100000      of the video             machines=1000
#   seconds=60         per frame                spread=0.3    standard deviation, as a fraction of it
#   start=20           seconds from the start of a machine to its first frame
#   lost=6             mean hours until a machine is lost; 0 for never
#   replaced=300       seconds until it is replaced
#   price=0.05         per machine and hour     bytes=3000000 per frame
#   plays=20           runs of the simulation   seed=1
set -euo pipefail
case "${1:-}" in
  -h | --help) sed -n '2,16s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
settings=(frames=100000 machines=1000 seconds=60 spread=0.3 start=20 lost=6 replaced=300 price=0.05
  bytes=3000000 plays=20 seed=1)
for setting in "$@"; do
  name=${setting%%=*}
  case " ${settings[*]} " in
    *" $name="*) settings+=("$setting") ;;
    *) echo "farm.sh: unknown setting '$setting': see --help" >&2; exit 2 ;;
  esac
done
arguments=()
for setting in "${settings[@]}"; do arguments+=(-v "$setting"); done
awk "${arguments[@]}" '
function exponential(mean) { return -mean * log(1 - rand()) }
# The sum of twelve uniform numbers is nearly normal.
function normal(  i, sum) { sum = -6; for (i = 0; i < 12; i++) sum += rand(); return sum }
function frame_time(  t) { t = seconds * (1 + spread * normal()); return t > seconds / 10 ? t : seconds / 10 }
function sorted(list, count,  i, j, kept) {
  for (i = 2; i <= count; i++) {
    kept = list[i]
    for (j = i - 1; j > 0 && list[j] > kept; j--) list[j + 1] = list[j]
    list[j + 1] = kept
  }
}
BEGIN {
  srand(seed)
  for (play = 1; play <= plays; play++) {
    last = 0
    for (machine = 0; machine < machines; machine++) {
      left = int(frames / machines) + (machine < frames % machines)
      now = start; worked += start
      loss = lost > 0 ? exponential(lost * 3600) : 1e30
      while (left > 0) {
        t = frame_time()
        if (now + t <= loss) { now += t; worked += t; left--; continue }
        losses++; wasted += loss > now ? loss - now : 0; worked += loss > now ? loss - now : 0
        now = (loss > now ? loss : now) + replaced + start; worked += start
        loss = now + exponential(lost * 3600)
      }
      if (now > last) last = now
    }
    ends[play] = last
  }
  sorted(ends, plays)
  hours = worked / plays / 3600
  printf "%d frames on %d machines: done after %.1f min (median of %d plays; %.1f to %.1f min)\n", frames, machines, ends[int((plays + 1) / 2)] / 60, plays, ends[1] / 60, ends[plays] / 60
  printf "without losses, and evenly: %.1f min; %.0f machine-hours, %.2f to pay\n", (start + seconds * frames / machines) / 60, hours, hours * price
  printf "%.1f machines lost, %.1f machine-minutes of frames under way lost with them\n", losses / plays, wasted / plays / 60
  printf "%.1f GB of frames, %.0f MB/s written at most of the time\n", frames * bytes / 1e9, machines * bytes / seconds / 1e6
}'
