#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py BUILD: `profplug check --slo` on a program whose stage, loop and counts have a known distribution: percentiles, mean, throughput and counts are the
program's own within 1 %, so that limits 1 % to either side are met and broken; the formats say the same; wrong usage is one line and status 2."""

import json
import math
import os
import sys
import xml.etree.ElementTree

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from report import unlike

PROGRAM = r"""#include <profplug.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
enum { COUNT = 1500, TURNS = 300 };
static unsigned long long taken[COUNT], around[COUNT], begun[TURNS + 1], ended[TURNS + 1];        /* from inside of the probes, and from outside */
__attribute__((no_instrument_function)) static unsigned long long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000ull + t.tv_nsec;
}
PROFPLUG_STAGE("request", "network") static __attribute__((noinline)) void request(unsigned long long want, int i)
{
    unsigned long long t = now();
    profplug_count("items", 1 + i % 5);
    profplug_gauge("depth", i % 9 - 4);
    while (now() - t < want)
        ;
    taken[i] = now() - t;
}
int main(void)
{
    unsigned state = 7;
    for (int i = 0; i < COUNT; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned long long t = now();
        request(200000 - 300000 * log(((state >> 8) + 1) / 16777217.0), i);      /* exponential, from 200 us on */
        around[i] = now() - t;
    }
    ended[0] = now();
    PROFPLUG_LOOP("turns")
    for (int i = 0; i < TURNS; i++) {
        begun[i] = now();
        while (now() - begun[i] < 200000ull + 5000 * (unsigned)i)
            ;
        ended[i + 1] = now();
    }
    begun[TURNS] = now();
    for (int i = 0; i < COUNT; i++)
        printf("request %llu %llu\n", taken[i], around[i]);
    for (int i = 0; i < TURNS; i++)
        printf("turns %llu %llu\n", ended[i + 1] - begun[i], begun[i + 1] - ended[i]);
    return 0;
}
"""


INNER = """#include <profplug.h>
PROFPLUG_STAGE("shared") static __attribute__((noinline)) int shared(int i) { volatile int k = i; return k; }
PROFPLUG_STAGE("first") static __attribute__((noinline)) int first(int i) { return shared(i) + 1; }
PROFPLUG_STAGE("second") static __attribute__((noinline)) int second(int i) { return shared(i) + 2; }
int main(void) { return first(0) + second(0) + shared(0) != 3; }
"""


def percentile(values, percent):
    """Nearest rank."""
    values = sorted(values)
    return values[max(math.ceil(percent / 100 * len(values)), 1) - 1]


