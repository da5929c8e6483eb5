#!/bin/sh
# install.sh SOURCE BUILD: `npm ci` in BUILD with the lock file of SOURCE. Exit 77 (a skip) where npm is missing or the
# registry does not answer; any other failure is one.
set -u
source=$1 build=$2
skip() { echo "skipped: $*"; exit 77; }

command -v node >/dev/null 2>&1 || skip "node is not installed"
command -v npm >/dev/null 2>&1 || skip "npm is not installed"
mkdir -p "$build" || exit 1
if cmp -s "$source/package-lock.json" "$build/installed-lock.json" && [ -d "$build/node_modules/gltf-validator" ]; then
  echo "gltf-validator is installed already"
  exit 0
fi
rm -rf "$build/node_modules" "$build/installed-lock.json"
cp "$source/package.json" "$source/package-lock.json" "$build/" || exit 1
cd "$build" || exit 1
log=$(npm ci --no-audit --no-fund --ignore-scripts --fetch-timeout=30000 --fetch-retries=1 2>&1)
status=$?
echo "$log"
if [ "$status" -ne 0 ]; then
  # A lock file that does not fit, or a package that is not the one locked, is our own fault, not the network's.
  case $log in *EUSAGE* | *EINTEGRITY* | *EJSONPARSE*) exit 1 ;; esac
  skip "npm ci did not succeed (status $status)"
fi
cp "$source/package-lock.json" installed-lock.json
