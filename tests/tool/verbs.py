#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""verbs.py BUILD: every verb has its page; wrong usage is one line and status 2; doctor's findings are true as far as another
program can say."""

import json
import os
import re
import subprocess
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write

ABI = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../include/profplug/abi")
STATES = {"ok", "degraded", "missing"}


def pages(tool):
    done = call([tool, "help"])
    verbs = re.findall(r"^  ([a-z]+) {2,}\S", done.out, re.M)
    expect(done.returncode == 0 and {"run", "report", "annotate", "symbolize", "doctor", "cc", "config", "help"} <= set(verbs), "help lists the verbs", verbs)
    for verb in verbs:
        page = call([tool, "help", verb])
        expect(page.returncode == 0 and page.out.startswith(f"profplug {verb} ") and not page.err, f"help {verb}", page.out[:80], page.err)
        again = call([tool, verb, "--help"])
        expect(again.returncode == 0 and again.out == page.out, f"{verb} --help is the same page", again.out[:80], again.err)
    options = open(os.path.join(os.path.dirname(__file__), "../../include/profplug/abi/options.def")).read()
    page = call([tool, "help", "run"]).out
    for key in re.findall(r'^PP_(?:OPTION|COLLECTOR)\(\w+, +"([a-z-]+)"', options, re.M):
        expect(re.search(rf"^  {key} ", page, re.M), f"help run knows {key}")
    expect(re.fullmatch(r"profplug \d+\.\d+\.\d+\n", call([tool, "--version"]).out), "--version")
    expect(call([tool, "version"]).out == call([tool, "--version"]).out, "version is --version")
    arguments = re.findall(r'^PP_ARGUMENT\(\w+, *"([a-z-]+)"', open(os.path.join(ABI, "argument.def")).read(), re.M)
    topic = call([tool, "help", "plugin"]).out
    expect(re.findall(r"^  ([a-z-]+) ", topic, re.M) == arguments and len(arguments) > 9, "help plugin has the rows of argument.def", topic)
    expect(topic.split("\n\n", 1)[1] in call([tool, "help", "cc"]).out, "help plugin is what help cc lists", topic)
    topic = call([tool, "help", "options"]).out
    expect(topic.split("\n\n", 1)[1] in page, "help options is what help run lists", topic)
    expect(call([tool, "--help"]).out == done.out, "--help is help")


def misuse(tool, scratch):
    for argv in ([], ["nosuch"], ["--nosuch"], ["help", "nosuch"], ["help", "run", "x"], ["report", "--nosuch"], ["annotate", "--nosuch"], ["symbolize", "--nosuch"],
                 ["symbolize"], ["doctor", "--nosuch"], ["doctor", "--format", "xml"], ["doctor", "-o", "/nosuch/folder/x"], ["config", "--nosuch"], ["report", "/nosuch.profplug"],
                 ["report", "--format", "nosuch"], ["annotate", "-i", "/nosuch.profplug"]):
        done = call([tool] + argv, cwd=scratch)
        expect(done.returncode == 2, f"{argv}: status 2", done.returncode, done.err)
        expect(done.err.startswith("profplug: ") and done.err.count("\n") == 1 and "expected" in done.err and not done.out, f"{argv}: one line, with what was expected", done.err, done.out)
    done = call([tool, "evil\nname"])
    expect(done.err.count("\n") == 1, "a newline in a name does not break the line", done.err)
    full = subprocess.run([tool, "help"], stdout=open("/dev/full", "w"), stderr=subprocess.PIPE, check=False)
    expect(full.returncode == 2 and b"No space left" in full.stderr, "a result that does not fit is an error", full.stderr)


def doctor(build, tool, scratch):
    done = call([tool, "doctor", "--format", "json"], cwd=scratch)
    expect(done.returncode == 0 and not done.err, "doctor", done.err)
    found = json.loads(done.out)
    expect(found["schema"] == "profplug-doctor/1", "schema")
    rows = {row["name"]: row for row in found["findings"]}
    expect(len(rows) == len(found["findings"]) >= 12, "each finding once", list(rows))
    for row in rows.values():
        expect(row["state"] in STATES and row["found"] and row["meaning"], f"{row['name']}: state, what was found, meaning", row)
    major = call(["gcc", "-dumpversion"]).out.split(".")[0].strip()
    expect(f"GCC {major}," in rows["gcc"]["found"] and rows["gcc"]["state"] == "ok", "gcc's version is gcc's own", rows["gcc"])
    paranoid = open("/proc/sys/kernel/perf_event_paranoid").read().strip() if os.path.exists("/proc/sys/kernel/perf_event_paranoid") else "?"
    expect(rows["perf_event"]["found"].endswith(f"perf_event_paranoid {paranoid}"), "perf_event_paranoid is the kernel's", rows["perf_event"])
    source = "/sys/devices/system/clocksource/clocksource0/current_clocksource"
    if os.path.exists(source):
        expect(rows["clock"]["found"].startswith(open(source).read().strip() + ","), "the clock source is the kernel's", rows["clock"])
    cost = float(re.search(r"CLOCK_MONOTONIC (\d+) ns", rows["clock"]["found"]).group(1))
    expect(1 <= cost < 20000, "a reading of the clock costs something", cost)
    kind = call(["stat", "-f", "-c", "%T", scratch]).out.strip()
    names = {"ext2/ext3": "ext4", "overlayfs": "overlay"}
    expect(names.get(kind, kind) in rows["output"]["found"] or "file system" in rows["output"]["found"], "the folder's file system", kind, rows["output"])
    nowhere = call([tool, "doctor", "--format=json"], cwd="/proc")
    rows = {row["name"]: row for row in json.loads(nowhere.out)["findings"]}
    expect(rows["output"]["state"] == "missing", "where no file can be made, it says so", rows["output"])
    write(scratch + "/bin/gcc", "#!/bin/sh\necho cc1\n", 0o755)
    without = call([tool, "doctor", "--format=json"], env={"PATH": scratch + "/bin"})
    rows = {row["name"]: row for row in json.loads(without.out)["findings"]}
    expect(rows["gcc"]["state"] == "degraded" and rows["g++"]["state"] == "missing", "a compiler that is no GCC, and one that is not there", rows["gcc"], rows["g++"])
    done = call([tool, "doctor", "-o", scratch + "/doctor.txt"])
    text = open(scratch + "/doctor.txt").read()
    expect(done.returncode == 0 and not done.out and all(name in text for name in rows), "doctor -o FILE, as text")


READING = """#include <fcntl.h>
#include <time.h>
#include <unistd.h>
static char room[1 << 20];
int main(void)
{
    for (int fd = open("/dev/zero", O_RDONLY); clock() < 60000; )
        if (read(fd, room, sizeof room) < 0)
            return 1;
    return 0;
}
"""


def unknown(build, tool, scratch):
    """A name that annotate does not know is not laid to a note about something else: this run has one, of time in the kernel or of what it waited for a CPU, and hardly a sample; nor is it without -g."""
    write(f"{scratch}/reading.c", READING)
    for options, reason in ((["-g"], False), ([], True)):
        done = subprocess.run([f"{build}/profplug-gcc", "-O1", *options, "reading.c", "-o", "reading"], cwd=scratch, capture_output=True, text=True)
        expect(done.returncode == 0, "it compiles", done.stderr)
        data = f"{scratch}/reading{len(options)}.profplug"
        done = call(["./reading"], cwd=scratch, env={"PROFPLUG": f"output={data}" + ("" if reason else ",samples=off")})
        text = call([tool, "report", "--all", data]).out
        expect(reason or "\nnote: " in text, "there is a note", text)  # with samples there is one on a busy machine alone
        done = call([tool, "annotate", "-i", data, "nosuch"])
        expect(done.returncode == 2 and done.err.count("\n") == 1 and (reason or "no line is known" not in done.err), "it is no reason", done.err)
        expect(not reason or "no line information" not in text or "no line information" in done.err, "this is one", done.err)


def test(build, scratch):
    tool = build + "/profplug"
    unknown(build, tool, scratch)
    pages(tool)
    misuse(tool, scratch)
    doctor(build, tool, scratch)


main(test)
