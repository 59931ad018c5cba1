#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""inner.py BUILD PROGRAM SOURCE: what PROGRAM (inner.cc) did in headers of the C++ library stands at its own lines, in JSON and text alike, with the place in
the header beside it. Blocks are exact. Each function's CPU time is held against the thread's clock; what is off by SIGMAS of the printed error is asked again
with another run."""
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import line_of
from report import at, profiled

build, program, source = sys.argv[1:4]
SIGMAS, SLACK, ATTEMPTS = 4, 0.05, 4
with open(source) as file:
    text_of_source = file.read()
lines = {name: line_of(text_of_source, f"MARK {name}") for name in ("sort", "count", "join")}


def is_header(path):
    return "/include/c++/" in path or path.startswith("/usr/include/") or "/lib/gcc/" in path


def once():
    said, document, text = profiled(build, [program], "blocks=on", text=True)
    wrong, off = [], {}
    clock = {name: float(ns) for name, ns in (row.split() for row in said.splitlines())}
    headers = {(row["file"], row["line"]): row["samples"] for row in document["lines"] if row["samples"] and is_header(row["file"])}
    # The map is freed at the end, which no line of the program asks for.
    if sum(headers.values()) > 0.02 * document["coverage"]["samples"]:
        wrong.append(f"samples stand in headers: {headers}")
    for name, number in lines.items():
        rows = at(document["lines"], source, number)
        self_ns = sum(row["self_ns"] for row in rows)
        inner = [inner for row in rows for inner in row.get("inner", [])]
        if name != "join" and not inner:          # at -O0 a string's own code is in its library
            wrong.append(f"{name}: no inner place")
        if not all(is_header(one["file"]) and one["line"] and one["function"] for one in inner):
            wrong.append(f"{name}: an inner place is in no header: {inner}")
        if sum(one["self_ns"] for one in inner) > self_ns * 1.001 + len(inner):
            wrong.append(f"{name}: inner places have more than their line")
        if sum(one["samples"] for one in inner) > sum(row["samples"] for row in rows):
            wrong.append(f"{name}: inner places have more samples than their line")
        blocks = sum(row.get("alloc_blocks", 0) for row in rows)
        if name == "count" and blocks != 5000:
            wrong.append(f"{name}: {blocks} blocks, expected 5000, one for each number")
        if name == "count" and sum(one.get("alloc_blocks", 0) for one in inner) != blocks:
            wrong.append(f"{name}: the inner places have not all of its blocks")
        # The line's loop is the only other line of the function.
        function = next((row for row in document["functions"] if row["symbol"].find(f"{name}_all") >= 0), {})
        got, error = function.get("self_ns", 0), function.get("self_error_percent", 100)
        if abs(got - clock[name]) > SIGMAS * error / 100 * max(got, clock[name]) + SLACK * clock[name]:
            off[name] = f"{name}: {got / 1e6:.0f} ms +- {error:.0f} %, {clock[name] / 1e6:.0f} by the clock"
        # The text has the same samples, and names the inner place.
        shown = re.search(rf"^{re.escape(os.path.basename(source))}:{number} .*$", text[text.index("\nLINES "):], re.M)
        if not shown or f" {sum(row['samples'] for row in rows):,} ".replace(",", " ") not in shown[0]:
            wrong.append(f"{name}: the text says {shown and shown[0]}, JSON {sum(row['samples'] for row in rows)} samples")
        elif inner and not re.search(r"\.(h|tcc):\d+ ", shown[0]):
            wrong.append(f"{name}: the text names no inner place: {shown[0]}")
    return wrong, off


asked = None
for attempt in range(ATTEMPTS):
    wrong, off = once()
    if wrong:
        sys.exit("\n".join(wrong))
    asked = set(off) if asked is None else asked & set(off)
    if not asked:
        sys.exit(0)
    print(f"attempt {attempt + 1}, in doubt:", ", ".join(off[name] for name in sorted(asked)))
sys.exit(1)
