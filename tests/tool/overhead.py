#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""overhead.py BUILD: `profplug overhead` measures what a program's own clock says, runs it in the order and with the settings that it
promises, notices a program that behaves otherwise when it is profiled, and leaves nothing behind. Medians and intervals are computed
again here from the single runs."""

import json
import math
import os
import signal
import statistics
import subprocess
import sys
import time

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write
from report import read, unlike

HERE = os.path.dirname(os.path.abspath(__file__))


def validate(document):
    errors = unlike(document, "profplug-overhead-1")
    expect(not errors, "the JSON follows its schema", *errors[:5])


def measure(tool, cwd, *argv, status=0, **more):
    done = call([tool, "overhead", "--format", "json", *argv], cwd=cwd, **more)
    expect(done.returncode == status, f"{argv}: exit status {status}", done.returncode, done.err)
    return json.loads(done.out) if done.returncode in (0, 1) else {}


def paired(values):
    """The middle of all means of two, and the narrowest interval of them of at least 95 % by the signed-rank test, counted out; and its rank, and what it is worth."""
    n = len(values)
    means = sorted((a + b) / 2 for i, a in enumerate(values) for b in values[i:])
    ways = {0: 1}                                        # of the signs: how many give which sum of ranks
    for rank in range(1, n + 1):
        ways = {total: ways.get(total, 0) + ways.get(total - rank, 0) for total in set(ways) | {total + rank for total in ways}}
    outside = lambda rank: 2 * sum(ways.get(total, 0) for total in range(rank)) / 2 ** n
    rank = 1
    while outside(rank + 1) <= 0.05:
        rank += 1
    return {"median": statistics.median(means), "low": means[rank - 1], "high": means[-rank]}, rank, 100 * (1 - outside(rank))


def recomputed(document, clock):
    """Of the rounds' ratios; and of the controls the median, with the narrowest sign-test interval of at least 95 %."""
    rounds = document["rounds"]
    ns = {way: [run[f"{clock}_ns"] for run in document["runs"] if run["way"] == way] for way in ("plain", "profiled")}
    expect(all(len(of) == rounds for of in ns.values()), "every round has its two runs", {way: len(of) for way, of in ns.items()})
    ratio, rank, confidence = paired([math.log(profiled / plain) for plain, profiled in zip(ns["plain"], ns["profiled"])])
    controls, of_them = sorted(b / a for a, b in zip(ns["plain"], ns["plain"][1:])), 1
    while of_them < rounds - 1 and 1 - 2 * sum(math.comb(rounds - 1, k) for k in range(of_them + 1)) / 2 ** (rounds - 1) >= 0.95:
        of_them += 1
    return {"ratio": {key: math.exp(value) for key, value in ratio.items()},
            "control": {"median": statistics.median(controls), "low": controls[of_them - 1], "high": controls[-of_them]}}, rank, confidence


def arithmetic(tool, program, cwd):
    for rounds in (2, 5, 7, 9, 12):
        document = measure(tool, cwd, "--rounds", str(rounds), program, "2", "3")
        validate(document)
        expect(document["rounds"] == rounds and document["baseline"] == "off", "as many rounds as asked for", document["rounds"])
        for clock in ("cpu", "wall"):
            wanted, rank, confidence = recomputed(document, clock)
            for name, spread in wanted.items():
                expect(all(math.isclose(document[clock][name][key], value, rel_tol=1e-5) for key, value in spread.items()), f"{rounds} rounds: {clock} {name}",
                       document[clock][name], spread)
            expect(document["interval"]["rank"] == rank and math.isclose(document["interval"]["confidence_percent"], confidence, abs_tol=1e-3), f"{rounds} rounds: interval",
                   document["interval"], rank, confidence)


def account(tool, program, cwd):
    """The run's own account is relative to what is left without it. Held against the reports of such runs, some of which may not know it."""
    for attempt in range(8):
        document = measure(tool, cwd, "--rounds", "3", program, "100", "100")
        validate(document)
        runs = [run["reported_percent"] for run in document["runs"] if "reported_percent" in run]
        expect(("reported_percent" in document) == (len(runs) > 1), "an estimate if most runs have one", document)
        once = call([tool, "run", "-o", cwd + "/once.profplug", program, "100", "100"], cwd=cwd)
        expect(once.returncode == 0, "runs", once.err)
        run = read(os.path.dirname(tool), cwd + "/once.profplug")["runs"][0]
        os.remove(cwd + "/once.profplug")
        expect((run["overhead_percent"] is None) == ("overhead_reason" in run) == ("overhead_most_percent" not in run), "null with its reason", run)
        if len(runs) > 1 and run["overhead_percent"] is not None:
            least, middle, most = (document[f"reported_{which}"]["median"] for which in ("least", "percent", "most"))
            expect(math.isclose(middle, statistics.median(runs), abs_tol=1e-3), "the middle of the runs'", middle, runs)
            expect(0 < least < middle / 100 < most, "a range", least, middle, most)
            expect(middle / 3 < run["overhead_percent"] < 3 * middle, "as a report of such a run has it", run, document)
            break
    blind = measure(tool, cwd, "--rounds", "2", program, "40", "40", env={"PROFPLUG": "samples=off"})
    validate(blind)
    expect("reported_percent" not in blind and "reported_least" not in blind, "without samples there is no estimate", blind)
    text = call([tool, "overhead", "--rounds", "2", program, "40", "40"], cwd=cwd, env={"PROFPLUG": "samples=off"}).out
    expect("own estimate: not measured" in text, "and the text says so", text)


