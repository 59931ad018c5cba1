#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""short.py BUILD: what a process that does nothing pays. Its data file has 64 KiB at most. It makes at most 118
system calls more than without us (strace counts them), and has at most 24 page faults more. The file begins with one
write, since first touches of what fallocate promised take the kernel longer. A program that allocates and prints has
80 KiB. One that has 80 functions, keeps 400 blocks and works for 6 ms has 116 KiB, of which all but a page comes from
that write, and at most 72 page faults more. Where max-file has no room for that much, it begins with 64 KiB. One that
allocates and opens at 250 lines has all of them, with what they did. One that keeps 40 blocks has at most 42 page
faults more. A program that forks and waits has 80 KiB, and a page more if it ran long enough for a sample; its child
has 64. Both files can be read, and say how the process ended. Files that are opened again and again are looked at
once each, whatever their names are, and now and then. Forty object files make the file grow no more often than four,
and share its room; where nothing is recorded, their calls ask the kernel for nothing. Of an executable of many
functions the file has the tables of object files that ran, at most 32 page faults come on top of those with recording
off, and the report knows the others from the executable: also of what ran in a process that was killed. A process in
a sandbox has all. Of 300 functions that are called 20 times in a burst at most 3 calls of each are timed, and the
first one is. Signals are blocked or restored at most 40 times there, however many functions there are."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment

build = pathlib.Path(sys.argv[1]).resolve()
MOST_CALLS = 118
MOST_FAULTS = 24
MOST_OF_WORKS = 72
MOST_OF_KEEPS = 42
EMPTY = "int main(void) { return 0; }\n"
PRINTS = """#include <stdio.h>
#include <stdlib.h>
int main(void)
{
    char *text = malloc(100);
    snprintf(text, 100, "%d", 3);
    puts(text);
    free(text);
    return 0;
}
"""
FORKS = """#include <sys/wait.h>
#include <unistd.h>
int main(void)
{
    int status;
    if (fork() == 0)
        return 3;
    wait(&status);
    return WEXITSTATUS(status);
}
"""
KEEPS = """#include <stdlib.h>
static void *kept[40];
int main(void)
{
    for (int i = 0; i < 40; i++)
        kept[i] = malloc((size_t)(100 + i * 97));
    return kept[39] == NULL;
}
"""
# What a command of a test suite does: 80 functions, 400 blocks that live, 6 ms of CPU time.
WORKS = """#include <stdio.h>
#include <stdlib.h>
#include <time.h>
void *kept[400];
""" + "".join(f"""__attribute__((noinline)) static int work_{i}(int n)
{{
    for (int k = 0; k < 5; k++)
        kept[{i} * 5 + k] = malloc((size_t)(16 + n * 8));
    return n + {i};
}}
""" for i in range(80)) + """int main(void)
{
    int sum = 0;
%s    while (clock() < 6000)
        for (volatile int i = 0; i < 50000; i++) {}
    return sum == 0;
}
""" % "".join(f"    sum += work_{i}({i % 9});\n" for i in range(80))
PLACES = 250
PLACED = """#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
void *kept[%d];
int main(void)
{
    for (int k = 0; k < 2; k++) {
%s    }
    return 0;
}
""" % (2 * PLACES, "".join(f"""        kept[{i} * 2 + k] = malloc(24);
        close(open("/dev/null", O_RDONLY));
""" for i in range(PLACES)))
# 40 files whose names differ in their last bytes, each opened 100 times.
FILES, OPENS = 40, 100
AGAIN = """#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
int main(void)
{
    char name[64];
    for (int i = 0; i < %d; i++) {
        snprintf(name, sizeof name, "./again/files/%%d", i %% %d);
        int fd = open(name, O_RDONLY | O_CREAT, 0600);
        if (fd < 0 || close(fd))
            return 1;
    }
    return 0;
}
""" % (FILES * OPENS, FILES)
# An object file of many: its function is called often, and has a loop that is counted.
OBJECT = """int work_NUMBER(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i ^ sum << 1;
    return sum;
}
"""
BURSTS, BURST = 300, 20
MOST_TIMED = 3
MOST_MASKS = 40     # calls that block signals or restore them, of those functions and all else
MOST_MORE = 8      # system calls that forty object files may cost more than four where nothing is recorded
MOST_GROWN = 4     # times that the file may grow more often
MOST_LOOKS = 3 * FILES + FILES * OPENS // 64      # one in 256 is asked for again
MOST_NAMES = 20     # links that a process tries until it has one for its file
PAGE = 4096         # of a data file: the smallest piece
UNITS, EACH = 60, 20            # object files, and functions of each kind in one
MOST_OF_UNITS = 65536 + 49152   # bytes of a file, and its counters on top
MOST_FAULTS_OF_UNITS = 32
bad = []


