#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check.py BUILD HERE SEED: runs the pipeline with the seed's plan and asserts that the report names each planted habit's place."""
import collections
import json
import os
import subprocess
import sys
import tempfile

build, here, seed = sys.argv[1:4]
PICTURES = 48
failures = []


def expect(ok, text):
    print(("ok    " if ok else "WRONG ") + text)
    if not ok:
        failures.append(text)


def top(rows, key):
    return max(rows.values(), key=lambda r: r.get(key, 0))["name"]


with tempfile.TemporaryDirectory() as work:
    subprocess.run([f"{here}/generate", f"{work}/photos", str(PICTURES), "1"], check=True)

    def pipeline(args, data, options=""):
        env = dict(os.environ, PROFPLUG=f"output={data}{options}" if data else "off")
        out = f"{work}/out"
        return subprocess.run([f"{here}/pipeline", *args, f"{work}/photos", out], env=env, check=True, capture_output=True, text=True).stdout

    plain = pipeline(["--seed", seed], None)
    data = f"{work}/run.profplug"
    profiled = pipeline(["--seed", seed, "--plan", f"{work}/plan", "--clocks", f"{work}/clocks"], data)
    expect(plain == profiled, "the profiled run prints what the run without profiling prints")
    report = json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", data], check=True, capture_output=True, text=True).stdout)
    pipeline(["--seed", seed], f"{work}/blocks.profplug", ",blocks=on,samples=off")
    by_line = json.loads(subprocess.run([f"{build}/profplug", "report", "--format", "json", f"{work}/blocks.profplug"], check=True, capture_output=True, text=True).stdout)
    plan = {words[0]: words[1:] for words in (line.split() for line in open(f"{work}/plan"))}
    clocks = [line.split() for line in open(f"{work}/clocks")]

# What the program's own clocks say: of each stage, how long it was off the CPU; of each batch, how long it took at least and at most
# (between its own readings, and between its neighbours').
off_clock = {words[1]: int(words[2]) - int(words[3]) for words in clocks if words[0] == "stage"}
nap = next(int(words[1]) for words in clocks if words[0] == "nap")       # its naps within the stage that waits
spans = [(int(words[1]), int(words[2])) for words in clocks if words[0] == "batch"]
begin, end = next((int(words[1]), int(words[2])) for words in clocks if words[0] == "loop")
inner = [ended - begun for begun, ended in spans]
outer = [(spans[i + 1][0] if i + 1 < len(spans) else end) - (spans[i - 1][1] if i else begin) for i in range(len(spans))]

kinds = collections.defaultdict(list)
for row in report["stages"]:
    kinds[row["name"]].append(row)
