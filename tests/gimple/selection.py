# SPDX-License-Identifier: MIT
"""Which functions are probed, how, and with what reason written down, for the plugin's selection arguments; and the dependency on the
filter file. selection.py --plugin P --cc CC"""
import argparse
import os
import platform
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")
ALWAYS = dict(excluded="LEFT_OUT ATTRIBUTE", bare="LEFT_OUT NAKED", no_split="LEFT_OUT SPLIT_STACK", resolver="LEFT_OUT RESOLVER")
STAGES = {f"stage_{c}": "TIMED STAGE" for c in "abcdef"}
AUTO = dict(ALWAYS, **STAGES, small="COUNTED SMALL", loops="FRAMED LOOPS", large="FRAMED LARGE", catches="FRAMED CATCHES")
# The last: flags of the object, 1 default=off, 2 lines or loops are counted, by default those of the stages, and loops. On x86-64 also 4, counters through the segment,
# but with segment=off.
CASES = [
    ([], AUTO, 2),
    (["lines=none"], AUTO, 2),
    (["lines=none", "loops=annotated"], AUTO, 0),
    (["segment=off"], AUTO, 2),
    (["functions=auto", "min-size=100000"], dict(AUTO, large="COUNTED SMALL"), 2),
    (["min-size=1"], dict(AUTO, small="FRAMED LARGE", loops="FRAMED LARGE"), 2),
    (["functions=all"], dict(AUTO, small="FRAMED ALL", loops="FRAMED ALL", large="FRAMED ALL"), 2),
    (["functions=stages"], dict(ALWAYS, **STAGES, small="LEFT_OUT SELECTION", loops="LEFT_OUT SELECTION", large="LEFT_OUT SELECTION", catches="LEFT_OUT SELECTION"), 2),
    (["default=off"], AUTO, 3),
    (["filter=names"], dict(AUTO, small="LEFT_OUT FILTER", large="LEFT_OUT FILTER", stage_a="LEFT_OUT FILTER"), 2),
    (["filter=sources"], dict({name: "LEFT_OUT FILTER" for name in AUTO}, **ALWAYS, loops="FRAMED LOOPS", stage_b="TIMED STAGE", main="FRAMED LOOPS"), 2),
    (["filter=default"], dict({name: "LEFT_OUT FILTER" for name in AUTO}, **ALWAYS, loops="FRAMED LOOPS"), 2),
]
FILTERS = {
    "names": "# a comment\nfunction:sma*=skip\nfunction:large=allow\n[profplug]\nfunction:l[a]rge=skip\nfunction:stage_a=skip\n[clang]\nfunction:loops=skip\n",
    "sources": "[*]\nsource:*selection.c=skip\nfunction:main=allow\nfunction:loops=allow\nfunction:stage_b=allow\ndefault:allow\n",
    "default": "default:skip\nfunction:loops=allow\n",
}
CATEGORIES = dict(stage_a="preprocess preprocessing", stage_b="io_wait io", stage_c="prep preprocessing", stage_d="io custom", stage_e="net custom", stage_f="declared gpu")


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory(prefix="profplug-select-") as folder:
        for name, text in FILTERS.items():
            with open(os.path.join(folder, name), "w") as file:
                file.write(text)

        def run(*command):
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60,
                                  env=dict(os.environ, PROFPLUG_TEST_OUTPUT=os.path.join(folder, "sites")))
            if done.returncode:
                sys.exit(f"{command}: {done.stdout}")
            return done.stdout

        run(given.cc, "-O1", "-I", INCLUDE, "-c", os.path.join(HERE, "hooks.c"), "-o", "hooks.o")
        for arguments, expected, flags in CASES:
            run(given.cc, "-O1", "-I", INCLUDE, f"-fplugin={given.plugin}", *[f"-fplugin-arg-profplug-{a}" for a in arguments], "-MD", "-MF", "made", "-c",
                os.path.join(HERE, "selection.c"), "-o", "select.o")
            run(given.cc, "select.o", "hooks.o", "-o", "select")
            run("./select")
            rows = {part[3]: part for part in (line.rstrip("\n").split("\t") for line in open(os.path.join(folder, "sites"))) if part[0] in ("function", "stage")}
            for name, what in expected.items():
                row = rows.get(name)
                if not row or f"{row[1]} {row[8]}" != what:
                    failures.append(f"{arguments}: {name} should be {what}, is {row}")
                elif row[1] == "TIMED" and f"{row[6]} {row[7]}" != CATEGORIES[name]:
                    failures.append(f"{name}: stage and category should be {CATEGORIES[name]}, are {row[6]} {row[7]}")
            head = open(os.path.join(folder, "sites")).readline()
            flags += 4 if platform.machine() == "x86_64" and "segment=off" not in arguments else 0
            if f"flags {flags} " not in head:
                failures.append(f"{arguments}: flags {flags} expected: {head}")
            made = open(os.path.join(folder, "made")).read()
            for argument in arguments:
                if argument.startswith("filter=") and argument[7:] not in made.split():
                    failures.append(f"{argument}: not among the dependencies: {made}")
    sys.exit("\n".join(failures) if failures else 0)


main()
