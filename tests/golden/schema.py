#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""schema.py PROFPLUG MAKE: the JSON report of a fixed data file follows the shipped schema, has no field that the schema does not
name, and carries integers digit by digit."""
import json
import os
import re
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import unlike

tool, make = sys.argv[1:3]


def report(path, *options):
    return subprocess.run([tool, "report", "--format", "json", *options, path], check=True, capture_output=True, text=True).stdout


with tempfile.TemporaryDirectory() as work:
    data = os.path.join(work, "run.profplug")
    subprocess.run([make, data], check=True)
    for options in ((), ("--explain",), ("--top", "1"), ("--int64", "string"), ("--min-percent", "50")):
        text = report(data, *options)
        document = json.loads(text)
        assert not unlike(document, "profplug-report-2"), (options, unlike(document, "profplug-report-2"))
        known = {name for s in ("stages", "loops") for row in document[s] for name in row}
        for metric in document["metrics"]:
            assert metric["name"] in known, f"{metric['name']} is no field of stages"
    document = json.loads(report(data))
    levels = [(s["entry_arena_bytes"], s["entry_fragmentation_percent"], s["arena_bytes"], s["fragmentation_percent"]) for s in document["stages"] if "entry_arena_bytes" in s]
    assert levels == [(1 << 20, 0.0976562, 8 << 20, 62.5)], levels
    rows = {name: {r["name"]: r for r in document[name]} for name in ("stages", "functions", "loops")}
    assert document["truncated"] == [] and json.loads(report(data, "--top", "1"))["truncated"] == ["stages", "bottlenecks", "functions"]
    assert rows["functions"]["curve"]["calls"] == 1023 and "calls" not in rows["functions"].get("quiet", {})
    assert rows["functions"]["main"]["wall_total_ns"] == 990000000 and "wall_total_ns" not in rows["functions"]["tone"]
    assert 3.16 < rows["functions"]["tone"]["cpu_total_error_percent"] < 3.18   # 500 of 800 samples, and of the scale: worked out in report_model.c
    decode = rows["stages"]["decode"]
    assert decode["parent"] == rows["stages"]["batches"]["id"] and decode["category"] == "data_loading"
    assert decode["alloc_bytes"] == 3 << 30 and decode["wall_min_ns"] == 45000000
    assert rows["loops"]["batches"]["iterations"] == 10 and rows["loops"]["batches"]["iteration_wall_max_ns"] == 140000000
    assert document["runs"][0]["notices"][0] == "lost: 3 samples for which there was no room"
    assert document["runs"][0]["losses"]["samples"] == 3 and document["runs"][0]["files"][0]["pid"] == 4194302
    assert document["runs"][0]["given_up"] == {"samples": {"count": 1200, "from_ns": 250000000}, "function_times": {"count": 900, "from_ns": 10000000}}

    # An integer that a double cannot hold.
    with open(data, "r+b") as file:
        content = bytearray(file.read())
        at = content.index((1000).to_bytes(8, "little") + (0).to_bytes(8, "little"), 36864)          # the counter of key 7
        content[at:at + 8] = (9007199254740993 - 23).to_bytes(8, "little")
        file.seek(0)
        file.write(content)
    assert '"calls":\t9007199254740993,' in report(data), "digits are lost"
    assert '"calls":\t"9007199254740993",' in report(data, "--int64", "string")

    # As text it is the same document, and all integers are strings: what is left are shares, rates and means.
    def same(one, other, place=""):
        if isinstance(one, dict):
            assert one.keys() == other.keys(), place
            return sum(same(one[name], other[name], f"{place}/{name}") for name in one)
        if isinstance(one, list):
            assert len(one) == len(other), place
            return sum(same(a, b, place) for a, b in zip(one, other))
        if isinstance(other, str) and not isinstance(one, str):
            assert other == str(one), (place, one, other)
            return 1
        assert one == other, (place, one, other)
        assert type(one) is not int or re.search("percent|per_second|per_entry|threshold|_mean$", place), f"{place}: {one} is a number"
        return 0
    document = json.loads(report(data))
    for words in (("--int64", "string"), ("--int64=string",)):
        turned = same(document, json.loads(report(data, *words)))
        assert turned > 500, turned
    assert report(data, "--int64=number") == report(data)

# What a run can lose or give up, whether or not this one did.
root = sys.path[0] + "/../.."
with open(root + "/report/export/profplug-report-2.schema.json") as schema, open(root + "/include/profplug/abi/format.h") as contract:
    fields, text = json.load(schema)["properties"]["runs"]["items"]["properties"], contract.read()
for macro, field in (("PP_GIVEN", "given_up"), ("PP_LOSS", "losses")):
    names = re.findall(rf"^ +{macro}\(\w+, +(\w+),", text, re.M)
    assert names and set(names) == set(fields[field]["properties"]), (field, names)
print("the report follows its schema")
