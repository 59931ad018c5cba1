# SPDX-License-Identifier: MIT
"""picture.py BUILD: makes docs/page.png, the picture of the page in README, from the demo's run (./dev demo). It needs Chromium and npm."""

import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [f"{HERE}/../tests/page", f"{HERE}/../tests/support"]
from ready import packages

MOST_BYTES = 200_000


def main(build):
    build = os.path.abspath(build)
    folder, page, png = f"{build}/tests/page/npm", f"{build}/demo/page.html", f"{HERE}/page.png"
    data = f"{build}/demo/pipeline.profplug"
    if not os.path.exists(data):
        subprocess.run(["sh", f"{HERE}/../examples/pipeline/demo.sh", build], stdout=subprocess.DEVNULL, check=True)
    subprocess.run([f"{build}/profplug", "report", "--format", "html", "-o", page, data], check=True)
    packages(folder)
    shutil.copy(f"{HERE}/picture.js", folder)
    subprocess.run(["node", "picture.js", os.environ.get("CHROMIUM", "/usr/bin/chromium"), page, png], cwd=folder, check=True)
    if os.path.getsize(png) > MOST_BYTES:
        sys.exit(f"{png} has {os.path.getsize(png)} bytes; {MOST_BYTES} is the most")


main(*sys.argv[1:])
