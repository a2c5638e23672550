#!/usr/bin/env bash
# Builds the web page, with all that it needs, into target/web: any web server can
# serve that folder, and `tarsus serve` and `tarsus export` use it.
#
#   scripts/web.sh          the page
#   scripts/web.sh --wasm   only the WebAssembly and its JavaScript, into target/wasm
set -euo pipefail
cd "$(dirname "$0")/.."

only_wasm=
case "${1:-}" in
  "") ;;
  --wasm) only_wasm=1 ;;
  -h | --help) sed -n '2,6s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "web.sh: unknown argument '$1': there is --wasm" >&2; exit 2 ;;
esac

for tool in cargo rustup npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "web.sh: $tool is missing: scripts/setup.sh --web says how to get it" >&2
    exit 1
  fi
done

target=wasm32-unknown-unknown
rustup target list --installed | grep -x "$target" >/dev/null || rustup target add "$target"

# What the lock file says, unless it is there already.
if ! [ web/node_modules/.package-lock.json -nt web/package-lock.json ]; then
  npm ci --prefix web --ignore-scripts --no-audit --no-fund
fi

# One module of WebAssembly and its JavaScript: `module NAME FEATURE`.
module() {
  # Deep scenes need more stack than the usual 1 MiB.
  cargo rustc --locked --lib --crate-type cdylib --target "$target" --profile small \
    --no-default-features --features "$2" -- -C link-arg=-zstack-size=16777216
  cargo run --locked --quiet --manifest-path web/build/Cargo.toml --target-dir target/web-build -- \
    "target/$target/small/tarsus.wasm" target/wasm "$1"
  web/node_modules/.bin/wasm-opt -Os "target/wasm/$1_bg.wasm" -o "target/wasm/$1_bg.wasm"
}
module studio studio
module player web
node web/compose.mjs target/wasm
[ -z "$only_wasm" ] || exit 0

npm run --prefix web --silent build

# What `--cfg tarsus_page` builds into the program: every file of the site.
{
  echo "&["
  (cd target/web && find . -type f | sort) | while read -r file; do
    printf '    ("%s", include_bytes!("web/%s")),\n' "${file#./}" "${file#./}"
  done
  echo "]"
} >target/site.rs
