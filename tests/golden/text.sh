#!/bin/sh
# SPDX-License-Identifier: MIT
# text.sh PROFPLUG MAKE FOLDER [--accept]: all tables and the first screen of a fixed data file, in several widths, byte by byte; and nothing of a
# terminal's codes in a file.
set -eu
tool=profplug make=$2 folder=$3        # by its bare name, as the commands that it recommends have it
PATH=$(dirname "$1"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
"$make" run.profplug
status=0
for width in 160 100 60; do
    COLUMNS=$width "$tool" report --all >"$width.txt"
    [ "${4:-}" = --accept ] && cp "$width.txt" "$folder/report-$width.txt"
    diff -u "$folder/report-$width.txt" "$width.txt" || status=1
    longest=$(awk '{ if (length($0) > n) n = length($0) } END { print n }' "$width.txt")
    echo "$width columns asked for: longest line $longest"
done
for width in 100 80; do
    COLUMNS=$width "$tool" report >"first-$width.txt"
    [ "${4:-}" = --accept ] && cp "first-$width.txt" "$folder/first-$width.txt"
    diff -u "$folder/first-$width.txt" "first-$width.txt" || status=1
done
# Commands that a long name makes too long are broken where a shell joins them again.
long=$(printf '%070d' 7).profplug
cp run.profplug "$long"
COLUMNS=80 "$tool" report "$long" >long.txt
longest=$(awk '{ if (length($0) > n) n = length($0) } END { print n }' long.txt)
if [ "$longest" -gt 89 ] || ! grep -q 'report --all \\$' long.txt; then # 8 columns, and the name
    echo "a name of 79 columns on a screen of 80: longest line $longest"
    tail -n 6 long.txt
    status=1
fi
COLUMNS=160 "$tool" report --explain --top 1 --sort calls run.profplug >explain.txt
[ "${4:-}" = --accept ] && cp explain.txt "$folder/explain.txt"
diff -u "$folder/explain.txt" explain.txt || status=1
"$tool" annotate -i run.profplug tone >annotate.txt
[ "${4:-}" = --accept ] && cp annotate.txt "$folder/annotate.txt"
diff -u "$folder/annotate.txt" annotate.txt || status=1
if grep -q "$(printf '\033')" ./*.txt; then
    echo "a file got a terminal's codes"
    status=1
fi
if "$tool" annotate toen >out 2>err || [ "$(tail -n 1 err)" != "profplug: toen: no such function, stage or source in this run; expected a name such as tone" ]; then
    echo "annotate toen: $(cat err)"
    status=1
fi
exit $status
