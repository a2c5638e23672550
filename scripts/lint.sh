#!/usr/bin/env bash
# Runs the static checks: formatting, lints and docs for each layer of features separately,
# and both modules of the web page for their target. scripts/other-systems.sh checks other
# desktops.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check

# All targets with all features make up the top layer, `window`. Each layer below it is
# checked without the dependencies of the tests: the library, and from `capture` on also the
# program. `render` and `player` share their dependencies.
step cargo clippy --all-targets --all-features -- -D warnings
step cargo clippy --no-default-features -- -D warnings
for floor in render player live media capture serve; do
  step cargo clippy --no-default-features --features "$floor" -- -D warnings
done

web=wasm32-unknown-unknown
if ! rustup target add "$web" >/dev/null 2>&1; then
  echo "lint.sh: cannot check the library for the web: the Rust target $web cannot be added with rustup" >&2
  exit 1
fi
# The two modules of the page, each without the other.
for part in studio web; do
  step cargo clippy --lib --target "$web" --no-default-features --features "$part" -- -D warnings
done

export RUSTDOCFLAGS="-D warnings"
step cargo doc --no-deps --lib --no-default-features
step cargo doc --no-deps --lib --all-features