def faults(program, scratch, settings=None):
    """Minor page faults of a run, the least of some: samples on a busy machine add to them."""
    least = []
    for _ in range(7):
        environ = environment(PROFPLUG=settings or f"output={scratch}/faults.profplug")
        pid = os.posix_spawn(program, [program], {**environ})
        _, status, usage = os.wait4(pid, 0)
        assert status == 0
        least.append(usage.ru_minflt)
    return min(least)


def calls(program, scratch, which="!rt_sigprocmask", settings="output=traced.profplug"):
    """System calls of a run, by default without the masks of signals; None where strace may not trace."""
    table = scratch / "calls"
    command = ["strace", "-f", "-c", "-o", table, "-e", f"trace={which}", program]
    if not shutil.which("strace") or subprocess.run(command, cwd=scratch, env=environment(PROFPLUG=settings), capture_output=True, timeout=60).returncode:
        return None
    total = re.search(r"^100\.00 +\S+ +\d+ +(\d+) .*total$", table.read_text(), re.M)
    return int(total[1]) if total else 0


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    for name, text, most, code in (("empty", EMPTY, [65536], 0), ("prints", PRINTS, [81920], 0),
                                   ("forks", FORKS, [65536, 81920], 3), ("keeps", KEEPS, [81920], 0),
                                   ("works", WORKS, [118784], 0)):
        (scratch / f"{name}.c").write_text(text)
        common = ["gcc", "-O2", "-g", str(scratch / f"{name}.c")]
        subprocess.run([*common, "-o", scratch / f"{name}-plain"], check=True)
        subprocess.run([*common, f"-fplugin={build}/profplug.so", "-o", scratch / name, f"-L{build}", "-lprofplug", "-lm"], check=True)
        for again in range(5):  # where the machine is busy a sample may come, which adds tables of its own
            for path in scratch.glob(f"{name}-*.profplug"):
                path.unlink()
            done = subprocess.run([scratch / name], cwd=scratch, capture_output=True, timeout=60,
                                  env=environment(PROFPLUG=f"output={name}-%p.profplug"))
            made = sorted(scratch.glob(f"{name}-*.profplug"))
            sizes = sorted(path.stat().st_size for path in made)
            told = [subprocess.run([build / "profplug", "report", "--format", "json", path], check=True,
                                   capture_output=True).stdout for path in made]
            runs = [json.loads(text)["runs"][0] for text in told]
            if not any(run["events_sampled"] for run in runs):
                break
        codes = [run["exit_status"] for run in runs]
        if name != "empty" and any(run["events_sampled"] for run in runs):
            most = [*most[:-1], most[-1] + PAGE]
        print(f"{name}: exit {done.returncode}, files of {sizes} bytes, exits in them {codes}")
        if done.returncode != code or len(made) != len(most) or any(size > limit for size, limit in zip(sizes, most)) or any(one != code for one in codes):
            bad.append(name)
    plain = calls(scratch / "empty-plain", scratch)
    # A busy machine adds samples and looks at clocks, and a name that is taken another try.
    several = [calls(scratch / "empty", scratch, settings=f"output=traced{i}.profplug") for i in range(7)]
    ours = None if None in several else min(several)
    if plain is None or ours is None:
        print("system calls: strace is missing or may not trace")
    else:
        print(f"system calls: {ours}, without us {plain}")
        if ours - plain > MOST_CALLS:
            bad.append("system calls")
        ours, plain = faults(scratch / "empty", scratch), faults(scratch / "empty-plain", scratch)
        print(f"page faults: {ours}, without us {plain}")
        if ours - plain > MOST_FAULTS:
            bad.append("page faults")
        ours, plain = faults(scratch / "works", scratch), faults(scratch / "works-plain", scratch)
        print(f"page faults of a program with 80 functions and 400 blocks: {ours}, without us {plain}")
        if ours - plain > MOST_OF_WORKS:
            bad.append("page faults of a program that works")
        ours, plain = faults(scratch / "keeps", scratch), faults(scratch / "keeps-plain", scratch)
        print(f"page faults of a program that keeps 40 blocks: {ours}, without us {plain}")
        if ours - plain > MOST_OF_KEEPS:
            bad.append("page faults of a program that keeps blocks")
        for name, first, more in (("empty", 65536, ""), ("works", 114688, ""), ("works", 65536, ",max-file=100K")):
            (scratch / f"begun-{name}.profplug").unlink(missing_ok=True)
            subprocess.run(["strace", "-o", scratch / "begins", "-e", "trace=pwritev,fallocate", scratch / name],
                           cwd=scratch, env=environment(PROFPLUG=f"output=begun-{name}.profplug{more}"), check=True,
                           capture_output=True, timeout=60)
            begins = re.findall(r"^(pwritev|fallocate)\(.* = (\d+)$", (scratch / "begins").read_text(), re.M)
            print(f"{name}{more}: the file's blocks come from {begins}")
            # traced, on a busy machine, it may run long enough for a sample
            grown = (scratch / f"begun-{name}.profplug").stat().st_size - first
            if begins[:1] != [("pwritev", str(first))] or len(begins) > 1 + grown // PAGE:
                bad.append(f"how the file of {name} begins")
    (scratch / "placed.c").write_text(PLACED)
    subprocess.run(["gcc", "-O2", "-g", scratch / "placed.c", f"-fplugin={build}/profplug.so", "-o", scratch / "placed",
                    f"-L{build}", "-lprofplug", "-lm"], check=True)
    subprocess.run([scratch / "placed"], env=environment(PROFPLUG=f"output={scratch}/placed.profplug"), check=True)
    told = json.loads(subprocess.run([build / "profplug", "report", "--format", "json", scratch / "placed.profplug"],
                                     check=True, capture_output=True).stdout)
    blocks = [row["alloc_blocks"] for row in told["allocations"] if row["attributed"]]
    opened = [row["calls"] for row in told["operations"] if row["operation"] == "open"]
    print(f"{PLACES} lines that allocate and open twice: {len(blocks)} with {sum(blocks)} blocks, {sum(opened)} opens")
    if blocks != [2] * PLACES or opened != [2] * PLACES:
        bad.append("lines of many places")
    for number in range(300):                     # of earlier processes with the same path
        (scratch / f"many{f'.{number}' if number else ''}.profplug").touch()
    named = calls(scratch / "empty", scratch, "linkat", "output=many.profplug")
    if named is not None:
        print(f"a name that 300 files have: {named} links are tried")
        if named > MOST_NAMES or not any(path.stat().st_size for path in scratch.glob("many.*.profplug")):
            bad.append("names")
    (scratch / "again" / "files").mkdir(parents=True)
    (scratch / "again.c").write_text(AGAIN)
    subprocess.run(["gcc", "-O2", "-g", str(scratch / "again.c"), f"-fplugin={build}/profplug.so", "-o", scratch / "again.run", f"-L{build}", "-lprofplug", "-lm"], check=True)
    looks = calls(scratch / "again.run", scratch, "readlinkat")
    if looks is not None:
        print(f"{FILES * OPENS} opens of {FILES} files: the kernel was asked for their paths {looks} times")
        if looks > MOST_LOOKS:
            bad.append("looks at files")


