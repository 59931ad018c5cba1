#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""dev.py ROOT: ./dev installs what its command needs and no more, and `./dev test` fails where no test matches.
dev runs in a folder of its own with a build that has four tests, on a machine where nothing is installed: apt-get,
cmake and the like only write down what they are told."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

TESTS = "".join(f'add_test({name} "true")\nset_tests_properties({name} PROPERTIES LABELS {label})\n'
                for name, label in (("alpha", "gimple"), ("beta", "run"), ("gamma", "slow"), ("delta", "long")))
STUBS = {
    "apt-get": 'echo "apt-get $*" >>"$LOG"', "dpkg-query": "exit 1", "cmake": ":", "id": "echo 0",
    "gcc": "echo 12", "ninja": ":",
}
failures = []


def expect(right, what, *seen):
    if not right:
        failures.append(f"{what}: {seen}")


def dev(folder, *arguments):
    log = folder + "/log"
    open(log, "w").close()
    env = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", LOG=log, BUILD="build", JOBS="1")
    done = subprocess.run(["sh", folder + "/dev", *arguments], cwd=folder, env=env, capture_output=True, text=True,
                          timeout=60)
    installed = set(re.sub(r".*--no-install-recommends", "",
                           " ".join(line for line in open(log).read().splitlines() if " install " in line)).split())
    return done, installed


def test(root, folder):
    shutil.copy(root + "/dev", folder)
    files = {f"bin/{name}": f"#!/bin/sh\n{text}\n" for name, text in STUBS.items()}
    files.update({"build/CTestTestfile.cmake": TESTS, "examples/pipeline/demo.sh": "", "bench/run": "#!/bin/sh\n",
                  "tests/layout/layout.py": ""})
    for name, text in files.items():
        os.makedirs(os.path.dirname(f"{folder}/{name}"), exist_ok=True)
        with open(f"{folder}/{name}", "w") as file:
            file.write(text)
        os.chmod(f"{folder}/{name}", 0o755)
    needed = {"gcc", "g++", "gcc-12-plugin-dev", "cmake", "libdwarf-dev", "libelf-dev", "libcjson-dev"}
    tests, checks = {"python3", "valgrind", "gcc-11", "make"}, {"clang", "shellcheck"}
    for command in ("setup", "demo", "test", "bench", "check"):
        done, installed = dev(folder, command, *(["lint"] if command == "check" else []))
        expect(needed <= installed, f"{command} installs what a build needs", installed, done.stderr)
        expect(installed & tests == (set() if command in ("setup", "demo") else tests),
               f"{command} and the tests' packages", installed)
        expect("libstb-dev" in installed or command == "setup", f"{command} installs what the demo is built with",
               installed)
        expect(installed & checks == (checks if command == "check" else set()), f"{command} and the packages of check",
               installed)

    done, _ = dev(folder, "test")
    expect(done.returncode == 0 and all(name in done.stdout for name in ("alpha", "beta", "gamma"))
           and "delta" not in done.stdout, "test runs all", done)
    expect(re.search(r"about \d+ minutes", done.stderr.splitlines()[0]), "test says at its start how long it takes",
           done.stderr)
    for arguments, chosen in ((["-L", "slow"], "gamma"), (["-R", "alp"], "alpha"), (["-L", "run"], "beta")):
        done, _ = dev(folder, "test", *arguments)
        expect(done.returncode == 0 and re.findall(r"Test +#\d+: (\w+)", done.stdout) == [chosen],
               f"test {arguments} runs {chosen}", done)
    for arguments in (["-L", "nothing"], ["-R", "nothing"], ["-L", "run", "-R", "alpha"], ["-L", "long"]):
        done, _ = dev(folder, "test", *arguments)
        last = done.stderr.splitlines()[-1] if done.stderr else ""
        expect(done.returncode and not done.stdout and " ".join(arguments) in last and "no test" in last,
               f"test {arguments} fails with one line", done)


with tempfile.TemporaryDirectory(prefix="profplug-dev-") as scratch:
    test(os.path.realpath(sys.argv[1]), scratch)
print("\n".join(failures))
sys.exit(1 if failures else 0)
