#!/bin/sh
# SPDX-License-Identifier: MIT
# fetch.sh NAME CACHE [PACKAGE FILE]: brings the plain sources of lua, sqlite, zstd or bzip2 into CACHE/NAME, or those of the source package
# PACKAGE, which have FILE; from the Debian source packages that this machine's own apt sources offer. The package lists, the index and the downloads stay in CACHE: nothing of the
# system changes and root is not needed. apt checks signatures as ever. Exit 0: they are there. Exit 77: they cannot be had here, and why.
set -u
name=$1
cache=$2

skip() {
  echo "skipped: $name: $1"
  exit 77
}

case $name${3:+:given} in
*:given) package=$3 file=$4 ;;
lua) package=lua5.4 file=src/lvm.c ;;
sqlite) package=libdbd-sqlite3-perl file=sqlite3.c ;; # its upstream tarball carries the amalgamation as SQLite publishes it
zstd) package=libzstd file=lib/zstd.h ;;
bzip2) package=bzip2 file=bzlib.c ;;
*) echo "fetch.sh: $name: expected lua, sqlite, zstd or bzip2, or a package and a file of it" >&2; exit 2 ;;
esac
[ -e "$cache/$name/$file" ] && exit 0
mkdir -p "$cache" || exit 2
cache=$(cd "$cache" && pwd)
for program in apt-get tar flock; do
  command -v $program >/dev/null || skip "no $program on this machine"
done
exec 9>"$cache/lock"
flock 9
[ -e "$cache/$name/$file" ] && exit 0

apt=$cache/apt
mkdir -p "$apt/lists/partial" "$apt/cache/archives/partial" "$apt/parts" "$apt/download"
# The same places and keys as this machine's, asked for sources; the first Debian suite will do, updates stand beside it.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
  [ -e "$list" ] && sed -n 's/^[[:space:]]*deb[[:space:]]/deb-src /p' "$list" >"$apt/parts/$(basename "$list" .list).list"
done
for list in /etc/apt/sources.list.d/*.sources; do
  [ -e "$list" ] && sed 's/^Types:.*/Types: deb-src/' "$list" >"$apt/parts/$(basename "$list")"
done
private="-o Dir::State=$apt -o Dir::State::Lists=$apt/lists -o Dir::State::status=/var/lib/dpkg/status -o Dir::Cache=$apt/cache
 -o Dir::Etc::SourceList=/dev/null -o Dir::Etc::SourceParts=$apt/parts -o Acquire::Languages=none -o Acquire::Retries=1
 -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20 -o APT::Sandbox::User=$(id -un) -o Debug::NoLocking=1"
# shellcheck disable=SC2086  # a list of options
download() {
  (cd "$apt/download" && rm -f ./* && apt-get $private -q source --download-only --tar-only "$1") >>"$apt/log" 2>&1
}
# A mirror may offer an update whose tarball it lacks; the suite itself has the same upstream sources.
suite=$(sed -n 's/^VERSION_CODENAME=//p' /etc/os-release)
either() {
  download "$package" || { [ -n "$suite" ] && download "$package/$suite"; }
}
: >"$apt/log"
if ! either; then
  # shellcheck disable=SC2086
  apt-get $private -q update >>"$apt/log" 2>&1
  either || skip "apt has no source of $package (offline?): $(grep '^[EW]:' "$apt/log" | sed 's|[a-z]*://[^/ ]*||g' | tail -n 1)"
fi
tarball=$(find "$apt/download" -name '*.orig.tar.*' ! -name '*.asc' | head -n 1)
[ -n "$tarball" ] || skip "$package has no upstream tarball"
rm -rf "$cache/$name.part"
mkdir "$cache/$name.part"
tar -C "$cache/$name.part" --strip-components=1 -xf "$tarball" 2>>"$apt/log" || skip "cannot unpack $(basename "$tarball")"
[ -e "$cache/$name.part/$file" ] || skip "$(basename "$tarball") has no $file"
mv "$cache/$name.part" "$cache/$name"
echo "fetched $(basename "$tarball")"
