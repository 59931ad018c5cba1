# SPDX-License-Identifier: MIT
"""fuzz.py BUILD TARGET SECONDS: compiles the tool's sources and one target with clang (libFuzzer, address and undefined-behaviour
sanitizers) and lets it run; a crash, a leak, a minute or 1 GiB for one input fails. PROFPLUG_FUZZ_SECONDS in the environment
bounds it otherwise. What it found worth keeping stays in BUILD/tests/fuzz/TARGET.corpus, and is where the next run goes on."""
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
SANITIZE = ["-fsanitize=fuzzer-no-link,address,undefined", "-fno-sanitize-recover=undefined"]
# Target: its own sources, and the folders whose sources it takes in.
TARGETS = {"reader": ["reader.c", "mutation.c"], "symbols": ["symbols.c", "mutation.c"],
           "options": ["options.c", "../../rt/process/options.c"]}
LINK = {"reader": ["-Wl,--wrap=image_open"]}


def skip(why):
    print("left out:", why)
    sys.exit(77)


def clang():
    found = shutil.which("clang") or skip("clang is not installed")
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, "a.c")
        source.write_text("int LLVMFuzzerTestOneInput(const char *p, unsigned long n) { return !p && n; }\n")
        if subprocess.run([found, "-fsanitize=fuzzer,address", "-o", folder + "/a", source], capture_output=True).returncode:
            skip("clang has no libFuzzer (Debian: libclang-rt-14-dev)")
    return found


def compile_all(cc, build, target):
    """The program, compiled anew where a source or any header is newer."""
    work = build / "tests/fuzz"
    said = [row.split(" ", 1) for row in (work / "flags").read_text().splitlines()]
    sources, includes, definitions, libraries = [[value for key, value in said if key == wanted] for wanted in ("source", "include", "define", "library")]
    sources = [pathlib.Path(s) for s in sources] + [(HERE / s).resolve() for s in TARGETS[target]]
    flags = [f"-I{i}" for i in includes + [HERE, ROOT / "rt"]] + [f"-D{d}" for d in definitions] + [f'-DPROFPLUG_WEB="{ROOT}/report/web"', "-std=gnu11", "-O1", "-g", "-w"] + SANITIZE
    newest = max(p.stat().st_mtime for top in ("report", "rt", "include", "tests/fuzz") for p in (ROOT / top).rglob("*.[hdf]*"))
    objects = work / "objects"
    objects.mkdir(exist_ok=True)

    def one(source):
        out = objects / (str(source.relative_to(ROOT)).replace("/", "_") + ".o")
        if not out.exists() or out.stat().st_mtime < max(newest, source.stat().st_mtime):
            subprocess.run([cc, *flags, "-c", "-o", str(out), str(source)], check=True)
        return str(out)

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        made = list(pool.map(one, sources))
    program = work / ("fuzz_" + target)
    subprocess.run([cc, *made, "-fsanitize=fuzzer,address,undefined", *LINK.get(target, []), "-o", str(program), *libraries, "-lelf", "-lcjson", "-lz", "-lm"], check=True)
    return program


def seeds_reader(build, folder):
    """Written by the tests, and recorded: at each level, and of a program that was killed. The program is gone when they are read, so
    that mutations cost no look at its debug information."""
    subprocess.run([str(build / "fuzz_seed"), str(folder)], check=True)
    with tempfile.TemporaryDirectory() as work:
        program = work + "/recorded"
        subprocess.run([str(build / "profplug-gcc"), "-O1", "-g", "-fplugin-arg-profplug-lines=all", "-o", program, str(HERE / "recorded.c"), "-lpthread"], check=True)
        for level, die in (("basic", []), ("detailed", []), ("comprehensive", []), ("detailed", ["die"])):
            name = folder / f"{level}{len(die)}"
            subprocess.run([program, *die], env={**os.environ, "PROFPLUG": f"level={level},output={name}-%p.profplug"}, stdout=subprocess.DEVNULL)


def seeds_symbols(build, folder):
    """Small images, with each version of DWARF and each way to hold it."""
    for number, flags in enumerate((["-gdwarf-2"], ["-gdwarf-3"], ["-gdwarf-4"], ["-gdwarf-5"], ["-gdwarf-5", "-gz=zlib"], ["-gdwarf-5", "-fdebug-types-section"],
                                    ["-gdwarf-4", "-x", "c++"], ["-gdwarf-5", "-x", "c++"], ["-gdwarf-5", "-gsplit-dwarf"], ["-s"],
                                    ["-gdwarf-5", "-freorder-blocks-and-partition", "-ffunction-sections"])):
        subprocess.run(["gcc", "-O2", "-shared", "-fPIC", "-nostdlib", "-w", *flags, "-o", f"{folder}/{number}.so", str(HERE / "tiny.c")], check=True, cwd=folder)


