#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""torture.py BUILD CACHE GROUP [OPTIONS]: GCC's own test programs (group c, cxx: run; compile: compiled alone) and those that Csmith generates (csmith),
each built plain and with the plugin at -O0, -O2 and -O3 with each set of ARGUMENTS: same words of the compiler, same output, same exit status.

    --sample N     N programs, the same ones each time        --match REGEX   those whose names match
    --jobs N       how many at a time (2)                     --keep          a failing program's folder stays
    --sets A,B     only these sets of arguments               --levels O0,O2

What is judged is what the plugin changes: a program that plain GCC refuses, or that does not end, or that does not say the same twice when it is
built plain, is counted as such and bounded, so that the test cannot pass on nothing."""
import argparse
import hashlib
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor

sys.path.insert(0, sys.path[0] + "/../support")
from program import environment
from report import read
import suite

# name, what the plugin is told, what both compilers are told besides, what the plugin's compiler alone is told
ARGUMENTS = [
    ("default", [], [], []),
    ("all", ["functions=all", "lines=all"], [], ["-fchecking=2"]),
    ("lto", [], ["-flto"], []),
]
LEVELS = ["-O0", "-O2", "-O3"]
COMPILE_LEVELS = ["-O0", "-O2", "-O3"]
# What a run is told, by the program's name: most programs end before an adaptive choice is made.
RUNS = ["", ",timing=exact", ",level=basic", ",level=comprehensive,timing=exact,sample-hz=10000"]
# Programs whose output or status may differ, and why. Each was looked into.
DIFFERENT = {
}
PLAIN_S, PROBED_S, COMPILE_S = 20, 120, 300


def stop_core():
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def call(command, folder, seconds, **given):
    """(status, output, errors); status is "hangs" where it had to be ended."""
    env = environment(LC_ALL="C", TMPDIR=str(folder), **given)
    process = subprocess.Popen(command, cwd=folder, env=env, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               start_new_session=True, preexec_fn=stop_core)
    try:
        output, errors = process.communicate(timeout=seconds)
        return process.returncode, output, errors
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, errors = process.communicate()
        return "hangs", output, errors


def words_of(result):
    """A compiler's words without the names of its temporary files."""
    return re.sub(rb"\S*/(cc\w{6}|a-\w+)[\w.]*|\S*/torture-\w+", b"FILE", result[2])


def shown(result):
    return f"{result[0]!r} {result[1][-300:]!r} {result[2][-1500:].decode(errors='replace')}"


