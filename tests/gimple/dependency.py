# SPDX-License-Identifier: MIT
"""The filter file is read, and is a dependency where -MD or its like asks for dependencies.
dependency.py --plugin P --cc CC --cxx CXX"""
import argparse
import os
import subprocess
import sys
import tempfile

# Options, and where the dependencies are written. With -M no unit is compiled and no filter asked: it only has to work.
WAYS = [
    (["-c"], None), (["-S"], None), (["-E"], None), (["-fsyntax-only"], None), (["-c", "-MD"], "a.d"),
    (["-c", "-MMD"], "a.d"), (["-c", "-MD", "-MP"], "a.d"), (["-c", "-MD", "-MF", "made"], "made"), (["-M"], None),
    (["-MM"], None), (["-c", "-flto"], None), (["-c", "-flto", "-MD"], "a.d"), (["-c", "-fpreprocessed"], None),
]
TEXT = "int left(int n) { return n + 1; }\nint taken(int n) { return n + 2; }\n"


def main():
    parser = argparse.ArgumentParser()
    for name in ("plugin", "cc", "cxx"):
        parser.add_argument(f"--{name}", required=True)
    given = parser.parse_args()
    failures = []
    for compiler, source in ((given.cc, "a.c"), (given.cxx, "a.cc")):
        for optimize in ("-O0", "-O2"):
            for options, place in WAYS if optimize == "-O0" else WAYS[:6]:
                with tempfile.TemporaryDirectory(prefix="profplug-dependency-") as folder:
                    for name, text in ((source, TEXT), ("list", "function:*left*=skip\n")):
                        with open(os.path.join(folder, name), "w") as file:
                            file.write(text)
                    command = [compiler, f"-fplugin={given.plugin}", "-fplugin-arg-profplug-filter=list", optimize,
                               *options, source]
                    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=60)
                    said = done.stdout if options[0] not in ("-E", "-M", "-MM") else ""
                    if done.returncode or done.stderr or said:
                        failures.append(f"{command}: {done.returncode}\n{said}{done.stderr}")
                        continue
                    if place is not None:
                        rules = open(os.path.join(folder, place)).read()
                        if "list" not in rules.split() or source not in rules.split():
                            failures.append(f"{command}: the filter file is not among the dependencies: {rules}")
                    elif options == ["-c"]:
                        done = subprocess.run([*command, "-fplugin-arg-profplug-explain"], cwd=folder, text=True,
                                              capture_output=True, timeout=60, env=dict(os.environ, LC_ALL="C"))
                        notes = [line for line in done.stderr.splitlines() if "filter" in line]
                        if done.returncode or len(notes) != 1 or "left" not in notes[0]:
                            failures.append(f"{command}: the filter should leave out one function: {done.stderr}")
    sys.exit("\n".join(failures) if failures else 0)


main()
