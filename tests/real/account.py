#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""account.py BUILD CACHE PROJECT: bytes read and written by line, with the row of what came through no hooked call, are together what the kernel counts of the plain program,
from before main to after it, and what that has yet to write then. What the lines know of it is nearly all."""
import os
import sys

from project import HERE, Profiler, Project, Verdict

build, cache, name = sys.argv[1:4]
project, profiler, verdict = Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-account"
work, said = f"{folder}/work", f"{folder}/account"
os.makedirs(folder, exist_ok=True)
program = project.build(f"{folder}/ours", profiler.compiler, ["-O2", "-g"], profiler.libraries)
project.sources.append(f"{HERE}/account.c")
plain = project.build(f"{folder}/plain", ["gcc"], ["-O2", "-g"], keep=True)
arguments = project.arguments(work, 0.5)


os.environ["TZ"] = "UTC0"                # a time zone by file the C library reads by itself, through no call that is anybody's


def forget():                            # what bzip2 would not write over
    if os.path.exists(f"{work}-input.bz2"):
        os.remove(f"{work}-input.bz2")


forget()
output = project.run(plain, arguments, work, {"REAL_ACCOUNT": said})
kernel = dict(zip(("read", "write"), map(int, open(said).read().split())))
forget()
profiled, report = profiler.profile(project, program, arguments, work)
forget()
verdict.expect(profiled == output, "the same output")
run, = report["runs"]
verdict.expect(run["losses"]["operations"] == 0, "no operation is lost")
last = sum(o["bytes"] for o in report["operations"] if o["operation"] == "last_write")
kernel["write"] += last
for way in ("read", "write"):
    rows = [o for o in report["operations"] if o["operation"] in (way, "copy") or way == "write" and o["operation"] == "last_write"]
    lines = sum(o["bytes"] for o in rows if "line" in o or o["operation"] == "last_write")
    total, unhooked = sum(o["bytes"] for o in rows), run[f"unhooked_{way}_bytes"]
    print(f"{name}: {way}: {lines} bytes on lines, {total - lines} on none, {unhooked} through no hooked call; the kernel counts {kernel[way]} of the plain program, {run[f'{way}_bytes']} of the profiled one")
    verdict.expect(total + unhooked == run[f"{way}_bytes"] == kernel[way], f"{way}: all together are the kernel's")
    verdict.expect(unhooked == 0 and lines == kernel[way], f"{way}: and every byte has its line")
verdict.expect(kernel["read"] > 1000, "there is something to compare")
verdict.finish()
