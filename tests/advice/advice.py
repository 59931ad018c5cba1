#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""advice.py BUILD RULE [wide]: cases/RULE.c (or .cc) has one planted problem; with -DFIXED the cause alone is gone. Both print the same. The program gets
the rule's recommendation at a line marked by @, and its twin gets none of that rule, at the sizes of its first line: `/* sizes: 0.1 1 10 */`.
A case of another name, such as a twin on which a rule once spoke, names its rule: `/* rule: imbalance */`. `/* does: strtod */`: the action names that.
`/* says: comparisons */`: the evidence says that. `/* lacks: ... */`: and not that. `/* shows: fread */`: the example has that. `/* titled: buffer */`: so has the title.
`/* not: locks */`: the program gets nothing of that rule, which names the cause wrongly.
`/* neither: imbalance */`: nor does its twin.
`/* flags: -fopenmp */`: it is compiled and linked with these. `/* units: 2 */`: it is compiled so often, with another UNIT each time. `/* most: 40 */`: no more percent of the run
are promised, and `/* least: 30 */`: up to that many at least are.
`/* kind: bound */`: the saving is told as one.
`wide`: instead at a tenth of a common run, in one, and in one of ten times the work, which is that of size 1 or of `/* base: 3 */`;
`/* wide: 0.3 1 3 */` where the work grows with the square of the size, or a tenth or ten times cannot be."""

import os
import re
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
import program  # noqa: E402
import report  # noqa: E402


def case_of(rule):
    found = [path for path in (f"{HERE}/cases/{rule}.c", f"{HERE}/cases/{rule}.cc") if os.path.exists(path)]
    if not found:
        sys.exit(f"advice.py: {rule} has no case in tests/advice/cases; expected {rule}.c or {rule}.cc")
    return found[0]


def first_comment(text, word, otherwise):
    found = re.search(rf"/\* {word}: (.*?) \*/", text)
    return found[1].split() if found else otherwise


def marked(text):
    return [number for number, line in enumerate(text.splitlines(), 1) if re.search(r"/\*[^*]*@[^*]*\*/", line)]


def found(seen, rule, lines, path):
    return any(row["rule"] == rule and row.get("line") in lines and os.path.basename(row["file"]) == os.path.basename(path) for row in seen["recommendations"])


def disturbed(seen):
    """Whether others had the CPUs meanwhile, by the run's own readings: then threads' CPU time, too, is not what they did, as where two share a core."""
    delay, cpu = (sum(thread.get(what, 0) for thread in seen["threads"]) for what in ("run_delay_ns", "cpu_ns"))
    return delay > 0.1 * cpu


def promised(seen, rule, text):
    """Whether what is promised lies within the bounds of the case's first lines."""
    most, least = float(first_comment(text, "most", ["100"])[0]), float(first_comment(text, "least", ["0"])[0])
    return all(least <= row["saving_high_percent"] <= most for row in seen["recommendations"] if row["rule"] == rule)


def again(tries, seen, since):
    """A tenth of a second has some twenty samples, and a busy machine may take the CPU away for longer than what is looked for."""
    return tries < 2 or (tries < 10 and disturbed(seen) and time.monotonic() - since < 60)


def wide_sizes(text):
    base = float(first_comment(text, "base", ["1"])[0])
    return first_comment(text, "wide", [f"{base * factor:g}" for factor in (0.1, 1, 10)])


