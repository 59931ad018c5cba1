#!/bin/sh
# SPDX-License-Identifier: MIT
# ci.sh [BASE]: fails if the program of this checkout is slower than that of BASE (origin/main), or does anything more
# often. A job of a build server calls it; the reports are for its pages. PROFPLUG_BIN: profplug's folder, if not in
# PATH.
set -eu
base=${1:-origin/main} runs=${RUNS:-5} words=${WORDS:-100000}
PATH=${PROFPLUG_BIN:+$PROFPLUG_BIN:}$PATH
work=$(mktemp -d)
trap 'git worktree remove --force "$work/base" 2>/dev/null; rm -rf "$work"' EXIT

build() {                 # FOLDER PROGRAM
    (cd "$1" && profplug-gcc -O2 -g -fplugin-arg-profplug-lines=all ./*.c -o "$2")
}
git worktree add -q --detach "$work/base" "$base"
build "$work/base/$(git rev-parse --show-prefix)" "$work/old"
build . "$work/new"

i=0
while [ $i -lt "$runs" ]; do      # in turn, so that both meet the same machine
    for program in old new; do
        PROFPLUG="output=$work/$program-$i.profplug" "$work/$program" "$words"
    done
    i=$((i + 1))
done

status=0
profplug check --baseline "$work"/old-*.profplug -- "$work"/new-*.profplug || status=$?
for format in sarif junit gitlab markdown; do
    profplug check --format $format -o "profplug.$format" --baseline "$work"/old-*.profplug -- \
        "$work"/new-*.profplug || :
done
[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat profplug.markdown >>"$GITHUB_STEP_SUMMARY"
exit $status
