#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""latency.py BUILD CACHE: what bench/latency.py measures is how long answers take from when their questions were due. Of a server of ours that waits
before each answer, or stands still once, the times are known; then nginx and redis are measured in small, as it says it does."""
import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time

from project import Verdict, fetch

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
build, cache = map(os.path.abspath, sys.argv[1:3])
verdict = Verdict()


class Answers(threading.Thread):
    """One connection after the other; to each line "+OK", `wait_s` after it came; once, at `stand_s`, it stands still for as long as said."""

    def __init__(self, wait_s=0.0, stand_s=0.0, stands_s=0.0):
        super().__init__(daemon=True)
        self.wait_s, self.stand_s, self.stands_s = wait_s, stand_s, stands_s
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]

    def run(self):
        one, _ = self.listener.accept()
        one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        begun = time.monotonic()
        while text := one.recv(65536):
            time.sleep(self.wait_s)
            if self.stands_s and time.monotonic() > begun + self.stand_s:
                time.sleep(self.stands_s)
                self.stands_s = 0
            one.sendall(b"+OK\r\n" * text.count(b"\n"))


def asked(client, folder, server, rate, seconds):
    server.start()
    with open(f"{folder}/lines", "wb") as f:
        f.write(b"5\nthis\n4\nand\n")
    done = subprocess.run([client, str(server.port), "resp", f"{folder}/lines", "1", str(rate), str(seconds), "7"], capture_output=True, text=True)
    verdict.expect(done.returncode == 0, f"openloop: exit status {done.returncode} {done.stderr.strip()}")
    return json.loads(done.stdout)


with tempfile.TemporaryDirectory(prefix="profplug-latency-") as scratch:
    client = f"{scratch}/openloop"
    subprocess.run(["gcc", "-O2", "-Wall", "-Wextra", f"{ROOT}/bench/work/openloop.c", "-o", client, "-lm"], check=True)
    slow = asked(client, scratch, Answers(wait_s=0.02), 10, 3)
    verdict.expect(20e3 <= slow["p50"] < 40e3, f"a server that waits for 20 ms: median {slow['p50'] / 1e3:.1f} ms")
    # Of 3 s it stands still for 0.3, a tenth: a hundredth of all waits for nine tenths of that or more.
    still = asked(client, scratch, Answers(stand_s=1, stands_s=0.3), 1000, 3)
    verdict.expect(2700 < still["answers"] < 3300, f"1,000 a second for 3 s, whatever the server does: {still['answers']}")
    verdict.expect(255e3 < still["p99"] < 330e3 and still["p50"] < 20e3, f"stands still for 300 ms: 99 of 100 in {still['p99'] / 1e3:.0f} ms, half in {still['p50'] / 1e3:.1f} ms")
    closed = asked(client, scratch, Answers(wait_s=0.01), 0, 2)
    verdict.expect(100 < closed["answers"] <= 201, f"asked once it has answered, after 10 ms each: {closed['answers']} in 2 s")

    for name, package, file in (("redis", "redis", "src/server.c"), ("nginx", "nginx", "src/core/nginx.c")):
        fetch(name, cache, package, file)
    table = f"{scratch}/table.md"
    done = subprocess.run([sys.executable, f"{ROOT}/bench/latency.py", build, "--cache", cache, "--rounds", "2", "--pairs", "2", "--seconds", "0.5", "-o", table],
                          capture_output=True, text=True)
    verdict.expect(done.returncode == 0, f"bench/latency.py: exit status {done.returncode} {done.stderr[-500:]}")
    record, text = json.load(open(f"{scratch}/table.json"))["latency"], open(table).read()
    for name, r in record.items():
        verdict.expect(all(len(ratios) == 2 and min(ratios) > 0 for ratios in r["ratios"].values()), f"{name}: two rounds")
        told = r["rate"] * (0.5 - 0.1) * 2 * 2 * 2
        verdict.expect(0.9 * told < r["told"] < 1.1 * told, f"{name}: {r['told']} answers; expected {told:.0f}")
        for way in ("plain", "default"):
            verdict.expect(0 < r[way]["p50"] <= r[way]["p99"] <= r[way]["p999"], f"{name}, {way}: {r[way]}")
        verdict.expect(0.2 < r["plain"]["busy"] < 0.9, f"{name}: half of saturation: {100 * r['plain']['busy']:.0f} % busy")
        row = re.search(rf"^\| {name} \| ([\d,]+) \|", text, re.M)
        verdict.expect(row and int(row[1].replace(",", "")) == round(r["rate"]), f"{name} is in the table")
    verdict.expect(list(record) == ["redis", "nginx"], f"both are measured: {list(record)}")
verdict.finish()
