#!/usr/bin/env bash
# Tests the solver without the standard library, where it has its own square roots.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test -p tarsus-ik --no-default-features
