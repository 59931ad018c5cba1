#!/bin/sh
# SPDX-License-Identifier: MIT
# demo.sh BUILD [FOLDER]: makes pictures in BUILD/demo (emptied before), takes them through the instrumented pipeline with bad habits planted by seed
# ${SEED:-2}, and ends with the report on the screen.
set -eu
build=$(cd "${1:?usage: demo.sh BUILD-FOLDER}" && pwd)
here=$build/examples/pipeline
work=$build/demo
from=${2:-$(pwd)}
rm -rf "$work"
mkdir "$work"
# What is shown can be typed in FOLDER, where the demo was started: by paths from there, if they are below it.
tool=${build#"$from"/}/profplug
data=${work#"$from"/}/pipeline.profplug
cd "$work"
echo '$ generate photos'
"$here/generate" photos
echo "\$ profplug run -- pipeline --seed ${SEED:-2} --plan plan photos small"
"$build/profplug" run --output="$work/pipeline.profplug" -- "$here/pipeline" --seed "${SEED:-2}" --plan plan photos small
echo '$ profplug report pipeline.profplug'
(cd "$from" && "$tool" report "$data")
echo
echo "What the seed had planted (habit, stage; examples/pipeline/README.md says what each does):"
sed 's/^/  /' plan
echo
echo "The same to look at: $tool report --format html -o page.html $data"
echo "then open page.html in a browser."