def test(build, scratch):
    tool = f"{build}/profplug"
    write(f"{scratch}/slow.c", PROGRAM)
    done = call([f"{build}/profplug-gcc", "-O2", "-g", "slow.c", "-o", "slow", "-lm"], cwd=scratch)
    expect(done.returncode == 0, "it compiles", done.err)
    rows = call(["./slow"], cwd=scratch, env={"PROFPLUG": "output=slow.profplug"}).out.split()
    times = {name: [int(t) for n, t in zip(rows[::3], rows[1::3]) if n == name] for name in ("request", "turns")}
    around = {name: [int(t) for n, t in zip(rows[::3], rows[2::3]) if n == name] for name in times}

    def check(*slo, files=("slow.profplug",), more=(), **env):
        return call([tool, "check", *[w for s in slo for w in ("--slo", s)], *more, *files], cwd=scratch, env=env)

    for name in times:
        known = {f"p{p}": (percentile(times[name], p), percentile(around[name], p)) for p in (50, 90, 95, 99)}
        known["mean"] = (sum(times[name]) / len(times[name]), sum(around[name]) / len(times[name]))
        for metric, (low, high) in known.items():
            for value, factor, status in ((high, 1.01, 0), (low, 0.99, 1)):
                done = check(f"{name} {metric}<{value * factor:.0f}ns")
                expect((done.returncode, done.err) == (status, ""), f"{name} {metric} of {value / 1e6:.3f} ms against {factor} of it: {status}", done.out, done.err)
                done = check(f"{name} {metric} >= {value * factor / 1e6:.6f} ms")
                expect(done.returncode == 1 - status, f"and the other way round: {1 - status}", done.out, done.err)
        done = check(f"{name} min>{min(times[name]) * 0.99:.0f}ns", f"{name} max<100s", f"{name} p99.9<100s")
        expect(done.returncode == 0 and done.out.count("\n") == 3, f"{name}: min, max, p99.9", done.out)
    items = sum(1 + i % 5 for i in range(1500))
    low, high = items / (sum(around["request"]) / 1e9), items / (sum(times["request"]) / 1e9)
    for limit, status in ((0.99 * low, 0), (1.01 * high, 1)):
        done = check(f"request throughput>{limit:.1f}/s")
        expect(done.returncode == status and "items" in done.out, f"throughput of {low:.1f} to {high:.1f} items a second above {limit:.1f}", done.out, done.err)
    for slo, status in ((f"request items.sum>={items}", 0), (f"request items.sum>{items}", 1), ("request items.max<=5", 0), ("request items.min<1", 1), ("request items.mean<=3", 0), ("request depth.min>=-4", 0),
                        ("request depth.max>4", 1), ("request items.count<=1500", 0), ("request items.count<1500", 1),
                        ("request calls>=1500", 0), ("request calls<1500", 1), ("turns calls<=1", 0),
                        ("turns iterations>=300", 0), ("turns iterations>300", 1)):
        done = check(slo)
        expect((done.returncode, done.err) == (status, ""), slo, done.out, done.err)

    # several objectives and files; each has its line
    os.link(f"{scratch}/slow.profplug", f"{scratch}/again.profplug")
    objectives = ["request p50<1ns", "turns p95 <= 100s", "turns iterations<&>\"' max<1ms"]
    done = check("request p50<1ns", "turns p95 <= 100s", files=("slow.profplug", "again.profplug"))
    lines = done.out.splitlines()
    expect(done.returncode == 1 and [line.split()[0] for line in lines] == ["broken", "met"] * 2, "two objectives of two files", done.out)
    expect(all("slow.c:" in line for line in lines if line.startswith("broken")) and lines[3].endswith("again.profplug"), "where, and of which file", done.out)
    done = check("request p50<1ns", "turns p95 <= 100s", more=("--format", "json"))
    document = json.loads(done.out)
    expect(done.returncode == 1 and not document["met"] and document["broken"] == 1 and [o["met"] for o in document["objectives"]] == [False, True], "json", done.out)
    one = document["objectives"][0]
    expect(0.99 * percentile(times["request"], 50) < one["value"] < 1.01 * percentile(around["request"], 50) and one["low"] <= one["value"] <= one["high"] and one["entries"] == one["timed"] == 1500, "its value", one)
    expect(abs((one["high"] - one["low"]) / one["value"] - 1 / 64) < 0.001, "as wide as a bucket", one)
    expect(not unlike(document, "profplug-check-1"), "json follows its schema", unlike(document, "profplug-check-1"))
    done = check("request p50<1ns", "turns p95 <= 100s", more=("--format", "junit"))
    root = xml.etree.ElementTree.fromstring(done.out)
    cases = root.findall("testsuite/testcase")
    expect(done.returncode == 1 and root[0].get("failures") == "1" and [c.get("name") for c in cases] == objectives[:2] and
           [len(c.findall("failure")) for c in cases] == [1, 0], "junit", done.out)
    done = check("request p50<1ns", "turns p95 <= 100s", more=("--format", "sarif", "-o", "out.sarif"))
    result, = json.load(open(f"{scratch}/out.sarif"))["runs"][0]["results"]
    place = result["locations"][0]["physicalLocation"]
    expect(done.returncode == 1 and not done.out and place["artifactLocation"]["uri"].endswith("/slow.c") and place["region"]["startLine"] > 1 and
           "request p50<1ns" in result["message"]["text"], "sarif", result)
    near = one["value"]
    said = [check(f"request p50<{near * f:.0f}ns").out for f in (0.997, 1, 1.003)]
    expect(sum("too close to the limit" in s for s in said) >= 2, "a limit within the histogram's bucket is said to be", said)

    said = check("turns calls<1", "turns iterations<300").out.splitlines()
    expect("1 run of the loop" in said[0] and "300 iterations" in said[1], "runs of a loop and its iterations are told apart", said)

    # what cannot be checked
    for argv, wanted in ((["--slo", "p95<5ms"], "a stage and a metric are not there"), (["--slo", "request p95"], "no < or >"), (["--slo", "request p95<5"], "is no limit for it; expected a number and ns"),
                         (["--slo", "request p95<5 parsecs"], "is no limit"), (["--slo", "request p0<5ms"], "no such metric 'p0'"), (["--slo", "request p100<5ms"], "no such metric"),
                         (["--slo", "request iterations>1"], "'request' is no loop; expected the name of a loop, or the metric calls"),
                         (["--slo", "request throughput<5ms"], "is no limit"), (["--slo", "request speed<5ms"], "no such metric 'speed'"), (["--slo", "request p95<nan ms"], "is no limit"),
                         (["--slo", "request p95<0x5ms"], "is no limit"), (["--slo", "request p9x5<5ms"], "no such metric"), (["--slo", "request .sum<5"], "no such metric"),
                         (["--slo", "nosuch p95<5ms"], "no stage, loop or scope 'nosuch' in this run; expected one of request, turns"),
                         (["--slo", "request misses.sum<5"], "the stage counted none in this run"), (["--slo", "x" * 300], "too long"),
                         ([], "nothing to check"), (["--slo"], "a value is missing"), (["--nosuch"], "no such option"), (["--format", "xml"], "expected text, markdown, json, junit, sarif or gitlab"),
                         (["--slo", "request p95<5ms", "-o", "/nosuch/x"], "expected a file to write to")):
        done = call([tool, "check", *argv, *([] if "--nosuch" in argv or argv == ["--slo"] else ["slow.profplug"])], cwd=scratch)
        expect(done.returncode == 2 and not done.out and done.err.startswith("profplug: ") and done.err.count("\n") == 1 and wanted in done.err, f"{argv}", done.returncode, done.err)
    write(f"{scratch}/inner.c", INNER)
    done = call([f"{build}/profplug-gcc", "-g", "-O1", "inner.c", "-o", "inner"], cwd=scratch)
    expect(done.returncode == 0 and call(["./inner"], cwd=scratch, env={"PROFPLUG": "output=inner.data"}).returncode == 0, "the stage within two others runs", done.err)
    done = call([tool, "check", "--slo", "nosuch p95<5ms", "inner.data"], cwd=scratch)
    names = done.err.rpartition("expected one of ")[2].strip().split(", ")
    expect(done.returncode == 2 and sorted(names) == ["first", "second", "shared"], "a stage below two others is listed once", done.err)
    done = check("request p95<5s", files=("/nosuch.profplug",))
    expect(done.returncode == 2 and done.err.count("\n") == 1 and not done.out, "no such file", done.err)
    done = check("request p95<5s", "nosuch p95<5ms")
    expect(done.returncode == 2 and not done.out, "what can be said beside is not said", done.out)
    os.remove(f"{scratch}/again.profplug")
    done = check("request p95<5s", files=())
    expect(done.returncode == 0 and done.out.startswith("met "), "without a file the newest run's", done.out, done.err)


main(test)
