# SPDX-License-Identifier: MIT
"""One workload in every way: builds, rounds in which the ways take turns, each with its functions in another order, instructions, and what profplug
itself says of two runs."""
import concurrent.futures
import ctypes
import datetime
import hashlib
import json
import os
import random
import re
import shutil
import subprocess
import tempfile

import layout
import table
from workloads import HERE

ADDR_NO_RANDOMIZE = 0x0040000
SMALL_ROUNDS = 3                     # of the ways that run a part only
libc = ctypes.CDLL(None)


class Failed(Exception):
    """A run that ended otherwise than well."""


def fixed_addresses():
    libc.personality(ADDR_NO_RANDOMIZE)


def fresh(work):
    """An empty folder. The last one moves aside until the end: for minutes after data files are deleted, ext4 looks
    past each of their inodes when it makes a new file."""
    if os.path.isdir(work):
        os.rename(work, tempfile.mkdtemp(prefix="before-", dir=os.path.dirname(work)))
    os.makedirs(work)


def command_of(way, workload, program, arguments, work, pushed=0):
    """Words and environment of a run; the stack lies some bytes lower, and the program has the same name whatever it was compiled by."""
    env = {key: value for key, value in os.environ.items() if not key.startswith("PROFPLUG")}
    env.update({key: value.replace("{work}", work) for key, value in way.environment.items()}, **workload.environment, STACK="x" * pushed)
    os.symlink(program, f"{work}/program")
    return [*(word.replace("{work}", work) for word in way.prefix), *workload.command(f"{work}/program", arguments)], env


def run(workload, command, env, work):
    """Its exit status, what it said on standard error, its usage and that of what it waited for."""
    errors_path = f"{work}.errors"
    with open(errors_path, "w") as errors:
        process = subprocess.Popen(command, cwd=work, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=errors, preexec_fn=fixed_addresses)
        try:
            workload.attend(process, work)
        except BaseException:
            process.kill()
            raise
        _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, open(errors_path, errors="replace").read(), usage


def cpu_seconds(way, workload, program, arguments, work, pushed=0):
    """User and system time of the run and of what it waited for."""
    fresh(work)
    command, env = command_of(way, workload, program, arguments, work, pushed)
    status, said, usage = run(workload, command, env, work)
    if status:
        raise Failed(f"{' '.join(os.path.basename(word) for word in command)}: exit status {status}: {said.strip().split(chr(10))[-1]}")
    return usage.ru_utime + usage.ru_stime


def instructions(way, workload, program, arguments, work):
    fresh(work)
    command, env = command_of(way, workload, program, arguments, work)
    _, said, _ = run(workload, ["valgrind", "--tool=callgrind", "--trace-children=yes", "--callgrind-out-file=/dev/null", *command], env, work)
    return sum(map(int, re.findall(r"Collected : (\d+)", said))) or None