def seeds_options(build, folder):
    """Every option of options.def, as the environment and as a JSON file have it."""
    rows = re.findall(r'^PP_(?:OPTION|COLLECTOR)\(\w+,\s+"([^"]+)"', (ROOT / "include/profplug/abi/options.def").read_text(), re.M)
    values = ["detailed", "exact", "1.5", "1000", "64M", "on", "%e-%p-%q{HOME}.profplug", "a:b", "production"]
    for number, key in enumerate(rows):
        for other, value in enumerate(values):
            (folder / f"{number}-{other}").write_text(f"{key}={value}")
            (folder / f"{number}-{other}.json").write_text(f'{{"{key}": {value if value[0].isdigit() and value != "64M" else chr(34) + value + chr(34)}}}')
    (folder / "all.json").write_text('{"level": "basic", "sample-hz": 200, "samples": true, "label": ["a:b", "c:d"], "budget": 1.5}')
    folder.with_suffix(".dictionary").write_text("".join(f'"{word}"\n' for word in [*rows, *values, "true", "false", "null", "{", "}", "[", "]"]).replace("%", "\\x25"))


# Where a fault is not ours to mend. libdwarf 20210528 loses what it allocated when what it reads is corrupt; good images (the seeds, which run
# without this first) leave nothing behind, so that what we forget to give back is seen.
FOREIGN = {"symbols": "libdwarf"}


def fault_of(log):
    """The library or source file that a sanitizer's report blames: the first frame outside of the sanitizers and the C library."""
    for frame in re.findall(r"^ +#\d+ 0x\w+ (.*)$", log, re.M):
        if not re.search(r"libc\.so|__interceptor|__sanitizer|__asan|__ubsan|fuzzer::|^\(", frame):
            return frame
    return "nobody"


def main(build, target, seconds):
    build = pathlib.Path(build).resolve()
    seconds = int(os.environ.get("PROFPLUG_FUZZ_SECONDS", seconds))
    program = compile_all(clang(), build, target)
    corpus, seeds, found = [build / "tests/fuzz" / f"{target}.{what}" for what in ("corpus", "seeds", "found")]
    shutil.rmtree(seeds, ignore_errors=True)
    for folder in (corpus, seeds, found):
        folder.mkdir(exist_ok=True)
    globals()["seeds_" + target](build, seeds)
    environment = {**os.environ, "ASAN_OPTIONS": "quarantine_size_mb=16:allocator_may_return_null=1:" + os.environ.get("ASAN_OPTIONS", "")}
    options = ["-timeout=60", "-rss_limit_mb=1024", "-max_len=1048576", "-print_final_stats=1", f"-artifact_prefix={found}/"]
    dictionary = seeds.with_suffix(".dictionary")
    options += [f"-dict={dictionary}"] if dictionary.exists() else []
    subprocess.run([str(program), "-runs=0", *options, str(seeds)], env=environment, stderr=subprocess.DEVNULL, check=True)
    foreign, faults, units, peak, until = FOREIGN.get(target), 0, 0, 0, time.monotonic() + seconds
    if foreign:
        suppressions = found / "suppressions"
        suppressions.write_text(f"leak:{foreign}\n")
        environment["LSAN_OPTIONS"] = f"suppressions={suppressions}:print_suppressions=0"
    while (left := int(until - time.monotonic())) > 0:
        done = subprocess.run([str(program), f"-max_total_time={left}", *options, str(corpus), str(seeds)], env=environment, stderr=subprocess.PIPE,
                              text=True, errors="replace")
        counts = dict(re.findall(r"stat::(\w+):\s+(\d+)", done.stderr))
        units += int(counts.get("number_of_executed_units", 0))
        peak = max(peak, int(counts.get("peak_rss_mb", 0)))
        if done.returncode and foreign and foreign in fault_of(done.stderr):
            faults += 1
        elif done.returncode:
            print(done.stderr[-8000:])
            sys.exit(f"fuzz_{target}: status {done.returncode}; the input lies in {found}")
    assert units > 10 * seconds, f"{units} inputs in {seconds} s: too few to say anything"
    print(f"fuzz_{target}: {units} inputs in {seconds} s, at most {peak} MB; {len(list(corpus.iterdir()))} worth keeping"
          + (f"; {faults} faults of {foreign} itself" if foreign else ""))


main(*sys.argv[1:])
