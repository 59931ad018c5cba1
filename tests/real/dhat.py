#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dhat.py BUILD CACHE PROJECT: with blocks=on, blocks and bytes of every line of the project's, and what of them lives at the end, equal those that
valgrind's DHAT counts. DHAT leaves what realloc gets with the line that got the block first; so what it runs is compiled with a realloc that is
malloc, memcpy and free called from that line. At -O1 and without sibling calls, so that both see the same calls on the stack."""
import collections
import json
import os
import re
import shutil
import sys
import zlib

from project import HERE, Profiler, Project, Verdict, fetch, skip

build, cache, name = sys.argv[1:4]
if not shutil.which("valgrind"):
    skip("no valgrind on this machine")


class Parser(Project):
    def __init__(self, cache):
        self.name, self.root = "cjson", fetch("cjson", cache, "cjson", "cJSON.c")
        self.sources, self.flags, self.libraries = [f"{self.root}/cJSON.c", f"{HERE}/../../bench/work/cjson.c"], [f"-I{self.root}"], ["-lm"]

    def arguments(self, work, size):
        return [str(int(60 * size)), "2000"]


project, profiler, verdict = Parser(cache) if name == "cjson" else Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-dhat"
work, out = f"{folder}/work", f"{folder}/dhat.json"
os.makedirs(folder, exist_ok=True)
text = """#define _GNU_SOURCE
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
__attribute__((unused)) static void *realloc_apart(void *block, size_t bytes)
{
    void *made = bytes || !block ? malloc(bytes) : 0;
    size_t had = block ? malloc_usable_size(block) : 0;
    if (made && block) memcpy(made, block, had < bytes ? had : bytes);
    if (made || !bytes) free(block);
    return made;
}
#define realloc realloc_apart
"""
header = f"{folder}/realloc-{zlib.crc32(text.encode()):08x}.h"      # in the name, so that another one is another build
with open(header, "w") as f:
    f.write(text)
flags = ["-O1", "-g", "-fno-optimize-sibling-calls"]
plain = project.build(f"{folder}/plain", ["gcc"], [*flags, "-include", header], keep=True)
program = project.build(f"{folder}/ours", profiler.compiler, flags, profiler.libraries)
arguments = project.arguments(work, 0.05)

output = project.run(plain, arguments, work, prefix=("valgrind", "--tool=dhat", f"--dhat-out-file={out}", "--num-callers=60", "--run-libc-freeres=no"))
files = {os.path.basename(f) for s in project.sources for f in [s, *os.listdir(os.path.dirname(s))]}
found = json.load(open(out))
theirs, elsewhere = collections.defaultdict(lambda: [0] * 4), [0] * 4
for point in found["pps"]:
    place = None
    for frame in point["fs"]:
        at = re.search(r"\(([^()]*):(\d+)\)$", found["ftbl"][frame])
        if at and os.path.basename(at[1]) in files:
            place = os.path.basename(at[1]), int(at[2])
            break
    row = theirs[place] if place else elsewhere
    for i, key in enumerate(("tbk", "tb", "ebk", "eb")):
        row[i] += point[key]

profiled, report = profiler.profile(project, program, arguments, work, "blocks=on")
verdict.expect(profiled == output, "the same output under DHAT and under us")
ours, rest = collections.defaultdict(lambda: [0] * 4), [0] * 4
for a in report["allocations"]:
    row = ours[os.path.basename(a["file"]), a["line"]] if "line" in a and os.path.basename(a["file"]) in files else rest
    for i, key in enumerate(("alloc_blocks", "alloc_bytes", "live_blocks", "live_bytes")):
        row[i] += a[key]
equal = 0
for place in sorted(theirs.keys() | ours.keys()):
    if theirs[place] == ours[place]:
        equal += 1
    else:
        print(f"    {place[0]}:{place[1]}: ours {ours[place]}, DHAT {theirs[place]}")
blocks = sum(r[0] for r in theirs.values())
print(f"{name}: {len(theirs)} lines with {blocks} blocks of {sum(r[1] for r in theirs.values())} bytes, {equal} lines equal; elsewhere: DHAT {elsewhere}, ours {rest}")
verdict.expect(len(theirs) >= 3 and blocks >= 8, "there is something to compare")
verdict.expect(equal == len(theirs.keys() | ours.keys()), "every line is equal in blocks and bytes, got and live at the end")
verdict.finish()