class Torture:
    def __init__(self, options):
        self.build = pathlib.Path(options.build).resolve()
        self.options = options
        self.lock = threading.Lock()
        self.counts, self.failures, self.odd, self.done = {}, [], [], 0
        self.cache_file = pathlib.Path(options.cache) / "torture" / f"plain-{options.group}.json"
        version = subprocess.run(["gcc", "--version"], stdout=subprocess.PIPE, check=True).stdout
        self.compiler = hashlib.sha256(version).hexdigest()
        self.plain = {}
        if self.cache_file.exists():
            self.plain = json.loads(self.cache_file.read_text())
        self.fresh = 0
        self.work = tempfile.mkdtemp(prefix="torture-", dir="/dev/shm" if os.access("/dev/shm", os.W_OK) else None)
        self.sets = [row for row in ARGUMENTS if not options.sets or row[0] in options.sets.split(",")]
        self.levels = ["-" + level for level in options.levels.split(",")] if options.levels else LEVELS
        self.drop_unknown()

    def drop_unknown(self):
        """An argument that this plugin does not have."""
        source = pathlib.Path(self.work) / "empty.c"
        source.write_text("int unused;\n")
        for row in self.sets:
            for word in list(row[1]):
                said = call(["gcc", f"-fplugin={self.build}/profplug.so", "-fplugin-arg-profplug-" + word, "-c", "empty.c"], self.work, COMPILE_S)
                if said[0] and f"{word.split('=')[0]}=".encode() in said[2]:
                    print(f"left out: {word}: {said[2].decode().strip()}")
                    row[1].remove(word)
                elif said[0]:
                    sys.exit(f"{word}: {shown(said)}")

    def count(self, what):
        with self.lock:
            self.counts[what] = self.counts.get(what, 0) + 1

    def fail(self, program, way, text):
        with self.lock:
            self.failures.append(f"{program.name} {way}")
            print(f"FAIL {program.name} {way}\n    " + text.replace("\n", "\n    "), flush=True)

    def note(self, program, why):
        with self.lock:
            self.odd.append(f"{program.name}: {why}")
        self.count(why.split(":")[0])

    # ---- building and running ----
    def command(self, program, level, more):
        return (["g++" if program.cxx else "gcc", level, "-g", "-w", *program.options, *more, *program.sources])

    def build_plain(self, program, level, more, folder):
        """Compiles and runs it plain; remembered from run to run."""
        key = hashlib.sha256()
        for source in program.sources:
            key.update(pathlib.Path(source).read_bytes())
        key.update(" ".join([self.compiler, level, str(program.cxx), *program.options, *more]).encode())
        key = key.hexdigest()
        with self.lock:
            known = self.plain.get(key)
        if known:
            return [(a, b.encode("latin-1"), c.encode("latin-1")) for a, b, c in known]
        result = self.build_afresh(program, level, more, folder)
        with self.lock:
            self.plain[key] = [(a, b.decode("latin-1"), c.decode("latin-1")) for a, b, c in result]
            self.fresh += 1
        return result

    def build_afresh(self, program, level, more, folder):
        where = tempfile.mkdtemp(dir=folder)
        compiled = call([*self.command(program, level, more), "-o", "p", "-lm"], where, COMPILE_S)
        compiled = (compiled[0], b"", words_of(compiled))
        ran = call(["./p"], where, PLAIN_S) if compiled[0] == 0 else ("not built", b"", b"")
        shutil.rmtree(where, ignore_errors=True)
        return [compiled, ran]

    def build_probed(self, program, level, row, where):
        _, told, both, alone = row
        plugin = [f"-fplugin={self.build}/profplug.so", *(f"-fplugin-arg-profplug-{word}" for word in told)]
        compiled = call([*self.command(program, level, [*both, *alone, *plugin]), "-o", "p", str(self.build / "libprofplug.a"), "-lm"], where, COMPILE_S)
        if compiled[0]:
            return compiled, None
        return compiled, call(["./p"], where, PROBED_S, PROFPLUG="output=data-%p.profplug" + RUNS[program.chance % len(RUNS)])

    # ---- one program ----
    def judge_run(self, program, level, row, folder):
        name, _, both, _ = row
        way = f"{level} {name}"
        compiled, ran = self.build_plain(program, level, [], folder)
        if compiled[0] or ran[0] == "hangs":
            return
        where = tempfile.mkdtemp(dir=folder)
        keep = False
        try:
            probed, probed_ran = self.build_probed(program, level, row, where)
            if probed_ran != ran and both:             # then what plain does with the same options counts
                compiled, ran = self.build_plain(program, level, both, folder)
                if compiled[0] or ran[0] == "hangs":
                    self.note(program, f"plain is refused or does not end: {way}")
                    return
            if probed[0]:
                self.fail(program, way, "does not compile: " + shown(probed))
                keep = True
            elif not both and words_of(probed) != compiled[2]:
                self.fail(program, way, f"the compiler says {words_of(probed)[-800:]}\nplain {compiled[2][-800:]}")
            elif probed_ran != ran:
                others = [self.build_afresh(program, level, both, folder)[1] for _ in range(2)]
                if any(other != ran for other in others) and probed_ran[0] in [ran[0]] + [other[0] for other in others]:
                    self.note(program, f"plain says different things: {way}")
                elif program.name in DIFFERENT:
                    self.note(program, f"listed as different: {way}")
                else:
                    self.fail(program, way, f"plain  {shown(ran)}\nprobed {shown(probed_ran)}")
                    keep = True
            else:
                self.judge_data(program, way, where, ran)
            self.count(f"{level} {name}")
        finally:
            if not (keep and self.options.keep):
                shutil.rmtree(where, ignore_errors=True)

    def judge_data(self, program, way, where, ran):
        files = list(pathlib.Path(where).glob("*.profplug"))
        if not files and ran[0] == 0:
            self.fail(program, way, "no data file")
        for file in files if program.chance % 8 == 0 else []:
            read(self.build, file, settled=False)
            self.count("files read")

    def judge_compile(self, program, level, row, folder):
        name, told, both, alone = row
        if both:
            return
        where = tempfile.mkdtemp(dir=folder)
        plugin = [f"-fplugin={self.build}/profplug.so", *(f"-fplugin-arg-profplug-{word}" for word in told)]
        probed = call([*self.command(program, level, [*alone, *plugin]), "-S", "-o", "/dev/null"], where, COMPILE_S)
        if probed[0] == 0 and not probed[2]:
            self.count(f"{level} {name}")
        else:
            plain = call([*self.command(program, level, alone), "-S", "-o", "/dev/null"], where, COMPILE_S)
            if (plain[0], words_of(plain)) != (probed[0], words_of(probed)):
                self.fail(program, f"{level} {name}", f"plain {shown(plain)}\nprobed {shown(probed)}")
            else:
                self.count("plain is refused, too" if plain[0] else f"{level} {name}")
        shutil.rmtree(where, ignore_errors=True)

    def judge(self, program):
        folder = tempfile.mkdtemp(dir=self.work)
        try:
            for level in self.levels:
                if program.runs:
                    compiled, ran = self.build_plain(program, level, [], folder)
                    if compiled[0] or ran[0] == "hangs":
                        self.note(program, f"plain {'does not compile' if compiled[0] else 'does not end'}: {level}")
                        continue
                for row in self.sets:
                    (self.judge_run if program.runs else self.judge_compile)(program, level, row, folder)
        except Exception as error:
            self.fail(program, "", f"{type(error).__name__}: {error}")
        finally:
            if not self.options.keep:
                shutil.rmtree(folder, ignore_errors=True)
        with self.lock:
            self.done += 1
            if self.done % 100 == 0:
                print(f"{self.done} programs", file=sys.stderr, flush=True)
            if self.fresh >= 200:
                self.save()

    def save(self):
        part = self.cache_file.with_suffix(f".{os.getpid()}.part")
        part.write_text(json.dumps(self.plain))
        part.rename(self.cache_file)
        self.fresh = 0

    def finish(self, total):
        self.save()
        if not self.options.keep:
            shutil.rmtree(self.work, ignore_errors=True)
        for line in sorted(self.odd):
            print("note:", line)
        builds = 0
        for level in self.levels:
            for name, _, both, _ in self.sets:
                if self.options.group == "compile" and both:
                    continue
                done = self.counts.pop(f"{level} {name}", 0)
                builds += done
                if done < 0.85 * total:
                    self.failures.append(f"{level} {name}: {done} of {total} programs were compared; expected 85 in 100")
        print(f"{self.options.group}: {total} programs, {builds} builds with the plugin compared with plain, {len(self.failures)} failures;",
              "; ".join(f"{number} {what}" for what, number in sorted(self.counts.items())))
        for failure in self.failures:
            print("FAILED:", failure)
        return 1 if self.failures or not builds else 0


