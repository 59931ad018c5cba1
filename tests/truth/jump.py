#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""jump.py BUILD PROGRAM: a wait in a call that became a jump stands at the line of the jump, in its function, and is called from the functions that gdb's tail
call frames name, also where the function was called by a pointer; where two jumps are possible the row says so, and where two ways lead to one jump it stands at that. Functions that GCC merged are named together. What each waited in is what the program says."""

import os
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import expect, failures, line_of
from report import at, named, profiled

build, program = sys.argv[1:3]
with open(os.path.dirname(os.path.abspath(__file__)) + "/jump.c") as file:
    source = file.read()
WAYS = {"nap": {("nap", "main"), ("nap", "outer", "main")}, "inner": {("inner", "main")}, "plain": {("plain", "main")}}
CLOCK = 1e-3                             # two clocks


def chain(document, row):
    """The functions that a row was called from, innermost first."""
    nodes = {n["id"]: n for n in document["call_tree"]}
    names, node = [], nodes.get(row.get("call_tree_id"))
    while node:
        if node["name"] != "poll":       # _FORTIFY_SOURCE makes it a function of a header
            names.append(node["name"])
        node = nodes.get(node.get("parent_id"))
    return names


def jumps(function):
    """Whether this build has a jump as the function's last call."""
    code = subprocess.run(["objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", program], capture_output=True, text=True, check=True).stdout
    return any("jmp" in line and not f"<{function}" in line for line in code.splitlines())


ways = {name: set() for name in WAYS}
static = program.endswith("_static")     # there the stack of a wait is not known
for attempt in range(9):                 # of short waits, some are recorded by chance
    said, document, text = profiled(build, [program], text=True)
    spent = {name: (int(line), int(ns)) for name, line, ns in map(str.split, said.splitlines())}
    for name in WAYS:
        ways[name] |= {tuple(chain(document, w)) for w in at(document["waits"], "jump.c", line_of(source, f"/* {name} */"))}
    if ways == WAYS or static:
        break
expect(ways == WAYS or static, "called from", ways)
for name, kind in (("nap", "sleep"), ("inner", "poll"), ("there", "sleep"), ("plain", "sleep"), ("pointer", "sleep")):
    rows = at(document["operations"], "jump.c", line_of(source, f"/* {name} */"))
    expect(len(rows) == 1 and rows[0]["operation"] == kind and rows[0].get("function") == name and "jumped_from" not in rows[0], f"{name}: a row at its line", rows)
    known = spent[name][1] + (spent["outer"][1] if name == "nap" else 0)
    expect(rows and 0.5 * known <= rows[0]["wall_ns"] <= known * (1 + CLOCK), f"{name}: no longer than the program says", rows, known)
line = spent["either"][0]
rows = [r for r in document["operations"] if r.get("jumped_from") == "either"]
if jumps("either"):
    expect({(r["operation"], r["line"], r["calls"]) for r in rows} == {("sleep", line, 4), ("poll", line, 4)}, "either: at the call, named as one of several jumps", rows)
    expect("either (jump)" in text, "either: the text says so", text)
else:
    expect(not rows and len([r for r in document["operations"] if r.get("function") == "either"]) == 2, "either: without jumps at its lines", rows)
burnt, through = (named(document["functions"], name).get("cpu_total_ns", 0) for name in ("burn", "middle"))
expect(static or through >= burnt > 0, "CPU time of a function that another one jumps to is among what that one calls", burnt, through)
rows = [a for a in document.get("allocations", []) if a.get("function") == "make"]
expect(not document.get("allocations") or (len(rows) == 1 and rows[0]["line"] == line_of(source, "/* make */") and rows[0]["alloc_blocks"] == 8), "make: a block stands at the jump",
       document.get("allocations"))
merged = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.split("\n")
address = {words[2]: words[0] for words in map(str.split, merged) if len(words) == 3}
if address["same_one"] == address["same_two"]:
    function = named(document["functions"], "same_one")
    expect(function.get("merged") == ["same_two"] and function["calls"] == 16, "merged functions are named together", function)
    expect("same_one or same_two" in text, "the text names both", text)
    expect(any("same_one" in n and "same_two" in n and "merged" in n for n in document["runs"][0]["notices"]), "a notice says what that means", document["runs"][0]["notices"])
else:
    expect(all("merged" not in f for f in document["functions"]), "nothing is merged", document["functions"])
sys.exit(1 if failures else 0)
