#!/usr/bin/env bash
# Type-checks tarsus for Windows and macOS, from any system. Only needed for changes to
# system-specific code; continuous integration also builds on these systems.
set -euo pipefail
cd "$(dirname "$0")/.."

for target in x86_64-pc-windows-msvc aarch64-apple-darwin; do
  rustup target add "$target"
  # Without the GLSL compiler, whose C++ needs the target system's compiler.
  cargo check --locked --target "$target" --no-default-features --features capture,window
done
