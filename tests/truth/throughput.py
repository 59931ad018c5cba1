#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""throughput.py BUILD PROGRAM: in each window of time the report has as many items and iterations as the program, by its own clock, handled then; an
item that was counted across a window's border, as its clock has it, may be in either. The least, median and greatest rate are those of the program's."""
import collections
import datetime
import statistics
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from report import profiled

build, program = sys.argv[1:]
SLACK_NS = 100_000                           # between the two clocks that the run's start was read by; an iteration ends after its stamp

said, report, text = profiled(build, [program], text=True)
rows = said.splitlines()

stamps = collections.defaultdict(list)
for row in rows:
    name, count, before, after = row.split()
    stamps[name].append((int(count), int(before), int(after)))
whole, fraction = report["runs"][0]["start_time"].rstrip("Z").split(".")
start = int(datetime.datetime.fromisoformat(whole + "+00:00").timestamp()) * 10**9 + int(fraction)

for name, unit in (("feed", "items"), ("beats", "iterations")):
    stage, = [s for s in report["stages"] if s["name"] == name]
    total = sum(count for count, _, _ in stamps[name])
    assert stage["throughput_unit"] == unit and stage["throughput_count"] == total, (stage["throughput_count"], total)
    windows = stage["throughput_windows"]
    width, first = windows["width_ns"], windows["start_offset_ns"]
    assert sum(windows["counts"]) == total and 8 <= len(windows["counts"]) <= 64, windows
    off = 0
    for k, got in enumerate(windows["counts"]):
        low, high = start + first + k * width, start + first + (k + 1) * width
        surely = sum(c for c, before, after in stamps[name] if low + SLACK_NS <= before and after <= high - SLACK_NS)
        perhaps = sum(c for c, before, after in stamps[name] if low - SLACK_NS <= after and before <= high + SLACK_NS)
        assert surely <= got <= perhaps, f"{name}: window {k} has {got}, the program counted {surely} to {perhaps}"
        off += perhaps - surely
    assert off < 0.2 * total, f"{name}: the program's clock says too little"
    wall = stage["wall_total_ns"]
    assert abs(stage["throughput_per_second"] * wall / 1e9 / total - 1) < 1e-5
    # the rates, of the windows that they are of, by the program's stamps
    wide = stage["throughput_window_ns"]
    assert wide % width == 0
    rates = collections.Counter()
    for count, before, after in stamps[name]:
        rates[((before + after) // 2 - start) // wide] += count
    inner = [rates[k] * 1e9 / wide for k in range(min(rates) + 1, max(rates))]
    for field, own in (("min", min(inner)), ("median", statistics.median(inner)), ("max", max(inner))):
        got, step = stage[f"throughput_{field}_per_second"], 2 * max(c for c, _, _ in stamps[name]) * 1e9 / wide
        print(f"{name}: {field} {got:.1f}/s, {own:.1f} by the program's clock, in windows of {wide / 1e6:.1f} ms")
        assert abs(got - own) <= step, (field, got, own, step)
    assert f"{unit}" in "".join(line for line in text.splitlines() if line.startswith(name) and unit in line), text
feed, = [s for s in report["stages"] if s["name"] == "feed"]
assert feed["throughput_max_per_second"] > 3 * feed["throughput_min_per_second"], "the rates differ by construction"
