#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""foreigner.py BUILD: with third-party=FOLDER, what headers in that folder do (foreigner.hpp) stands at the user's line that led there, with the place in the
header beside it. The user's code that such a header calls stays where it is. Without the argument the headers have it. Blocks are exact. CPU time is held against
the thread's clock, and asked again if it is off by SIGMAS of its printed error. So is what few samples may not show."""
import os
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, line_of, main
from report import at, profiled

HERE = os.path.dirname(os.path.abspath(__file__))
SIGMAS, SLACK, ATTEMPTS = 4, 0.05, 4
WAYS = {"O0": ["-O0"], "O2": ["-O2"], "inlining": ["-O3", "-flto"]}


def made(build, scratch, way, folder):
    words = [f"{build}/profplug-g++", *WAYS[way], "-g", f"-I{scratch}/third/deep"]
    words += [f"-fplugin-arg-profplug-third-party={folder}"] if folder else []
    done = call([*words, f"{scratch}/foreigner.cc", "-o", f"{scratch}/{way}"], cwd=scratch)
    expect(done.returncode == 0 and not done.err, f"{way}: {' '.join(words)}", done.err)
    return f"{scratch}/{way}"


def headers(document):
    rows = [row for row in document["lines"] if os.path.basename(row["file"]) == "foreigner.hpp"]
    return sum(row["samples"] for row in rows) / document["coverage"]["samples"], rows


def looked(build, program, way):
    """False if a CPU time is in doubt; all else is certain."""
    said, document = profiled(build, [program], "blocks=on")
    part, rows = headers(document)
    expect(part <= 0.02, f"{way}: the headers have no samples of their own", part, rows)
    sure = True
    with open(f"{HERE}/foreigner.cc") as source:
        text = source.read()
    for name, cpu_ns, blocks in map(str.split, said.splitlines()):
        rows = at(document["lines"], "foreigner.cc", line_of(text, f"MARK {name}"))
        expect(sum(row.get("alloc_blocks", 0) for row in rows) == int(blocks), f"{way}: {name} has {blocks} blocks", rows)
        if not sum(row["samples"] for row in rows):
            print(f"{way}: {name} has no sample")
            sure = False
            continue
        inner = {os.path.basename(place["file"]) for row in rows for place in row.get("inner", [])}
        expect(inner == (set() if name == "each" else {"foreigner.hpp"}), f"{way}: {name} has the header's places beside it", inner)
        got, error = sum(row["self_ns"] for row in rows), max((row["self_ns"] * row["error_percent"] / 100 for row in rows), default=0)
        print(f"{way}: {name} {got / 1e6:.0f} ms +- {error / 1e6:.0f}, by the clock {float(cpu_ns) / 1e6:.0f}")
        # At -O0 the loop around a call of the user's own code is the library's, and stands at the line that asked for it.
        sure = sure and got <= float(cpu_ns) * (1 + SLACK) + SIGMAS * error and (way == "O0" and name == "each" or got >= float(cpu_ns) * (1 - SLACK) - SIGMAS * error)
    return sure


def headers_have(build, program, name):
    parts = [headers(profiled(build, [program])[1])[0]]
    while parts[-1] <= 0.3 and len(parts) < ATTEMPTS:
        parts.append(headers(profiled(build, [program])[1])[0])
    expect(parts[-1] > 0.3, name, parts)


def test(build, scratch):
    os.makedirs(f"{scratch}/third/deep")
    shutil.copy(f"{HERE}/foreigner.cc", scratch)
    shutil.copy(f"{HERE}/foreigner.hpp", f"{scratch}/third/deep")
    os.symlink("third", f"{scratch}/linked")
    for way in WAYS:
        headers_have(build, made(build, scratch, way, None), f"{way}: without the argument the headers have their time")
        program = made(build, scratch, way, {"O0": f"{scratch}/third", "O2": "third", "inlining": f"{scratch}/linked/"}[way])
        expect(any(looked(build, program, way) for _ in range(ATTEMPTS)), f"{way}: CPU time in the headers is their callers'")
    os.mkdir(f"{scratch}/third/de")
    headers_have(build, made(build, scratch, "O2", f"{scratch}/third/de"), "a folder whose name begins alike is another")
    for wrong in ("", f"{scratch}/foreigner.cc", f"{scratch}/absent"):
        done = call([f"{build}/profplug-g++", "-c", f"-fplugin-arg-profplug-third-party={wrong}", f"-I{scratch}/third/deep", f"{scratch}/foreigner.cc", "-o", f"{scratch}/w.o"])
        expect(done.returncode and done.err.count("error:") == 1 and "third-party=FOLDER" in done.err, f"third-party={wrong} is refused in one line", done.err)


main(test)