def objects(number):
    """A program of so many object files, each of whose functions is called 50 times: all system calls of plain and off; how often the file grows, and its bytes."""
    place = scratch / f"objects-{number}"
    place.mkdir()
    for i in range(number):
        (place / f"work_{i}.c").write_text(OBJECT.replace("NUMBER", str(i)))
    called = "\n".join(f"int work_{i}(int);" for i in range(number)) + "\nint main(int argc, char **argv)\n{\n    int sum = 0;\n    for (int k = 0; k < 50; k++) {\n"
    called += "".join(f"        sum += work_{i}(argc + k);\n" for i in range(number)) + "    }\n    return sum == 7;\n}\n"
    (place / "main.c").write_text(called)
    sources = ["main.c", *(f"work_{i}.c" for i in range(number))]
    subprocess.run(["gcc", "-O2", "-g", "-o", "plain", *sources], cwd=place, check=True)
    subprocess.run(["gcc", "-O2", "-g", f"-fplugin={build}/profplug.so", "-o", "ours", *sources, f"-L{build}", "-lprofplug", "-lm"], cwd=place, check=True)
    counts = (calls(place / "plain", place, "all", "off"), calls(place / "ours", place, "all", "off"),
              calls(place / "ours", place, "fallocate"))
    return None if None in counts else (*counts, (place / "traced.profplug").stat().st_size)


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    few, many = objects(4), objects(40)
    if few and many:
        for number, seen in ((4, few), (40, many)):
            print(f"{number} objects: {seen[0]} system calls plain, {seen[1]} off; the file grew {seen[2]} times and has {seen[3]} bytes")
        if many[2] - few[2] > MOST_GROWN or many[1] - few[1] > MOST_MORE or many[1] - many[0] > MOST_MORE + few[1] - few[0]:
            bad.append("system calls of many objects")
        if many[3] > few[3] + 40 * 1024:
            bad.append("file of many objects")


