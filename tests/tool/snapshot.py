#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""snapshot.py BUILD: what profplug_snapshot keeps is what the program had asked for and given back by then, by line and by stage, with blocks=on and without, also
from a thread, a signal's handler and a fork's child; `report --between` is the difference of two; those beyond the bound are counted."""

import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main, write
from report import read, unlike

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAM = r"""#include <profplug.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
void *volatile box[4096];
static int used;
PROFPLUG_STAGE("fill", "memory") static __attribute__((noinline)) void fill(int count)
{
    for (int i = 0; i < count; i++)
        box[used++] = malloc(1000);
}
PROFPLUG_STAGE("drop", "memory") static __attribute__((noinline)) void drop(int count)
{
    while (count--)
        free(box[--used]);
}
PROFPLUG_STAGE("map", "memory") static __attribute__((noinline)) void map(void)
{
    box[4002] = mmap(0, 16384, PROT_READ, MAP_PRIVATE | MAP_FILE, 3, 0);
    box[4003] = mmap(0, 8192, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
}
static void *work(void *unused)
{
    fill(30);
    box[4000] = calloc(10, 7);
    drop(10);
    profplug_snapshot("thread");
    return unused;
}
static void handler(int number)
{
    (void)number;
    profplug_snapshot("handler");
}
int main(int argc, char **argv)
{
    pthread_t thread;
    fill(100);
    profplug_snapshot("filled");
    PROFPLUG_LOOP("turns")
    for (int i = 0; i < 5; i++) {
        fill(50);
        drop(40);
        if (i == 2)
            profplug_snapshot("amid");
    }
    FILE *file = tmpfile();                              /* the descriptor 3 */
    map();
    fclose(file);
    box[4001] = malloc(64 << 20);
    memset(box[4001], 1, 64 << 20);
    profplug_snapshot("big");
    free(box[4001]);
    (void)argv;
    profplug_snapshot("again");
    profplug_snapshot("again");
    pthread_create(&thread, 0, work, 0);
    pthread_join(thread, 0);
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    fflush(stdout);
    int child = fork();
    if (!child) {
        fill(7);
        profplug_snapshot("child");
        exit(0);
    }
    waitpid(child, 0, 0);
    profplug_snapshot("a label that is longer than what there is room for in a snapshot, by some words");
    for (int i = 0; argc > 1 && i < 130; i++)
        profplug_snapshot("many");
    return 0;
}
"""


def test(build, scratch):
    tool = f"{build}/profplug"
    write(f"{scratch}/live.c", PROGRAM)
    done = call([f"{build}/profplug-gcc", "-O1", "-g", "-pthread", "live.c", "-o", "live"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)
    done = call(["gcc", "-O1", "-Wall", "-Wextra", "-pedantic", "-Werror", "-pthread", f"-I{HERE}/../../include", "live.c", "-o", "plain"], cwd=scratch)
    expect(done.returncode == 0, "and without the plugin", done.err)
    line = {text: line_of(PROGRAM, text) for text in ("malloc(1000)", "calloc(10, 7)", "malloc(64")}

    def run(option, *arguments):
        for old in os.listdir(scratch):
            if old.endswith(".profplug"):
                os.remove(f"{scratch}/{old}")
        done = call(["./live", *arguments], cwd=scratch, env={"PROFPLUG": f"output=live-%p.profplug,{option}"})
        expect(done.returncode == 0 and not done.err, f"it runs with {option}", done.err)
        reports = [read(build, name, cwd=scratch) for name in sorted(os.listdir(scratch)) if name.endswith(".profplug")]
        root, = [r for r in reports if r["runs"][0]["pid"] == r["runs"][0]["root_pid"]]
        child, = [r for r in reports if r is not root]
        return f"live-{root['runs'][0]['pid']}.profplug", root, child

    def between(path, first, second):
        document = read(build, "--between", first, second, path, cwd=scratch)
        expect(not unlike(document, "profplug-report-2"), "it follows the schema", unlike(document, "profplug-report-2")[:3])
        b = document.get("between", {})
        return b, {s["name"]: s for s in b.get("stages", [])}, {a.get("line"): a for a in b.get("allocations", [])}

    path, root, child = run("blocks=on")
    taken = {s["label"]: s for s in root["snapshots"]}
    expect([s["label"] for s in root["snapshots"]][:7] == ["filled", "amid", "big", "again", "again", "thread", "handler"] and [s["number"] for s in root["snapshots"]] == list(range(1, 9)),
           "all are there, in order", [s["label"] for s in root["snapshots"]])
    expect(root["snapshots"][-1]["label"] == "a label that is longer than what there is room for in a snapshot, by some words"[:63], "a long label is cut", root["snapshots"][-1])
    times = [s["at_ns"] for s in root["snapshots"]]
    expect(times == sorted(times) and times[-1] <= root["runs"][0]["wall_ns"], "when", times)
    took = [s["took_ns"] for s in root["snapshots"]]
    room = [after - before for before, after in zip(times, times[1:] + [root["runs"][0]["wall_ns"]])]
    expect(all(0 < t <= r for t, r in zip(took, room)), "a snapshot is taken before the next", took, room)
    cpu = [s["cpu_ns"] for s in root["snapshots"]] + [root["runs"][0]["cpu_ns"]]
    expect(cpu == sorted(cpu) and cpu[-2] < cpu[-1], "CPU time since the run began, as the run's own", cpu)
    grown = taken["big"]["rss_bytes"] - taken["filled"]["rss_bytes"]
    expect(64 << 20 <= grown < 80 << 20, "what is resident grew by what was written to", grown)
    expect(taken["big"]["live_bytes"] - taken["amid"]["live_bytes"] == (64 << 20) + 20 * 1000, "what lives of the heap", taken["big"], taken["amid"])
    # what changed, by stage and line
    b, stages, lines = between(path, "filled", "amid")
    expect((stages["fill"]["calls"], stages["drop"]["calls"]) == (3, 3) and stages["turns"]["iterations"] == 2 and (stages["turns"]["calls"], stages["turns"]["wall_total_ns"]) == (0, 0), "what ended from the one to the other", stages)
    expect((stages["fill"]["alloc_blocks"], stages["fill"]["alloc_bytes"], stages["drop"]["free_bytes"]) == (150, 150000, 120000), "their bytes", stages)
    expect((b["alloc_bytes"], b["free_bytes"], b["live_bytes"], b["live_blocks"]) == (150000, 120000, 30000, 30), "all together", b)
    site = lines[line["malloc(1000)"]]
    expect((site["alloc_blocks"], site["free_blocks"], site["live_bytes"]) == (150, 120, 30000) and site["file"].endswith("/live.c"), "by line", lines)
    b, stages, lines = between(path, "amid", "big")
    lines = {number: a for number, a in lines.items() if a.get("function") != "main" or number == line["malloc(64"]}      # tmpfile's own
    expect((stages["map"]["calls"], stages["map"]["maps"], stages["map"]["map_bytes"], stages["map"]["alloc_blocks"]) == (1, 2, 24576, 0), "what was mapped stands in its stage, and among no blocks", stages)
    expect(list(lines) == [line["malloc(64"], line["malloc(1000)"]] and lines[line["malloc(64"]]["live_bytes"] == 64 << 20, "most first", lines)
    expect(64 << 20 <= b["rss_delta_bytes"] < 80 << 20, "resident", b)
    b, stages, lines = between(path, "big", "#4")
    expect(b["live_bytes"] == -(64 << 20) and lines[line["malloc(64"]]["live_blocks"] == -1, "what was given back is less", b, lines)
    b, stages, lines = between(path, "#4", "#5")
    expect(not stages and not lines and b["alloc_bytes"] == 0, "nothing happened in between", b)
    b, stages, lines = between(path, "#5", "thread")
    expect(stages["fill"]["alloc_bytes"] == 30000 and lines[line["calloc(10, 7)"]]["live_bytes"] == 70 and lines[line["malloc(1000)"]]["live_bytes"] == 20000, "what a thread did", stages, lines)
    b, stages, lines = between(path, "start", "filled")
    expect(lines[line["malloc(1000)"]]["alloc_blocks"] == 100 and stages["fill"]["calls"] == 1, "from the start", stages, lines)
    b, stages, lines = between(path, "start", "end")
    fill, = [s for s in root["stages"] if s["name"] == "fill" and "parent" not in s]
    whole = sum(a["alloc_blocks"] for a in root["allocations"])
    expect(sum(a["alloc_blocks"] for a in lines.values()) == whole, "from the start to the end is all", lines)
    # the child's own
    expect([s["label"] for s in child["snapshots"]] == ["child"] and child["snapshots"][0]["number"] == 1 and child["snapshots"][0]["alloc_bytes"] - child["snapshots"][0]["free_bytes"] >= 7000,
           "a child begins anew", child["snapshots"])
    # the text
    text = call([tool, "report", "--all", path], cwd=scratch, env={"COLUMNS": "160"}).out
    expect(re.search(r"^SNAPSHOTS .*\nfilled +#1 .*\namid +#2 .*\nbig +#3 .* \+64.0 MiB", text, re.M), "the table", text)
    text = call([tool, "report", "--between", "filled", "amid", path], cwd=scratch, env={"COLUMNS": "160"}).out
    expect(re.search(rf"^BETWEEN\nfrom filled \(at .* to amid .*live in heap \+29.3 KiB", text, re.M) and re.search(rf"^live.c:{line['malloc(1000)']} +\+29.3 KiB +\+30 .*malloc\(1000\)", text, re.M) and
           re.search(r"^ *fill +3 .* 146 KiB +\+146 KiB", text, re.M) and "BOTTLENECKS" not in text, "and what changed", text)
    # what cannot be said
    for argv, wanted in ((["again", "thread"], "2 snapshots are called 'again'; expected one of #4, #5"), (["nosuch", "amid"], "no snapshot 'nosuch' in this run; expected start, end or one of filled, amid"),
                         (["amid", "filled"], "'amid' was taken after 'filled'; expected the earlier one first"), (["#99", "end"], "no snapshot '#99'")):
        done = call([tool, "report", "--between", *argv, path], cwd=scratch)
        expect(done.returncode == 2 and done.err.startswith("profplug: --between: " + wanted) and done.err.count("\n") == 1 and not done.out, f"--between {argv}", done.err)
    done = call([tool, "report", "--from", "100ms", path], cwd=scratch)
    expect(done.returncode == 2 and done.err.startswith("profplug: --from, --to: no snapshot '100ms' in this run; expected start, end or one of"), "the option that was given is named", done.err)
    done = call([tool, "report", "--between", "amid"], cwd=scratch)
    expect(done.returncode == 2 and "expected two" in done.err, "one alone", done.err)

    path, root, child = run("blocks=off")
    b, stages, lines = between(path, "filled", "amid")
    expect((b["alloc_bytes"], b["live_bytes"], stages["drop"]["free_bytes"]) == (150000, 30000, 120000) and "allocations" not in b, "without blocks=on: totals and stages", b)
    text = call([tool, "report", "--between", "filled", "amid", path], cwd=scratch).out
    expect("they need blocks=exact or sampled" in text, "and it says why there are no lines", text)
    path, root, child = run("memory=off")
    expect("live_bytes" not in root["snapshots"][0] and "rss_bytes" in root["snapshots"][0], "without memory: what is resident", root["snapshots"][0])
    path, root, child = run("level=basic", "many")
    expect(len(root["snapshots"]) == 128 and root["runs"][0]["losses"]["snapshots"] == 8 + 130 - 128, "those beyond the bound are counted", len(root["snapshots"]), root["runs"][0]["losses"])


main(test)
