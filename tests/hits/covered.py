#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""covered.py BUILD CACHE PROJECT [LEVEL...]: hits of a foreign program's lines. At -O0 they equal gcov's on every line where gcov and Clang's coverage
agree, which must be 85 % of the executed lines (without Clang gcov judges alone, and that is said). At each LEVEL they equal those at -O0 on the
lines that have a counter in both, but for two in a thousand: GCC's front end joins conditions and jumps when it optimizes, before the flow graph is
made. Those are listed; lines with a counter in one alone are counted."""
import os
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "real"))
from project import Profiler, Project, Verdict, clang_hits, gcov_hits  # noqa: E402

build, cache, name, levels = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2]), sys.argv[3], sys.argv[4:]
project, profiler, verdict = Project(name, cache), Profiler(build), Verdict()
folder = f"{build}/real/{name}-hits"
work = f"{folder}/work"
os.makedirs(folder, exist_ok=True)
arguments = project.arguments(work, 0.3)
files = {os.path.basename(s) for s in project.sources}


def our_hits(level):
    place = folder + level.replace(" ", "")
    program = project.build(place, profiler.compiler, [*level.split(), "-g", "-fplugin-arg-profplug-lines=all"], profiler.libraries)
    output, report = profiler.profile(project, program, arguments, work)
    hits = {}
    for line in report["lines"]:
        if "hits" in line:
            key = os.path.basename(line["file"]), line["line"]
            hits[key] = hits.get(key, 0) + line["hits"]
    verdict.expect(output == expected, f"{level}: the same output under gcov and under us")
    return hits


expected, gcov = gcov_hits(project, f"{cache}/plain/{name}-gcov", arguments, work)
clang = clang_hits(project, f"{cache}/plain/{name}-clang", arguments, work)
ours = our_hits("-O0")
executed = [k for k in sorted(gcov) if gcov[k] and k[0] in files]
judged = [k for k in executed if not clang or clang.get(k) == gcov[k]]
share = 100 * len(judged) / max(1, len(executed))
wrong = [k for k in judged if ours.get(k) != gcov[k]]
verdict.expect(len(executed) > 500, f"{len(executed)} lines were executed")
verdict.expect(share >= 85 or not clang, f"gcov and clang agree on {len(judged)} of them, {share:.1f} %")
verdict.expect(not wrong, f"of those {len(wrong)} have other hits: " + ", ".join(f"{f}:{n} {ours.get((f, n))} not {gcov[f, n]}" for f, n in wrong[:10]))
others = [k for k in executed if ours.get(k) != gcov[k]]
print(f"note: of all that gcov saw executed, {len(others)} differ from gcov" + "".join(f"; {f}:{n} ours {ours.get((f, n))}, gcov {gcov[f, n]}, clang {clang.get((f, n)) if clang else '-'}" for f, n in others[:6]))
unexecuted = [k for k in gcov if not gcov[k] and ours.get(k, 0) and k[0] in files and (not clang or not clang.get(k))]
verdict.expect(not unexecuted, f"{len(unexecuted)} lines are hit that were not executed: {unexecuted[:10]}")
for level in levels:
    more = our_hits(level)
    both = [k for k in ours if k in more and k[0] in files]
    differ = [k for k in both if ours[k] != more[k]]
    verdict.expect(len(both) > 500 and len(differ) * 500 <= len(both), f"{level}: {len(both)} lines with hits as at -O0, {len(differ)} differ: " + ", ".join(f"{f}:{n} {more[f, n]} not {ours[f, n]}" for f, n in differ[:10]))
    print(f"note: {level}: lines without a counter there {len([k for k in ours if k not in more])} (of those executed {len([k for k in ours if k not in more and ours[k]])}), "
          f"without one at -O0 {len([k for k in more if k not in ours and k[0] in files])}")
verdict.finish()