def bursts():
    """All timed calls, all calls, and functions of which none is timed; the least of some runs, as long calls all are."""
    one = OBJECT.replace("int work", "__attribute__((noinline)) int work").replace("<< 1", "<< 1 ^ NUMBER")
    text = "".join(one.replace("NUMBER", str(i)) for i in range(BURSTS))
    text += f"int main(int argc, char **argv)\n{{\n    int sum = 0;\n    for (int k = 0; k < {BURST}; k++) {{\n"
    text += "".join(f"        sum += work_{i}(argc + k);\n" for i in range(BURSTS)) + "    }\n    return sum == 7;\n}\n"
    (scratch / "bursts.c").write_text(text)
    data = scratch / "bursts.profplug"
    subprocess.run(["gcc", "-O2", "-g", f"-fplugin={build}/profplug.so", "-o", "bursts", "bursts.c", f"-L{build}",
                    "-lprofplug", "-lm"], cwd=scratch, check=True)
    timed = []
    for _ in range(5):
        data.unlink(missing_ok=True)
        subprocess.run([scratch / "bursts"], env=environment(PROFPLUG=f"output={data}"), check=True)
        told = subprocess.run([build / "profplug", "report", "--format", "json", data], check=True, capture_output=True)
        rows = [row for row in json.loads(told.stdout)["functions"] if row["name"].startswith("work_")]
        timed.append((sum(row.get("timed_calls", 0) for row in rows), sum(row["calls"] for row in rows),
                      sum(not row.get("timed_calls") for row in rows)))
    return min(timed)


def told(data):
    """What the report says of a file: calls of functions that were called, and how many functions it knows."""
    done = subprocess.run([build / "profplug", "report", "--format", "json", data], check=True, capture_output=True)
    model = json.loads(done.stdout)
    return ({row["name"]: row["calls"] for row in model["functions"] if row.get("calls")},
            model["coverage"]["functions_framed"] + model["coverage"]["functions_counted"])


