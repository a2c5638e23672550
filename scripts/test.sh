#!/usr/bin/env bash
# Sets up what is missing, then checks everything: formatting; lints and docs of
# every floor by itself; that the library type-checks for the web; all tests on the
# adapter at hand; and the web page in Chromium, whose longer tests are those of
# scripts/test-web.sh. For other desktops there is scripts/other-systems.sh.
set -euo pipefail
cd "$(dirname "$0")/.."
scripts/setup.sh --tests

step() { printf '\n== %s\n' "$*"; "$@"; }

step cargo fmt --all --check

# All targets with all features are the top floor, `window`. A floor below it is
# the library, and from `capture` on the program, with nothing that only tests
# need. `render` and `player` share their dependencies.
step cargo clippy --all-targets --all-features -- -D warnings
step cargo clippy --no-default-features -- -D warnings
for floor in render player live media capture serve studio,web; do
  step cargo clippy --no-default-features --features "$floor" -- -D warnings
done
export RUSTDOCFLAGS="-D warnings"
step cargo doc --no-deps --lib --no-default-features
for floor in render player live media capture window studio,web; do
  step cargo doc --no-deps --lib --no-default-features --features "$floor"
done

web=wasm32-unknown-unknown
if ! rustup target add "$web" >/dev/null 2>&1; then
  echo "test.sh: cannot check the library for the web: the Rust target $web cannot be added with rustup" >&2
  exit 1
fi
# The two modules of the page, each without the other.
for part in studio web; do
  step cargo clippy --lib --target "$web" --no-default-features --features "$part" -- -D warnings
done

# The solver has square roots of its own where there is no standard library.
step cargo test --no-default-features --lib --test ik
step cargo test --no-default-features --doc
step cargo test --all-features

# The page, against pictures of the program that the tests have built.
export TARSUS=target/debug/tarsus
step scripts/test-web.sh --short
