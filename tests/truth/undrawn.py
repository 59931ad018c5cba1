#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""undrawn.py BUILD: small blocks of which none was drawn, beside large ones that all were. Their line's figures are not called exact: the number that it
asked for is within three of its errors in every run, the errors are right over all, and what was not drawn is told. Where all were drawn nothing is. Of a killed program nobody
counted them, and that is said."""

import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
from program import expect, line_of, main, must  # noqa: E402
from report import at, read  # noqa: E402

RUNS = 48
BEGIN = """#include <pthread.h>
#include <stdlib.h>
static __attribute__((noinline)) void *get(size_t n) { return malloc(n); } /* mark: get */
"""
# Name: text, blocks that the line got, blocks of it that live
PROGRAMS = {
    "kept": ("""int main(void) {
    void *volatile kept;
    for (int i = 0; i < 200; i++) kept = get(100000);
    for (int i = 0; i < 700; i++) kept = get(16);
    return kept == 0;
}
""", 900, 900),
    "few": ("""static void *block[8400];
int main(void) {
    for (int i = 0; i < 8000; i++) block[i] = get(i % 20 ? 90000 : 1000);
    for (int i = 8000; i < 8400; i++) block[i] = get(24);
    for (int i = 0; i < 8400; i++) free(block[i]);
    return 0;
}
""", 8400, 0),
    "freed": ("""static void *block[2400];
int main(void) {
    for (int i = 0; i < 2000; i++) block[i] = get(100000);
    void *volatile once = malloc(100000);
    for (int i = 2000; i < 2400; i++) block[i] = get(24);
    for (int i = 0; i < 2400; i++) free(block[i]);
    free(once);
    return 0;
}
""", 2400, 0),
}
KILLED = """#include <signal.h>
int main(void) {
    void *volatile kept;
    for (int i = 0; i < COUNT; i++) kept = get(16);
    raise(SIGKILL);
    return kept == 0;
}
"""
DRAWN = """static void *work(void *block) {
    for (int i = 0; i < 100; i++) free(get(16 + i));
    return block;
}
int main(void) {
    pthread_t thread[8];
    for (int i = 0; i < 8; i++) pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < 8; i++) pthread_join(thread[i], NULL);
    return 0;
}
"""


def made(build, scratch, name, text):
    with open(f"{scratch}/{name}.c", "w") as file:
        file.write(BEGIN + text)
    must([f"{build}/profplug-gcc", "-O2", "-g", "-fno-builtin-malloc", f"{scratch}/{name}.c", "-o", f"{scratch}/{name}", "-lpthread"])


def once(build, scratch, name, more=""):
    """The whole report and the row of the line."""
    data = f"{scratch}/{name}.profplug"
    if os.path.exists(data):
        os.unlink(data)
    must([f"{scratch}/{name}"], env={"PROFPLUG": f"output={data}{more}"})
    report = read(build, data)
    row = at(report["allocations"], f"{name}.c", line_of(BEGIN, "mark: get "))[0]
    return report, row


def test(build, scratch):
    for name, (text, blocks, live) in PROGRAMS.items():
        made(build, scratch, name, text)
        report, row = once(build, scratch, name, ",blocks=exact")
        expect((row["alloc_blocks"], row["live_blocks"]) == (blocks, live) and "undrawn_blocks" not in report["runs"][0], "blocks=exact tells all", row)
        squares = variances = told = 0
        for _ in range(RUNS):
            report, row = once(build, scratch, name)
            estimate, error = row["alloc_blocks"], row.get("alloc_blocks_error_percent", 0) * row["alloc_blocks"] / 100
            expect(abs(estimate - blocks) <= 3 * error or estimate == blocks, f"{name}: the number is within three errors", estimate, error, blocks)
            live_error = row.get("live_blocks_error_percent", 0) * abs(row["live_blocks"]) / 100
            expect(abs(row["live_blocks"] - live) <= 3 * live_error, f"{name}: so is that of what lives", row["live_blocks"], live_error, live)
            squares, variances = squares + (estimate - blocks) ** 2, variances + error ** 2
            missing = report["runs"][0].get("undrawn_blocks")
            if missing is None:
                continue
            told += 1
            expect(0.5 <= missing / (blocks - estimate) <= 2, f"{name}: what was not drawn is told", missing, blocks - estimate)
            text = must([f"{build}/profplug", "report", "--section", "allocations", f"{scratch}/{name}.profplug"], env={"COLUMNS": "200"})
            expect(any(line.startswith("(not drawn)") and "~" in line for line in text.splitlines()), f"{name}: and in the text", text)
            expect(not re.search(r" [0-9]{3,}%", text), f"{name}: an error above 100 % is none that can be read", text)
        print(f"{name}: squared misses are {squares / variances if variances else 0:.2f} of the variances said, over {RUNS} runs, {told} of them with a rest")
        expect(0.5 * variances <= squares <= 2 * variances, f"{name}: the errors said are right", squares, variances)
        expect(told >= RUNS / 4, f"{name}: runs with a rest", told)

    for name, blocks, said in (("killed", 900, True), ("killed_early", 400, False)):
        made(build, scratch, name, KILLED.replace("COUNT", str(blocks)))
        data = f"{scratch}/{name}.profplug"
        subprocess.run([f"{scratch}/{name}"], env=os.environ | {"PROFPLUG": f"output={data}"})
        text = must([f"{build}/profplug", "report", "--section", "allocations", data], env={"COLUMNS": "200"})
        expect(("end is not recorded" in " ".join(text.split())) == said, f"{name}: what nothing counted is said, where it may be", text)

    made(build, scratch, "drawn", DRAWN)
    report, row = once(build, scratch, "drawn")
    expect(row["alloc_blocks"] == 800 and "undrawn_blocks" not in report["runs"][0] and not any("error" in key for key in row),
           "all blocks of threads with few are drawn, and are exact", row)


main(test)
