# SPDX-License-Identifier: MIT
"""loading.py BUILD SIZE [NAME...]: libraries that are opened, closed, replaced and opened again, in every way that the dynamic linker has. opener.c and
its parts are compiled plain, and with the plugin in three ways (libraries alone, all with the archive, all with the shared runtime). Output and
status must be as plain's, there is one data file, calls are those that the case says."""
import collections, os, pathlib, re, shutil, subprocess, sys, tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

HERE = pathlib.Path(__file__).resolve().parent / "loading"
ROOT = HERE.parents[2]
BUILD, SIZE, WANTED = pathlib.Path(sys.argv[1]).resolve(), int(sys.argv[2]), sys.argv[3:]
WORK = pathlib.Path(tempfile.mkdtemp(prefix="profplug-loading-"))
failures, checked = [], collections.Counter()


def call(words, folder=WORK, **environment):
    clean = {k: v for k, v in os.environ.items() if not k.startswith(("PROFPLUG", "LD_"))}
    try:
        return subprocess.run([str(w) for w in words], cwd=folder, env=dict(clean, LC_ALL="C", **environment), stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, timeout=120)
    except subprocess.TimeoutExpired as e:
        return subprocess.CompletedProcess(words, "hangs", e.stdout or b"", e.stderr or b"")


def must(words, folder=WORK):
    done = call(words, folder)
    if done.returncode:
        sys.exit(f"{[str(w) for w in words]}: {done.returncode} {done.stderr.decode()}")
    return done


def fail(text):
    failures.append(text)
    print("FAIL", text, flush=True)


FLAGS = ["-O1", "-g", "-pthread"]
PROBED = [BUILD / "profplug-gcc", "-fplugin-arg-profplug-functions=all", *FLAGS]
PROBED_CXX = [BUILD / "profplug-g++", "-fplugin-arg-profplug-functions=all", *FLAGS]
SHARED = ["gcc", *FLAGS, f"-fplugin={BUILD}/profplug.so", "-fplugin-arg-profplug-functions=all"]
SHARED_END = [f"-L{BUILD}/shared", "-lprofplug", f"-Wl,-rpath,{BUILD}/shared"]


def compiler(way, cxx=False):
    if way == "plain":
        return ["g++" if cxx else "gcc", *FLAGS], []
    if way == "shared":
        return ["g++" if cxx else "gcc", *SHARED[1:]], SHARED_END
    return (PROBED_CXX if cxx else PROBED), []


def make(way, out, source, *more, library=True):
    words, end = compiler(way, source.endswith(".cc"))
    must([*words, *(["-shared", "-fPIC"] if library else []), *more, HERE / source, "-o", out, *end])


def data_files(folder):
    return sorted(folder.glob("*.profplug"))


def calls(run, name):
    return sum(f["calls"] for f in run["functions"] if f["name"] == name)


def hold(what, folder, expected, out=b"", files=1):
    """The data files of a folder, summed, against what is expected."""
    found = data_files(folder)
    if len(found) != files:
        fail(f"{what}: {len(found)} data files; expected {files}")
        return None
    runs = [read(BUILD, file) for file in found]
    for number in set(re.findall(rb"part (\d+) up", out)):
        n = number.decode()
        expected = dict(expected, **{f"up_{n}": out.count(b"part %s up " % number), f"down_{n}": out.count(b"part %s down " % number)})
    for name, count in expected.items():
        got = sum(calls(r, name) for r in runs)
        checked["counts"] += 1
        if got != count:
            fail(f"{what}: {name}: {got} calls; expected {count}")
    for r in runs:
        lost = {k: v for one in r["runs"] for k, v in one["losses"].items() if v and k != "healed_frames"}
        if lost:
            fail(f"{what}: lost {lost}")
    return runs


WAYS = ("libraries", "archive", "shared")


