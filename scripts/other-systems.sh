#!/usr/bin/env bash
# Type-checks tarsus for Windows and macOS from any system. It is left to those who change
# what differs between systems, and to continuous integration on the systems themselves.
set -euo pipefail
cd "$(dirname "$0")/.."

for target in x86_64-pc-windows-msvc aarch64-apple-darwin; do
  rustup target add "$target"
  # Without the GLSL compiler, whose C++ needs the other system's own compiler.
  cargo check --locked --target "$target" --no-default-features --features capture,serve,window
done
