#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""shown.py BUILD: what the compiler remarked is below its line in annotate and in the JSON's remarks[], with the CPU time of its loop; a section
that is corrupt is said to be, and harms nothing."""
import json
import os
import random
import re
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "../support"))
from program import call, expect, line_of, main, must, write  # noqa: E402
from report import unlike  # noqa: E402
from section import sections_of  # noqa: E402

SOURCE = """#include <stdlib.h>
static double grid[2000][300];
__attribute__ ((noinline)) double columns (void)
{
    double s = 0;
    for (int j = 0; j < 300; j++)
        for (int i = 0; i < 2000; i++) /* inner */
            s += grid[i][j]; /* access */
    return s;
}
__attribute__ ((noinline)) double never (const double *a, double d) { double s = 0; for (int i = 0; i < 9999; i++) s += a[i * 20] / d; return s; }
int main (int argc, char **argv)
{
    double s = 0;
    for (int i = 0; i < 150; i++) {
        grid[i][i] = s;
        s += columns ();
    }
    return s < 0 ? never (&s, s) : 0;
}
"""


def spoil(path, copy, seed):
    """Changes bytes of the section."""
    with open(path, "rb") as file:
        data = bytearray(file.read())
    remarks = max(sections_of(path), key=len)
    at, chance = data.index(remarks), random.Random(seed)
    for _ in range(3):
        data[at + chance.randrange(len(remarks))] = chance.randrange(256)
    with open(copy, "wb") as file:
        file.write(data)
    os.chmod(copy, 0o755)


def test(build, scratch):
    tool = f"{build}/profplug"
    write(f"{scratch}/spin.c", SOURCE)
    must([f"{build}/profplug-gcc", "-O2", "-g", "spin.c", "-o", "spin"], cwd=scratch)
    call(["./spin"], cwd=scratch, env={"PROFPLUG": "output=run.profplug"})
    shown = must_text(call([tool, "annotate", "run.profplug", "columns"], cwd=scratch))
    access, inner = line_of(SOURCE, "/* access */"), line_of(SOURCE, "/* inner */")
    lines = shown.splitlines()
    below = [lines[i + 1] for i, line in enumerate(lines[:-1]) if "/* access */" in line]
    expect(below and "gcc ^ grid[i][j] moves 2400 bytes a step: another cache line each time" in below[0], "the stride is below its line", shown)
    expect(re.search(r"/\* inner \*/\n +gcc \^ not vectorized: ", shown), "the reason is below the loop", shown)
    off = must_text(call([tool, "annotate", "--remarks=off", "run.profplug", "columns"], cwd=scratch))
    expect("gcc ^" not in off and [line for line in lines if "gcc ^" not in line] == off.splitlines(), "--remarks=off", off)
    done = call([tool, "annotate", "--remarks=often", "run.profplug"], cwd=scratch)
    expect(done.returncode == 2 and "expected on or off" in done.err, "another value is refused", done.err)
    document = json.loads(call([tool, "report", "--format", "json", "run.profplug"], cwd=scratch).out)
    expect(not unlike(document, "profplug-report-2"), "it follows the schema", unlike(document, "profplug-report-2")[:3])
    column = [r for r in document.get("remarks", []) if r["kind"] == "column"]
    expect(len(column) == 1, "one column walk ran", document.get("remarks"))
    for r in column:
        cost = sum(row["self_ns"] for row in document["lines"] if row["file"] == r["file"] and inner <= row["line"] <= access)
        expect((r["line"], r["loop_first_line"], r["loop_last_line"], r["value"], r["function"]) == (access, inner, access, 2400, "columns"), "its place", r)
        expect(r["self_ns"] > 0 and abs(r["self_ns"] - cost) <= 2, "its CPU time is that of the loop's lines", r["self_ns"], cost)
    expect({"loop", "trips", "accumulation", "not_vectorized"} <= {r["kind"] for r in document["remarks"]}, "the loop is described", document["remarks"])
    said = 0
    os.rename(f"{scratch}/spin", f"{scratch}/good")
    for seed in range(60):
        spoil(f"{scratch}/good", f"{scratch}/spin", seed)
        done = call([tool, "report", "--format", "json", "run.profplug"], cwd=scratch)
        expect(done.returncode == 0 and json.loads(done.out)["schema"], f"spoilt by {seed}: a report all the same", done.err[-500:])
        said += "of the compiler's remarks cannot be read" in done.err + done.out
    expect(said > 5, "some of the spoilt sections are said to be", said)


def must_text(done):
    expect(done.returncode == 0, "it works", done.err)
    return done.out


main(test)
