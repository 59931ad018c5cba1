#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""finding.py BUILD: `profplug report --causal` narrows what a finding saves to what its stage was found to be worth, puts it in its
place, and refuses files that are no result of `profplug causal`. The results are written here, so what they say is known."""

import json
import math
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)) + "/../support")
from program import call, expect, main, must
from report import named, read

HERE = os.path.dirname(os.path.abspath(__file__))
RULE = "smallwrites@journal"


def result_write(path, points, stage="journal"):
    """A result of `profplug causal` for one stage; points: percent, and what is saved at least and at most."""
    document = {"schema": "profplug-causal/1", "progress": {"kind": "stage", "name": "entries"}, "targets": [
        {"name": stage, "points": [{"percent": at, "saving_percent": {"median": low, "low": low, "high": high}} for at, low, high in points]}]}
    with open(path, "w") as file:
        json.dump(document, file)


def curve(points, at, which):
    """Straight between the points, from 0 at 0, and on as between the last two."""
    known = [(0, 0)] + [(point[0], point[which]) for point in points]
    for (x, y), (further, value) in zip(known, known[1:]):
        if at <= further or further == known[-1][0]:
            return y + (value - y) * (at - x) / (further - x)


def finding_of(build, data, *options):
    document = read(build, data, *options)
    rows = [row for row in document["recommendations"] if row["id"] == RULE]
    expect(len(rows) == 1, f"the finding {RULE}", [row["id"] for row in document["recommendations"]])
    return rows[0], document


def holds(build, data, result, points, what):
    """The saving is what the rule and the points have in common, or what the points say."""
    result_write(result, points)
    before, document = finding_of(build, data)
    after, _ = finding_of(build, data, "--causal", result)
    stage, loop = named(document["stages"], "journal")["wall_total_ns"], named(document["stages"], "entries")["wall_total_ns"]
    old = before["saving_low_ns"], before["saving_high_ns"]
    new = [max(0, min(100, curve(points, min(100, 100 * ns / stage), which))) / 100 * loop for which, ns in enumerate(old, 1)]
    wanted = new if new[1] < old[0] or new[0] > old[1] else [max(new[0], old[0]), min(new[1], old[1])]
    seen = after["saving_low_ns"], after["saving_high_ns"]
    expect(all(math.isclose(a, b, rel_tol=1e-3, abs_tol=1000) for a, b in zip(seen, wanted)), what, seen, wanted, old)
    expect(after["saving_kind"] == ("simulated" if seen != old else "measured"), f"{what}: its kind", after, before)
    return after, stage, loop, old


def test(build, cwd):
    data, result = f"{cwd}/run.profplug", f"{cwd}/causal.json"
    must([f"{build}/profplug-gcc", "-O2", "-pthread", "-o", f"{cwd}/journal", f"{HERE}/journal.c"])
    must([f"{cwd}/journal", "sleep", "40", "20", f"{cwd}/out"], env={"PROFPLUG": f"output={data}"})
    _, stage, loop, old = holds(build, data, result, [(25, -2, 90), (75, -5, 100)], "what says next to nothing changes nothing")
    all_of_it = 100 * stage / loop                       # as if nothing else ran beside the stage
    holds(build, data, result, [(25, all_of_it / 50, all_of_it / 5), (50, all_of_it / 5, all_of_it / 4), (75, all_of_it / 4, all_of_it / 2)], "several points")
    middle = (old[0] + old[1]) / 2 / loop                # the rule's upper half alone, at both of its ends
    steep = [(percent, 100 * middle * percent * stage / 100 / old[0], 100) for percent in (1, 100 * old[0] / stage)]
    narrower, *_ = holds(build, data, result, steep, "what only the upper half has in common")
    expect(narrower["saving_low_ns"] > old[0], "the lower end rose", narrower, old)
    holds(build, data, result, [(50, -1, 0.1), (100, -1, 0.2)], "a stage that nobody waits for")
    text = must([f"{build}/profplug", "report", "--section", "findings", "--causal", result, data])
    expect("saves nothing shown (simulated)" in text, "and so it is said", text)
    ids = [row["id"] for row in read(build, data, "--causal", result)["recommendations"]]
    expect(ids[-1] == RULE, "and it stands last", ids)
    result_write(result, [(50, 0, 0)], stage="another")
    expect(finding_of(build, data, "--causal", result)[0]["saving_kind"] == "measured", "another stage changes nothing")
    for content in ("", "{", "[]", '{"schema": "profplug-report/2", "targets": []}', '{"schema": "profplug-causal/1", "targets": [{"name": 1}]}',
                    '{"schema": "profplug-causal/1", "targets": [{"name": "a", "points": [{"percent": 50, "saving_percent": {"low": 2, "high": 1}}]}]}', None):
        if content is None:
            os.remove(result)
        else:
            with open(result, "w") as file:
                file.write(content)
        done = call([f"{build}/profplug", "report", "--causal", result, data])
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "expected what `profplug causal" in done.err, f"{content!r}: one line", done.err)


main(test)