def fetch(what, options):
    major = subprocess.run(["gcc", "-dumpversion"], stdout=subprocess.PIPE, check=True).stdout.decode().split(".")[0].strip()
    script = pathlib.Path(__file__).with_name("fetch.sh")
    done = subprocess.run(["sh", str(script), what, options.cache, major], stdout=subprocess.PIPE, check=False)
    if done.returncode:
        print(done.stdout.decode(), end="")
        sys.exit(done.returncode)
    return pathlib.Path(options.cache) / "torture" / (f"gcc-{major}" if what == "gcc" else "csmith/unpacked")


def programs_of(options):
    if options.group != "csmith":
        programs = suite.find_programs(options.group, fetch("gcc", options))
    else:
        csmith = fetch("csmith", options)
        folder = pathlib.Path(options.cache) / "torture" / "generated"
        folder.mkdir(exist_ok=True)
        # One in nine does not end; three hundred do.
        programs = (suite.generate(csmith, seed, folder) for seed in range(1, 450))
        programs = [program for program, _ in zip((p for p in programs if p), range(options.sample or 345))]
    programs = [program for program in programs if not options.match or re.search(options.match, program.name)]
    if options.sample:
        programs = sorted(programs, key=lambda program: program.chance)[:options.sample]
    return programs


def main():
    parser = argparse.ArgumentParser()
    for word in ("build", "cache", "group"):
        parser.add_argument(word)
    for word in ("match", "sets", "levels"):
        parser.add_argument("--" + word, default="")
    parser.add_argument("--sample", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--keep", action="store_true")
    options = parser.parse_args()
    options.cache = os.path.abspath(options.cache)
    os.nice(19)
    programs = programs_of(options)
    if not programs:
        sys.exit("no programs")
    torture = Torture(options)
    with ThreadPoolExecutor(options.jobs) as pool:
        list(pool.map(torture.judge, programs))
    sys.exit(torture.finish(len(programs)))


main()
