#!/usr/bin/env bash
# Runs the fuzz targets for a long time: one target with the given number of cases, or
# all of them. A seed gives the same cases on every machine.
#
#   scripts/fuzz.sh                        every target, 10000 cases each
#   scripts/fuzz.sh wgsl 1000000           one target
#   TARSUS_FUZZ_SEED=7 scripts/fuzz.sh     other cases
#
# Targets: wgsl, glsl, parameters, shadertoy, snapshots, timelines, pictures,
# recordings, volumes, films, command_line. The memory of the process is limited
# to 8 GiB. A crash leaves its case in target/tmp/fuzz/TARGET-PROCESS.case.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
  -h | --help) sed -n '2,11s/^# \{0,1\}//p' "$0"; exit 0 ;;
esac
target="${1:-all}"
export TARSUS_FUZZ_CASES="${2:-10000}"
declare -A tests=(
  [wgsl]=wgsl:: [glsl]=glsl:: [parameters]=parameters:: [shadertoy]=shadertoy::
  [snapshots]=snapshots:: [timelines]=timelines:: [pictures]=channels::pictures
  [recordings]=channels::recordings [volumes]=channels::volumes
  [films]=channels::films [command_line]=command_line:: [all]=""
)
if [ -z "${tests[$target]+known}" ]; then
  echo "fuzz.sh: unknown target '$target': there are ${!tests[*]}" >&2
  exit 2
fi

# As fast as the released program, but with overflow checks in tarsus, as in every test.
build=(cargo test --profile fuzz --no-default-features --features capture,glsl --test fuzz)
"${build[@]}" --no-run
ulimit -v $((8 << 20))
# Keep the cases' files in memory: a disk would take longer than the cases.
if [ -d /dev/shm ]; then export TMPDIR=/dev/shm; fi
exec "${build[@]}" -- --nocapture --test-threads 1 ${tests[$target]:+"${tests[$target]}"}
