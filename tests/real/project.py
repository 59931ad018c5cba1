# SPDX-License-Identifier: MIT
"""The foreign programs of the tests: where their sources lie, how they are compiled, what they are made to do. Knows nothing of what a test asserts."""
import collections
import concurrent.futures
import glob
import gzip
import json
import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, f"{HERE}/../support")
from report import read  # noqa: E402

SKIPPED = 77


def skip(reason):
    print("skipped: " + reason)
    sys.exit(SKIPPED)


def fetch(name, cache, *package):
    got = subprocess.run(["sh", f"{HERE}/fetch.sh", name, cache, *package], capture_output=True, text=True)
    if got.returncode == SKIPPED:
        skip(got.stdout.strip().removeprefix("skipped: "))
    got.check_returncode()
    return os.path.join(cache, name)


class Project:
    def __init__(self, name, cache):
        self.name, self.root = name, fetch(name, cache)
        lib = f"{self.root}/lib"
        if name == "lua":
            self.sources = [s for s in sorted(glob.glob(f"{self.root}/src/*.c")) if not s.endswith("/luac.c")]
            # A seed taken from the clock and from addresses would give every run its own hash collisions; the cache of strings goes by address.
            self.flags = ["-DLUA_USE_POSIX", "-DLUA_COMPAT_5_3", "-Dluai_makeseed(L)=0x5eed", "-DSTRCACHE_N=1", "-DSTRCACHE_M=1"]
            self.libraries = ["-lm"]
        elif name == "sqlite":
            self.sources = [f"{self.root}/sqlite3.c", f"{HERE}/work/sqlite.c"]
            self.flags = [f"-I{self.root}", "-DSQLITE_THREADSAFE=0", "-DSQLITE_OMIT_LOAD_EXTENSION"]
            self.libraries = ["-lm"]
        elif name == "bzip2":
            self.sources = [f"{self.root}/{s}.c" for s in "blocksort huffman crctable randtable compress decompress bzlib bzip2".split()]
            self.flags, self.libraries = ["-D_FILE_OFFSET_BITS=64"], []
        else:
            self.sources = [*sorted(glob.glob(f"{lib}/common/*.c") + glob.glob(f"{lib}/compress/*.c") + glob.glob(f"{lib}/decompress/*.c")), f"{HERE}/work/zstd.c"]
            self.flags = [f"-I{lib}", "-DZSTD_MULTITHREAD", "-DZSTD_DISABLE_ASM"]
            self.libraries = ["-pthread"]

    def arguments(self, work, size):
        """size: 1 is about a tenth of a second at -O2; workloads repeat to the byte."""
        if self.name == "lua":
            return [f"{HERE}/work/work.lua", str(max(20, int(300 * size)))]
        if self.name == "sqlite":
            return [":memory:" if size < 0.1 else f"{work}/database", str(max(200, int(8000 * size)))]
        if self.name == "bzip2":             # its own sources, compressed; the result stays beside them
            os.makedirs(os.path.dirname(work), exist_ok=True)
            with open(f"{work}-input", "wb") as f:
                for turn in range(max(1, int(10 * size))):
                    for source in self.sources:
                        f.write(open(source, "rb").read().replace(b"int", b"%d" % turn))
            return ["-kf9", f"{work}-input"]
        return [str(4 * size), "3", "1"]

    def build(self, folder, compiler, flags, libraries=(), keep=False):
        """Compiles every source into FOLDER and links; keep: a complete earlier build with the same flags will do."""
        program, stamp = f"{folder}/{self.name}", f"{folder}/{self.name}.flags"
        said = shlex.join([*compiler, *flags, *libraries, f"{max(map(os.path.getmtime, self.sources)):.0f}"])
        if keep and os.path.exists(program) and os.path.exists(stamp) and open(stamp).read() == said:
            return program
        os.makedirs(folder, exist_ok=True)

        def compile_one(source):
            target = f"{folder}/{os.path.basename(source)[:-2]}.o"
            command = [*compiler, *self.flags, *flags, "-c", source, "-o", target]
            got = subprocess.run(command, cwd=folder, capture_output=True, text=True)
            if got.returncode:
                raise SystemExit(f"{shlex.join(command)}\n{got.stderr[-3000:]}")
            return target

        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            objects = list(pool.map(compile_one, self.sources))
        link = [*compiler, *flags, *objects, "-o", program, *libraries, *self.libraries]
        got = subprocess.run(link, cwd=folder, capture_output=True, text=True)
        if got.returncode:
            raise SystemExit(f"{shlex.join(link)}\n{got.stderr[-3000:]}")
        with open(stamp, "w") as f:
            f.write(said)
        return program

    def run(self, program, arguments, work, env=None, prefix=()):
        """Runs it in a new WORK, without address randomization and under one name wherever it lies (Lua keeps its own name, and long strings
        otherwise than short ones), and gives its standard output."""
        subprocess.run(["rm", "-rf", work], check=True)
        os.makedirs(work)
        os.symlink(program, f"{work}/program")
        got = subprocess.run(["setarch", "-R", *prefix, "./program", *arguments], cwd=work, env={**os.environ, "PROFPLUG": "off", **(env or {})},
                             capture_output=True, text=True)
        if got.returncode:
            raise SystemExit(f"{program}: exit status {got.returncode}\n{got.stdout[-1000:]}\n{got.stderr[-3000:]}")
        return got.stdout


