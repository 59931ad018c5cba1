#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""ranks.py BUILD CACHE PROGRAM [RUNS]: in which order the lines of nasm, mawk or jq take CPU time, against RUNS pooled runs of `perf record`.

perf samples the same executable with recording off, a thousand times a second, and a sample counts for the first line of the program on its call chain.
Of the lines with 1 % of the pool or more, the ranks of one run of perf correlate so well with those of its other runs (Spearman). Ours must correlate no
worse with perf's: not with a chance of 1 in 100 by the rank sum. A run of ours has fewer samples than one of perf. So a run here is as many of ours as
have that many samples together: one where its own are enough. Skipped where perf or the sources cannot be had."""
import collections
import math
import os
import statistics
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../support", f"{HERE}/../../bench"]
import perfrecord  # noqa: E402
from project import skip  # noqa: E402
from report import read  # noqa: E402
from workloads import Workload  # noqa: E402

build, cache, name = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
runs = int(sys.argv[4]) if len(sys.argv) > 4 else 20
SIZE = {"nasm": 1, "mawk": 1.5, "jq": 1}     # of a run of half a second, about
PART, CHANCE, MOST_POOLED = 0.01, 0.01, 12
folder = f"{build}/real/{name}-ranks"


def run(argv, setting):
    subprocess.run(["rm", "-rf", f"{folder}/work"], check=True)
    os.makedirs(f"{folder}/work")
    done = subprocess.run(argv, cwd=f"{folder}/work", env={**os.environ, "PROFPLUG": setting}, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    if done.returncode:
        sys.exit(f"ranks.py: {argv}: {done.stderr[-1000:]}")


def perf_addresses(program, arguments):
    run(perfrecord.command(f"{folder}/perf.data", [program, *arguments]), "off")
    return perfrecord.addresses(f"{folder}/perf.data", program)


def our_lines(program, arguments):
    """User time by file and line, and how many samples were taken."""
    data = f"{folder}/run.profplug"
    if os.path.exists(data):
        os.remove(data)
    run([program, *arguments], f"output={data}")
    document = read(build, "--top", "0", "--min-percent", "0", data)
    lines = collections.Counter()
    for row in document["lines"]:
        if row.get("line"):
            lines[os.path.basename(row["file"]), row["line"]] += row["self_ns"] - row.get("system_ns", 0)
    return lines, sum(one["events_sampled"] for one in document["runs"])


def ranked(values):
    order, rank = sorted(values), []
    for value in values:
        rank.append((order.index(value) + len(order) - order[::-1].index(value) - 1) / 2)
    return rank


def correlation(one, pool):
    """Spearman's, of the pool's lines that have PART of it."""
    lines = [line for line, count in pool.items() if line and count >= PART * pool.total()]
    if len(lines) < 3:
        sys.exit(f"ranks.py: {name} has {len(lines)} such lines; expected three or more")
    return statistics.correlation(ranked([one[line] for line in lines]), ranked([pool[line] for line in lines])), len(lines)


def chance_below(ours, others):
    """That ours are no less than so much below the others, if both are alike: the rank sum's, by the normal distribution, with its ties."""
    both = [*ours, *others]
    rank, n, m = ranked(both), len(ours), len(others)
    ties = sum(count**3 - count for count in collections.Counter(both).values())
    variance = n * m / 12 * (n + m + 1 - ties / ((n + m) * (n + m - 1)))
    if variance <= 0:
        return 1.0
    u = sum(rank[:n]) - n * (n - 1) / 2
    return statistics.NormalDist().cdf((u - n * m / 2 + 0.5) / math.sqrt(variance))


if why := perfrecord.refused():
    skip(why)
# A call that is a jump leaves no frame: perf then names the line that called the caller, where ours finds the caller by its debug information.
FLAGS = ["-O2", "-g", "-fno-pie", "-no-pie", "-fno-optimize-sibling-calls"]
work = Workload(name, cache)
built = f"{folder}/built/{name}"
is_new = os.path.exists(built) and os.path.getmtime(built) > max(os.path.getmtime(f"{build}/{part}") for part in ("libprofplug.a", "profplug.so"))
program = work.build(f"{folder}/built", [f"{build}/profplug-gcc"], FLAGS, keep=is_new)
arguments = work.arguments(f"{folder}/argument", SIZE[name])
run([program, *arguments], "off")
seen, own, signals, pooled = [], [], [], 0
for turn in range(runs):                 # in turn, so that both meet what else the machine does
    seen.append(perf_addresses(program, arguments))
    wanted, sums, had = statistics.median(one.total() for one in seen), collections.Counter(), 0
    for pooled in range(1, MOST_POOLED + 1):
        lines, count = our_lines(program, arguments)
        sums.update(lines)
        had += count
        if had >= wanted:
            break
    own.append(sums)
    signals.append((had, pooled))
seen = perfrecord.lines(program, seen)
pool = sum(seen, collections.Counter())
theirs = [correlation(one, pool - one)[0] for one in seen]
ours = [correlation(one, pool)[0] for one in own]
found = chance_below(ours, theirs)
whole = sum(own, collections.Counter())
for line, count in pool.most_common():
    if line and count >= PART * pool.total():
        print(f"{line[0]}:{line[1]}: {100 * count / pool.total():.2f} % by perf, {100 * whole[line] / whole.total():.2f} % by ours")
print(f"{name}: {correlation(pool, pool)[1]} lines with {100 * PART:.0f} % or more of {pool.total()} samples. Correlation, in the middle of {runs} runs: perf, with "
      f"{statistics.median(one.total() for one in seen):.0f} samples, {statistics.median(theirs):.3f} ({min(theirs):.3f} to {max(theirs):.3f}); ours, with "
      f"{statistics.median(one for one, _ in signals):.0f} in {statistics.median(one for _, one in signals):.0f} runs, {statistics.median(ours):.3f} "
      f"({min(ours):.3f} to {max(ours):.3f}); the chance of that if both are alike: {found:.3f}")
sys.exit(f"ranks.py: {name}: our ranks are worse than those of a run of perf" if found < CHANCE else 0)
