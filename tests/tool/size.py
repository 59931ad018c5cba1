#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""size.py BUILD: how much text the runtime adds to a linked program, as the documents say it; and what only libraries carry, linked by hand, does its work."""

import glob
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from report import named, read

ROOT = os.path.realpath(f"{os.path.dirname(os.path.abspath(__file__))}/../..")
HELLO = """#include <stdio.h>
int main(void) { puts("hello"); return 0; }
"""
# One that draws in what the runtime has its own functions for: threads, locks, sockets, waits, scanning, formats.
BUSY = """#define _GNU_SOURCE
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <threads.h>
#include <unistd.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t full = PTHREAD_COND_INITIALIZER;
static int ready, pair[2];
static void *work(void *given)
{
    pthread_mutex_lock(&lock);
    ready = 1;
    pthread_cond_signal(&full);
    pthread_mutex_unlock(&lock);
    send(pair[0], "17 x", 5, 0);
    return given;
}
int main(void)
{
    pthread_t thread;
    char text[16] = "", name[16] = "";
    int number = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || pthread_create(&thread, NULL, work, &ready)) return 2;
    pthread_mutex_lock(&lock);
    while (!ready) pthread_cond_wait(&full, &lock);
    pthread_mutex_unlock(&lock);
    struct pollfd wanted = { .fd = pair[1], .events = POLLIN };
    poll(&wanted, 1, -1);
    recv(pair[1], text, sizeof text, 0);
    pthread_join(thread, NULL);
    FILE *f = tmpfile();
    if (!f) return 3;
    fputs(text, f);
    rewind(f);
    int got = fscanf(f, "%d %15s", &number, name);
    printf("%d %d %s\\n", got, number, name);
    return fclose(f) || number != 17;
}
"""
PART = """#include <profplug.h>
int part_run(int n) { int sum = 0; profplug_begin("part"); for (int i = 0; i < n; i++) sum += i; profplug_end("part"); return sum; }
"""
HOST = """#include <dlfcn.h>
#include <stdio.h>
int main(int argc, char **argv)
{
    int sum = 0;
    for (int i = 1; i < argc; i++) {
        void *library = dlopen(argv[i], RTLD_NOW | RTLD_LOCAL);
        if (!library) { fprintf(stderr, "%s\\n", dlerror()); return 2; }
        int (*run)(int);
        *(void **)&run = dlsym(library, "part_run");
        for (int k = 0; k < 5; k++) sum += run(4);
        if (dlclose(library)) return 3;
    }
    return sum == 30 * (argc - 1) ? 7 : 8;
}
"""


def text_bytes(path):
    return int(call(["size", path]).out.splitlines()[1].split()[0])


def said():
    """What the documents say: kB of text for an executable, for a shared library."""
    pages = [page for page in glob.glob(f"{ROOT}/*.md") + glob.glob(f"{ROOT}/docs/**/*.md", recursive=True)]
    found = {m for page in pages for m in re.findall(r"an executable by (\d+) kB at most, a shared library by (\d+) kB at most", " ".join(open(page).read().split()))}
    expect(len(found) == 1, "the documents say how much text is added, with one pair of numbers", found)
    return [1000 * int(n) for n in found.pop()]


def test(build, scratch):
    executable, library = said()
    expect(executable <= 263000, "an executable is promised 263 kB at most", executable)
    write(f"{scratch}/hello.c", HELLO)
    write(f"{scratch}/busy.c", BUSY)
    write(f"{scratch}/part.c", PART)
    write(f"{scratch}/host.c", HOST)
    for name in ("hello", "busy"):
        for way in ([], ["-static"], ["-static-pie", "-fPIE"]):
            sizes = []
            for compiler, out in (("gcc", f"{name}.plain"), (f"{build}/profplug-gcc", name)):
                done = call([compiler, "-O2", "-pthread", *way, f"{name}.c", "-o", out], cwd=scratch)
                expect(done.returncode == 0, f"{out} {way} is linked", done.err)
                sizes.append(text_bytes(f"{scratch}/{out}"))
            grown = sizes[1] - sizes[0]
            print(f"{name} {' '.join(way) or 'dynamic'}: {sizes[0]} plain, {grown} more")
            expect(grown <= executable, f"{name} {way} grows by {executable} at most", grown)
            done = call([f"./{name}"], cwd=scratch, env={"PROFPLUG": f"output={name}.profplug"})
            plain = call([f"./{name}.plain"], cwd=scratch)
            expect((done.returncode, done.out, done.err) == (0, plain.out, ""), f"{name} {way} runs as without us", done)
            if os.path.exists(f"{scratch}/{name}.profplug"):
                os.remove(f"{scratch}/{name}.profplug")
            else:
                expect(False, f"{name} {way} leaves a data file")

    # By hand: the compiler itself, the plugin and the archive.
    by_hand = ["gcc", "-O2", "-g", f"-I{ROOT}/include", "-shared", "-fPIC", "part.c", f"-L{build}", "-lprofplug"]
    plugin = f"-fplugin={build}/profplug.so"
    done = call(["gcc", "-O2", "-shared", "-fPIC", f"-I{ROOT}/include", "part.c", "-o", "plain.so"], cwd=scratch)
    expect(done.returncode == 0, "the plain library is linked", done.err)
    ways = {"plugin.so": [plugin], "optimized.so": [plugin, "-flto"], "none.so": ["-DPROFPLUG_ENABLED=1"]}
    done = call(["gcc", "-O2", "host.c", "-o", "host"], cwd=scratch)
    expect(done.returncode == 0, "the host is linked", done.err)
    for out, flags in ways.items():
        done = call([*by_hand[:6], *flags, *by_hand[6:], "-o", out], cwd=scratch)
        expect(done.returncode == 0, f"{out} is linked", done.err)
        grown = text_bytes(f"{scratch}/{out}") - text_bytes(f"{scratch}/plain.so")
        print(f"{out}: {grown} more")
        done = call(["./host", f"./{out}"], cwd=scratch, env={"PROFPLUG": "output=host.profplug"})
        if out == "none.so":
            expect(done.returncode == 7 and len(done.err.splitlines()) == 1 and "not recorded" in done.err and "-fPIC" in done.err, f"{out}: says what it lacks", done)
            continue
        expect(executable < grown <= library, f"{out} grows by {library} at most, with a runtime for when it is closed", grown)
        expect((done.returncode, done.err) == (7, ""), f"{out}: the host runs as without us", done)
        expect(named(read(build, "host.profplug", cwd=scratch)["stages"], "part")["calls"] == 5, f"{out}: the library's stage is in the data file")
        os.remove(f"{scratch}/host.profplug")


main(test)