def gcov_files(project, covered, arguments, work, *flags):
    """What the program prints when gcov counts, and gcov's rows of its files."""
    program = project.build(covered, ["gcc"], ["-O0", "-g", "--coverage", *flags], keep=True)
    for old in glob.glob(f"{covered}/*.gcda"):
        os.remove(old)
    output, files = project.run(program, arguments, work), []
    for data in glob.glob(f"{covered}/*.gcda"):
        text = subprocess.run(["gcov", "--json-format", "--stdout", data], cwd=covered, check=True, capture_output=True).stdout
        files += json.loads(gzip.decompress(text) if text[:2] == b"\x1f\x8b" else text)["files"]
    return output, files


def gcov_hits(*how):
    output, files = gcov_files(*how)
    hits = collections.Counter()
    for file in files:
        for line in file["lines"]:
            hits[os.path.basename(file["file"]), line["line_number"]] += line["count"]
    return output, hits


def clang_export(project, covered, arguments, work, *flags, form="text"):
    """What llvm-cov says of a run; None without Clang."""
    if not all(map(shutil.which, ("clang", "llvm-profdata", "llvm-cov"))):
        print("note: without clang, gcov judges alone")
        return None
    program = project.build(covered, ["clang"], ["-O0", "-g", "-w", "-fprofile-instr-generate", "-fcoverage-mapping", *flags], keep=True)
    project.run(program, arguments, work, {"LLVM_PROFILE_FILE": f"{covered}/raw"})
    subprocess.run(["llvm-profdata", "merge", "-o", f"{covered}/data", f"{covered}/raw"], check=True)
    return subprocess.run(["llvm-cov", "export", f"-format={form}", program, f"-instr-profile={covered}/data"], check=True, capture_output=True, text=True).stdout


def clang_hits(*how):
    text, hits, file = clang_export(*how, form="lcov"), collections.Counter(), ""
    if text is None:
        return None
    for line in text.splitlines():
        if line.startswith("SF:"):
            file = os.path.basename(line[3:])
        elif line.startswith("DA:"):
            number, count = line[3:].split(",")[:2]
            hits[file, int(number)] += int(count)
    return hits


class Profiler:
    def __init__(self, build):
        self.build = build
        self.compiler = ["gcc", f"-fplugin={build}/profplug.so"]
        self.libraries = [f"-L{build}", "-l:libprofplug.a", "-pthread"]

    def profile(self, project, program, arguments, work, options=""):
        data = f"{work}.profplug"
        if os.path.exists(data):
            os.remove(data)
        output = project.run(program, arguments, work, {"PROFPLUG": f"output={data}" + (options and "," + options)})
        return output, read(self.build, "--top", "0", "--min-percent", "0", data)


class Verdict:
    """Collects what a test says; finish() gives its exit status."""

    def __init__(self):
        self.wrong = 0

    def expect(self, ok, text):
        print(("ok    " if ok else "WRONG ") + text)
        self.wrong += not ok

    def finish(self):
        sys.exit(1 if self.wrong else 0)
