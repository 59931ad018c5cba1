#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""bench/latency.py [BUILD] [--rounds N] [--pairs N] [--seconds S] [--only redis,nginx] [-o FILE]: how long the answers
of redis and nginx take, plain and profiled by default. Server and client have a CPU each. Questions come at random
times at half of the rate at which plain is saturated, whether or not it has answered (work/openloop.c). In a round
plain and profiled lie there beside each other, with their functions in the same order, and are asked in turn, each
first in half of the pairs. The round's ratio is that of its pairs in the mean; the interval is of the rounds'
median, by the signed-rank test. The table goes to bench/RESULTS.md, the figures to RESULTS.json beside it."""
import argparse
import json
import math
import os
import signal
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, f"{ROOT}/bench")
from workloads import HERE, Workload  # noqa: E402  (first: it finds tests/real)
from project import Profiler  # noqa: E402
from measure import Bench, command_of, fresh  # noqa: E402
from ways import ways  # noqa: E402
import serving  # noqa: E402
import table  # noqa: E402

CONNECTIONS = 16
LAYOUTS = 4
QUANTILES = ("p50", "p99", "p999")
COUNT = {"redis": 20000, "nginx": serving.PAGES}


def questions(name):
    asked = serving.commands(COUNT[name]) if name == "redis" else (f"GET /{page}.html HTTP/1.1\r\nHost: here\r\n\r\n" for page in range(serving.PAGES))
    return b"".join(b"%d\n%s" % (len(text), text.encode()) for text in asked)


def compiled(folder):
    client = f"{folder}/openloop"
    subprocess.run(["gcc", "-O2", f"{HERE}/work/openloop.c", "-o", client, "-lm"], check=True)
    return client


class Server:
    def __init__(self, bench, workload, way, layout, work, core):
        fresh(work)
        self.work, self.name, self.port = work, workload.name, serving.free_port()
        command, env = command_of(way, workload, bench.laid_out(workload, way, layout), serving.arguments(workload.name, work, self.port), work)
        self.process = subprocess.Popen(command, cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=lambda: os.sched_setaffinity(0, [core]))
        serving.connect(self.port, self.process).close()

    def cpu_ns(self):
        with open(f"/proc/{self.process.pid}/schedstat") as f:
            return int(f.read().split()[0])

    def end(self):
        self.process.send_signal(signal.SIGTERM if self.name == "redis" else signal.SIGQUIT)
        if self.process.wait(60):
            raise SystemExit(f"bench/latency.py: {self.name}: exit status {self.process.returncode}")
        return [name for name in os.listdir(self.work) if name.endswith(".profplug")]


def ask(client, server, requests, rate, seconds, seed, core):
    words = [client, str(server.port), "resp" if server.name == "redis" else "http", requests, str(CONNECTIONS), str(rate), str(seconds), str(seed)]
    used = server.cpu_ns()
    done = subprocess.run(words, capture_output=True, text=True, preexec_fn=lambda: os.sched_setaffinity(0, [core]))
    if done.returncode:
        raise SystemExit(f"bench/latency.py: {done.stderr.strip()}")
    said = json.loads(done.stdout)
    return {**said, "busy": (server.cpu_ns() - used) / 1e9 / said["seconds"]}


def one_round(bench, workload, by_name, layout, options, client, folder, rate, cores):
    """Answers of each way by pair, and the rate, which the first round measures."""
    servers = {way: Server(bench, workload, by_name[way], layout, f"{folder}/{way}", cores[0]) for way in ("plain", "default")}
    requests, rows = f"{folder}/requests", []
    try:
        for server in servers.values():          # its tables grow now
            ask(client, server, requests, 0, options.seconds, 1, cores[1])
        if not rate:
            rate = ask(client, servers["plain"], requests, 0, options.seconds, 1, cores[1])["answers"] / options.seconds / 2
        for pair in range(options.pairs):
            order = list(servers) if pair % 2 == layout % 2 else list(servers)[::-1]
            rows.append({way: ask(client, servers[way], requests, rate, options.seconds, 100 * layout + pair, cores[1]) for way in order})
    finally:
        left = {way: server.end() for way, server in servers.items()}
    if left["plain"] or len(left["default"]) != 1:
        raise SystemExit(f"bench/latency.py: {workload.name}: data files {left}; expected one of the profiled server")
    return rows, rate


def measure(bench, workload, options, client, folder, cores):
    by_name, rate, rounds = {way.name: way for way in bench.ways}, 0, []
    with open(f"{folder}/requests", "wb") as f:
        f.write(questions(workload.name))
    for number in range(options.rounds):
        rows, rate = one_round(bench, workload, by_name, 1 + number % LAYOUTS, options, client, folder, rate, cores)
        rounds.append(rows)
        print(workload.name, number, *(f"{key} {ratio(rows, key):.3f}" for key in QUANTILES), flush=True)
    result = {"rate": rate, "rounds": options.rounds, "pairs": options.pairs, "seconds": options.seconds, "cpu": table.cpu_model(), **bench.counted(),
              "told": sum(row["told"] for rows in rounds for pair in rows for row in pair.values())}
    for way in ("plain", "default"):
        result[way] = {key: statistics.median(pair[way][key] for rows in rounds for pair in rows) for key in (*QUANTILES, "busy")}
    result["ratios"] = {key: [ratio(rows, key) for rows in rounds] for key in QUANTILES}
    return result


def ratio(rows, key):
    return math.exp(statistics.fmean(math.log(pair["default"][key] / pair["plain"][key]) for pair in rows))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("build", nargs="?", default=f"{ROOT}/build")
    parser.add_argument("--cache", help="where the sources lie, or are brought to (BUILD/.cache)")
    parser.add_argument("--rounds", type=int, default=12)
    parser.add_argument("--pairs", type=int, default=6, help="in a round (6)")
    parser.add_argument("--seconds", type=float, default=1, help="of each run of the client (1)")
    parser.add_argument("--only", default="redis,nginx")
    parser.add_argument("-o", "--output", default=f"{ROOT}/bench/RESULTS.md", help="the table; the record lies beside it, as .json")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    cache = os.path.abspath(options.cache or os.environ.get("PROFPLUG_CACHE") or f"{build}/.cache")
    cpus = sorted(os.sched_getaffinity(0))
    if len(cpus) < 2:
        sys.exit("bench/latency.py: needs two CPUs, one of them for the client")
    every = ways(build, profiler := Profiler(build))
    workloads = [Workload(name, cache) for name in options.only.split(",")]
    bench = Bench(build, profiler, [way for way in every if way.name in ("plain", "off", "default")], options.rounds, 1)
    bench.build_all(workloads, range(1, 1 + min(LAYOUTS, options.rounds)))
    path = table.record_path(options.output)
    record = table.read(path) if os.path.exists(path) else table.begin(every, "")
    if "date" not in record:
        table.finish(record, [])
    with tempfile.TemporaryDirectory(prefix="latency-", dir=bench.folder) as folder:
        client = compiled(folder)
        for workload in workloads:
            record.setdefault("latency", {})[workload.name] = measure(bench, workload, options, client, folder, (cpus[0], cpus[-1]))
            table.write(options.output, record, every)
    print(table.latency_text(record["latency"]))


if __name__ == "__main__":
    main()
