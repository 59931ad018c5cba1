# SPDX-License-Identifier: MIT
"""growing.py BUILD: `profplug report` on the data file of a program that runs: whenever it is asked it reads, in text and in JSON, and calls never
become fewer; then on what is left when the program is killed, and in a folder with a thousand files of runs beside it."""
import json
import os
import pathlib
import signal
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
SECONDS, QUESTIONS = 3, 12


def main(build):
    build = pathlib.Path(build).resolve()
    tool = str(build / "profplug")
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        subprocess.run([str(build / "profplug-gcc"), "-O1", "-g", "-fplugin-arg-profplug-functions=all", "-o", "growing", str(HERE / "growing.c"), "-lpthread"], check=True)
        environment = {**os.environ, "PROFPLUG": "output=growing.profplug"}
        program = subprocess.Popen(["./growing", "600"], env=environment, stdout=subprocess.PIPE)
        before, sizes, asked, until = -1, set(), 0, time.monotonic() + SECONDS
        try:
            while not os.path.exists("growing.profplug"):
                time.sleep(0.01)
            time.sleep(0.2)
            while asked < QUESTIONS or time.monotonic() < until:
                sizes.add(os.path.getsize("growing.profplug"))
                done = subprocess.run([tool, "report", *(["--format", "json"] if asked % 2 else []), "growing.profplug"], capture_output=True, text=True, timeout=60)
                assert done.returncode == 0 and not done.stderr, f"question {asked}: status {done.returncode}: {done.stderr}"
                if asked % 2:
                    report = json.loads(done.stdout)
                    calls = sum(int(f["calls"] or 0) for f in report["functions"] if f["name"] == "walk")
                    assert calls >= before, f"{calls} calls after {before}"
                    before = calls
                asked += 1
        finally:
            program.send_signal(signal.SIGKILL)
            program.wait()
        assert before > 10 and len(sizes) > 1, f"{before} calls, sizes {sizes}: it did not grow"
        for number in range(1000):
            shutil.copyfile("growing.profplug", f"{number}.profplug") if number < 20 else os.link(f"{number % 20}.profplug", f"{number}.profplug")
        done = subprocess.run([tool, "report", "--all"], capture_output=True, text=True, timeout=60)
        assert done.returncode == 0 and not done.stderr and "killed" in done.stdout and "walk" in done.stdout, done
        print(f"{asked} reports of a growing file, {before} calls of walk at the last; and one among {len(os.listdir('.'))} files")
        os.chdir("/")


main(*sys.argv[1:])
