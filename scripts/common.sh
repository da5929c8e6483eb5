# What the scripts share: where they are, how they speak, how they configure and build. Sourced, not run.
set -euo pipefail
root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
cd "$root"
started=$SECONDS
# Clones in different folders share what ccache has: paths below the clone are taken as relative.
export CCACHE_BASEDIR="$root" CCACHE_NOHASHDIR=1

# A step's heading, with the minutes and seconds since the script began.
say() { printf '\n== [%d:%02d] %s\n' $(((SECONDS - started) / 60)) $(((SECONDS - started) % 60)) "$*"; }
die() {
  printf '%s: %s\n' "$(basename "$0")" "$*" >&2
  exit 1
}

# On a terminal the build shows one moving line; a log gets a line a file.
jobs="${SINEW_JOBS:-$(nproc)}"
configure() { # PRESET [-DNAME=VALUE …]
  say "configure: preset $1, build/$1"
  # Ten files at a time: half the time of a first build. A developer's own build folder has a file each.
  cmake --preset "$@" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=10 --log-level=NOTICE
}
build() { # PRESET TARGET…
  local preset="$1"
  shift
  say "build: build/$preset, $jobs at a time${*:+, $*}"
  cmake --build "build/$preset" --parallel "$jobs" ${*:+--target "$@"}
}
