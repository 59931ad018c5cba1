# SPDX-License-Identifier: MIT
"""npm.py: packages of npm that tests use, of the exact versions of a package-lock.json."""

import fcntl
import os
import shutil
import subprocess


def packages(source, folder):
    """Brings the packages of SOURCE/package-lock.json into FOLDER/node_modules, once. None, or why that cannot be done."""
    if not shutil.which("npm"):
        return "npm is missing: apt-get install npm"
    with open(f"{source}/package-lock.json") as file:
        wanted = file.read()
    done = f"{folder}/done"
    os.makedirs(folder, exist_ok=True)
    with open(f"{folder}/lock", "w") as lock:                               # tests may run beside each other
        fcntl.flock(lock, fcntl.LOCK_EX)
        if os.path.exists(done) and open(done).read() == wanted:
            return None
        for name in ("package.json", "package-lock.json"):
            shutil.copy(f"{source}/{name}", folder)
        got = subprocess.run(["timeout", "120", "npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"], cwd=folder, capture_output=True, text=True)
        if got.returncode:
            return f"npm does not bring the packages of {source}/package.json (offline?): {got.stderr.strip()[-300:]}"
        with open(done, "w") as file:
            file.write(wanted)
    return None