def units():
    """Of many object files few run: one by a function that takes a hook, one by a function that is only counted."""
    for i in range(UNITS):
        (scratch / f"unit_{i}.c").write_text("".join(
            OBJECT.replace("work_NUMBER", f"framed_{i}_{k}") +
            f"int counted_{i}_{k}(int n) {{ return n * {k} + {i}; }}\n"
            for k in range(EACH)))
    names = [f"{kind}_{i}_{k}" for i in range(UNITS) for k in range(EACH) for kind in ("framed", "counted")]
    (scratch / "main.c").write_text(
        "#include <linux/seccomp.h>\n#include <signal.h>\n#include <sys/prctl.h>\n#include <sys/syscall.h>\n"
        "#include <unistd.h>\n" + "".join(f"int {name}(int);\n" for name in names) +
        "int (*volatile other[])(int) = { " + ", ".join(names) + " };\nint main(int argc, char **argv)\n{\n"
        "    int sum = framed_1_3(argc) + framed_1_3(argc);\n    for (volatile int i = 0; i < 5; i++)\n"
        "        sum += counted_7_3(argc);\n    if (argc == 2)\n        raise(SIGKILL);\n    if (argc == 3) {\n"
        "        prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT);\n        sum += framed_9_2(argc) + counted_9_1(argc);\n"
        "        syscall(SYS_exit, sum == 7);\n    }\n    return sum == 7;\n}\n")
    sources = ["main.c", *(f"unit_{i}.c" for i in range(UNITS))]
    subprocess.run(["gcc", "-O1", "-g", f"-fplugin={build}/profplug.so", "-o", "units", *sources, f"-L{build}",
                    "-lprofplug", "-lm"], cwd=scratch, check=True)
    program, wanted = scratch / "units", {"main": 1, "framed_1_3": 2, "counted_7_3": 5}
    processes = {"whole": [], "killed": ["kill"], "confined": ["in", "a sandbox"]}
    for name, arguments in processes.items():
        subprocess.run([program, *arguments], env=environment(PROFPLUG=f"output={scratch}/{name}.profplug"))
    keys = int.from_bytes((scratch / "whole.profplug").read_bytes()[148:152], "little")
    size = (scratch / "whole.profplug").stat().st_size
    more = faults(program, scratch) - faults(program, scratch, "off")
    print(f"{len(names)} functions in {UNITS} files: {size} bytes, {keys} counters, "
          f"{more} page faults more than with recording off")
    if size > MOST_OF_UNITS + keys * 8 + 2 * PAGE:
        bad.append("file of many functions")
    if more > MOST_FAULTS_OF_UNITS:
        bad.append("page faults of many functions")
    for state in ("there", "away", "another"):
        if state == "away":
            program.rename(scratch / "elsewhere")
        elif state == "another":
            shutil.copy("/proc/self/exe", program)
        for name in processes:
            called, known = told(scratch / f"{name}.profplug")
            print(f"{name}, the executable is {state}: {called}, {known} functions known")
            ran = {**wanted, **({"framed_9_2": 1, "counted_9_1": 1} if name == "confined" else {})}
            complete = state == "there" or name == "confined"
            if (called != ran and (complete or name == "whole")) or (complete and known != len(names) + 1):
                bad.append(f"tables of the {name} process, the executable {state}")


with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    units()
with tempfile.TemporaryDirectory(dir=build) as scratch:
    scratch = pathlib.Path(scratch).resolve()
    timed, called, untimed = bursts()
    print(f"{BURSTS} functions in a burst: {timed} of {called} calls are timed, none of {untimed} functions")
    if timed > MOST_TIMED * BURSTS or called != BURSTS * BURST or untimed:
        bad.append("timed calls in a burst")
    masks = [calls(scratch / "bursts", scratch, "rt_sigprocmask") for _ in range(5)]
    if None not in masks:
        print(f"{BURSTS} functions: the mask of signals is set {min(masks)} times")
        if min(masks) > MOST_MASKS:
            bad.append("masks of signals")
sys.exit(f"too much: {', '.join(bad)}" if bad else 0)
