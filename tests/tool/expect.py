# SPDX-License-Identifier: MIT
"""expect.py: what the tests of the tool share: a scratch folder, commands with their output, and expectations that are counted."""

import os
import subprocess
import sys
import tempfile

failures = []
checks = 0


def expect(ok, what, *seen):
    """Counts a check; says what was seen when it does not hold."""
    global checks
    checks += 1
    if not ok:
        failures.append(what)
        print(f"FAILED: {what}", *[f"\n    {one!r}" for one in seen], flush=True)


def call(argv, stdin=b"", cwd=None, env=None, timeout=100, **more):
    """Runs argv; status, stdout and stderr as text. A None in env removes the variable."""
    environment = dict(os.environ)
    for key in [k for k in environment if k.startswith("PROFPLUG")]:
        del environment[key]
    for key, value in (env or {}).items():
        environment.pop(key, None)
        if value is not None:
            environment[key] = value
    done = subprocess.run(argv, input=stdin, capture_output=True, cwd=cwd, env=environment, timeout=timeout, **more)
    done.out, done.err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return done


def write(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, mode)


def main(test):
    """test(build, scratch): build is the build folder given on the command line."""
    if len(sys.argv) < 2 or not os.path.isdir(sys.argv[1]):
        sys.exit("expected the build folder as first argument")
    with tempfile.TemporaryDirectory(prefix="profplug-tool-") as scratch:
        test(os.path.realpath(sys.argv[1]), os.path.realpath(scratch))
    print(f"{checks} checks, {len(failures)} failed")
    sys.exit(1 if failures else 0 if checks else 1)
