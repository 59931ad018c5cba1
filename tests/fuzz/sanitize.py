# SPDX-License-Identifier: MIT
"""sanitize.py BUILD WHAT CASE...: the tests under tools.
  address, undefined, thread   the runtime compiled with that sanitizer, together with the programs of tests/run, which then have to pass as
                               ever; whatever the sanitizer says fails, but for what a line of SANITIZER.supp argues away
  report                       the tool with the address and undefined-behaviour sanitizers, and its tests
  memory                       the tool under valgrind: no error, nothing lost
  plugin                       the plugin with the address and undefined-behaviour sanitizers in GCC's own process, and under valgrind"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
FLAGS = {"address": ["-fsanitize=address"], "undefined": ["-fsanitize=undefined", "-fno-sanitize-recover=undefined"], "thread": ["-fsanitize=thread"]}
PROGRAMS = {"undefined": ["-fno-sanitize=null"]}      # some of the programs end by a null pointer, on purpose
# The address and the thread sanitizer have a malloc of their own. They call that and much of the C library before they
# have started, such as mkdir for a log's folder: the runtime's wrappers stand back.
WRAPPING = ("memory", "operation", "stdio", "thread/threadstart.c")
# The shared runtime lies behind the sanitizer, which finds its wrappers where it looks for the C library's functions.
# That of threads asks for an alternate stack before it can follow a call.
WRAPPING_SHARED = {"address": WRAPPING, "thread": (*WRAPPING, "sample/altstack.c")}


# The sampler's handler is the kernel's alone (rt_sigaction past every library), so that the thread sanitizer can neither delay nor follow it, and
# what it interrupts is often the sanitizer itself: that one gets a runtime without samples.
UNSAMPLED = (r'(PP_COLLECTOR\(SAMPLES, +"samples", +\w+, +)1,', r"\g<1>0,")


# What is said for a person's notice, and is no fault. Our handlers do not switch contexts, the programs do.
NOTICE = re.compile(r"ASan doesn't fully support makecontext/swapcontext")
# Expectations of how much is measured while how long: a sanitizer makes the program, and what calls cost, several times slower.
TIMED = re.compile(r"^\d+ (stage_timed_most|stage_wall_least|stage_wall_most|function_least|function_most) .*: the file says")


def skip(why):
    print("left out:", why)
    sys.exit(77)


def wrappers_stand_back(source, files, parts):
    """Names of the C library's functions that the members from these parts of rt/ have are seen in no other member; which they are."""
    members = {f"{part.name}.o" for name in parts for part in ([source / "rt" / name] if name.endswith(".c") else (source / "rt" / name).glob("*.c"))}
    rows = subprocess.run(["nm", "-A", "--defined-only", *map(str, files)], check=True, capture_output=True, text=True).stdout.splitlines()
    wrapped = {row.split()[-1] for row in rows if re.split("[:/]", row)[-2] in members and row.split()[-2] == "W"}
    assert {"malloc", "mmap", "read", "fwrite", "pthread_mutex_lock"} <= wrapped, wrapped
    for file in files:
        subprocess.run(["objcopy", *[f"--localize-symbol={name}" for name in sorted(wrapped)], str(file)], check=True)
    return wrapped


