#!/bin/sh
# SPDX-License-Identifier: MIT
# tool.sh PROFPLUG: what a user sees of wrong input: one line on standard error, nothing on standard output, status 2.
# shellcheck disable=SC2016  # the backquotes are the tool's
set -u
tool=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
failures=0
expect() {
    want=$1
    shift
    "$tool" "$@" >out 2>err
    status=$?
    if [ $status != 2 ] || [ -s out ] || [ "$(cat err)" != "$want" ]; then
        printf 'profplug %s\n  got      (status %s) %s\n  expected (status 2) %s\n' "$*" $status "$(cat err)" "$want"
        failures=$((failures + 1))
    fi
}
expect 'profplug: .: no *.profplug here; expected the data file of a run, or its name as an argument' report
expect 'profplug: nowhere: cannot be opened: No such file or directory, expected a profplug data file' report nowhere
printf 'some text\n' >text
expect 'profplug: text: not a profplug data file, expected it to begin with "profplug"' report text
mkdir folder
expect 'profplug: folder: a folder, expected a profplug data file' report folder
mkfifo fifo
expect 'profplug: fifo: not a regular file, expected a profplug data file' report fifo
expect "profplug: --top: '-1' is not a count; expected a number, 0 for all" report --top -1
expect "profplug: --sort: 'colour' is not known; expected one of self, total, calls, samples, name, mean, p99, wait" report --sort colour
expect "profplug: --min-percent: 'x' is not a percentage; expected a number from 0 to 100" report --min-percent x
expect 'profplug: --nosuch: no such option; expected one that `profplug help report` lists' report --nosuch
expect 'profplug: --top: a value is missing; expected one after it' report --top
expect "profplug: --format: 'xml' is not known; expected one of: text json html" report --format xml
expect 'profplug: b: a second file; expected one; `profplug merge` adds several up, `profplug diff` compares two' report a b
expect 'profplug: -x: no such option; expected one that `profplug help annotate` lists' annotate -x
exit $failures
