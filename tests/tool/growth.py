#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""growth.py BUILD: a stage is said to leak where by construction the heap grows with its entries, by as much an entry as was constructed, and not where it is a cache that
fills up, memory that is handed on or freed by another thread, comes and goes at random, or is given back at the end."""

import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from report import read

PROGRAM = r"""#include <profplug.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
enum { ENTRIES = 2000 };
static void *volatile held[ENTRIES], *volatile box;
static unsigned state = 3;
__attribute__((no_instrument_function)) static unsigned draw(unsigned n) { state = state * 1664525u + 1013904223u; return (state >> 8) % n; }
PROFPLUG_STAGE("step", "compute") static __attribute__((noinline)) void step(const char *mode, int i)
{
    box = malloc(50000);                                 /* comes and goes */
    free(box);
    if (!strcmp(mode, "leak"))
        box = malloc(1000);
    if (!strcmp(mode, "two")) {
        box = malloc(5000);                              /* the larger */
        box = malloc(300);                               /* the smaller */
    }
    if (!strcmp(mode, "noisy")) {                        /* 300 an entry, beside up to 90,000 that live for a while */
        box = malloc(300);
        free(held[i % 20]);
        held[i % 20] = malloc(draw(9000));
    }
    if (!strcmp(mode, "cache") && i < ENTRIES / 3)
        box = malloc(1000);
    if (!strcmp(mode, "random")) {
        int at = (int)draw(200);
        free(held[at]);
        held[at] = draw(2) ? malloc(1 + draw(5000)) : 0;
    }
    if (!strcmp(mode, "handed") || !strcmp(mode, "returned"))
        held[i] = malloc(1000);
    if (!strcmp(mode, "few") && i < 12)
        box = malloc(100000);
}
PROFPLUG_STAGE("after", "compute") static __attribute__((noinline)) void after(const char *mode, int i)
{
    if (!strcmp(mode, "handed")) {
        free(held[i]);
        held[i] = 0;
    }
}
static void *drain(void *unused)
{
    free(unused);
    return 0;
}
int main(int argc, char **argv)
{
    const char *mode = argv[argc - 1];
    int entries = !strcmp(mode, "few") ? 12 : !strcmp(mode, "threads") ? 400 : ENTRIES;
    PROFPLUG_LOOP("rounds")
    for (int i = 0; i < entries; i++) {
        step(mode, i);
        after(mode, i);
        if (!strcmp(mode, "threads")) {
            pthread_t thread;
            void *block;
            { PROFPLUG_SCOPE("make"); block = malloc(5000); }
            if (!pthread_create(&thread, 0, drain, block))
                pthread_join(thread, 0);
        }
    }
    if (!strcmp(mode, "returned"))
        for (int i = 0; i < ENTRIES; i++)
            free(held[i]);
    return 0;
}
"""


def test(build, scratch):
    tool = f"{build}/profplug"
    write(f"{scratch}/grow.c", PROGRAM)
    done = call([f"{build}/profplug-gcc", "-O1", "-g", "-pthread", "grow.c", "-o", "grow"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)

    def run(mode, option="on"):
        done = call(["./grow", mode], cwd=scratch, env={"PROFPLUG": f"output={mode}-%p.profplug,{option}"})
        expect(done.returncode == 0 and not done.err, mode, done.err)
        call(["sh", "-c", f"mv {mode}-*.profplug {mode}.data"], cwd=scratch)
        report = read(build, f"{mode}.data", cwd=scratch)
        text = call([tool, "report", "--all", f"{mode}.data"], cwd=scratch, env={"COLUMNS": "200"}).out
        leaks = [b["name"] for b in report["bottlenecks"] if b["rule"] == "leak"]
        expect(("looks like a leak" in text) == bool(leaks), f"{mode}: the word is there as the finding is", text)
        return {s["name"]: s for s in report["stages"]}, leaks, text, report

    for mode, each, entries in (("leak", 1000, 2000), ("noisy", 300, 2000)):
        stages, leaks, text, report = run(mode, "blocks=off")
        step = stages["step"]
        expect(leaks == ["step"] and "looks like a leak" in text, f"{mode}: said of the stage that keeps it, and of no other", leaks, step)
        expect(step["growth_to_the_end"] and step["growth_confidence_percent"] > 99.9 and step["growth_rises"] >= 0.9 * step["growth_steps"] >= 0.9 * 11, f"{mode}: nearly every step", step)
        slope, error = step["growth_bytes_per_entry"], step["growth_error_bytes_per_entry"]
        expect(abs(slope - each) <= max(5 * error, 0.01 * each) and error < 0.05 * each, f"{mode}: {each} an entry", slope, error)
        found, = [b for b in report["bottlenecks"] if b["rule"] == "leak"]
        expect(found["evidence"]["net_bytes"] >= each * entries and found["evidence"]["rises"] == step["growth_rises"] and found["severity"] == "note", f"{mode}: its evidence", found)
        after = stages["after"]
        expect(after["growth_to_the_end"], f"{mode}: the heap grows over the other's entries, too, which is not to blame", after)
    # By default from sampled blocks: two megabytes are 60 of them.
    stages, leaks, text, report = run("leak")
    step = stages["step"]
    slope, error = step["growth_bytes_per_entry"], step["growth_error_bytes_per_entry"]
    expect(leaks == ["step"] and step["growth_rises"] == step["growth_steps"] > 11, "leak: said from sampled blocks", leaks, step)
    expect(abs(slope - 1000) <= 5 * error and 0.05 * slope < error < 0.3 * slope, "leak: its rate has an error that is right", slope, error)
    expect(step["net_bytes_error_percent"] > 0, "leak: and so has what the stage kept", step)
    line = {word: number for number, text in enumerate(PROGRAM.split("\n"), 1) for word in ("larger", "smaller") if f"the {word}" in text}
    _, leaks, text, _ = run("two", "blocks=on")
    said = " ".join(text.split("BOTTLENECKS")[1].split("\n\n")[0].split())
    expect(leaks == ["step"] and f"grow.c:{line['larger']} keeps 5 000 B an entry, grow.c:{line['smaller']} 300 B" in said, "each leaking line with its rate", said)
    expect("+-0.00" not in said and "50 000" not in said, "no error where there is none, nor a line that gives back what it takes", said)
    _, leaks, text, _ = run("two")
    said = " ".join(text.split("BOTTLENECKS")[1].split("\n\n")[0].split())
    expect(leaks == ["step"] and f"grow.c:{line['larger']} keeps ~" in said, "with sampled blocks it is said to be an estimate", said)
    for mode, option in ((mode, option) for mode in ("cache", "random", "handed", "few", "threads", "returned") for option in ("on", "blocks=off")):
        if (mode, option) == ("returned", "blocks=off"):
            continue  # without lines it is not known
        stages, leaks, text, _ = run(mode, option)
        expect(not leaks, f"{mode}: nothing is called a leak", leaks, {n: {k: v for k, v in s.items() if k.startswith("growth")} for n, s in stages.items()})
    expect("growth_steps" not in run("few")[0]["step"], "few entries say nothing")
    stages, leaks, _, _ = run("returned", "blocks=on")
    expect(not leaks and stages["step"]["growth_to_the_end"], "what was given back after all", leaks, stages["step"])
    stages, leaks, _, _ = run("leak", "memory=off")
    expect(not leaks and "growth_steps" not in stages["step"], "without memory=on nothing is known")


main(test)