def in_ways(name, build, script, expected, ways=WAYS, environment=None, files=1, normal=lambda out: out):
    """build(WAY, FOLDER) makes what the script opens; each way in a folder of its own, whose files have the same names."""
    results, folders = {}, {}
    for way in ("plain", *ways):
        folder = folders[way] = WORK / name / way
        folder.mkdir(parents=True)
        build("archive" if way == "libraries" else way, folder)
        opener = OPENER["plain" if way == "libraries" else way]
        result = results[way] = call([opener, *script], folder, **(environment or {}))
        checked["runs"] += 1
        if way == "plain":
            continue
        plain = results["plain"]
        if (result.returncode, normal(result.stdout), result.stderr) != (plain.returncode, normal(plain.stdout), plain.stderr):
            fail(f"{name}, {way}: {result.returncode} {result.stdout.decode()[-1500:]} {result.stderr.decode()[-600:]}\nplain: {plain.returncode} {plain.stdout.decode()[-1500:]} {plain.stderr.decode()[-300:]}")
        runs = hold(f"{name}, {way}", folder, expected, result.stdout, files)
        if runs is None and result.stderr:
            print(result.stderr.decode())
    return results, folders


def parts(*numbers, more=()):
    def build(way, folder):
        for n in numbers:
            make(way, folder / f"part{n}.so", "part.c", f"-DNUMBER={n}", *more)
    return build


# ---- the cases ----

def case_three():
    in_ways("three", parts(1, 2, 3), ["o:./part1.so:n", "o:./part2.so:g", "o:./part3.so:b", "r:0:10", "r:1:20", "r:2:30", "R:0:5:4", "R:2:5:4"],
            {"work_1": 30, "work_2": 20, "work_3": 50, "part_run": 11})


