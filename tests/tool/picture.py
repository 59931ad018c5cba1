#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""picture.py BUILD: what a terminal shows: the flame graph has boxes as wide as the folded stacks' shares, the bars of iterations are the
timeline's, letters follow the locale, and colours are only where a terminal is."""

import collections
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must, write
from terminal import terminal

PROGRAM = r"""#include <profplug.h>
#include <pthread.h>
static volatile double sink;
__attribute__((noinline)) static void leaf(long n) { for (long i = 1; i < n; i++) sink += 1.0 / (double)i; }
__attribute__((noinline)) static void small(long n) { leaf(n / 8); sink += 1; }
PROFPLUG_STAGE("load") __attribute__((noinline)) static void load(int i) { leaf(100000 + 30000 * i); small(200000); }
PROFPLUG_STAGE("work") __attribute__((noinline)) static void work(int i) { leaf(i == 17 ? 9000000 : 200000); sink += 1; }
static void *thread(void *unused) { for (int i = 0; i < 20; i++) work(i); return unused; }
int main(void)
{
    pthread_t other;
    PROFPLUG_LOOP("batches") for (int i = 0; i < 20; i++) { load(i); work(i); }
    pthread_create(&other, 0, thread, 0);
    pthread_join(other, 0);
    return 0;
}
"""
BARS = "▁▂▃▄▅▆▇█"


def shares(build, scratch):
    """By path of functions: the part of the CPU time, as another format has it."""
    costs, whole = collections.Counter(), 0
    for line in must([f"{build}/profplug", "export", "--format", "folded", "work.profplug"], cwd=scratch).splitlines():
        path, cost = line.rsplit(" ", 1)
        names = path.split(";")
        whole += int(cost)
        for k in range(len(names)):
            costs[tuple(names[:k + 1])] += int(cost)
    return {path: cost / whole for path, cost in costs.items()}


def boxes(text, bar, line):
    """Rows of (from, to, name) of a graph without colours."""
    rows = []
    for row in text.splitlines()[1:]:
        if bar not in row:
            break
        edges = [at for at, letter in enumerate(row) if letter == bar]
        rows.append([(a, b, row[a + 1:b].rstrip(line)) for a, b in zip(edges, edges[1:]) if row[a + 1:b].strip()])
    return rows


def flame(build, scratch):
    known = shares(build, scratch)
    for width, locale in ((80, "C"), (100, "C.UTF-8"), (60, "de_DE.utf8")):
        text = must([f"{build}/profplug", "report", "--section", "flame", "work.profplug"], cwd=scratch, env={"COLUMNS": str(width), "LC_ALL": locale})
        bar, line = ("|", "-") if locale == "C" else ("│", "─")
        expect(text.isascii() == (locale == "C") and "\033" not in text, f"letters of {locale}", text)
        expect(all(len(row) <= width and row == row.rstrip() for row in text.splitlines()), f"{width} columns hold", text)
        rows, found = boxes(text, bar, line), set()
        expect(rows and rows[0] == [(0, width - 1, "all of work")], "the whole is the first row", rows[:1])
        for depth, row in enumerate(rows[1:], 1):
            for start, end, name in row:
                path = [next((other for a, b, other in above if a <= start and end <= b), None) for above in rows[1:depth]] + [name]
                if None in path or tuple(path) not in known:
                    continue
                found.add(tuple(path))
                expect(abs((end - start) - known[tuple(path)] * (width - 1)) <= 1.01, f"width of {path} at {width}", (start, end), known[tuple(path)] * (width - 1))
        wanted = {path for path, share in known.items() if share * width > 12 and not any(";" in name or "[" in name for name in path)}
        expect({path[-1] for path in wanted} <= {path[-1] for path in found} and len(found) >= 5, f"what is wide is there at {width}", wanted, found)
    cut = must([f"{build}/profplug", "report", "--section", "flame", "--top", "2", "work.profplug"], cwd=scratch, env={"COLUMNS": "80", "LC_ALL": "C"})
    expect(len(boxes(cut, "|", "-")) == 2 and re.search(r"\d+ rows are deeper \(--top 0 shows all\)", cut), "--top cuts rows", cut)


def colours(build, scratch):
    words = [f"{build}/profplug", "--no-pager", "report", "--section", "flame", "work.profplug"]
    status, said = terminal(words, cwd=scratch, columns=70, env={"TERM": "xterm-256color", "LC_ALL": "C.UTF-8", "COLUMNS": None})
    plain = [re.sub(r"\033\[[\d;]*m", "", row) for row in said.splitlines()]
    expect(status == 0 and "\033[30;48;5;" in said and "blue: libraries" in said, "a terminal has colours", said)
    expect(max(map(len, plain)) == 69 and plain[1].startswith("│all of work"), "it is as wide as the terminal", plain)
    for missing in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
        status, said = terminal(words, cwd=scratch, columns=70, env={"TERM": "xterm", "LC_ALL": "C", "COLUMNS": None, **missing})
        expect(status == 0 and "\033" not in said and "|all of work---" in said, f"no colours with {missing}", said)


def bars(build, scratch):
    for locale, letters in (("C", "_.,-=+*#"), ("C.UTF-8", BARS)):
        text = must([f"{build}/profplug", "report", "--section", "iterations", "work.profplug"], cwd=scratch, env={"COLUMNS": "100", "LC_ALL": locale})
        rows = list(re.finditer(rf"^(\w+(?: \(loop\))?) +(\S+) +(\d+) +(\d[\d.]* \w+) +(\d[\d.]* \w+)  ([{re.escape(letters)} ]+)$", text, re.M))
        expect(len(rows) == 4 and all(len(row) <= 100 for row in text.splitlines()), "a row for each stage, loop and thread", text)
        drawn = next((match[6] for match in rows if match[1] == "load"), "")
        expect(len(drawn) == 20, "a bar for each entry", drawn)
        works = [match[6] for match in rows if match[1] == "work"]
        expect(len(works) == 2 and all(len(work) == 20 for work in works) and any(work[17] == letters[7] for work in works), "the slow entry has the highest bar", works)


def test(build, scratch):
    write(f"{scratch}/work.c", PROGRAM)
    must([f"{build}/profplug-gcc", "-O1", "-g", "-o", "work", "work.c", "-lpthread"], cwd=scratch)
    done = call([f"{scratch}/work"], cwd=scratch, env={"PROFPLUG": "output=work.profplug,timeline=on"})
    expect(done.returncode == 0 and not done.err, "it runs", done.err)
    flame(build, scratch)
    bars(build, scratch)
    colours(build, scratch)
    os.unlink(f"{scratch}/work.profplug")
    call([f"{scratch}/work"], cwd=scratch, env={"PROFPLUG": "output=work.profplug"})
    text = must([f"{build}/profplug", "report", "--section", "iterations", "work.profplug"], cwd=scratch)
    expect("timeline=on" in text, "without the timeline it says how to have it", text)


main(test)
