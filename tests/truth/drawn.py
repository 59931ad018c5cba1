#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""drawn.py BUILD: what blocks=sampled estimates of lines, against what they allocated: the errors that it prints are right over many runs, with
other numbers drawn in each. Totals of stages are exact all the same, and so is all of a program with few blocks."""

import os
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
from program import call, expect, line_of, main, must  # noqa: E402
from report import at, named, read  # noqa: E402

RUNS, RUNS_MOST = 40, 160
FIGURES = ("alloc_blocks", "alloc_bytes", "live_blocks", "live_bytes")
KEEPS = """#include <profplug.h>
#include <stdlib.h>
static void *volatile kept;
PROFPLUG_STAGE("keep") static __attribute__((noinline)) void keep(void) { for (int i = 0; i < 20000; i++) kept = malloc(50); }
int main(void) { keep(); return 0; }
"""
FEW = """#include <stdlib.h>
static void *volatile kept;
int main(void) { for (int i = 0; i < 200; i++) { kept = malloc(50); if (i % 2) free(kept); } return 0; }
"""


def once(build, scratch, program, number):
    """The report and what the program says of its lines: {mark: numbers in the order of FIGURES}."""
    data = f"{scratch}/{number}.profplug"
    done = call([program], env={"PROFPLUG": f"output={data},blocks=sampled"})
    if done.returncode or done.err:
        sys.exit(f"drawn.py: status {done.returncode}: {done.err}")
    truth = {mark: [int(n) for n in numbers] for mark, *numbers in map(str.split, done.out.splitlines())}
    report = read(build, data)
    os.unlink(data)
    return report, truth


def misses(report, truth, text):
    """{(mark, figure): (estimate, error, exact)}"""
    found = {}
    for mark, numbers in truth.items():
        rows = at(report["allocations"], "drawn.c", line_of(text, f"mark: {mark} "))
        row = rows[0] if rows else {}
        for figure, exact in zip(FIGURES, numbers):
            estimate = row.get(figure, 0)
            found[mark, figure] = estimate, row.get(f"{figure}_error_percent", 0) * abs(estimate) / 100, exact
    return found


def totals(report, truth):
    """Of the stage around all: bytes and blocks asked for and blocks given back are exact; the other figures say that they are estimates."""
    stage = named(report["scopes"], "all") if any(row["name"] == "all" for row in report.get("scopes", [])) else named(report["stages"], "all")
    blocks, sizes = sum(n[0] for n in truth.values()), sum(n[1] for n in truth.values())
    freed = blocks - sum(n[2] for n in truth.values())
    expect(stage["alloc_blocks"] == blocks and stage["alloc_bytes"] == sizes and stage["free_blocks"] == freed, "the stage's totals are exact",
           {key: stage[key] for key in stage if "alloc" in key or "free" in key}, (blocks, sizes, freed))
    for figure in ("free_bytes", "peak_bytes", "temporary_blocks"):
        expect(stage.get(f"{figure}_error_percent", 0) > 0, f"the stage's {figure} has an error", stage.get(figure))


def test(build, scratch):
    with open(f"{HERE}/drawn.c") as file:
        text = file.read()
    program = f"{scratch}/drawn"
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-builtin-malloc", f"-I{HERE}/../../include", f"{HERE}/drawn.c", "-o", program])
    seen, done = [], 0
    while True:
        report, truth = once(build, scratch, program, done)
        if not done:
            totals(report, truth)
        seen.append(misses(report, truth, text))
        done += 1
        if done < RUNS:
            continue
        verdicts = {}
        for key in seen[0]:
            values = [run[key] for run in seen]
            exact, mean_variance = values[0][2], sum(error ** 2 for _, error, _ in values) / done
            squares = sum((estimate - exact) ** 2 for estimate, _, _ in values) / done
            bias = sum(estimate - exact for estimate, _, _ in values) / done
            verdicts[key] = squares / mean_variance if mean_variance else (1.0 if not squares else float("inf")), bias, (mean_variance / done) ** 0.5
        # The ratio of squared misses to stated variances is chi-square over RUNS, of estimates that a few large weights make wider.
        wrong = {key: v for key, v in verdicts.items() if not 0.5 < v[0] < 1.8 or abs(v[1]) > 4 * v[2] + 1e-9}
        if not wrong or done >= RUNS_MOST:
            break
    for (mark, figure), (ratio, bias, error) in verdicts.items():
        print(f"{mark} {figure}: squared misses are {ratio:.2f} of the variances said, over {done} runs; bias {bias:.0f} +-{error:.0f}")
    expect(not wrong, f"the errors said are right over {done} runs", wrong)
    expect(any(error for run in seen for _, error, _ in run.values()), "something was sampled")

    with open(f"{scratch}/few.c", "w") as file:
        file.write(FEW)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-builtin-malloc", f"{scratch}/few.c", "-o", f"{scratch}/few"])
    must([f"{scratch}/few"], env={"PROFPLUG": f"output={scratch}/few.profplug,blocks=sampled"})
    row = at(read(build, f"{scratch}/few.profplug")["allocations"], "few.c", 3)[0]
    expect([row[figure] for figure in FIGURES] == [200, 10000, 100, 5000] and not any("error" in key for key in row),
           "with few blocks all figures are exact and have no error", row)

    # A stage that gives nothing back: that is known exactly.
    with open(f"{scratch}/keeps.c", "w") as file:
        file.write(KEEPS)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-builtin-malloc", f"-I{HERE}/../../include", f"{scratch}/keeps.c", "-o", f"{scratch}/keeps"])
    must([f"{scratch}/keeps"], env={"PROFPLUG": f"output={scratch}/keeps.profplug"})
    stage = named(read(build, f"{scratch}/keeps.profplug")["stages"], "keep")
    expect((stage["alloc_bytes"], stage["free_bytes"], stage["net_bytes"]) == (1000000, 0, 1000000) and "net_bytes_error_percent" not in stage,
           "a stage that gives nothing back keeps what it asked for, exactly", stage)


main(test)
