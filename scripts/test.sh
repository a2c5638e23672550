#!/usr/bin/env bash
# Sets up what is missing, then checks everything: formatting, lints, docs, all
# tests on the adapter at hand, and that the other platforms still type-check.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --all-targets -- -D warnings
step cargo clippy --lib --no-default-features -- -D warnings
RUSTDOCFLAGS="-D warnings" step cargo doc --no-deps

for target in x86_64-pc-windows-msvc aarch64-apple-darwin; do
  if rustup target add "$target" >/dev/null 2>&1; then
    step cargo check --target "$target"
  else
    printf '\n== left out: the Rust target %s cannot be added here\n' "$target"
  fi
done

step cargo test --no-default-features --doc
step cargo test
