#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch.sh gcc|csmith CACHE [GCC_MAJOR]: brings into CACHE/torture GCC's own test programs (gcc-MAJOR/) or the generator Csmith (csmith/), from the
# Debian packages gcc-MAJOR-source, csmith and libcsmith-dev. They are unpacked, not installed: nothing of the system changes and root is
# not needed. apt checks signatures as ever. Exit 0: they are there. Exit 77: they cannot be had here, and why.
set -u
what=$1
cache=$2/torture
major=${3:-}

skip() {
  echo "skipped: $what: $1"
  exit 77
}

case $what in
gcc) packages=gcc-$major-source place=gcc-$major ;;
csmith) packages='csmith libcsmith-dev' place=csmith ;;
*) echo "fetch.sh: $what: expected gcc or csmith" >&2; exit 2 ;;
esac
[ -d "$cache/$place" ] && exit 0
mkdir -p "$cache" || exit 2
cache=$(cd "$cache" && pwd)
for program in apt-get dpkg-deb tar xz flock; do
  command -v $program >/dev/null || skip "no $program on this machine"
done
exec 9>"$cache/lock"
flock 9
[ -d "$cache/$place" ] && exit 0

apt=$cache/apt
part=$cache/$place.part
rm -rf "$part"
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/download" "$part/packages"
private="-o Dir::State=$apt -o Dir::State::Lists=$apt/lists -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache=$apt/cache
 -o Acquire::Languages=none -o Acquire::Retries=1 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
 -o APT::Sandbox::User=$(id -un) -o Debug::NoLocking=1"
# shellcheck disable=SC2086  # lists of options and of packages
download() {
  (cd "$part/packages" && rm -f ./*.deb && apt-get "$@" -q download $packages) >>"$apt/log" 2>&1
}
: >"$apt/log"
# With the machine's own lists; where they are missing or old, with fresh ones in the cache.
# shellcheck disable=SC2086
download -o Acquire::Retries=1 -o Acquire::http::Timeout=20 || { apt-get $private -q update >>"$apt/log" 2>&1; download $private; } ||
  skip "apt cannot download $packages (offline?): $(grep '^[EW]:' "$apt/log" | sed 's|[a-z]*://[^/ ]*||g' | tail -n 1)"
for deb in "$part"/packages/*.deb; do
  dpkg-deb -x "$deb" "$part/unpacked" 2>>"$apt/log" || skip "cannot unpack $(basename "$deb")"
done
rm -rf "$part/packages"
if [ "$what" = gcc ]; then
  tarball=$(find "$part/unpacked" -name 'gcc-*.tar.*' | head -n 1)
  [ -n "$tarball" ] || skip "$packages has no tarball of GCC"
  tar -C "$part" --strip-components=3 --wildcards -xf "$tarball" '*/gcc/testsuite/gcc.c-torture' '*/gcc/testsuite/gcc.dg/torture' '*/gcc/testsuite/c-c++-common/torture' \
    '*/gcc/testsuite/g++.dg/torture' '*/gcc/testsuite/g++.dg/eh' '*/gcc/testsuite/g++.dg/coroutines' 2>>"$apt/log" || skip "cannot unpack $(basename "$tarball")"
  rm -rf "$part/unpacked"
fi
mv "$part" "$cache/$place"
echo "fetched $packages"
