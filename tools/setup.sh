# shellcheck shell=bash
# Sourced by tools/sweep, tools/test and .ci/run: what a fresh Debian 12 machine needs before it can
# build, and how a preset is built. Quick when there is nothing to do. Leaves the caller in the
# repository's root.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

readonly packages=(
  g++ clang libclang-rt-14-dev cmake ninja-build ccache patch pkg-config python3 git
  libabsl-dev libboost-context-dev libxxhash-dev libcli11-dev nlohmann-json3-dev libssl-dev
  libgtest-dev libgmock-dev librapidcheck-dev valgrind gdb
)
# What a page is shown in, for tests that are skipped without it.
readonly browser_packages=(chromium fonts-dejavu-core)

# install_packages [PACKAGE...]: prints the packages that are missing of these, or of all that a
# build needs, and installs them; KIBAN_INSTALL=0 prints the command instead and exits with 2. On
# other systems than Debian it leaves the complaint to CMake.
install_packages() {
  command -v dpkg-query > /dev/null || return 0
  local package missing=() wanted=("$@")
  if (( $# == 0 )); then wanted=("${packages[@]}"); fi
  for package in "${wanted[@]}"; do
    dpkg-query -W -f '${Status}\n' "$package" 2> /dev/null | grep -q '^install ok installed$' ||
      missing+=("$package")
  done
  if (( ${#missing[@]} == 0 )); then return 0; fi
  local install=(env DEBIAN_FRONTEND=noninteractive apt-get)
  if (( EUID != 0 )); then install=(sudo "${install[@]}"); fi
  echo "missing packages: ${missing[*]}" >&2
  if [[ ${KIBAN_INSTALL:-1} == 0 ]]; then
    echo "install them with: ${install[*]} install -y --no-install-recommends ${missing[*]}" >&2
    exit 2
  fi
  # Package lists that are missing or too old show only now.
  "${install[@]}" install -y --no-install-recommends "${missing[@]}" < /dev/null >&2 ||
    { "${install[@]}" update < /dev/null >&2 &&
      "${install[@]}" install -y --no-install-recommends "${missing[@]}" < /dev/null >&2; }
}

# build PRESET [TARGET...]: configures, if that was never done or the presets have changed since,
# and builds.
build() {
  local folder=build/$1
  if [[ ! CMakePresets.json -ot $folder/build.ninja ]]; then cmake --preset "$1" >&2 || return; fi
  cmake --build "$folder" ${2+--target "${@:2}"} >&2
}