class Bench:
    def __init__(self, build, profiler, ways, rounds, scale):
        self.build, self.ways, self.rounds, self.scale = build, ways, rounds, scale
        self.tool = f"{build}/profplug"
        self.folder = f"{build}/bench"
        os.makedirs(self.folder, exist_ok=True)
        self.room = tempfile.TemporaryDirectory(prefix="work-", dir=self.folder)       # of this bench alone: two may run
        made = hashlib.sha256(b"".join(open(f"{build}/{part}", "rb").read() for part in ("profplug.so", "libprofplug.a")))
        self.made = made.hexdigest()[:12]
        self.stamp = f"-DPROFPLUG_BUILD_{self.made}"        # an earlier build will do if plugin and runtime are the same
        self.ours = profiler.compiler
        self.commit = subprocess.run(["git", "-C", HERE, "describe", "--always", "--dirty"], capture_output=True, text=True).stdout.strip()

    def build_one(self, workload, way):
        """Its program, and why there is none."""
        source, folder = workload, f"{self.folder}/{workload.name}-{way.name.replace(' ', '-')}"
        if way.patched:
            source, why = workload.patched(f"{folder}/sources")
            if why:
                return None, why
        ours = [self.stamp] if way.compiler == self.ours else []
        libraries = way.libraries
        if way.extra:
            os.makedirs(folder, exist_ok=True)
            subprocess.run(["gcc", "-O2", "-c", f"{HERE}/work/{way.extra}", "-o", f"{folder}/extra.o"], check=True)
            libraries = [f"{folder}/extra.o", *libraries]
        return source.build(folder, way.compiler, ["-O2", "-g", *layout.FLAGS, *way.flags, *ours], libraries, keep=not way.patched), None

    def laid_out(self, workload, way, number):
        """The way's program with its functions in order `number`."""
        folder = f"{self.folder}/{workload.name}-{(way.program_of or way.name).replace(' ', '-')}"
        way = next((other for other in self.ways if other.name == way.program_of), way)
        extra = [f"{folder}/extra.o"] if way.extra else []
        return layout.link(number, folder, f"{folder}/{number}", way.compiler, ["-O2", "-g", *way.flags], [*extra, *way.libraries, *workload.libraries])

    def build_all(self, workloads, layouts=()):
        """Every program in every way and in these layouts, two at a time; zstd with two threads is zstd."""
        wanted = {(w.name, way.name): (w, way) for w in workloads for way in self.ways if not (way.missing or way.program_of or way.only not in ("", w.name))}
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            jobs = {key: pool.submit(self.build_one, *of) for key, of in wanted.items()}
            self.built = {key: job.result() for key, job in jobs.items()}
            placed = [pool.submit(self.laid_out, *wanted[key], number) for key, (program, _) in self.built.items() if program and wanted[key][1].part == 1
                      for number in layouts]
            for job in placed:
                job.result()

    def programs(self, workload):
        """By way: its program; by way: why there is none."""
        programs, missing = {}, {}
        for way in self.ways:
            if way.only not in ("", workload.name):
                continue
            if way.missing or way.program_of in missing or way.base in missing:
                missing[way.name] = way.missing or missing.get(way.program_of) or missing[way.base]
            elif way.name == "copy":
                os.makedirs(f"{self.folder}/{workload.name}-copy", exist_ok=True)
                programs["copy"] = shutil.copy(programs["plain"], f"{self.folder}/{workload.name}-copy/{workload.name}")
            elif way.program_of:
                programs[way.name] = programs[way.program_of]
            else:
                program, why = self.built[workload.name, way.name]
                (missing if why else programs)[way.name] = why or program
        return programs, missing

    def measure(self, workload, begun=0):
        """Rounds in layouts that none of the `begun` earlier rounds had."""
        programs, missing = self.programs(workload)
        present = [way for way in self.ways if way.name in programs]
        work = f"{self.room.name}/work"
        by_name = {way.name: way for way in present}
        size = workload.size * self.scale
        order = random.Random(f"{workload.title}{begun or ''}")
        seconds = {way.name: [] for way in present}
        bases = {way.name: [] for way in present if way.part != 1}
        full = [way for way in present if way.part == 1]
        for number in range(begun, begun + self.rounds + 1):
            order.shuffle(full)
            pushed = order.randrange(4096)
            warming = number == begun       # the first fills the caches, and is short
            arguments = workload.arguments(work, size / 10 if warming else size)
            for way in full[:]:
                try:
                    program = programs[way.name] if warming else self.laid_out(workload, way, number)
                    spent = cpu_seconds(way, workload, program, arguments, work, pushed)
                except Failed as failure:
                    self.give_up(way, failure, missing)
                    full.remove(way)
                    continue
                if not warming:
                    seconds[way.name].append(spent)
        for way in (way for way in present if way.part != 1):
            arguments = workload.arguments(work, size * way.part)
            try:
                for _ in range(min(self.rounds, SMALL_ROUNDS)):
                    bases[way.name].append(cpu_seconds(by_name[way.base], workload, programs[way.base], arguments, work))
                    seconds[way.name].append(cpu_seconds(way, workload, programs[way.name], arguments, work))
            except Failed as failure:
                self.give_up(way, failure, missing)
        result = self.result(size, missing)
        for way in (way for way in present if way.name not in missing):
            base = bases.get(way.name) or self.base_seconds(way, seconds)
            result["ways"][way.name] = {"date": result["date"], "size": size * way.part, "made": self.made, "cpu": table.cpu_model(), "seconds": seconds[way.name],
                                        "ratios": [s / b for s, b in zip(seconds[way.name], base)]}
        result["said"] = {name: self.said(by_name[name], programs[name], workload, work, size) for name in ("default", "stages") if name in programs}
        if workload.is_recursion:
            self.calls_judge(result, programs["plain"], workload, work, size)
        return result

    def result(self, size, missing):
        return {"size": size, "rounds": self.rounds, "missing": missing, "ways": {}, "plugin_and_runtime": self.made, "commit": self.commit, "load": os.getloadavg()[0],
                "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")}

    def counted(self):
        return {"made": self.made, "commit": self.commit, "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%MZ")}

    def instructions(self, workload):
        """By way: instructions of a run of a part of the size, and their ratio."""
        programs, _ = self.programs(workload)
        work = f"{self.room.name}/work"
        arguments = workload.arguments(work, workload.size * self.scale * workload.counted_part)
        present = [way for way in self.ways if way.name in programs and way.counted]
        counts = {way.name: instructions(way, workload, programs[way.name], arguments, work) for way in present}
        return {way.name: {"instructions": counts[way.name], "instruction_ratio": counts[way.name] / counts[way.base]} for way in present
                if counts[way.name] and counts.get(way.base)}

    def give_up(self, way, failure, missing):
        """A peer may fail on a program, and that is said; plain and ours may not."""
        if way.compiler == self.ours or way.name in ("plain", "copy", "padded", way.base):
            raise SystemExit(f"bench: {way.name}: {failure}")
        missing[way.name] = f"fails: {failure}"

    def base_seconds(self, way, seconds):
        """Of plain and its copy the mean, but for these two themselves."""
        if way.base == "plain" and way.name not in ("plain", "copy") and "copy" in seconds:
            return [(a + b) / 2 for a, b in zip(seconds["plain"], seconds["copy"])]
        return seconds[way.base]

    def said(self, way, program, workload, work, size):
        """What the report of one run says it measured."""
        try:
            spent = cpu_seconds(way, workload, program, workload.arguments(work, size), work)
        except Failed as failure:
            raise SystemExit(f"bench: {way.name}: {failure}") from None
        data = [f"{work}/{name}" for name in os.listdir(work) if name.endswith(".profplug")]
        if len(data) != 1:
            return {"complaint": f"{len(data)} data files; expected one"}
        done = subprocess.run([self.tool, "report", "--format", "json", "--top", "0", data[0]], capture_output=True, text=True)
        if done.returncode:
            return {"complaint": done.stderr.strip()}
        report = json.loads(done.stdout)
        coverage, run = report["coverage"], report["runs"][0]
        return {
            "functions": {key: coverage[f"functions_{key}"] for key in ("framed", "counted", "left_out", "inlined")},
            **{key: run.get(key) for key in ("overhead_percent", "overhead_least_percent", "overhead_most_percent")}, "cpu_seconds": spent, "samples": coverage["samples"], "file_bytes": os.stat(data[0]).st_blocks * 512,
            "stages": [{"name": s["name"], "kind": s["kind"], "calls": s["calls"], "wall_total_ns": s.get("wall_total_ns"), "cpu_ns": s.get("cpu_ns")} for s in report["stages"]],
            "iterations": {loop["name"]: loop["iterations"] for loop in report["loops"]},
            "wall_ns": run["wall_ns"], "calls": {f["name"]: f["calls"] for f in report["functions"] if "calls" in f} if workload.is_recursion else None,
        }

    def calls_judge(self, result, program, workload, work, size):
        """ns a call, against plain: the program says how many there are."""
        fresh(work)
        text = subprocess.run([program, *workload.arguments(work, size)], capture_output=True, text=True, check=True).stdout
        calls = int(re.search(r"(\d+) calls", text)[1])
        result["calls"] = calls
        counted = (result["said"].get("default", {}).get("calls") or {}).get("descend")
        result["calls_counted"] = counted
        for name, row in result["ways"].items():
            way = next(w for w in self.ways if w.name == name)
            per_run = calls * way.part
            row["ns_per_call"] = [1e9 * s * (1 - 1 / r) / per_run for s, r in zip(row["seconds"], row["ratios"])]