def stand_in(build, sanitizer, flags):
    """A folder that looks like the build folder, with the runtime of this sanitizer; and a gcc that adds the sanitizer's flags."""
    stand = build / "tests/fuzz" / ("rt-" + sanitizer)
    shutil.rmtree(stand, ignore_errors=True)
    source, made = stand / "source", stand / "build"
    shutil.copytree(ROOT, source, ignore=lambda folder, names: [n for n in names if n.startswith(("build", ".git", ".bench", ".cache", ".ci"))])
    if sanitizer == "thread":
        rows = source / "include/profplug/abi/options.def"
        changed, count = re.subn(*UNSAMPLED, rows.read_text())
        assert count == 1, "the row of the samples is not where it was"
        rows.write_text(changed)
    made.mkdir()
    c_flags = " ".join([*flags, "-fno-omit-frame-pointer"])
    configure_and_build(source, made, stand / "log", [f"-DCMAKE_C_FLAGS={c_flags}"], "rt_static", "rt_shared")
    if sanitizer != "undefined":
        wrappers_stand_back(source, [made / "libprofplug.a"], WRAPPING)
        objects, shared = sorted(made.glob("rt/CMakeFiles/rt_shared.dir/**/*.o")), str(made / "shared/libprofplug.so")
        hidden = wrappers_stand_back(source, objects, WRAPPING_SHARED[sanitizer])
        subprocess.run(["gcc", "-shared", *flags, "-Wl,-soname,libprofplug.so", "-Wl,-z,nodelete", "-o", shared, *map(str, objects)], check=True)
        exported = subprocess.run(["nm", "-D", "--defined-only", shared], check=True, capture_output=True, text=True).stdout.split()
        assert "__profplug_enter" in exported and not hidden & set(exported), hidden & set(exported)
    for other in ("profplug.so", "profplug"):
        os.symlink(build / other, made / other)
    (stand / "bin").mkdir()
    for name in ("gcc", "g++"):
        real = shutil.which(name) or skip(f"{name} is not installed")
        (stand / "bin" / name).write_text(f'#!/bin/sh\nexec {real} "$@" {" ".join(flags + PROGRAMS.get(sanitizer, []))} -fno-omit-frame-pointer\n')
        (stand / "bin" / name).chmod(0o755)
    return stand


def configure_and_build(source, made, log, flags, *targets):
    generator = ["-G", "Ninja"] if shutil.which("ninja") else []
    with open(log, "w") as out:
        for command in (["cmake", "-S", str(source), "-B", str(made), *generator, *flags],
                        ["cmake", "--build", str(made), "--parallel", os.environ.get("JOBS", "2"), *(["--target", *targets] if targets else [])]):
            assert not subprocess.run(command, stdout=out, stderr=out).returncode, f"{command[:2]} failed: {log}"


def runtime(build, sanitizer, cases):
    stand = stand_in(build, sanitizer, FLAGS[sanitizer])
    logs = stand / "logs"
    logs.mkdir()
    suppressions = HERE / f"{sanitizer}.supp"
    name = {"address": "ASAN", "undefined": "UBSAN", "thread": "TSAN"}[sanitizer]
    said = f"log_path={logs}/log:" + (f"suppressions={suppressions}:" if suppressions.exists() else "")
    more = {"address": "detect_leaks=0:handle_segv=0:handle_abort=0", "undefined": "print_stacktrace=1", "thread": "handle_segv=0:exitcode=0:second_deadlock_stack=1"}
    environment = {**os.environ, "PATH": f"{stand}/bin:{os.environ['PATH']}", f"{name}_OPTIONS": said + more[sanitizer]}
    failed = []
    for case in cases:
        done = subprocess.run([sys.executable, "-B", str(ROOT / "tests/run/check.py"), str(stand / "build"), case], env=environment, capture_output=True, text=True,
                              errors="replace", timeout=900)
        reports = [text for log in sorted(logs.iterdir()) for text in re.split(r"(?m)^={18,}$", log.read_text(errors="replace"))
                   if text.strip() and not NOTICE.search(text)]
        for log in logs.iterdir():
            log.unlink()
        wrong = [row for row in done.stdout.splitlines() if ": the file says" in row]
        late = done.returncode == 1 and wrong and all(map(TIMED.search, wrong)) and "AssertionError" in done.stderr
        few = re.search(r"AssertionError: (\d+ expectations held), 0 not", done.stderr)      # fewer signals came in the time that there was
        late, wrong = (late, wrong) if not few else (True, [few[1]])
        if done.returncode not in (0, 77) and not late or reports:
            failed.append(case)
            print(f"---- {case}: status {done.returncode}, {len(reports)} reports\n{done.stdout[-1500:]}{done.stderr[-2500:]}", "\n".join(reports)[:12000])
        else:
            print(f"{case}: {'passed, but for ' + '; '.join(wrong) if late else 'left out' if done.returncode else 'passed'}", flush=True)
    assert cases and not failed, f"{sanitizer}: {len(failed)} of {len(cases)}: {' '.join(failed)}"
    print(f"{len(cases)} cases pass under the {sanitizer} sanitizer, runtime included")