def within(tool, program, cwd):
    """On until the interval is as narrow as asked, and no more."""
    wide = measure(tool, cwd, "--rounds", "7", "--within", "100000", program, "2", "3")
    validate(wide)
    expect(wide["rounds"] == 7 and wide["within_percent"] == 100000, "what is narrow enough at first is left so", wide["rounds"])
    points = 100 * (wide["cpu"]["ratio"]["high"] - wide["cpu"]["ratio"]["low"])
    asked = max(points / 2, 4)
    narrow = measure(tool, cwd, "--rounds", "7", "--within", f"{asked:.3f}", program, "2", "3")
    got = 100 * (narrow["cpu"]["ratio"]["high"] - narrow["cpu"]["ratio"]["low"])
    expect(got <= asked or narrow["rounds"] == 1000 and any("--within" in note for note in narrow["notes"]), "as narrow as asked, or it is said", got, asked, narrow["rounds"])
    expect(len(narrow["runs"]) == 2 * narrow["rounds"], "with the rounds that it took", narrow["rounds"])


def truth(tool, program, plain, cwd):
    document = measure(tool, cwd, "--plain", plain, "--rounds", "5", program, "100", "200")
    cpu = document["cpu"]
    expect(document["baseline"] == "plain" and document["plain"] == plain, "the plain program is said", document["plain"])
    expect(all(run["cpu_ns"] >= (200e6 if run["way"] == "profiled" else 100e6) for run in document["runs"]), "no run has less CPU time than by its own clock", document["runs"])
    expect(all(run["wall_ns"] >= 0.9 * run["cpu_ns"] for run in document["runs"]), "one thread: wall is not below CPU time", document["runs"])
    expect(1.6 < cpu["ratio"]["median"] < 2.4, "twice the CPU time is a ratio of 2", cpu)
    expect(document["same_status"] and document["same_output"], "and behaves the same")
    expect(0 <= document["reported_percent"]["median"] <= 100 and document["budget_percent"] == 2.0, "the profiler's own account", document)
    child = measure(tool, cwd, "--rounds", "2", program, "1", "1", "child=60")
    expect(all(run["cpu_ns"] >= 61e6 for run in child["runs"]), "a child's CPU time counts", child["runs"])
    for most, status in (("10", 1), ("900", 0)):
        asked = measure(tool, cwd, "--plain", plain, "--rounds", "2", "--max", most, program, "20", "60", status=status)
        validate(asked)
        expect(asked["above_max"] == bool(status) and asked["max_percent"] == float(most), f"--max {most} of an overhead of 200 %", asked["cpu"])


def order(tool, program, plain, cwd):
    log = cwd + "/log"
    call([tool, "overhead", "--rounds", "3", "--plain", plain, "--", program, "0", "0", "log=" + log, "print=--rounds"], cwd=cwd, env={"PROFPLUG": "on,level=basic,"})
    lines = open(log).read().split("\n")[:-1]
    settings = [line.split(" ")[0] for line in lines]
    expect([s == "off" for s in settings] == [True, False] + [True, False, False, True, True, False], "plain and profiled, first by turns, after one of each", settings)
    expect(all(s == "off" or s.startswith("level=basic,output=profplug-overhead-") for s in settings), "profiled runs record as PROFPLUG says", settings)
    expect(all(line.split(" ")[1] == program for line in lines), "the plain program gets the other's name", lines)
    done = call([tool, "overhead", program, "0", "0"], cwd=cwd, env={"PROFPLUG": "level=off"})
    expect(done.returncode == 2 and done.err.count("\n") == 1 and "level=off" in done.err, "PROFPLUG=level=off is refused", done.err)


def behaviour(tool, program, cwd):
    same = measure(tool, cwd, "--rounds", "2", program, "0", "0", "exit=3", "print=hello")
    expect(same["same_status"] and same["same_output"] and same["output_bytes"] == 6, "status 3 each time is the same", same)
    expect(all(run["exit_status"] == 3 for run in same["runs"]), "and is said", same["runs"])
    other = measure(tool, cwd, "--rounds", "2", program, "0", "0", "exit_on=4")
    expect(not other["same_status"] and other["same_output"], "another status when it is profiled", other)
    text = call([tool, "overhead", "-n", "2", program, "0", "0", "exit_on=4"], cwd=cwd)
    expect(text.returncode == 0 and "exit status: DIFFERENT in 2 of 2 profiled runs; plain exit 0" in text.out, "the text says so", text.out)
    other = measure(tool, cwd, "--rounds", "2", program, "0", "0", "print=a", "print_on=b")
    expect(other["same_status"] and not other["same_output"], "more output when it is profiled", other)
    text = call([tool, "overhead", "--rounds", "2", program, "0", "0", "print_on=b"], cwd=cwd)
    expect("standard output: DIFFERENT in 2 of 2" in text.out and "a\n" not in text.out.split("\n"), "the text says so", text.out)
    killed = measure(tool, cwd, "--rounds", "2", program, "0", "0", "signal_on=9")
    validate(killed)
    expect(not killed["same_status"] and [run.get("signal") for run in killed["runs"]] == [None, 9, 9, None], "a signal is a status", killed["runs"])
    itself = measure(tool, cwd, "--rounds", "2", program, "0", "0", "pid=1")
    expect(any("plain runs differ" in note for note in itself["notes"]), "a program that differs from itself", itself["notes"])
    text = call([tool, "overhead", "--rounds", "2", program, "0", "0", "error=once"], cwd=cwd)
    expect(text.err == "once\nonce\n", "standard error is shown of the first run of each", text.err)


