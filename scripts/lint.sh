#!/usr/bin/env bash
# Runs the static checks: formatting, lints and docs of the whole workspace, each crate and
# each feature alone, and the WebAssembly modules on their own target. For other
# systems there is scripts/other-systems.sh.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check
step cargo clippy --workspace --all-targets --all-features -- -D warnings

# Alone, a crate cannot lean on features that another one enables.
for crate in ik shader glsl transpile render files player media capture; do
  step cargo clippy -p "tarsus-$crate" --no-default-features -- -D warnings
done
step cargo clippy --no-default-features -- -D warnings
for feature in capture glsl window; do
  step cargo clippy --no-default-features --features "$feature" -- -D warnings
done

web=wasm32-unknown-unknown
if ! rustup target add "$web" >/dev/null 2>&1; then
  echo "lint.sh: cannot check the web page: rustup cannot add the target $web" >&2
  exit 1
fi
for module in player,webgl player,webgpu studio; do
  step cargo clippy -p tarsus-web --target "$web" --features "$module" -- -D warnings
done

export RUSTDOCFLAGS="-D warnings"
step cargo doc --workspace --no-deps --lib --all-features
