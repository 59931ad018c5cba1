# SPDX-License-Identifier: MIT
"""program.py: what test scripts share: an environment without our variables, commands with their output, lines of a source by a marker, a scratch
folder, and expectations that are counted."""

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


def environment(**given):
    """The caller's without PROFPLUG and the like, then what is given. None removes a variable."""
    merged = {**{key: value for key, value in os.environ.items() if not key.startswith("PROFPLUG")}, **given}
    return {key: value for key, value in merged.items() if value is not None}


def call(argv, stdin=b"", cwd=None, env=None, timeout=120, **more):
    """Runs argv in environment(**env); status, stdout and stderr as bytes, and as text in out and err."""
    done = subprocess.run([os.fspath(word) for word in argv], input=stdin, capture_output=True, cwd=cwd, env=environment(**env or {}), timeout=timeout, **more)
    done.out, done.err = done.stdout.decode("utf-8", "replace"), done.stderr.decode("utf-8", "replace")
    return done


def must(argv, **more):
    """Standard output of a command that succeeds and writes nothing else; or the end of the test."""
    done = call(argv, **more)
    if done.returncode or done.err:
        sys.exit(f"{os.path.basename(sys.argv[0])}: {' '.join(map(str, argv))}: status {done.returncode}: {done.err[-3000:]}")
    return done.out


def line_of(text, marker):
    """The number of the one line of a source that holds the marker."""
    found = [number for number, line in enumerate(text.splitlines(), 1) if marker in line]
    assert len(found) == 1, f"{marker!r} is in lines {found}; expected one"
    return found[0]


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
