#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""callees.py BUILD VARIANT: in callees.c, each line that burns time in a library names what its source calls, however
the call is made: through the linkage table, a slot, directly, by a jump, inlined, or as another function."""

import os
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
import program  # noqa: E402
import report  # noqa: E402

VARIANTS = {
    "optimized": ("gcc", "-O2"),
    "unoptimized": ("gcc", "-O0"),
    "noplt": ("gcc", "-O2 -fno-plt"),
    "nopie": ("gcc", "-O2 -no-pie -fno-pie"),
    "static": ("gcc", "-O2 -static"),
    "fortified": ("gcc", "-O2 -D_FORTIFY_SOURCE=2"),
    "cplusplus": ("g++", "-xc++ -O2"),
    "cplusplus0": ("g++", "-xc++ -O0"),
}
LEAST_PART = 0.01  # of the CPU time: lines with less may have no sample
NAMED_PART = 0.95  # of the library time of lines that call no pointer


def plain(name):
    """std::map<int, int>::operator[] is std::map::operator[]."""
    kept, depth = "", 0
    for i, c in enumerate(name):
        if c == "<" and not name[:i].endswith("operator") and not name[:i].endswith("operator<"):
            depth += 1
        elif c == ">" and depth:
            depth -= 1
        elif not depth:
            kept += c
    return kept.replace("std::basic_ostream", "std::ostream")


def expected():
    with open(f"{HERE}/callees.c") as file:
        marks = [(i, re.search(r"/\* =(\S+)", text)) for i, text in enumerate(file, 1)]
    return {line: found[1] for line, found in marks if found}


def test(build, scratch, variant):
    compiler, flags = VARIANTS[variant]
    path = f"{scratch}/callees"
    program.must([f"{build}/profplug-{compiler}", "-g", *flags.split(), "-o", path, f"{HERE}/callees.c", "-xnone", "-lm"])
    _, seen = report.profiled(build, [path], cwd=scratch)
    marks, named, all_ns, met = expected(), 0, 0, set()
    for row in seen["lines"]:
        wanted = marks.get(row["line"]) if os.path.basename(row["file"]) == "callees.c" else None
        for callee in row.get("callees", []):
            if wanted != "?":
                all_ns += callee["self_ns"]
                named += callee["self_ns"] if "name" in callee else 0
        if not wanted or not row["library_ns"] or row["self_ns"] < LEAST_PART * seen["runs"][0]["user_ns"]:
            continue
        met.add(row["line"])
        most = row.get("callees", [{}])[0]
        said = most.get("name")
        # of a pointer's target, a static library leaves the name on the stack
        right = plain(said or "") == wanted if wanted != "?" else said is None or variant == "static"
        program.expect(right, f"{variant}: line {row['line']} calls {wanted}", row.get("callees"))
        half = most.get("self_ns", 0) >= row["self_ns"] / 2 - 1
        program.expect(row.get("callee") == (said if half else None), f"{variant}: line {row['line']}: half of its time or more", row)
    program.expect(all_ns and named >= NAMED_PART * all_ns, f"{variant}: {NAMED_PART:.0%} of library time is named", named, all_ns)
    program.expect(len(met) >= len(marks) * 2 // 3, f"{variant}: most marked lines have samples", met, marks)
    print(f"{variant}: {len(met)} lines, {100 * named / all_ns:.1f} % of {all_ns / 1e6:.0f} ms in libraries is named")


program.main(lambda build, scratch: test(build, scratch, sys.argv[2]))