def inputs(tool, program, cwd):
    write(cwd + "/input", "head\n" + "line\n" * 1000)
    with open(cwd + "/input", "rb") as file:
        file.seek(5)
        done = subprocess.run([tool, "overhead", "--rounds", "2", "--format", "json", program, "0", "0", "cat=1"], stdin=file, capture_output=True, cwd=cwd, check=False)
    document = json.loads(done.stdout)
    expect(document["input"] == "file" and document["same_output"] and document["output_bytes"] == 5000, "every run reads the file from where it stood", document["output_bytes"])
    expect(not any("standard input" in note for note in document["notes"]), "and nothing is said of it", document["notes"])
    piped = measure(tool, cwd, "--rounds", "2", program, "0", "0", "cat=1", stdin=b"gone\n")
    expect(piped["input"] == "empty" and piped["output_bytes"] == 0 and any("standard input is not a file" in note for note in piped["notes"]), "a pipe is not read, and that is said", piped)


def interrupted(tool, program, cwd):
    for number in (signal.SIGTERM, signal.SIGINT):
        ready = cwd + "/ready"
        process = subprocess.Popen([tool, "overhead", program, "0", "0", "ready=" + ready], cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                   preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))        # a background job of a shell ignores SIGINT
        while not os.path.exists(ready) and process.poll() is None:
            time.sleep(0.01)
        process.send_signal(number)
        out, err = process.communicate(timeout=60)
        expect(process.returncode == -number and not out and not err, f"{number.name} ends the program and us", process.returncode, out, err)
        os.remove(ready)


def misuse(tool, program, plain, cwd):
    for argv, word in (([], "PROGRAM"), (["--nosuch", program], "--nosuch"), (["--rounds", "1", program], "'1'"), (["--rounds", "2.5", program], "2.5"), (["--rounds=x", program], "'x'"),
                       (["--rounds", "1001", program], "1001"), (["--max=-1", program], "-1"), (["--within=0", program], "'0'"), (["--within", "x", program], "'x'"), (["--max", "", program], "--max"), (["--format", "xml", program], "xml"), (["--plain"], "--plain"),
                       (["--max", "nan", program], "nan"), ([cwd + "/nosuch"], "nosuch"), (["--plain", cwd + "/nosuch", program, "0", "0"], "nosuch"), ([plain, "0", "0"], "not instrumented"),
                       (["-o", "/nosuch/x", "--rounds", "2", program, "0", "0"], "/nosuch/x")):
        done = call([tool, "overhead", *argv], cwd=cwd)
        expect(done.returncode == 2 and done.err.startswith("profplug: ") and done.err.count("\n") == 1 and "expected" in done.err and word in done.err and not done.out, f"overhead {argv}: one line",
               done.returncode, done.err, done.out)
    nowhere = call([tool, "overhead", program, "0", "0"], cwd="/proc")
    expect(nowhere.returncode == 2 and nowhere.err.count("\n") == 1, "a folder that nothing can be written in", nowhere.err)
    done = call([tool, "overhead", "-o", "result.txt", "--rounds", "2", program, "0", "0"], cwd=cwd)
    text = open(cwd + "/result.txt").read()
    expect(done.returncode == 0 and not done.out and "overhead: " in text and "signed-rank test" in text and "50.0 %" in text, "-o FILE, and what two rounds are worth", text)


def test(build, scratch):
    tool, program, plain = build + "/profplug", scratch + "/spin", scratch + "/spin.plain"
    for compiler, to in ((build + "/profplug-gcc", program), ("gcc", plain)):
        done = call([compiler, "-O1", "-g", "-o", to, HERE + "/program/spin.c"])
        expect(done.returncode == 0 and not done.err, "compiles silently", done.err)
    cwd = scratch + "/here"
    os.mkdir(cwd)
    arithmetic(tool, program, cwd)
    account(tool, program, cwd)
    within(tool, program, cwd)
    truth(tool, program, plain, cwd)
    order(tool, program, plain, cwd)
    behaviour(tool, program, cwd)
    inputs(tool, program, cwd)
    interrupted(tool, program, cwd)
    misuse(tool, program, plain, cwd)
    left = sorted(set(os.listdir(cwd)) - {"input", "log", "result.txt"})
    expect(not left, "nothing is left behind", left)


main(test)
