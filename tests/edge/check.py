#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py PLUGIN LIBRARY TOOL CC CXX PROGRAM: compiles a program of programs/ plain and with the plugin, in several ways, and compares what it
prints and how it ends. Lines in the program's comments:

    with: OPTIONS            a way to compile it; several lines: several ways; {optimize} is -O0 and -O2 in turn (default: that alone)
    run: OPTIONS             run-time options to run it with; several lines: once each (default: none)
    expect: stage NAME N     the report has N calls of that stage; `loop NAME N`: N iterations; `function NAME N`: N calls (0: no row or no calls);
                             `threads NAME N`: N threads
    warns: LINE WORDS        with the plugin the compiler says so of that line, and says nothing else that a plain compilation does not"""
import json
import os
import pathlib
import re
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import call
from report import read

HERE = pathlib.Path(__file__).resolve().parent
plugin, library, tool, cc, cxx, program = sys.argv[1:]
source = HERE / "programs" / program
text = source.read_text(errors="replace")
include = HERE.parents[1] / "include"


def rows(word):
    return re.findall(rf"^[ /*]*{word}: (.*?)(?: *\*/)?$", text, re.M)


def ran(command, folder, **environment):
    return call(command, cwd=folder, env={"LC_ALL": "C", **environment})


def said(done):
    """(line, what is said) of each warning and error."""
    return re.findall(r"^[^:\n]*" + re.escape(program) + r":(\d+):(?:\d+:)? (?:warning|error): (.*)$", done.stderr.decode(errors="replace"), re.M)


def check(folder, options, functions, failures):
    compiler = [cxx if program.endswith(".cc") else cc, "-g", "-Wall", f"-I{include}", *options]
    way = f"{' '.join(options)} functions={functions}"
    plain = ran([*compiler, str(source), "-o", "plain"], folder)
    probed = ran([*compiler, f"-fplugin={plugin}", f"-fplugin-arg-profplug-functions={functions}", str(source), "-o", "probed", library], folder)
    if plain.returncode or probed.returncode:
        failures.append(f"{way}: does not compile\n{(plain if plain.returncode else probed).stderr.decode(errors='replace')}")
        return
    wanted = [row.split(" ", 1) for row in rows("warns")]
    extra = [row for row in said(probed) if row not in said(plain)]
    if len(extra) != len(wanted) or any(not any(line == at and words in what for at, what in extra) for line, words in wanted):
        failures.append(f"{way}: the compiler says {extra}; expected {wanted}")
    first = ran(["./plain"], folder)
    for setting in rows("run") or [""]:
        compare(folder, f"{way} {setting}", functions, first, ran(["./probed"], folder, PROFPLUG=f"output=run-%p.profplug,{setting}".rstrip(",")), failures)


def compare(folder, way, functions, first, second, failures):
    if (first.returncode, first.stdout, first.stderr) != (second.returncode, second.stdout, second.stderr):
        failures.append(f"{way}: plain {first}\ninstrumented {second}")
    for file in pathlib.Path(folder).glob("*.profplug"):
        data = read(os.path.dirname(tool), file)
        shown = ran([tool, "report", file], folder, NO_COLOR="1")
        file.unlink()
        bad = set(re.findall(rb"[\x00-\x09\x0b-\x1f\x7f]", shown.stdout))
        if bad or shown.returncode:
            failures.append(f"{way}: the report has control characters {bad}, {shown.err}")
        lists = {"stage": ("stages", "calls"), "loop": ("loops", "iterations"), "function": ("functions", "calls"), "threads": ("threads", "")}
        for row in rows("expect"):
            kind, name, count = re.match(r"(\w+) (.*) (\d+)$", row).groups()
            where, field = lists[kind]
            name = json.loads(f'"{name}"')
            found = sum(r.get(field, 0) if field else 1 for r in data[where] if r["name"] == name)
            if found != int(count) and (kind != "function" or functions != "none"):
                failures.append(f"{way}: {kind} {name!r}: {found}; expected {count}")


def main():
    failures = []
    for way in rows("with") or ["{optimize}"]:
        for level in ("-O0", "-O2") if "{optimize}" in way else ("",):
            for functions in ("auto", "all"):
                with tempfile.TemporaryDirectory(prefix="profplug-odd-") as folder:
                    check(folder, way.replace("{optimize}", level).split(), functions, failures)
    sys.exit("\n".join(failures) if failures else 0)


main()
