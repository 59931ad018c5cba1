#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""form.py BUILD [CASE]: each small program of forms.py compiled plain and with the plugin, as strictly as users do. Both print the same, and the
report has as many calls, runs of loops and numbers as the table says. --compiler and --plugin: another GCC; --all: every standard."""
import argparse, concurrent.futures, pathlib, sys, tempfile
from forms import CASES
sys.path.insert(0, sys.path[0] + "/../support")
from program import call
from report import read

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRICT = ["-Wall", "-Wextra", "-Wpedantic", "-Wshadow", "-Werror", "-g", f"-I{ROOT}/include"]
STANDARDS = ["c++98", "c++11", "c++14", "c++17", "c++20", "c++23"]


def ran(words, folder, **environment):
    return call(words, cwd=folder, env={"LC_ALL": "C", **environment})


def counts(report):
    """What was counted, by name: calls of stages and scopes, runs of loops with their iterations, and sums of the program's own numbers."""
    found = {}
    for stage in report["stages"]:
        if stage["kind"] != "loop":
            found[stage["name"]] = found.get(stage["name"], 0) + stage["calls"]
    for loop in report["loops"]:
        runs, iterations = found.get(loop["name"], (0, 0))
        found[loop["name"]] = (runs + loop["calls"], iterations + loop["iterations"])
    for place in [*report["stages"], *report["runs"]]:
        for number, row in place.get("counters", {}).items():
            found[number] = found.get(number, 0) + row["sum"]
    return found


def judge(given, case, standard, level):
    name, _, texts, expected = case[:4]
    texts = {"a.cc": texts} if isinstance(texts, str) else texts
    where = f"{name} -std={standard} {level}"
    more = case[4] if len(case) > 4 else []
    with tempfile.TemporaryDirectory(prefix="profplug-form-") as folder:
        for file, text in texts.items():
            pathlib.Path(folder, file).write_text(text)
        sources = [file for file in texts if file.endswith(".cc")]
        general = [given.compiler, f"-std={standard}", level, *STRICT, *more]
        said = []
        for way in (["-o", "plain"], [f"-fplugin={given.plugin}", "-o", "probed", f"-L{given.build}"]):
            done = ran([*general, *sources, *way, *(["-lprofplug", "-pthread"] if "probed" in way else [])], folder)
            if done.returncode or done.err:
                return f"{where}: {way[-1] if len(way) < 3 else 'with the plugin'}: {done.err[:1500]}"
            done = ran([f"./{way[way.index('-o') + 1]}"], folder, PROFPLUG="on", PROFPLUG_OUTPUT="%e.profplug")
            if done.returncode:
                return f"{where}: status {done.returncode}\n{done.err[:1500]}"
            said.append(done.out)
        if said[0] != said[1] or not said[0]:
            return f"{where}: the program says {said[1]!r} instead of {said[0]!r}"
        found = counts(read(given.build, *pathlib.Path(folder).glob("*.profplug")))
        if found != expected:
            differ = sorted(key for key in {*found, *expected} if found.get(key) != expected.get(key))
            return f"{where}: " + ", ".join(f"{key!r} {found.get(key)} instead of {expected.get(key)}" for key in differ)
    return ""


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=lambda path: pathlib.Path(path).resolve())
    parser.add_argument("case", nargs="?")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--plugin")
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    given.plugin = pathlib.Path(given.plugin or given.build / "profplug.so").resolve()
    work = []
    for case in CASES:
        known = [s for s in STANDARDS if STANDARDS.index(s) >= STANDARDS.index(case[1])]
        for standard in known if given.all else sorted({known[0], known[-1]}):
            work += [(given, case, standard, level) for level in ("-O0", "-O2") if given.case in (None, case[0])]
    if not work:
        sys.exit(f"{given.case}: no such case")
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        failures = [said for said in pool.map(lambda item: judge(*item), work) if said]
    print(f"{len(work)} compiled and run, {len(failures)} failed")
    sys.exit("\n".join(failures) if failures else 0)


main()
