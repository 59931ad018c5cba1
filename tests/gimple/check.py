# SPDX-License-Identifier: MIT
"""Compiles a program plain and with the plugin, runs both, and compares: the same output, and the calls, loops and scopes that the
program says itself (lines that begin with @). The hooks are those of hooks.c. Nothing of the runtime or the report is used."""
import argparse
import collections
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
INCLUDE = os.path.join(HERE, "..", "..", "include")


def run(command, **more):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, **more)
    if done.returncode:
        sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def read_sites(path):
    calls, kinds, loops, balance = collections.Counter(), {}, collections.defaultdict(lambda: [0, 0, 0, 0]), {}
    if not os.path.exists(path):
        return calls, kinds, loops, balance
    for line in open(path):
        part = line.rstrip("\n").split("\t")
        if part[0] in ("function", "stage"):
            calls[part[3]] += int(part[2])
            kinds[part[3]] = part
        elif part[0] == "place":
            for i in range(4):
                loops[part[6].replace(" ", "_")][i] += int(part[i + 2])
        elif line.startswith("balance"):
            words = line.split()
            balance = {words[i]: int(words[i + 1]) for i in range(1, len(words), 2)}
    return calls, kinds, loops, balance


def calls_of(calls, name):
    """*NAME is a template: all its instances."""
    if name.startswith("*"):
        return sum(n for full, n in calls.items() if f" {name[1:]}<" in full)
    return calls.get(name)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--compiler", required=True)
    parser.add_argument("--cc", required=True, help="the C compiler, for hooks.c")
    parser.add_argument("--program", required=True)
    parser.add_argument("--functions", default="auto")
    parser.add_argument("options", nargs="*")
    given = parser.parse_args()
    source = os.path.join(HERE, given.program)
    failures = []
    resource.setrlimit(resource.RLIMIT_STACK, (64 << 20, resource.getrlimit(resource.RLIMIT_STACK)[1]))   # deep recursion under asan
    with tempfile.TemporaryDirectory(prefix="profplug-gimple-") as folder:
        plain, probed, hooks, sites = (os.path.join(folder, f) for f in ("plain", "probed", "hooks.o", "sites"))
        general = ["-g", "-I", INCLUDE, "-Wall", "-Wextra", "-Wno-unknown-pragmas", "-Wno-clobbered", "-Wno-attributes", "-Wno-implicit-fallthrough",
                   "-Werror"]
        if "dangling-pointer" in run([given.compiler, "-Q", "--help=warnings"]):       # GCC 12
            general += ["-Wno-dangling-pointer", "-Wno-infinite-recursion"]
        run([given.cc, "-O1", "-g", "-I", INCLUDE, "-fno-lto", "-c", os.path.join(HERE, "hooks.c"), "-o", hooks])
        run([given.compiler, *general, *given.options, source, "-o", plain])
        run([given.compiler, *general, *given.options, "-fchecking=2", f"-fplugin={given.plugin}", f"-fplugin-arg-profplug-functions={given.functions}",
             source, hooks, "-o", probed])
        # A nested function's trampoline cannot run on the stack that the address sanitizer makes for use after return.
        os.environ["ASAN_OPTIONS"] = "detect_stack_use_after_return=0"
        expected = run([plain])
        found = run([probed], env=dict(os.environ, PROFPLUG_TEST_OUTPUT=sites))
        if [l for l in expected.splitlines() if l[:1] != "@"] != [l for l in found.splitlines() if l[:1] != "@"]:
            failures.append(f"output differs:\n{expected}\n{found}")
        calls, kinds, loops, balance = read_sites(sites)
        for line in found.splitlines():
            if line.startswith("@loop"):
                _, name, runs, bodies, *conditions = line.split()
                if loops[name][0:2] != [int(runs), int(bodies)] or loops[name][3]:
                    failures.append(f"loop {name}: {runs} runs and {bodies} bodies expected, found {loops[name]}")
                elif conditions and loops[name][2] != int(conditions[0]):
                    failures.append(f"loop {name}: {conditions[0]} conditions expected, found {loops[name]}")
            elif line.startswith("@scope"):
                _, name, entries = line.split()
                if loops[name][0] != int(entries):
                    failures.append(f"scope {name}: {entries} entries expected, found {loops[name]}")
            elif line.startswith("@") and given.functions in ("auto", "all"):
                name, number = line[1:].rsplit(" ", 1)
                if calls_of(calls, name) != int(number):
                    failures.append(f"{name}: {number} calls expected, found {calls_of(calls, name)}")
        # When only stages are probed nobody sees a longjmp arrive, and a stage that it passed stays open until the next one opens.
        for key in ("wrong",) if given.functions == "stages" else ("open", "timed", "wrong"):
            if balance.get(key, 0) != 0:
                failures.append(f"not balanced: {balance}")
        if given.functions in ("auto", "all") and not balance:
            failures.append("no site was registered")
    sys.exit("\n".join(failures) if failures else 0)


main()
