#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""opened.py BUILD: a library that is opened at run time, by a program with probes or without, and closed meanwhile or not. LINES add up to what WHERE THE TIME IS
KNOWN says of lines, in text and in JSON. The time of a line is what the thread's CPU clock says around it; in a program without probes, where the library's
reads are not hooked, that is not asked. What is off by SIGMAS of the printed error is asked again with another run."""
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, main, must, write
from report import at, read

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "opened.c")
SIGMAS, SLACK, ATTEMPTS = 4, 0.08, 4     # the runtime's own time beside the reads is part of what the clock says
ON_LINES = ("on source lines", "in libraries (shown", "in code without lines", "in the kernel, at the lines")


def once(build, scratch, program, more, name, hooked):
    """Lines that are in doubt; what is no estimate is counted."""
    data = f"{scratch}/run.profplug"
    said = must([program, f"{scratch}/opened.so", f"{scratch}/bytes", *more], env={"PROFPLUG": f"output={data}"}, cwd=scratch)
    document, text = read(build, "--top", "0", "--min-percent", "0", data), \
        must([f"{build}/profplug", "report", "--section", "lines,coverage", "--top", "0", "--min-percent", "0", data], env={"COLUMNS": "250"})
    os.unlink(data)
    coverage, doubt = document["coverage"], []
    known = coverage["sampled_ns"] / coverage["samples"] * coverage["samples_on_lines"] + coverage["kernel_on_lines_ns"]
    listed = sum(row["self_ns"] for row in document["lines"])
    expect(abs(listed - known) <= 0.005 * coverage["cpu_ns"], f"{name}: lines have {listed / 1e6:.1f} ms, coverage says {known / 1e6:.1f}", coverage)
    where = text[text.index("WHERE THE TIME"):].replace("\n", " ")
    parts = {what: float(share) for share, what in re.findall(r"([0-9.]+)% ([^%]*?)(?=, [0-9.]+%|$| functions:)", where)}
    expected = sum(share for what, share in parts.items() if what.startswith(ON_LINES))
    rows = [re.search(r"([0-9.]+)%(?= )(?!.*[0-9.]+%)", row) for row in text[text.index("LINES"):].splitlines() if re.match(r"\S+:\d+ ", row)]
    shares = sum(float(row[1]) for row in rows if row)
    expect(len(rows) >= 4 and abs(shares - expected) <= 0.5 + 0.05 * len(rows), f"{name}: LINES add up to {shares:.1f} %, WHERE says {expected:.1f}", text)
    for line, ns in ((int(words[0]), float(words[1])) for words in map(str.split, said.splitlines() if hooked else ())):
        found = at(document["lines"], SOURCE, line)
        got, error = sum(row["self_ns"] for row in found), sum((row["self_ns"] * row["error_percent"] / 100) ** 2 for row in found) ** 0.5
        if ns and abs(got - ns) > SIGMAS * error + SLACK * ns:
            doubt.append(f"{name}: line {line} has {got / 1e6:.1f} ms +- {error / 1e6:.1f}, {ns / 1e6:.1f} by the clock")
    return doubt


def test(build, scratch):
    write(f"{scratch}/bytes", "x" * (1 << 18))
    must([f"{build}/profplug-gcc", "-O2", "-g", "-Wall", "-Wno-misleading-indentation", "-shared", "-fPIC", "-DLIBRARY", SOURCE, "-o", f"{scratch}/opened.so", "-lm"])
    for name, compiler, debug in (("probes", f"{build}/profplug-gcc", "-g"), ("plain", "gcc", "-g"), ("lineless", "gcc", "-g0")):
        program = f"{scratch}/{name}"
        must([compiler, "-O2", debug, "-Wall", "-Wno-misleading-indentation", SOURCE, "-o", program])
        for more in ((), ("again",)) if name == "probes" else ((),):
            for attempt in range(ATTEMPTS):
                doubt = once(build, scratch, program, more, f"{name} {' '.join(more)}", name == "probes")
                print(*doubt, sep="\n")
                if not doubt:
                    break
            expect(not doubt, "times of lines", doubt)


main(test)
