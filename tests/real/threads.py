#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""threads.py BUILD CACHE: hits are exact while two threads count. zstd compresses with two workers; at -O0 the hits of every line where gcov with
atomic counters and Clang with atomic counters agree (that must be 85 % of the lines) are theirs, at -O2 but for two in a thousand, as without threads
(tests/hits). Judged are the sources that only compute: which worker takes which job, waits for it and finds whose memory differs from run to run."""
import os
import sys

from project import Profiler, Project, Verdict, clang_hits, gcov_hits

JUDGED = ("bitstream.h entropy_common.c fse.h fse_compress.c fse_decompress.c hist.c huf_compress.c huf_decompress.c xxhash.h zstd_compress_literals.c "
          "zstd_compress_sequences.c zstd_decompress.c zstd_decompress_block.c zstd_double_fast.c").split()
build, cache = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
project, profiler, verdict = Project("zstd", cache), Profiler(build), Verdict()
folder = f"{build}/real/zstd-threads"
work = f"{folder}/work"
os.makedirs(folder, exist_ok=True)
arguments = ["8", "3", "2"]


def our_hits(level):
    program = project.build(folder + level, profiler.compiler, [level, "-g", "-fplugin-arg-profplug-lines=all"], profiler.libraries)
    output, report = profiler.profile(project, program, arguments, work)
    verdict.expect(output == expected, f"{level}: the same output under gcov and under us")
    verdict.expect(report["runs"][0]["thread_count"] >= 3, f"{level}: two workers and the main thread: {report['runs'][0]['thread_count']} threads")
    hits = {}
    for line in report["lines"]:
        if "hits" in line:
            key = os.path.basename(line["file"]), line["line"]
            hits[key] = hits.get(key, 0) + line["hits"]
    return hits


expected, gcov = gcov_hits(project, f"{cache}/plain/zstd-gcov-atomic", arguments, work, "-fprofile-update=atomic")
clang = clang_hits(project, f"{cache}/plain/zstd-clang-atomic", arguments, work, "-fprofile-update=atomic")
executed = [k for k in sorted(gcov) if gcov[k] and k[0] in JUDGED]
agreed = [k for k in executed if not clang or clang.get(k) == gcov[k]]
verdict.expect(len(executed) > 1000, f"{len(executed)} lines that only compute were executed, {sum(gcov[k] for k in executed):,} hits")
verdict.expect(len(agreed) >= 0.85 * len(executed), f"gcov and clang agree on {len(agreed)} of them, {100 * len(agreed) / len(executed):.1f} %")
for level in ("-O0", "-O2"):
    ours = our_hits(level)
    both = agreed if level == "-O0" else [k for k in agreed if k in ours]
    wrong = [k for k in both if ours.get(k) != gcov[k]]
    allowed = len(both) / 500 if level != "-O0" else 0 if clang else len(both) / 100
    verdict.expect(len(both) > 500 and len(wrong) <= allowed, f"{level}: {len(both)} lines compared, {len(wrong)} have other hits: " +
                   ", ".join(f"{f}:{n} {ours.get((f, n))} not {gcov[f, n]}" for f, n in wrong[:10]))
verdict.finish()
