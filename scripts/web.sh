#!/usr/bin/env bash
# Builds the web page and everything it needs into target/web. Any web server can serve that
# folder, and `tarsus serve` and `tarsus export` use it.
#
#   scripts/web.sh          the page
#   scripts/web.sh --wasm   only the WebAssembly and its JavaScript, into target/wasm
#   scripts/web.sh --quick  the page for tests, built in a third of the time and several
#                           times as large
set -euo pipefail
cd "$(dirname "$0")/.."

only_wasm=
is_quick=
case "${1:-}" in
  "") ;;
  --wasm) only_wasm=1 ;;
  --quick) is_quick=1 ;;
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "web.sh: unknown argument '$1': there are --wasm and --quick" >&2; exit 2 ;;
esac

for tool in cargo rustup npm; do
  if ! command -v "$tool" >/dev/null; then
    echo "web.sh: $tool is missing: scripts/setup.sh --web says how to get it" >&2
    exit 1
  fi
done
. scripts/node.sh

target=wasm32-unknown-unknown
rustup target list --installed | grep -x "$target" >/dev/null || rustup target add "$target"

# Install the packages of the lock file, unless up to date.
if ! [ web/node_modules/.package-lock.json -nt web/package-lock.json ]; then
  npm ci --prefix web --ignore-scripts --no-audit --no-fund
fi

# `compile FEATURES FLAG...` builds the WebAssembly module with these features.
compile() {
  # Deep scenes need more stack than the default of 1 MiB.
  cargo rustc --locked -p tarsus-web --lib --crate-type cdylib --target "$target" \
    --features "$@" -- -C link-arg=-zstack-size=16777216
}

# `bind MODULE.wasm NAME FLAG...` generates the module's JavaScript bindings.
bind() {
  cargo run --locked --quiet --manifest-path web/build/Cargo.toml --target-dir target/web-build -- \
    "$1" target/wasm "${@:2}"
}

# `module NAME FEATURE` builds a module optimised for size.
module() {
  compile "$2" --profile small
  bind "target/$target/small/tarsus_web.wasm" "$1" --names
  # Higher levels give fewer bytes, but more of them once compressed. Sorted by name,
  # instances of a generic function are neighbours, which saves 3 % once compressed. The
  # lowest KiB is the far end of the stack.
  web/node_modules/.bin/wasm-opt --low-memory-unused -O1 --dae-optimizing \
    --reorder-functions-by-name --strip-producers --strip-target-features "target/wasm/$1_bg.wasm" -o "target/wasm/$1_bg.wasm"
}

if [ -n "$is_quick" ]; then
  # All are one module, so that shared code is built once.
  compile studio,player,webgl,webgpu
  bind "target/$target/debug/tarsus_web.wasm" studio
  for file in target/wasm/studio*; do
    for name in player player_webgl2 player_webgpu; do
      cp "$file" "target/wasm/$name${file#target/wasm/studio}"
    done
  done
else
  module studio studio
  module player player,webgl,webgpu
  module player_webgl2 player,webgl
  module player_webgpu player,webgpu
fi
node web/compose.mjs target/wasm
[ -z "$only_wasm" ] || exit 0

npm run --prefix web --silent build
# Check the size of the page.
[ -n "$is_quick" ] || node web/size.mjs

# Source that `--cfg tarsus_page` builds into the program: every file of the site.
{
  echo "&["
  (cd target/web && find . -type f | sort) | while read -r file; do
    printf '    ("%s", include_bytes!("web/%s")),\n' "${file#./}" "${file#./}"
  done
  echo "]"
} >target/site.rs
