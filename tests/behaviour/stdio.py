#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""stdio.py BUILD: what a program pays that reads and writes lines. callgrind counts the instructions of a call more than without us. And a program that moves
texts of random lengths through buffers of random sizes, alone and beside a second thread, has the bytes and the calls in FILES that the kernel has."""
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment

build = pathlib.Path(sys.argv[1]).resolve()
CALLS = 40000
# How often `calls` are made with the stream `f` of 14 bytes a line, and the most instructions that each may take more: recorded, and with PROFPLUG=off.
COSTS = {
    "fputs": ("out", 'fputs("hello, world!\\n", f)', 80, 36),
    "puts": ("stdout", 'puts("hello, world!")', 80, 36),
    "fwrite": ("out", 'fwrite("hello, world!\\n", 1, 14, f)', 36, 26),
    "fputc": ("out", "fputc(i, f)", 12, 10),
    "fprintf": ("out", 'fprintf(f, "hello, world%c\\n", 33)', 100, 30),
    "fgets": ("in", "fgets(line, sizeof line, f)", 75, 26),
    "getline": ("in", "getline(&any, &size, f)", 65, 30),
    "fread": ("in", "fread(line, 1, 14, f)", 30, 20),
    "fgetc": ("in", "fgetc(f)", 12, 10),
    "mapped": ("mapped", "fgetc(f)", 12, 10),
    "near": ("in", "fseek(f, i % 200 * 14L, SEEK_SET)", 70, 20),
    "far": ("in", "fseek(f, i * 7919L % 500000, SEEK_SET)", 560, 20),
    "fscanf": ("in", 'fscanf(f, "%99s %99s", line, line + 100)', 95, 20),
}
COST = """#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
    char line[200], *any = NULL;
    size_t size = 0;
    int calls = argc > 1 ? atoi(argv[1]) : 0;
    FILE *in = fopen("lines", "r"), *mapped = fopen("lines", "rm"), *out = fopen("/dev/null", "w");
    for (int i = 0; in && mapped && out && i < calls; i++) {
        FILE *f = STREAM;
        if ((long)CALL == -2)
            return 3;
    }
    (void)any, (void)size, (void)line;
    return !in || !mapped || !out;
}
"""
# Each way of writing and reading, with texts of random lengths: "NAME in out", what it moved by its own account.
MOVES = """#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static char text[70000], got[70000];
static unsigned long long seed;
static unsigned draw(unsigned most) { seed = seed * 6364136223846793005u + 1442695040888963407u; return (unsigned)(seed >> 33) % most; }
static unsigned length(void) { unsigned kind = draw(100); return kind < 80 ? draw(60) : kind < 97 ? draw(1500) : draw(20000); }
static void *idle(void *given) { return given; }
static size_t gave;
static void write_all(const char *name, int way, size_t buffer)
{
    FILE *f = way == 3 ? freopen(name, "w", stdout) : fopen(name, "w");
    if (!f || (buffer && setvbuf(f, NULL, draw(4) ? _IOFBF : _IOLBF, buffer)))
        exit(4);
    for (int i = 0; i < 3000; i++) {
        unsigned n = length(), before = text[n];
        text[n] = '\\n';
        text[n + 1] = 0;
        if (way == 0) fputs(text, f);
        else if (way == 1) fwrite(text, 1, n + 1, f);
        else if (way == 2) fprintf(f, "%s", text);
        else text[n] = 0, puts(text);
        text[n] = (char)before;
        text[n + 1] = 'x';
        gave += n + 1;
    }
    if (way != 3)
        fclose(f);
    else
        fflush(f);
}
static size_t read_all(const char *name, int way, size_t buffer)
{
    FILE *f = fopen(name, "r");
    size_t sum = 0, size = 0;
    char *line = NULL;
    if (!f || (buffer && setvbuf(f, NULL, _IOFBF, buffer)))
        exit(5);
    for (;;) {
        ssize_t n = 0;
        if (way == 0) n = fgets(got, sizeof got, f) ? (ssize_t)strlen(got) : 0;
        else if (way == 1) n = (ssize_t)fread(got, 1, 1 + length(), f);
        else if (way == 2) n = getline(&line, &size, f);
        else n = fgets(got, 2 + (int)draw(300), f) ? (ssize_t)strlen(got) : 0;
        if (n <= 0)
            break;
        sum += (size_t)n;
    }
    free(line);
    fclose(f);
    return sum;
}
int main(int argc, char **argv)
{
    seed = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    pthread_t thread;
    if (argc > 2 && (pthread_create(&thread, NULL, idle, NULL) || pthread_join(thread, NULL)))
        return 6;
    memset(text, 'x', sizeof text - 1);
    static const size_t buffers[] = { 0, 0, 100, 1000, 5000, 70000 };
    for (int way = 0; way < 4; way++) {
        char name[] = "moved-0";
        name[6] = (char)('0' + way);
        gave = 0;
        write_all(name, way, buffers[draw(6)]);
        size_t out = gave, in = read_all(name, way, buffers[draw(6)]);
        fprintf(stderr, "%s %zu %zu\\n", name, in, out);
    }
    return 0;
}
"""
bad = []


def compiled(scratch, name, text, *more):
    (scratch / f"{name}.c").write_text(text)
    common = ["gcc", "-O2", "-g", "-pthread", *more, str(scratch / f"{name}.c")]
    subprocess.run([*common, "-o", scratch / f"{name}-plain"], check=True)
    subprocess.run([*common, f"-fplugin={build}/profplug.so", "-o", scratch / name, f"-L{build}", "-lprofplug", "-lm"], check=True)


def instructions(program, scratch, calls, settings):
    done = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, str(calls)], cwd=scratch, capture_output=True, text=True,
                          env=environment(PROFPLUG=settings), timeout=100)
    found = re.search(r"Collected : (\d+)", done.stderr)
    if done.returncode or not found:
        sys.exit(f"stdio.py: {program}: status {done.returncode}: {done.stderr[-2000:]}")
    return int(found[1])


def of_a_call(program, scratch, settings="output=cost.profplug"):
    return (instructions(program, scratch, 2 * CALLS, settings) - instructions(program, scratch, CALLS, settings)) / CALLS


def moved(scratch, seed, threads):
    (scratch / "moves.profplug").unlink(missing_ok=True)
    done = subprocess.run([scratch / "moves", str(seed), *(["threads"] if threads else [])], cwd=scratch, capture_output=True, text=True, timeout=60,
                          env=environment(PROFPLUG="output=moves.profplug"))
    if done.returncode:
        sys.exit(f"stdio.py: moves: status {done.returncode}: {done.stderr}")
    report = json.loads(subprocess.run([build / "profplug", "report", "--format", "json", "moves.profplug"], cwd=scratch, capture_output=True, check=True).stdout)
    files = {}
    for row in report["files"]:
        name = pathlib.Path(row["path"]).name
        read, written = files.get(name, (0, 0))
        files[name] = (read + row.get("read_bytes", 0), written + row.get("write_bytes", 0) + row.get("last_write_bytes", 0))
    for line in done.stderr.splitlines():
        name, read, written = line.split()
        size = (scratch / name).stat().st_size
        if not int(read) == int(written) == size:
            bad.append(f"seed {seed}: the program itself moved {read} and {written} of {size} bytes")
        if files.get(name) != (size, size):
            bad.append(f"seed {seed}{', threads' if threads else ''}: {name}: {files.get(name)} bytes read and written; expected {size}")


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    compiled(scratch, "moves", MOVES)
    for seed in range(12):
        moved(scratch, seed, seed % 3 == 2)
    if shutil.which("valgrind"):
        (scratch / "lines").write_text("hello, world!\n" * (2 * CALLS + 10))
        for name, (stream, call, most, most_off) in COSTS.items():
            compiled(scratch, name, COST, f"-DSTREAM={stream}", f"-DCALL={call}")
            plain = of_a_call(scratch / f"{name}-plain", scratch)
            on, off = (of_a_call(scratch / name, scratch, settings) - plain for settings in ("output=cost.profplug", "off"))
            print(f"{name}: {plain:.1f} instructions, {on:.1f} more recorded, {off:.1f} more with PROFPLUG=off")
            if on > most or off > most_off:
                bad.append(f"{name}: {on:.1f} more, {off:.1f} with PROFPLUG=off; expected {most} and {most_off} at most")
    else:
        print("no valgrind on this machine: instructions are not counted")
for line in bad:
    print(f"stdio.py: {line}")
sys.exit(bool(bad))