def case_reopen():
    n = 100 * SIZE
    script = [w for i in range(n) for w in (f"o:./part{1 + i % 2}.so:{'n' if i % 3 else ''}", f"r:{i}:3", f"c:{i}")]
    in_ways("reopen", parts(1, 2), script, {"work_1": n // 2 * 3, "work_2": n // 2 * 3, "part_run": n})


def case_replaced():
    """A library rebuilt and put at the same path, which the linker maps at the same address more often than not."""
    n = 100 * SIZE
    in_ways("replaced", parts(1, 2), [f"w:./part.so:part1.so:part2.so:{n}"], {"work_1": n // 2 * 3, "work_2": n // 2 * 3})


def case_flags():
    in_ways("flags", parts(1, 2, 3, 4), ["o:./part1.so:nd", "o:./part2.so:gb", "o:./part3.so:ngd", "o:./part4.so:", "r:0:1", "r:1:2", "r:2:3", "r:3:4", "c:0", "c:1", "c:2", "c:3",
                                         "o:./part1.so:n", "r:4:10", "c:4", "o:./part3.so:n", "r:5:10"], {"work_1": 11, "work_2": 2, "work_3": 13, "work_4": 4})


def case_namespaces():
    """As many namespaces as the linker gives: no fewer than plain."""
    script = ["o:./part2.so:n", "r:0:1"] + [w for i in range(16) for w in ("m:./part1.so", f"r:{i + 1}:7")] + [f"c:{i}" for i in range(1, 4)] + ["m:./part1.so", "r:17:7", "r:0:1"]
    opened = 0

    def build(way, folder):
        parts(1, 2, more=("-DBARE",))(way, folder)
    results, folders = in_ways("namespaces", build, script, {"work_2": 2}, ways=("libraries", "archive"))
    for way in ("libraries", "archive"):
        opened = results[way].stdout.count(b"namespace: opened")
        for file in data_files(folders[way]):
            if calls(read(BUILD, file), "work_1") != opened * 7:
                fail(f"namespaces, {way}: work_1: {calls(read(BUILD, file), 'work_1')} calls; expected {opened * 7}")
    if opened < 5:
        fail(f"namespaces: only {opened} opened")


def case_chain():
    """A library whose constructor opens another, whose constructor opens another."""
    def build(way, folder):
        make(way, folder / "part3.so", "part.c", "-DNUMBER=3", "-DPRIORITY")
        make(way, folder / "part2.so", "part.c", "-DNUMBER=2", '-DNEXT="./part3.so"', "-DPRIORITY")
        make(way, folder / "part1.so", "part.c", "-DNUMBER=1", '-DNEXT="./part2.so"')
    # Probes of constructors before 101 and destructors after it count, too.
    in_ways("chain", build, ["o:./part1.so:n", "r:0:3", "c:0", "o:./part3.so:n", "r:1:3"], {"work_1": 3, "work_2": 7, "work_3": 10, "up_first": 2, "up_early": 2, "down_first": 2, "down_early": 2})


def case_objects():
    def build(way, folder):
        make(way, folder / "object.so", "object.cc")
    in_ways("objects", build, ["o:./object.so:n", "r:0:4", "r:0:4", "c:0", "o:./object.so:n", "r:1:5", "c:1"], {"work_77": 13})


def case_resolvers():
    for link in ("now", "lazy"):
        in_ways(f"resolvers-{link}", parts(1, more=("-DRESOLVER", f"-Wl,-z,{link}")), ["o:./part1.so:", "r:0:5", "c:0", "o:./part1.so:n", "r:1:6"], {"work_1": 11, "plain_way": 2})


def case_many():
    """Libraries with a copy of the runtime each, all open at once: the linker's static thread-local room would be full after 26."""
    n = 100 * SIZE
    def build(way, folder):
        make(way, folder / "part.so", "part.c", "-DBARE", "-DNUMBER=1", "-s")
        for i in range(n):
            shutil.copy(folder / "part.so", folder / f"p{i}.so")
    total = sum(i * (1 + i % 2) for i in range(n))
    results, folders = in_ways("many", build, [f"k:./p:{n}"], {"work_1": total, "part_run": n + n // 2}, ways=("libraries", "archive"))
    for way in folders:
        for file in folders[way].glob("p*.so"):
            file.unlink()


def case_threads():
    n = 8
    def normal(out):
        return sorted(re.sub(rb"sum \d+|up \d+|down after \d+", b"", out).splitlines())
    in_ways("threads", parts(*range(n), more=("-DBARE",)), [f"T:./part:{n}:{20 * SIZE}"], {f"work_{i}": 20 * SIZE for i in range(n)}, normal=normal)


def case_replaced_files():
    """Deleted, renamed over, opened through a memfd: samples before and after keep their names, or the report says why not."""
    def build(way, folder):
        parts(1, 2, 3, 4)(way, folder)
    script = ["o:./part1.so:n", "s:0:80", "u:./part1.so", "o:./part2.so:n", "s:1:80", "x:./part3.so:./part2.so", "f:./part4.so", "s:2:80", "s:0:80"]
    results, folders = in_ways("files", build, script, {"spin_1": 2, "spin_2": 1, "spin_4": 1})
    for way in WAYS:
        text = call([BUILD / "profplug", "report", "--all", *data_files(folders[way])], COLUMNS="400").stdout.decode()
        for number, said in ((1, "part1.so"), (2, "part2.so"), (4, "memfd:part")):
            checked["names"] += 1
            if not re.search(rf"spin_{number} +{2 if number == 1 else 1} ", text) or not re.search(rf"note: [^\n]*{said}[^\n]*(No such file|rebuilt since)", text):
                fail(f"files, {way}: spin_{number} of {said}\n{text}")


def case_paths():
    for label, folder in (("spaces", "a b  c"), ("newline", "a\nb"), ("quotes", "a'\"`$(x)\\"), ("long", "/".join(["d" * 199] * 19))):
        top = WORK / "paths" / label
        where = top / folder
        where.mkdir(parents=True)
        make("archive", where / "part1.so", "part.c", "-DNUMBER=1")
        result = call([OPENER["plain"], f"o:{where}/part1.so:n", "r:0:5", "s:0:60"], top)
        plain_folder = top / "plain"
        plain_folder.mkdir()
        if result.returncode != 7 or b"cannot" in result.stdout or result.stderr:
            fail(f"paths, {label}: {result}")
        runs = hold(f"paths, {label}", top, {"work_1": 5, "spin_1": 1}, result.stdout)
        text = call([BUILD / "profplug", "report", "--all", *data_files(top)]).stdout
        if b"spin_1" not in text or re.search(rb"[\x00-\x09\x0b-\x1f]", text):
            fail(f"paths, {label}: {text.decode()}")


def case_kinds():
    """Libraries linked in other ways than most."""
    script = WORK / "versions"
    script.write_text("PART_1 { global: part_run; part_spin; local: *; };\n")
    kinds = {"versions": [f"-Wl,--version-script={script}"], "text relocations": ["-fno-pic", "-mcmodel=large", "-Wl,-z,notext"], "not PIC": ["-fno-pic", "-fpie", "-DBARE"], "symbolic": ["-Wl,-Bsymbolic"],
             "nodelete": ["-Wl,-z,nodelete"], "first": ["-Wl,-z,initfirst"], "prelinked": ["-Wl,-Ttext-segment=0x10000000"], "stripped": ["-s"], "no build-id": ["-Wl,--build-id=none"],
             "no debug": ["-g0"], "collected": ["-ffunction-sections", "-Wl,--gc-sections"], "defs": ["-Wl,-z,defs"], "gold": ["-fuse-ld=gold"], "huge pages": ["-Wl,-z,max-page-size=0x200000"],
             "without notes": ["-Wl,--build-id=none"], "lto": ["-flto"]}
    for number, (kind, options) in enumerate(kinds.items()):
        def build(way, folder):
            make(way, folder / "part1.so", "part.c", "-DNUMBER=1", *options)
            if kind == "without notes":
                must(["objcopy", "-R", ".note.*", folder / "part1.so"])
        in_ways(f"kind-{kind}".replace(" ", "-"), build, ["o:./part1.so:n", "r:0:5", "c:0", "o:./part1.so:", "r:1:5", "s:1:30", "c:1"], {"work_1": 10, "spin_1": 1},
                ways=WAYS if SIZE > 1 else (WAYS[number % 2],))


def case_hosts():
    """Programs that know nothing of us: Python, Perl, a plain program with the shared runtime or an instrumented library preloaded, auditing."""
    folder = WORK / "hosts"
    folder.mkdir()
    make("archive", folder / "part1.so", "part.c", "-DNUMBER=1")
    make("plain", folder / "plain.so", "part.c", "-DNUMBER=1")
    ways = [("python", [sys.executable, "-c", "import ctypes, sys; l = ctypes.CDLL('./' + sys.argv[1]); print(l.part_run(1000)); print(l.part_run(1000))"], 2000, {})]
    if shutil.which("perl"):
        ways.append(("perl", ["perl", "-e", "use DynaLoader; my $l = DynaLoader::dl_load_file('./' . $ARGV[0]) or die; DynaLoader::dl_find_symbol($l, 'part_run') or die; print qq(loaded\\n);"], 0, {}))
    ways.append(("preloaded", [OPENER["plain"], "o:./{}:n", "r:0:9"], 9, {"LD_PRELOAD": f"{BUILD}/shared/libprofplug.so"}))
    ways.append(("preloaded library", [OPENER["plain"], "o:./{}:n", "r:0:9"], 9, {"LD_PRELOAD": "./{}"}))
    ways.append(("preloaded into instrumented", [OPENER["archive"], "o:./{}:n", "r:0:9"], 9, {"LD_PRELOAD": f"{BUILD}/shared/libprofplug.so"}))
    for label, words, expected, environment in ways:
        def once(library):
            for old in data_files(folder):
                old.unlink()
            env = {k: v.format(library) for k, v in environment.items()}
            last = [str(w).format(library) if "{}" in str(w) else w for w in words]
            return call(last + ([library] if label in ("python", "perl") else []), folder, **env)
        plain, probed = once("plain.so"), once("part1.so")
        checked["runs"] += 2
        if (plain.returncode, plain.stdout, plain.stderr) != (probed.returncode, probed.stdout, probed.stderr) or probed.returncode not in (0, 7):
            fail(f"hosts, {label}: {probed}\n{plain}")
        hold(f"hosts, {label}", folder, {"work_1": expected} if expected else {}, probed.stdout)
    # LD_AUDIT: the auditing library lives in a namespace of its own; one that has no la_version is unloaded again.
    audit = folder / "audit.c"
    audit.write_text("unsigned la_version(unsigned v) { return v; } int f(int x) { return x; }\n")
    must([*PROBED, "-shared", "-fPIC", audit, "-o", folder / "audit.so"])
    must(["gcc", "-shared", "-fPIC", audit, "-o", folder / "audit_plain.so"])
    for old in data_files(folder):
        old.unlink()
    for which, opener in (("plain", OPENER["plain"]), ("archive", OPENER["archive"])):
        plain = call([opener, "o:./plain.so:n", "r:0:9"], folder, LD_AUDIT="./audit_plain.so")
        for old in data_files(folder):
            old.unlink()
        probed = call([opener, "o:./part1.so:n", "r:0:9"], folder, LD_AUDIT="./audit.so")
        if (plain.returncode, plain.stdout, plain.stderr) != (probed.returncode, probed.stdout, probed.stderr):
            fail(f"hosts, LD_AUDIT {which}: {probed}\n{plain}")
        total = sum(calls(read(BUILD, f), "work_1") for f in data_files(folder))
        if total != 9:
            fail(f"hosts, LD_AUDIT {which}: work_1 {total}")


def case_links():
    """Ways to link an executable."""
    folder = WORK / "links"
    folder.mkdir()
    for label, options in (("static-pie", ["-static-pie"]), ("static", ["-static"]), ("no-pie", ["-no-pie"]), ("far", ["-no-pie", "-Wl,-Ttext-segment=0x30000000"]), ("now", ["-Wl,-z,now"]),
                           ("resolvers static", ["-static", "-DRESOLVER"]), ("resolvers static-pie", ["-static-pie", "-DRESOLVER"]), ("resolvers lazy", ["-DRESOLVER", "-Wl,-z,lazy"]),
                           ("resolvers now", ["-DRESOLVER", "-Wl,-z,now"]), ("without debug", ["-g0"]), ("stripped", ["-s"]), ("no build-id", ["-Wl,--build-id=none"]),
                           ("priorities", ["-DPRIORITY"]), ("static priorities", ["-DPRIORITY", "-static"]), ("separate-code", ["-Wl,-z,noseparate-code"]), ("norelro", ["-Wl,-z,norelro"]),
                           ("hash", ["-Wl,--hash-style=sysv"]), ("rosegment", ["-Wl,-z,max-page-size=0x200000"])):
        program, plain = folder / "program", folder / "plain"
        make("archive", program, "part.c", "-DMAIN", "-DNUMBER=1", *options, library=False)
        make("plain", plain, "part.c", "-DMAIN", "-DNUMBER=1", *options, library=False)
        results = []
        for words in ([plain], [program], ["/lib64/ld-linux-x86-64.so.2", program]):
            if len(words) == 2 and "static" in label:
                continue
            for old in data_files(folder):
                old.unlink()
            results.append(call(words, folder))
            checked["runs"] += 1
            got = results[-1]
            if (got.returncode, got.stdout, got.stderr) != (results[0].returncode, results[0].stdout, results[0].stderr) or got.returncode != 7:
                fail(f"links, {label}: {got}\n{results[0]}")
            if words != [plain]:
                hold(f"links, {label}, {len(words)}", folder, {"work_1": 5 + (7 if "priorities" in label else 0), "spin_1": 1}, got.stdout)
                text = call([BUILD / "profplug", "report", "--all", *data_files(folder)]).stdout.decode()
                if "spin_1" not in text or (label == "without debug" and "compile with -g" not in text):
                    fail(f"links, {label}: {text}")


def case_refused():
    """What cannot go together says so."""
    folder = WORK / "refused"
    folder.mkdir()
    # Linked without the runtime: the linker names what is missing.
    must(["gcc", *FLAGS, f"-fplugin={BUILD}/profplug.so", "-c", "-DMAIN", "-DNUMBER=1", HERE / "part.c", "-o", folder / "part.o"])
    done = call(["gcc", folder / "part.o", "-o", folder / "part"], folder)
    if done.returncode == 0 or b"undefined reference to `__profplug_" not in done.stderr:
        fail(f"refused, without the runtime: {done}")
    # Objects of a plugin with another idea of them: left alone, and counted as lost.
    must([*PROBED, "-S", "-DMAIN", "-DNUMBER=1", HERE / "part.c", "-o", folder / "part.s"])
    text = (folder / "part.s").read_text()
    other, count = re.subn(r"(\.Lprofplug_object:\n\t\.quad\t-1\n\t\.long\t1\n\t\.long\t)\d+", r"\g<1>99", text)
    (folder / "part.s").write_text(other)
    make("archive", folder / "odd", "opener.c", folder / "part.s", "-Dmain=opener_main", library=False)
    done = call([folder / "odd"], folder)
    if count != 1 or done.returncode != 7 or b"main 1000015" not in done.stdout:
        fail(f"refused, another plugin's objects: {done}")
    lost = [read(BUILD, f)["runs"][0]["losses"] for f in data_files(folder)]
    if not lost or not lost[0]["objects"]:
        fail(f"refused, another plugin's objects: {lost}")
    checked["refused"] += 2
    # Two versions of the runtime.
    shutil.copytree(ROOT / "rt", folder / "rt")
    core = (folder / "rt" / "process" / "copies.h").read_text()
    other, count = re.subn(r"(#define PP_INTERFACE_VERSION )\d+u", r"\g<1>99u", core)
    (folder / "rt" / "process" / "copies.h").write_text(other)
    sources = sorted((folder / "rt").rglob("*.c"))
    lines = "\n".join(f"gcc -O1 -fPIC -fvisibility=hidden -fno-strict-aliasing -fno-plt -mgeneral-regs-only -I{folder}/rt -I{ROOT}/include -DPP_EMBEDDED='\"{BUILD}/rt/embedded.so\"' -c {s} -o {s}.o" for s in sources)
    subprocess.run(["xargs", "-P", "2", "-d", "\\n", "-I{}", "sh", "-c", "{}"], input=lines.encode(), check=True, cwd=folder)
    must(["ar", "crs", folder / "libother.a", *[f"{s}.o" for s in sources]])
    make("archive", folder / "here.so", "part.c", "-DNUMBER=1")
    must([*SHARED, "-shared", "-fPIC", "-DNUMBER=2", HERE / "part.c", "-o", folder / "other.so", folder / "libother.a"])
    must([*SHARED, HERE / "opener.c", "-o", folder / "other-opener", folder / "libother.a"])
    for opener, library, number in ((OPENER["archive"], "./other.so", 2), (folder / "other-opener", "./here.so", 1)):
        for old in data_files(folder):
            old.unlink()
        done = call([opener, f"o:{library}:n", "r:0:5", "c:0"], folder)
        said = done.stderr.decode().splitlines()
        if count != 1 or done.returncode != 7 or f"slot 0 run: {1000010 + 5 * number}" not in done.stdout.decode() or len(said) != 1 or "another version of libprofplug.a" not in said[0] or library[1:] not in said[0]:
            fail(f"refused, two versions: {done}")
        hold("refused, two versions", folder, {"main": 1, f"work_{number}": 0})
        checked["refused"] += 1


OPENER = {}


def main():
    for way in ("plain", "archive", "shared"):
        OPENER[way] = WORK / f"opener-{way}"
        make(way, OPENER[way], "opener.c", library=False)
    names = WANTED or [n[5:] for n in globals() if n.startswith("case_")]
    for name in names:
        before = len(failures)
        globals()[f"case_{name}"]()
        print(name, "failed" if len(failures) > before else "held", flush=True)
    print(dict(checked), f"{len(failures)} failures")
    if not WANTED and (checked["runs"] < 80 or checked["counts"] < 200):
        fail(f"too little was checked: {checked}")
    if not failures and not os.environ.get("PROFPLUG_KEEP"):
        shutil.rmtree(WORK)
    sys.exit(1 if failures else 0)


main()