def test(build, scratch, rule, wide):
    path = case_of(rule)
    with open(path) as file:
        text = file.read()
    rule = first_comment(text, "rule", [rule])[0]
    own = first_comment(text, "flags", [])
    libraries, lines = own + first_comment(text, "libraries", []), marked(text)
    assert lines, f"{path}: no line is marked by /* @ */"
    compiler = f"{build}/profplug-{'g++' if path.endswith('.cc') else 'gcc'}"
    for name, flags in (("planted", []), ("twin", ["-DFIXED"])):
        parts = []
        for unit in range(1, int(first_comment(text, "units", ["1"])[0]) + 1):
            program.must([compiler, "-O2", "-g", *own, *flags, f"-DUNIT={unit}", "-c", "-o", f"{scratch}/{name}.{unit}.o", path])
            parts.append(f"{scratch}/{name}.{unit}.o")
        program.must([compiler, "-o", f"{scratch}/{name}", *parts, *libraries])
    for size in wide_sizes(text) if wide else first_comment(text, "sizes", ["1"]):
        said, seen = {}, {}
        for name in ("planted", "twin"):
            said[name], seen[name] = report.profiled(build, [f"{scratch}/{name}", size], cwd=build)
        tries, since = 0, time.monotonic()
        while not (found(seen["planted"], rule, lines, path) and promised(seen["planted"], rule, text)) and again(tries, seen["planted"], since):
            said["planted"], seen["planted"] = report.profiled(build, [f"{scratch}/planted", size], cwd=build)
            tries += 1
        program.expect(said["planted"] == said["twin"], f"size {size}: both print the same", said)
        mine = {name: [row for row in seen[name]["recommendations"] if row["rule"] == rule] for name in seen}
        others = {name: [(row["rule"], row.get("line")) for row in seen[name]["recommendations"]] for name in seen}
        program.expect(found(seen["planted"], rule, lines, path), f"size {size}: {rule} at line {lines}", mine["planted"], others["planted"])
        program.expect(not mine["twin"], f"size {size}: the twin gets none of {rule}", mine["twin"])
        for wrong in first_comment(text, "not", []):
            program.expect(all(name != wrong for name, _ in others["planted"]), f"size {size}: nothing of {wrong}", others["planted"])
        for wrong in first_comment(text, "neither", []):
            program.expect(all(name != wrong for one in others.values() for name, _ in one), f"size {size}: neither has {wrong}", others)
        for word in first_comment(text, "does", []):
            program.expect(any(word in row["action"] for row in mine["planted"]), f"size {size}: the action names {word}", mine["planted"])
        for word in first_comment(text, "shows", []):
            program.expect(any(word in row.get("example_before", "") + row.get("example_after", "") for row in mine["planted"]), f"size {size}: the example has {word}", mine["planted"])
        for word in first_comment(text, "titled", []):
            program.expect(any(word in row["title"] for row in mine["planted"]), f"size {size}: the title has {word}", mine["planted"])
        for word in first_comment(text, "says", []):
            program.expect(any(word in row["evidence"] for row in mine["planted"]), f"size {size}: the evidence says {word}", mine["planted"])
        for word in first_comment(text, "lacks", []):
            program.expect(all(word not in row["evidence"] for row in mine["planted"]), f"size {size}: the evidence has no {word}", mine["planted"])
        for most in first_comment(text, "most", []):
            program.expect(all(row["saving_high_percent"] <= float(most) for row in mine["planted"]), f"size {size}: {most} % at most are promised", mine["planted"])
        for kind in first_comment(text, "kind", []):
            program.expect(all(row["saving_kind"] == kind for row in mine["planted"]), f"size {size}: the saving is a {kind}", mine["planted"])
        for least in first_comment(text, "least", []):
            program.expect(all(row["saving_high_percent"] >= float(least) for row in mine["planted"]), f"size {size}: up to {least} % at least are promised", mine["planted"])
        for row in mine["planted"]:
            program.expect(0 <= row["saving_low_ns"] <= row["saving_high_ns"] and row["evidence"] and row["action"]
                           and row["verify"] == f"profplug compare -n 5 {scratch}/planted.before {scratch}/planted -- {size}", f"size {size}: a whole row", row)
            print(size, row["title"], f"{row['saving_percent']:.0f} to {row['saving_high_percent']:.0f} %", row["evidence"], sep=" | ")


if __name__ == "__main__":
    program.main(lambda build, scratch: test(build, scratch, sys.argv[2], "wide" in sys.argv[3:]))