def report(build):
    made = build / "tests/fuzz/tool-address"
    made.mkdir(exist_ok=True)
    configure_and_build(ROOT, made, made / "log", ["-DPROFPLUG_SANITIZE=ON"])
    done = subprocess.run(["ctest", "--test-dir", str(made), "-R", "^(tool_|symbols|unit_report|report|corrupt|golden)", "-LE", "^(real|long)$", "--timeout", "900",
                           "--output-on-failure", "--no-tests=error"], capture_output=True, text=True, errors="replace")
    passed = re.search(r"(\d+)% tests passed, (\d+) tests failed out of (\d+)", done.stdout)
    print(done.stdout[-6000:] if done.returncode else passed[0])
    assert not done.returncode and passed and int(passed[3]) > 25, "the tool's tests under the sanitizers"


def memory(build):
    """Every verb that reads, on files that are good, were killed in the middle, and are corrupt."""
    valgrind = shutil.which("valgrind") or skip("valgrind is not installed")
    tool, asked = str(build / "profplug"), 0
    with tempfile.TemporaryDirectory() as work:
        subprocess.run([str(build / "fuzz_seed"), work], check=True)
        program = f"{work}/recorded"
        subprocess.run([str(build / "profplug-gcc"), "-O1", "-g", "-o", program, str(HERE / "recorded.c"), "-lpthread"], check=True)
        for number, die in enumerate(([], ["die"])):
            subprocess.run([program, *die], env={**os.environ, "PROFPLUG": f"output={work}/recorded{number}.profplug"}, stdout=subprocess.DEVNULL)
        whole = pathlib.Path(work, "recorded0.profplug").read_bytes()
        pathlib.Path(work, "cut.profplug").write_bytes(whole[:len(whole) // 2])
        pathlib.Path(work, "bad.profplug").write_bytes(whole[:4200] + b"\xff" * 64 + whole[4264:])
        addresses = "".join(f"{at:x}\n" for at in range(0x1000, 0x2000, 37))
        for arguments, wanted in [(["report", f"{name}.profplug"], 0) for name in ("empty", "pipeline", "killed", "recorded0", "recorded1")] + [
                (["report", "cut.profplug"], 2), (["report", "bad.profplug"], 2), (["report", "--format", "json", "recorded0.profplug"], 0),
                (["report", "--explain", "--sort", "calls", "recorded0.profplug"], 0), (["report"], 0), (["annotate", "-i", "recorded0.profplug"], 0),
                (["annotate", "-i", "recorded0.profplug", "load"], 0), (["annotate", "-i", "recorded0.profplug", "lode"], 2), (["symbolize", program], 0),
                (["symbolize", "--format", "json", program], 0), (["help"], 0), (["help", "options"], 0), (["config", "--cflags", "--libs"], 0),
                (["run", program], 0), (["nosuch"], 2)]:
            done = subprocess.run([valgrind, "-q", "--error-exitcode=99", "--leak-check=full", "--errors-for-leak-kinds=definite,possible", "--trace-children=no",
                                   tool, *arguments], cwd=work, input=addresses, capture_output=True, text=True, errors="replace", timeout=300)
            assert done.returncode == wanted and "==" not in done.stderr, f"{arguments}: status {done.returncode}: {done.stderr[-4000:]}"
            asked += 1
    print(f"{asked} calls of the tool under valgrind: no error, nothing lost")


OURS = re.compile(r"\((in [^)]*/)?(profplug\.so|%s)" % "|".join(re.escape(path.name) for path in (ROOT / "plugin").rglob("*.cc")))


def plugin_sources(build):
    cache = [pathlib.Path(os.environ.get("PROFPLUG_CACHE", build / ".cache")) / "sqlite/sqlite3.c", build / ".cache/sqlite/sqlite3.c"]
    small = [*(ROOT / "tests/gimple").glob("[chl]*.c"), *(ROOT / "tests/edge/programs").glob("*.c"), *(ROOT / "tests/run/programs").glob("*.c"),
             *(ROOT / "tests/run/programs").glob("*.cc"), *(ROOT / "tests/gimple").glob("*.cc"), *(ROOT / "examples/pipeline").glob("*.c")]
    return sorted(small), [source for source in cache if source.exists()][:1]


def plugin(build):
    made = build / "tests/fuzz/plugin-address"
    made.mkdir(exist_ok=True)
    configure_and_build(ROOT, made, made / "log", ["-DCMAKE_CXX_FLAGS=-fsanitize=address,undefined -fno-sanitize=vptr -fno-omit-frame-pointer",
                                                   "-DCMAKE_SHARED_LINKER_FLAGS=-fsanitize=address,undefined"], "plugin")
    library = subprocess.run(["gcc", "-print-file-name=libasan.so"], capture_output=True, text=True, check=True).stdout.strip()
    ubsan = subprocess.run(["gcc", "-print-file-name=libubsan.so"], capture_output=True, text=True, check=True).stdout.strip()
    environment = {**os.environ, "LD_PRELOAD": f"{library}:{ubsan}", "ASAN_OPTIONS": "detect_leaks=0:detect_odr_violation=0", "UBSAN_OPTIONS": "print_stacktrace=1"}
    small, large = plugin_sources(build)
    compiled = 0
    ways = [["-O0"], ["-O2"], ["-O3", "-fplugin-arg-profplug-functions=all"], ["-O1", "-fplugin-arg-profplug-functions=all", "-fplugin-arg-profplug-explain", "-flto"]]

    def one(source, way, shared, environment, before=()):
        command = [*before, "g++" if source.suffix == ".cc" else "gcc", "-w", "-g", f"-fplugin={shared}", *way, f"-I{ROOT}/include", f"-I{source.parent}", "-c",
                   "-o", "/dev/null", str(source)]
        return subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace", timeout=1200)

    for source in small + large:
        for way in ways if source not in large else [["-O2"]]:
            done = one(source, way, made / "profplug.so", environment)
            plain = done if done.returncode == 0 else subprocess.run(["g++" if source.suffix == ".cc" else "gcc", "-w", *way[:1], f"-I{ROOT}/include", f"-I{source.parent}",
                                                                      "-c", "-o", "/dev/null", str(source)], capture_output=True, text=True)
            assert not re.search("Sanitizer|runtime error", done.stderr) and (done.returncode == 0 or plain.returncode), f"{source} {way}: {done.stderr[-4000:]}"
            compiled += 1
    valgrind, judged = shutil.which("valgrind"), 0
    if valgrind:                 # GCC's own reads of what was not set are its own: faults with the plugin among their callers are ours
        for source in small[:4]:
            with tempfile.TemporaryDirectory() as logs:
                wrapper = ["-wrapper", f"{valgrind},--num-callers=40,--log-file={logs}/%p"]
                done = one(source, ["-O2", "-fplugin-arg-profplug-functions=all", *wrapper], build / "profplug.so", None)
                said = [log.read_text(errors="replace") for log in pathlib.Path(logs).iterdir()]
            said = [text for text in said if re.search("Command: .*cc1", text)]
            ours = [text for log in said for text in re.split(r"(?m)^==\d+== \n", log) if OURS.search(text) and re.search("uninitialised|Invalid", text)]
            assert done.returncode == 0 and said and "ERROR SUMMARY" in said[0] and not ours, f"{source}: {done.stderr[-800:]}{''.join(ours)[:4000]}"
            judged += 1
    assert compiled > 50
    print(f"{compiled} compilations with the plugin under the address and undefined-behaviour sanitizers{' (sqlite3.c among them)' if large else ''}, "
          f"{judged} under valgrind: nothing to say of the plugin")


def main(build, what, *cases):
    build = pathlib.Path(build).resolve()
    if what in FLAGS:
        runtime(build, what, cases)
    else:
        {"report": report, "memory": memory, "plugin": plugin}[what](build)


main(*sys.argv[1:])