stages = {n: kinds[n][0] for n in ("load", "decode", "preprocess", "augment", "inference", "write") if kinds[n]}
expect(len(stages) == 6, f"all six stages are there: {sorted(stages)}")
for name, row in stages.items():
    expect(row["calls"] == PICTURES // 4, f"{name}: {row['calls']} calls of {PICTURES // 4}")
category = {"load": "data_loading", "decode": "data_loading", "preprocess": "preprocessing", "augment": "augmentation",
            "inference": "inference", "write": "io"}
expect({n: r["category"] for n, r in stages.items()} == category, "categories, given and taken from the name")
loop = next(r for r in report["loops"] if r["name"] == "batches")
expect(loop["iterations"] == PICTURES // 4 and loop["calls"] == 1, f"loop batches: {loop['iterations']} iterations, run {loop['calls']} times")
expect(loop["throughput_unit"] == "items" and loop["throughput_count"] == PICTURES, f"throughput of {loop['throughput_count']} {loop['throughput_unit']}: the pictures")
expect(kinds["normalise"] and kinds["normalise"][0]["calls"] == PICTURES, "scope normalise: once per picture")

rules = collections.defaultdict(list)        # the names that each rule found, worst first
for b in report["bottlenecks"]:
    rules[b["rule"]].append(b["name"])
functions = {f["name"]: f for f in report["functions"]}
print("bottlenecks:", ", ".join(f"{b['severity']} {b['name']} ({b['rule']})" for b in report["bottlenecks"]))
print("plan:", plan)


def place(habit):
    return plan[habit][0]


def found_first(habit, rule, name, among=None):
    candidates = [n for n in rules[rule] if among is None or n in among]
    expect(candidates[:1] == [name], f"{habit}: rule {rule} names {name} first: {candidates}")


found_first("tiny_reads", "tinyreads", place("tiny_reads"))
found_first("churn", "allocation", place("churn"))
# On a busy machine a stage that was kept from the CPU for longer may stand before the one that sleeps, and no other.
ahead = rules["waiting"][:rules["waiting"].index(place("wait"))] if place("wait") in rules["waiting"] else None
# A stage that was kept from the CPU for as long as it slept need not be named at all.
expect(all(off_clock.get(name, 0) >= 0.98 * off_clock[place("wait")] for name in ahead) if ahead is not None else off_clock[place("wait")] > 2 * PICTURES * 4e6,
       f"wait: rule waiting names {place('wait')} first: {rules['waiting']}; off the CPU by the program's clocks: {off_clock}")
found_first("tail", "tail", place("tail"), stages)
for rule, habit, function in (("processor", "scalar", "curve_at"), ("tail", "tail", "rebuild_index"), ("processor", "repeat", "decode_reference"),
                              ("tinyreads", "tiny_reads", "read_in_pieces"), ("allocation", "churn", "soften_churning")):
    of = by_line if rule == "allocation" else report      # by stage alone nobody knows which line asked for memory
    named = [(b["name"], b.get("function", b["name"])) for b in of["bottlenecks"] if b["rule"] == rule]
    expect((place(habit), function) in named or (function, function) in named, f"{habit}: rule {rule} names {function} in {place(habit)}: {named}")

row = stages[place("tiny_reads")]
expect(top(stages, "reads") == place("tiny_reads") and row["read_bytes"] / row["reads"] < 16,
       f"tiny_reads: {row['name']} reads most often, {row['reads']} times, {row['read_bytes'] / max(row['reads'], 1):.1f} bytes each")
row = stages[place("churn")]
expect(top(stages, "alloc_bytes") == place("churn") and row["alloc_bytes"] > 1e9 and row["alloc_blocks"] >= PICTURES * 256,
       f"churn: {row['name']} allocates most, {row['alloc_bytes']} bytes in {row['alloc_blocks']} blocks")
expect(functions["tone_slowly"]["calls"] == PICTURES, f"scalar: {functions['tone_slowly']['calls']} calls of tone_slowly")
off = stages[place("wait")]["off_cpu_ns"]
expect(off >= 0.99 * PICTURES * 4e6, f"wait: {place('wait')} is off the CPU for {off / 1e6:.0f} ms, asked for {PICTURES * 4} ms")
expect(0.98 * nap - 2e6 <= off <= 1.02 * off_clock[place("wait")] + 2e6,
       f"wait: off the CPU for {off / 1e6:.0f} ms, by the program's clocks {nap / 1e6:.0f} (its naps) to {off_clock[place('wait')] / 1e6:.0f} ms (around the stage)")
slowest = sorted(loop["slowest"], key=lambda s: -s["wall_ns"])[:3]
for k, s in enumerate(slowest):
    # At most k others were slower for certain.
    surely = sum(inner[i] > 1.01 * outer[s["index"]] for i in range(len(inner)) if i != s["index"])
    expect(surely <= k and 0.99 * inner[s["index"]] <= s["wall_ns"] <= 1.01 * outer[s["index"]],
           f"tail: number {k} of the slowest batches is {s['index']}, {s['wall_ns']} ns, by the program's clocks {inner[s['index']]} to {outer[s['index']]}")
heavy = {i for i in range(len(inner)) if i % 4 == int(plan["tail"][1])}
if min(inner[i] for i in heavy) > max(outer[i] for i in range(len(inner)) if i not in heavy):
    expect({s["index"] for s in slowest} <= heavy, f"tail: the slowest batches {[s['index'] for s in slowest]} are heavy ones: {sorted(heavy)}")
expect(functions["reference_again"]["calls"] == PICTURES, f"repeat: {functions['reference_again']['calls']} decodings of the reference picture")

sys.exit(1 if failures else 0)
