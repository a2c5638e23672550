#!/usr/bin/env bash
# Checks what can be checked without running anything: formatting, lints and docs, each
# floor of features by itself, and the two modules of the web page on their own target.
# For other desktops there is scripts/other-systems.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check

# All targets with all features are the top floor, `window`. A floor below it is
# the library, and from `capture` on the program, with nothing that only tests
# need. `render` and `player` share their dependencies.
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
