#!/usr/bin/env bash
# Tests the solver without the standard library, where square roots come from libm.
set -euo pipefail
cd "$(dirname "$0")/.."
cargo test --no-default-features --lib --test ik
cargo test --no-default-features --doc
