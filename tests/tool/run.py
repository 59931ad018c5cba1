#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""run.py BUILD: `profplug run` ends as the program ended, leaves its input and output alone, passes signals on, finds the data
file and says why there is none. Exit statuses are compared with those that the same program has on its own."""

import os
import pty
import re
import signal
import struct
import subprocess
import sys
import time

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from report import checked, read

PROGRAM = r"""
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
static void got (int number) { printf ("got %d\n", number); fflush (stdout); exit (40); }
__attribute__((noinline)) int work (int n) { volatile int x = 0; for (int i = 0; i < n; i++) x += i; return x; }
int main (int argc, char **argv)
{
  const char *what = argc > 1 ? argv[1] : "";
  work (1000);
  if (!strcmp (what, "exit")) return atoi (argv[2]);
  if (!strcmp (what, "kill")) { signal (atoi (argv[2]), SIG_DFL); raise (atoi (argv[2])); }
  if (!strcmp (what, "burn")) { while (clock () < CLOCKS_PER_SEC / 5) work (10000); raise (atoi (argv[2])); }
  if (!strcmp (what, "abort")) abort ();
  if (!strcmp (what, "wait")) { signal (atoi (argv[2]), got); puts ("ready"); fflush (stdout); pause (); return 1; }
  if (!strcmp (what, "cat")) { int c; while ((c = getchar ()) != EOF) putchar (c); fputs ("to error\n", stderr); return 0; }
  if (!strcmp (what, "env")) { puts (getenv ("PROFPLUG") ? getenv ("PROFPLUG") : "(unset)"); return 0; }
  if (!strcmp (what, "share")) { if (!fork ()) { while (clock () < CLOCKS_PER_SEC / 4) work (10000); return 0; } wait (NULL); while (clock () < CLOCKS_PER_SEC / 10) work (10000); return 0; }
  if (!strcmp (what, "fork")) { if (!fork ()) { work (10); return 0; } wait (NULL); return 0; }
  if (!strcmp (what, "ends"))
    {
      for (int i = 0; i < 4; i++)
        if (!fork ()) { work (10); if (i == 3) abort (); exit (i); }
      while (wait (NULL) > 0) ;
      return 0;
    }
  if (!strcmp (what, "system"))
    {
      char line[4200];
      int depth = atoi (argv[2]);
      if (depth) { snprintf (line, sizeof line, "'%s' system %d", argv[0], depth - 1); if (system (line)) return 9; }
      return 0;
    }
  if (!strcmp (what, "mask")) { sigset_t set; sigprocmask (SIG_BLOCK, NULL, &set); for (int i = 1; i < 32; i++) if (sigismember (&set, i)) return i; return 0; }
  if (!strcmp (what, "args")) { for (int i = 2; i < argc; i++) printf ("[%s]", argv[i]); return 0; }
  if (!strcmp (what, "chdir")) { if (chdir ("/")) return 1; return 0; }
  return 0;
}
"""

# The part of the file's header that tells how the process ended (include/profplug/abi/format.h).
def header(path):
    with open(path, "rb") as file:
        data = file.read(4096)
    assert data[:8] == b"profplug", data[:8]
    pid, parent, root, level = struct.unpack_from("<4I", data, 48)
    end_ns, = struct.unpack_from("<Q", data, 88)
    kind, status = struct.unpack_from("<Ii", data, 96)
    return {"pid": pid, "end_ns": end_ns, "kind": kind, "status": status}


def data_file(done, cwd):
    found = re.search(r"data in (\S+)", done.err)
    return os.path.join(cwd, found.group(1)) if found else None


def statuses(tool, program, cwd):
    for status in (0, 1, 2, 77, 124, 125, 126, 127, 255):
        alone = call([program, "exit", str(status)], cwd=cwd)
        done = call([tool, "run", program, "exit", str(status)], cwd=cwd)
        expect(done.returncode == alone.returncode == status, f"exit {status} comes through", done.returncode, alone.returncode)
    for name in ("SIGKILL", "SIGTERM", "SIGSEGV", "SIGINT", "SIGHUP", "SIGUSR1", "SIGPIPE", "SIGABRT", "SIGBUS"):
        number = int(getattr(signal, name))
        done = call([tool, "run", program, "kill", str(number)], cwd=cwd)
        expect(done.returncode == 128 + number, f"{name} gives 128+{number}", done.returncode)
        expect(f"signal {number}" in done.err, f"{name} is named in the summary", done.err)
        path = data_file(done, cwd)
        expect(path and os.path.exists(path), f"{name}: data file kept", done.err)
        if path:
            found = header(path)
            expect(found["status"] == number and found["kind"] in (2, 4), f"{name} recorded in the file", found)
            expect((found["kind"] == 4) == (name == "SIGKILL"), f"{name}: killed only by SIGKILL", found)
            expect(found["end_ns"] > 0, f"{name}: file closed", found)
            run = read(os.path.dirname(tool), path)["runs"][0]
            expect("cpu_note" not in run and 0 < run["cpu_ns"] <= run["wall_ns"] * 1.01 + 2e4, f"{name}: its CPU time is what the kernel counted, within its wall time", run)
    for name in ("SIGKILL", "SIGABRT"):
        done = call([tool, "run", program, "burn", str(int(getattr(signal, name)))], cwd=cwd)
        document = read(os.path.dirname(tool), data_file(done, cwd))
        own, cpu = sum(function.get("self_ns", 0) for function in document["functions"]), document["runs"][0]["cpu_ns"]
        expect(0.18e9 < cpu and 0 < own <= cpu, f"{name}: the run has its functions' CPU time, of the 0.2 s that the program's clock counted", own, cpu)
        kernel = re.search(r" wall, ([\d.]+) ms cpu, ", done.err)
        expect(kernel and abs(float(kernel.group(1)) * 1e6 - cpu) < 0.1e6, f"{name}: the summary and the report say the same CPU time", done.err, cpu)
    alone = call([program, "burn", str(int(signal.SIGKILL))], cwd=cwd, env=dict(os.environ, PROFPLUG="output=alone.profplug"))
    run = read(os.path.dirname(tool), os.path.join(cwd, "alone.profplug"))["runs"][0]
    text = call([tool, "report", "alone.profplug"], cwd=cwd).out
    expect(alone.returncode == -9 and run["cpu_note"].startswith("at least") and run["cpu_ns"] <= run["wall_ns"], "nobody read the CPU time: at least, and within the wall time", run)
    expect(re.match(r"\S+ burn 9 +\S+ m?s, at least \S+ m?s CPU", text), "the text says so, too", text)
    done = call([tool, "run", program, "abort"], cwd=cwd)
    expect(done.returncode == 128 + 6, "abort gives 134", done.returncode)


def ours(tool, program, cwd):
    expect(call([tool, "run", "./nosuch"], cwd=cwd).returncode == 127, "not found is 127")
    expect(call([tool, "run", "nosuch-program-anywhere"], cwd=cwd).returncode == 127, "not found in PATH is 127")
    write(os.path.join(cwd, "plain.txt"), "no program\n")
    expect(call([tool, "run", "./plain.txt"], cwd=cwd).returncode == 126, "not executable is 126")
    expect(call([tool, "run", "."], cwd=cwd).returncode == 126, "a folder is 126")
    for argv, word in ((["--nosuch", program], "--nosuch"), (["--level=loud", program], "loud"), (["--budget", "-3", program], "-3"), (["-o"], "-o"),
                       (["--sample-hz=fast", program], "fast"), (["--max-file=1X", program], "1X"), (["--label=nokey", program], "nokey"),
                       (["-c", "./nosuch.json", program], "nosuch.json"), ([], "PROGRAM"), (["--samples=maybe", program], "maybe"), (["-x", program], "-x"),
                       (["--sample-hz=0", program], "--sample-hz=0"), (["--sample-hz", "20001", program], "20001"), (["--max-file", "0", program], "--max-file"), (["--max-file=64q", program], "100k"), (["--max-file=64i", program], "1GiB"),
                       (["--budget=101", program], "--budget=101"), (["--gpu=maybe", program], "--gpu"), (["-o", "x-%z", program], "%z"), (["--output=100%", program], "--output"),
                       (["--output", "a,b", program], "comma"), (["--blocks", "nosuch-program-anywhere", program], "expected on, off"), (["--blocks", "maybe"], "expected on, off")):
        done = call([tool, "run"] + argv, cwd=cwd)
        expect(done.returncode == 125, f"run {argv} is 125", done.returncode, done.err)
        expect(done.err.count("\n") == 1 and word in done.err and "expected" in done.err, f"run {argv}: one line that names it", done.err)


def streams(tool, program, cwd):
    blob = bytes(range(256)) * 400
    done = call([tool, "run", "-q", program, "cat"], stdin=blob, cwd=cwd)
    expect(done.stdout == blob, "standard output is the program's, byte for byte")
    expect(done.stderr == b"to error\n", "with -q standard error is the program's", done.err)
    done = call([tool, "run", program, "cat"], stdin=b"x", cwd=cwd)
    expect(done.stdout == b"x" and done.err.startswith("to error\n") and done.err.count("profplug:") == 1, "one line of summary on standard error", done.err)
    done = call([tool, "run", "--", program, "args", "--level", "-o", "--", "a b"], cwd=cwd)
    expect(done.out == "[--level][-o][--][a b]", "arguments after the program are the program's", done.out, done.err)
    expect(call([tool, "run", "-q", program, "mask"], cwd=cwd).returncode == 0, "the signal mask is the caller's")
    closed = subprocess.run(["sh", "-c", f'exec "{tool}" run -q "{program}" exit 3 <&- >&- 2>&-'], cwd=cwd, check=False)
    expect(closed.returncode == 3, "works with standard streams closed", closed.returncode)


def signals(tool, program, cwd):
    for name in ("SIGTERM", "SIGUSR1", "SIGINT", "SIGHUP"):
        number = int(getattr(signal, name))
        process = subprocess.Popen([tool, "run", program, "wait", str(number)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=cwd)
        expect(process.stdout.readline() == b"ready\n", f"{name}: started")
        time.sleep(0.05)
        process.send_signal(number)
        out, err = process.communicate(timeout=20)
        expect(out == b"got %d\n" % number and process.returncode == 40, f"{name} sent to profplug reaches the program, once", out, process.returncode)


def terminal(tool, program, cwd):
    """Ctrl-C: the terminal signals the program and us; the program gets it once, and its way to end counts."""
    try:
        pid, master = pty.fork()
    except OSError as error:
        print(f"left out: Ctrl-C at a terminal, there is none to be had here: {error}")
        return
    if pid == 0:
        os.chdir(cwd)
        os.execv(tool, [tool, "run", program, "wait", "2"])
    seen = b""
    try:
        while b"ready" not in seen:
            seen += os.read(master, 1000)
        os.write(master, b"\x03")
        while True:
            seen += os.read(master, 1000)
    except OSError:                       # the other side is closed
        pass
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    expect(status == 40 and seen.count(b"got 2") == 1, "Ctrl-C reaches the program once", status, seen)


def processor(tool, program, cwd):
    """The summary has the report's CPU time; the children's is another number, which says so."""
    def spans(text):
        return [float(n) * {"ms": 1e6, "s": 1e9}[unit] for n, unit in re.findall(r"([0-9.]+) (ms|s)\b", text)]

    for what in ("share", "fork"):
        done = call([tool, "run", program, what], cwd=cwd)
        summary = re.search(r"wall, (.*? cpu(?: \(.*?\))?), exit 0;", done.err).group(1)
        document = read(os.path.dirname(tool), data_file(done, cwd), cwd=cwd)
        own, children = document["runs"][0]["cpu_ns"], sum(child["cpu_ns"] for child in document["runs"][0]["files"])
        shown = spans(summary)
        expect(abs(shown[0] - own) <= 0.01 * own + 1e5, f"{what}: the CPU time of the report", summary, own)
        expect(len(shown) == (2 if what == "share" else 1) and ("with its start and children" in summary) == (what == "share"), f"{what}: children are told apart", summary)
        expect(what == "fork" or shown[1] >= 0.95 * (own + children), "what the children used is in the second", summary, own, children)


def options(tool, program, cwd):
    done = call([tool, "run", "-q", "--level=basic", "--sample-hz", "50", "--no-such=1", program, "env"], cwd=cwd)
    expect(done.returncode == 125, "an unknown flag is refused", done.err)
    for argv, wanted in ((["--samples", "off"], "samples=off"), (["--samples=off"], "samples=off"), (["--samples"], "samples=on"), (["--io", "on", "--memory", "off"], "io=on,memory=off"),
                         (["--level", "basic", "--cpu", "on", "--"], "level=basic,cpu=on")):
        done = call([tool, "run", "-q", *argv, program, "env"], cwd=cwd)
        expect(done.out == wanted + "\n" and done.returncode == 0, f"{argv} is {wanted}", done.out, done.err)
    done = call([tool, "run", "-q", "--gpu=on", program, "env"], cwd=cwd)
    expect(done.out == "on\n" and done.err == "profplug: --gpu=on: warning: not available in this version; running without it\n", "a collector of later versions: one line, and run", done.out, done.err)
    write(os.path.join(cwd, "run.json"), '{"level": "basic", "samples": true, "sample-hz": 250, "label": ["a:1", "b:2"], "budget": 1.5}')
    done = call([tool, "run", "-q", "--sample-hz", "50", "-c", "run.json", program, "env"], cwd=cwd, env={"PROFPLUG": "io=off"})
    expect(done.out == "io=off,level=basic,samples=on,sample-hz=250,label=a:1,label=b:2,budget=1.5,sample-hz=50\n", "environment, then file, then flags", done.out, done.err)
    for text, word in (("{", "line 1"), ('{"level":\n', "line 1"), ('{"sample-hz": 0}', "sample-hz"), ("[1]", "not a JSON object"), ('{"nosuch": 1}', "nosuch"), ('{"level": "loud"}', "loud"), ('{\n"level": {}}', "level"), ('{"label": [1]}', "label"), ("", "line 1")):
        write(os.path.join(cwd, "bad.json"), text)
        done = call([tool, "run", "-c", "bad.json", program], cwd=cwd)
        expect(done.returncode == 125 and done.err.count("\n") == 1 and "bad.json" in done.err and word in done.err, f"configuration {text!r} is refused", done.err)


def files(tool, plain, program, cwd):
    done = call([tool, "run", "-o", "100%%-%e.profplug", program], cwd=cwd)
    expect(os.path.exists(os.path.join(cwd, "100%-program.profplug")) and "data in 100%-program.profplug" in done.err, "-o takes a pattern", done.err)
    done = call([tool, "run", "-o", "100%%-%e.profplug", program], cwd=cwd)
    again = data_file(done, cwd)
    expect(again and os.path.exists(again) and os.path.basename(again) != "100%-program.profplug", "a file is never overwritten", done.err)
    os.mkdir(os.path.join(cwd, "deep"))
    done = call([tool, "run", "--output=deep/x-%p", program, "chdir"], cwd=cwd)
    expect(re.search(r"data in deep/x-\d+\n", done.err), "a folder in the pattern, for a program that changes its own", done.err)
    done = call([tool, "run", program, "fork"], cwd=cwd)
    expect("and 1 more" in done.err, "the file of a forked child is counted", done.err)
    os.mkdir(os.path.join(cwd, "family"))
    family = os.path.join(cwd, "family")
    call([tool, "run", "-o", "older.profplug", program, "exit", "7"], cwd=family)
    done = call([tool, "run", "-o", "ends-%p.profplug", program, "ends"], cwd=family)
    report = checked(call([tool, "report", "--format=json"], cwd=family).out)
    ends = sorted((one["exit_kind"], one.get("exit_status")) for one in report["runs"][0]["files"])
    expect(ends == [("exit", 0), ("exit", 1), ("exit", 2), ("killed", None)], "how each child ended", ends)
    text = call([tool, "report", "--all"], cwd=family).out
    expect(all(f" cpu, {end}  " in text for end in ("exit 0", "exit 1", "exit 2")) and re.search(r" cpu( unknown)?, killed  ", text) and " 0 cpu" not in text, "how each child ended, as text", text)
    following = re.search(r"^next: (.*(?:\n {6}.*)*)", text, re.M).group(1)
    for command in re.split(r"\n? {3,}", following):
        expect(call(["sh", "-c", command], cwd=family).returncode == 0, "what the report recommends can be typed", command)
    done = call([tool, "run", program, "system", "2"], cwd=family)
    report = checked(call([tool, "report", "--format=json"], cwd=family).out)
    expect("and 2 more" in done.err, "programs that system() starts are counted", done.err)
    expect(report["runs"][0]["args"][1:] == ["system", "2"], "the newest run is its first process", report["runs"][0]["args"])
    call([tool, "run", "-o", "newer.profplug", program, "exit", "7"], cwd=family)
    report = checked(call([tool, "report", "--format=json"], cwd=family).out)
    expect(report["runs"][0]["args"][1:] == ["exit", "7"], "a later run is newer", report["runs"][0]["args"])
    done = call([tool, "run", "--max-file=64K", "-o", "small.profplug", program], cwd=cwd)
    text = call([tool, "report", "--all", "small.profplug"], cwd=cwd).out
    expect("max-file" in done.err and done.err.count("\n") == 1, "a file that was full is told of", done.err)
    expect(re.search("^lost: .*max-file", text, re.M) and "not called" not in text, "the report says why there is little in it", text)
    done = call([tool, "run", "sh", "-c", f"'{program}'; true"], cwd=cwd)
    expect(data_file(done, cwd), "the data of a program that a shell started is found", done.err)
    done = call([tool, "run", os.path.basename(program)], cwd=cwd, env={"PATH": os.path.dirname(program) + ":" + os.environ["PATH"]})
    expect(data_file(done, cwd), "a program in PATH", done.err)
    for argv, why in ((["run", plain], "not instrumented"), (["run", "--level=off", program], "level=off"), (["run", "--output=nosuchfolder/x", program], "nosuchfolder")):
        done = call([tool] + argv, cwd=cwd)
        expect(done.returncode == 0 and "no data file" in done.err and why in done.err, f"{argv[1]}: says why there is no data", done.err)
        expect(done.err.count("\n") == 1, f"{argv[1]}: in one line", done.err)
    os.mkdir(os.path.join(cwd, "locked"), 0o555)
    other = {} if os.getuid() else {"user": 65534, "group": 65534, "extra_groups": []}
    os.chmod(os.path.dirname(program), 0o755)    # a scratch folder is its owner's alone
    done = call([tool, "run", program], cwd=os.path.join(cwd, "locked"), **other)
    expect(done.returncode == 0 and done.err.endswith(f"no data file: {cwd}/locked: Permission denied; expected a folder to write to, or -o FILE in another\n")
           and done.err.count("\n") == 1, "a folder that is read-only: one line", done.err)
    done = call([tool, "run", program], cwd=cwd, env={"PROFPLUG": "output=odd%q.profplug,leve=x"})
    lines = [line for line in done.err.splitlines() if "odd" in line or "%q" in line]
    expect(done.returncode == 0 and lines[0] == "profplug: PROFPLUG: '%q' is not a known pattern; expected %e, %p, %h, %q{VAR} or %%" and "data in odd%q.profplug" in lines[1],
           "a pattern of the environment that is not known is told: the runtime takes it as it is", done.err)
    write(os.path.join(cwd, "script"), "#!/bin/sh\nexit 9\n", 0o755)
    done = call([tool, "run", "./script"], cwd=cwd)
    expect(done.returncode == 9 and "is a script" in done.err, "says that a script is none", done.err)
    done = call([tool, "run", program], cwd=cwd, env={"PROFPLUG": "off"})
    expect("level=off" in done.err and done.returncode == 0, "PROFPLUG=off is respected", done.err)
    done = call([program], cwd=cwd, env={"PROFPLUG": "leve=basic"})
    expect("leve: unknown; accepted: level " in done.err and " \n" not in done.err, "a wrong key: one line without a blank at its end", done.err)


def test(build, scratch):
    tool, program, plain = build + "/profplug", scratch + "/program", scratch + "/plain"
    write(scratch + "/program.c", PROGRAM)
    for argv in ([build + "/profplug-gcc", "-O1", "-o", program], ["gcc", "-O1", "-o", plain]):
        done = call(argv + [scratch + "/program.c"])
        expect(done.returncode == 0 and not done.err, "compiles silently", done.err)
    for part in (statuses, ours, streams, signals, terminal, processor, options):
        folder = f"{scratch}/{part.__name__}"
        os.mkdir(folder)
        part(tool, program, folder)
    os.mkdir(scratch + "/files")
    files(tool, plain, program, scratch + "/files")


main(test)
