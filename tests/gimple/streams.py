# SPDX-License-Identifier: MIT
"""What the plugin remarks of the loops in streams.c: those that vectors could do, and those that search; and of divisions. GCC is the witness: with -O3 it vectorizes
exactly the loops of which that is said (sums whose order counts, in that order). streams.py --plugin P --cc CC"""
import argparse
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.path.join(HERE, "streams.c")
ROWS = os.path.join(HERE, "..", "..", "include", "profplug", "abi", "remark.def")
MINE = ("stream", "ordered_sum", "search", "divisor")


class Chunk:
    def __init__(self, data):
        self.data, self.at = data, 0

    def number(self):
        value = shift = 0
        while True:
            byte = self.data[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def text(self):
        end = self.data.index(0, self.at)
        self.at, text = end + 1, self.data[self.at:end].decode()
        return text


def remarks(data):
    """(kind, line, value, detail, why) of each record."""
    with open(ROWS) as file:
        kinds = re.findall(r'^PP_REMARK\(\w+, *"(\w+)"', file.read(), re.M)
    while data:
        size = int.from_bytes(data[:4], "little")
        chunk, data = Chunk(data[5:size]), data[size:]
        texts = [chunk.text() for _ in range(chunk.number())]
        for _ in range(chunk.number()):
            chunk.number(), chunk.number()
            for _ in range(chunk.number()):
                end = chunk.number() + chunk.at
                fields = []
                while chunk.at < end:
                    fields.append(chunk.number())
                kind, _, line, _, value, detail, why = fields[:7]
                yield kinds[kind], line, value // 2, texts[detail], texts[why]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--plugin", required=True)
    parser.add_argument("--cc", required=True)
    given = parser.parse_args()
    with open(SOURCE) as file:
        lines = list(enumerate(file.read().splitlines(), 1))
    expected, never, single = {}, set(), set()
    for number, line in lines:
        single |= {number} if "vectors of single elements" in line else set()
        if found := re.search(rf"/\* ({'|'.join(MINE)}) (\d+) ?(.*?) ?(unless changed)? \*/", line):
            kind, value, words, unless = found.groups()
            expected[number] = (kind, int(value), *(words.split() + ["", ""])[:2])
            never |= {number} if unless else set()
    with tempfile.TemporaryDirectory(prefix="profplug-streams-") as folder:
        def run(*command):
            done = subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=60)
            if done.returncode:
                sys.exit(f"{' '.join(command)}: status {done.returncode}\n{done.stdout}")
            return done.stdout

        def read(name):
            run("objcopy", "-O", "binary", "--only-section=profplug_remarks", "--set-section-flags", "profplug_remarks=alloc", name, "out.bin")
            with open(os.path.join(folder, "out.bin"), "rb") as file:
                return [row for row in remarks(file.read()) if row[0] in MINE]

        run(given.cc, "-O2", "-g", f"-fplugin={given.plugin}", "-c", SOURCE, "-o", "out.o")
        said = {row[1]: (row[0], *row[2:]) for row in read("out.o")}
        told = run(given.cc, "-O3", "-fopt-info-vec", "-c", SOURCE, "-o", "plain.o")
        vectorized = {int(number) for number in re.findall(r":(\d+):\d+: optimized: loop vectorized", told)} - single
        left = {}
        for options in (["-O3"], ["-O3", "-ffast-math"]):
            run(given.cc, *options, "-g", f"-fplugin={given.plugin}", "-c", SOURCE, "-o", "out.o")
            left[options[-1]] = {row[0] for row in read("out.o")}
    bad = [f"line {number}: {said.get(number)}, expected {expected.get(number)}" for number in sorted(said.keys() | expected.keys())
           if said.get(number) != expected.get(number)]
    able = set(expected) - never - {number for number, row in expected.items() if row[0] in ("search", "divisor")}
    if vectorized != able:
        bad.append(f"-O3 vectorizes lines {sorted(vectorized)}, remarked are {sorted(able)}")
    if left["-O3"] != set(MINE) or left["-ffast-math"] != set(MINE) - {"ordered_sum"}:
        bad.append(f"what vectors do is remarked no more; left are {left}")
    if bad or len(expected) < 12:
        sys.exit("\n".join(bad) or "streams.c expects next to nothing")


main()
