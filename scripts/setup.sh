#!/usr/bin/env bash
# Checks for everything that tarsus needs besides Rust. On Debian and its derivatives it
# installs missing packages with apt; on other systems it prints what to install. If nothing
# is missing it does nothing.
#
#   scripts/setup.sh          what running tarsus needs
#   scripts/setup.sh --tests  also what the tests need, including those of the web page
#   scripts/setup.sh --web    what building and testing the web page needs
set -euo pipefail

# Packages, each with a file or command that it installs: "package file-or-command".
run_needs=(
  "libvulkan1 libvulkan.so.1"
  "mesa-vulkan-drivers vulkan/icd.d"
)
test_needs=(
  "xvfb Xvfb"
  "ffmpeg ffmpeg"
  "strace strace"
  "time /usr/bin/time"
  "libvulkan-dev /usr/include/vulkan/vk_layer.h"
  "glslang-tools glslangValidator"
  "libegl-dev /usr/include/EGL/egl.h"
  "libgles-dev /usr/include/GLES3/gl3.h"
  "libgl1-mesa-dri dri/swrast_dri.so"
  "pkg-config pkg-config"
  "libasound2-dev /usr/include/alsa/asoundlib.h"
  "libxkbcommon-x11-0 libxkbcommon-x11.so.0"
  "libxcursor1 libXcursor.so.1"
  "libxi6 libXi.so.6"
  "libxrandr2 libXrandr.so.2"
)
web_needs=(
  "nodejs node"
  "npm npm"
  "chromium chromium"
  "procps ps"
)

case "${1:-}" in
  "") needs=("${run_needs[@]}") ;;
  --tests) needs=("${run_needs[@]}" "${test_needs[@]}" "${web_needs[@]}") ;;
  --web) needs=("${run_needs[@]}" "${web_needs[@]}") ;;
  -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0"; exit 0 ;;
  *) echo "setup.sh: unknown argument '$1': there are --tests and --web" >&2; exit 2 ;;
esac

# Not in a pipe: `grep -q` exits early, and pipefail would then report a failure.
libraries=$(/sbin/ldconfig -p 2>/dev/null || true)

is_there() {
  case "$1" in
    *.so.*) [[ "$libraries" == *"$1"* ]] ;;
    vulkan/icd.d) compgen -G "/usr/share/vulkan/icd.d/*.json" >/dev/null \
      || compgen -G "/etc/vulkan/icd.d/*.json" >/dev/null ;;
    # Where the distribution has no usable chromium package, the browser may have another name.
    chromium) [ -n "${CHROMIUM:-}" ] || command -v chromium chromium-browser google-chrome >/dev/null ;;
    dri/*) compgen -G "/usr/lib/*/$1" >/dev/null || compgen -G "/usr/lib*/$1" >/dev/null ;;
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

if ! command -v cargo >/dev/null; then
  echo "setup.sh: Rust is missing: install it from https://rustup.rs" >&2
  exit 1
fi

case "$(uname -s)" in
  Linux) ;;
  Darwin) elsewhere="macOS draws with Metal (the window tests need Linux)" ;;
  *) elsewhere="a graphics driver with Vulkan or DirectX 12 is enough" ;;
esac
if [ -n "${elsewhere:-}" ]; then
  if [ "${1:-}" = --web ] && ! command -v npm >/dev/null; then
    echo "setup.sh: npm is missing: install Node.js 20 or newer from https://nodejs.org" >&2
    exit 1
  fi
  echo "setup.sh: nothing to install: $elsewhere"
  exit 0
fi

missing=()
for need in "${needs[@]}"; do
  read -r package provides <<<"$need"
  is_there "$provides" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then
  echo "setup.sh: everything is there"
  exit 0
fi

if ! command -v apt-get >/dev/null; then
  echo "setup.sh: please install what this system calls: ${missing[*]}" >&2
  echo "  Fedora: vulkan-loader mesa-vulkan-drivers xorg-x11-server-Xvfb ffmpeg time strace alsa-lib-devel pkgconf glslang mesa-libEGL-devel mesa-libGLES-devel mesa-dri-drivers nodejs npm chromium" >&2
  echo "  Arch:   vulkan-icd-loader vulkan-swrast xorg-server-xvfb ffmpeg time strace alsa-lib pkgconf glslang mesa nodejs npm chromium" >&2
  exit 1
fi

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "setup.sh: as root, run: apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "setup.sh: installing ${missing[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq
"${as_root[@]}" apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
echo "setup.sh: done"
