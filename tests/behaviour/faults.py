# SPDX-License-Identifier: MIT
"""faults.py BUILD sample|all [NAME...]: a program under every fault that a machine can have, once compiled plainly and once with the
plugin. Both must write the same and end the same; the one with the plugin may say one line more on standard error, and only if there is no
data file. What is in a data file reads, its counts are the true ones or something is said to be lost."""
import os, pathlib, random, re, shutil, signal, subprocess, sys, tempfile

sys.path.insert(0, sys.path[0] + "/../support")
from report import read

HERE = pathlib.Path(__file__).resolve().parent / "faults"
BUILD, EXTENT, WANTED = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2], sys.argv[3:]
ROOT = os.geteuid() == 0
WORK = pathlib.Path(tempfile.mkdtemp(prefix="profplug-faults-"))
OUT = WORK / "out"
TINY, TINY_HALF = 70558, 58558                  # calls of tiny() in a whole run, and without threads in its second round: by counting them in work.c
failures, checked, skipped, seen_losses = [], 0, [], set()


def command(*words, **more):
    return subprocess.run([str(w) for w in words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, stdin=subprocess.DEVNULL, timeout=120, **more)


def must(*words):
    done = command(*words)
    if done.returncode:
        sys.exit(f"{words}: {done.returncode} {done.stderr.decode()}")


def compile_all():
    must("gcc", "-O1", "-g", "-pthread", HERE / "work.c", "-o", WORK / "plain")
    must("gcc", "-O1", "-g", HERE / "enter.c", "-o", WORK / "enter")
    wrapper = [BUILD / "profplug-gcc", "-DPROFPLUG", "-fplugin-arg-profplug-functions=all", "-O1", "-g", "-pthread", HERE / "work.c"]
    must(*wrapper, "-o", WORK / "profiled")
    must(*wrapper, "-static", "-o", WORK / "profiled-static")
    must("gcc", "-O1", "-g", "-pthread", "-static", HERE / "work.c", "-o", WORK / "plain-static")


def private_mounts():
    """Mounts of ours are nobody else's. False where that is not allowed."""
    import ctypes
    libc = ctypes.CDLL(None, use_errno=True)
    return ROOT and libc.unshare(0x20000) == 0 and libc.mount(b"none", b"/", None, 0x44000, None) == 0


def run(program, enter, acts, environment, folder, under=()):
    words = [*under, WORK / "enter", *enter, "--", program, *acts]
    try:
        return command(*words, env=environment, cwd=folder)
    except subprocess.TimeoutExpired:
        return subprocess.CompletedProcess(words, "hangs", b"", b"")


def fail(name, text):
    failures.append(f"{name}: {text}")
    print("FAIL", failures[-1], flush=True)


def report(name, path, exact):
    """Reads a data file with the tool; returns its run."""
    whole = read(BUILD, path, settled=False)
    got = whole["runs"][0]
    lost = {k: v for k, v in got["losses"].items() if v}
    seen_losses.update(lost)
    tiny = sum(f.get("calls") or 0 for f in whole["functions"] if f["name"] == "tiny")
    if exact and not lost and tiny != exact:
        fail(name, f"tiny: {tiny} calls, expected {exact}, and nothing is said to be lost")
    if exact and tiny > exact:
        fail(name, f"tiny: {tiny} calls, more than there were ({exact})")
    if lost and b"lost:" not in command(BUILD / "profplug", "report", "--all", path).stdout:
        fail(name, f"lost {lost}, and the text does not say it")
    return dict(got, tiny=tiny, lost=lost)


def case(name, enter=(), acts=(), output="%e.profplug", options="", environment=None, exact=TINY, want_file=None, folder=None, lines=None,
         program="", under=(), silent=False, check=None, prepare=None, may_lose=True, broken=False):
    """One fault. want_file: True, False, or None for either. lines: lines of ours on standard error at most; by default none with a file,
    one without. broken: the file is no longer ours, which the line says.
    silent: nothing is to be said, as where somebody else's environment asks for data. under: a tool that starts the program."""
    global checked
    if WANTED and not any(w in name for w in WANTED):
        return None
    folder = folder or OUT
    base = {"PATH": os.environ["PATH"], "HOME": "/nowhere", **(environment or {})}
    results = {}
    for kind in ("plain", "profiled"):
        if folder == OUT:
            shutil.rmtree(OUT, ignore_errors=True)
            OUT.mkdir(mode=0o777)
            OUT.chmod(0o777)
        if prepare:
            prepare()
        own = dict(base)
        if kind == "profiled" and output is not None:
            own["PROFPLUG"] = f"output={output}" + (f",{options}" if options else "")
        elif kind == "profiled" and options:
            own["PROFPLUG"] = options
        results[kind] = run(WORK / (kind + program), enter, acts, own, folder, under)
    plain, ours = results["plain"], results["profiled"]
    if exact == TINY and not plain.stdout.endswith(REFERENCE):      # it did less, for want of threads
        exact = 0
    checked += 1
    if under and under[0] == "gdb":              # which names processes and files
        for done in (plain, ours):
            done.stdout = b"".join(l for l in done.stdout.splitlines(True) if l.startswith(b"sum"))
    if ours.returncode != plain.returncode:
        fail(name, f"status {ours.returncode}, plain {plain.returncode}; stderr {ours.stderr[-300:]!r}")
    if ours.stdout != plain.stdout:
        fail(name, f"output {ours.stdout[-200:]!r}, plain {plain.stdout[-200:]!r}")
    said = [l for l in ours.stderr.splitlines() if l.startswith(b"profplug: ")]
    rest = b"".join(l + b"\n" for l in ours.stderr.splitlines() if not l.startswith(b"profplug: "))
    if rest != plain.stderr:
        fail(name, f"standard error {rest[-300:]!r}, plain {plain.stderr[-300:]!r}")
    files = sorted(p for p in pathlib.Path(folder).rglob("*.profplug*") if p.is_file() and not p.is_symlink())
    most = lines if lines is not None else 0 if files else 1
    if len(said) > most:
        fail(name, f"{len(said)} lines, expected {most}: {said}")
    if silent and said:
        fail(name, f"says {said}")
    if not files and not said and most and not silent and want_file is not None and "close=2" not in str(enter):
        fail(name, "no data file, and nothing is said of it")
    if want_file is not None and want_file != bool(files):
        fail(name, f"data files: {files}; said {said}")
    runs = []
    if broken and not said:
        fail(name, "nothing is said of the broken file")
    for path in [] if broken else files:
        data = path.read_bytes()
        if data[:8] == b"\0" * 8 or not data:
            if want_file:
                fail(name, f"{path} is no data file")
            continue
        runs.append(report(name, path, exact))
    if not may_lose and any(r and r["lost"] for r in runs):
        fail(name, f"lost {[r['lost'] for r in runs if r]}")
    if check:
        check(name, ours, runs, files, said)
    return ours


# ---- the disk ----

def mounted(kind, options, device="none"):
    folder = WORK / "disk"
    folder.mkdir(exist_ok=True)
    must("mount", "-t", kind, "-o", options, device, folder)
    folder.chmod(0o777)
    return folder


def unmount():
    command("umount", "-l", WORK / "disk")


def disks():
    if not MOUNTS:
        skipped.append("full disks: need root and mounts of one's own")
        return
    pages = sorted({*range(1, 8), 31, 32, 64, *random.Random(3).sample(range(12, 220), 5)}) if EXTENT == "sample" else range(1, 320)
    for n in pages:
        folder = mounted("tmpfs", f"size={n * 4}k,mode=777")
        case(f"tmpfs of {n} pages", folder=folder, environment={"TROUBLE_QUICK": "1"}, want_file=n >= 32)      # two pages, a sixteenth of what is free
        unmount()
    for n in ([40] if EXTENT == "sample" else [20, 40, 60, 100]):
        folder = mounted("tmpfs", f"size={n * 4}k,mode=777")
        case(f"tmpfs of {n} pages, forks", folder=folder, acts=["forks:8"], output="%e-%p.profplug", environment={"TROUBLE_QUICK": "1"}, exact=0,
             lines=8)
        unmount()
    folder = mounted("tmpfs", "size=4m,mode=777")
    case("filled in mid-run", folder=folder, acts=[f"shell:dd if=/dev/zero of={folder}/fill bs=4k 2>/dev/null"], options="timing=exact", want_file=True,      # the new paths of the second round
         prepare=lambda: (folder / "fill").unlink(missing_ok=True), check=lambda name, ours, runs, files, said:
         runs and runs[0]["lost"].get("disk_extents") or fail(name, "nothing lost on a full disk"))
    unmount()
    folder = mounted("tmpfs", "size=4m,nr_inodes=2,mode=777")
    case("no inode left", folder=folder, want_file=False, prepare=lambda: (folder / "one").touch())
    unmount()
    if command("mount", "-t", "tmpfs", "-o", "size=64m,huge=always,mode=777", "none", WORK / "disk").returncode == 0:
        case("tmpfs of huge pages", folder=folder, want_file=True, may_lose=False)
        case("tmpfs of huge pages, cut", folder=folder, acts=[f"cut:100000:{folder}/h.profplug"], output="h.profplug", broken=True, lines=1,
             prepare=lambda: [p.unlink() for p in folder.glob("*.profplug")])
        unmount()
    for layer in ("lower", "upper", "work"):
        (WORK / layer).mkdir(exist_ok=True)
    must("mount", "-t", "tmpfs", "none", WORK / "upper")
    for layer in ("up", "work"):
        (WORK / "upper" / layer).mkdir()
    if command("mount", "-t", "overlay", "-o", f"lowerdir={WORK}/lower,upperdir={WORK}/upper/up,workdir={WORK}/upper/work", "none", WORK / "disk").returncode == 0:
        case("overlay", folder=folder, want_file=True, may_lose=False)
        unmount()
    else:
        skipped.append("overlay: not to be had here")
    command("umount", WORK / "upper")
    folder = mounted("tmpfs", "size=4m,mode=777")
    must("mount", "-o", "remount,ro", folder)
    case("read-only disk", folder=folder, want_file=False)
    unmount()


def image_disks():
    """File systems with blocks on a disk of their own: what is allocated there is allocated otherwise than in memory."""
    if not MOUNTS:
        return
    for kind, make, sizes in (("ext4", ["mkfs.ext4", "-q", "-m", "0", "-O", "^has_journal"], (256, 512, 640, 1024)), ("ext2", ["mkfs.ext2", "-q", "-m", "0"], (128, 400, 700)),
                              ("vfat", ["mkfs.vfat"], (256, 700)), ("minix", ["mkfs.minix"], (256, 600))):
        if not shutil.which(make[0]):
            skipped.append(f"{kind}: {make[0]} is missing")
            continue
        for kb in sizes[:1] if EXTENT == "sample" else sizes:
            image = WORK / "image"
            image.write_bytes(b"\0" * kb * 1024)
            must(*make, image)
            done = command("mount", "-t", kind, "-o", "loop" + (",umask=0" if kind == "vfat" else ""), image, WORK / "disk")
            if done.returncode:
                skipped.append(f"{kind}: {done.stderr.decode().strip()}")
                continue
            (WORK / "disk").chmod(0o777)
            case(f"{kind} of {kb} KiB", folder=WORK / "disk", prepare=lambda: [p.unlink() for p in (WORK / "disk").glob("*.profplug")])
            case(f"{kind} of {kb} KiB, filled in mid-run", folder=WORK / "disk", acts=[f"shell:dd if=/dev/zero of={WORK}/disk/fill bs=1k 2>/dev/null"],
                 prepare=lambda: [p.unlink() for p in (WORK / "disk").iterdir() if p.is_file()])
            unmount()


# ---- names ----

def names():
    case("folder that is not there", output=OUT / "no/such/x.profplug", want_file=False)
    case("name of 300 characters", output="x" * 300 + ".profplug", want_file=False)
    case("path of 2000 characters", output="/".join(["y" * 99] * 20) + ".profplug", want_file=True, lines=1)
    case("/dev/full", output="/dev/full", want_file=False)
    case("/dev/null", output="/dev/null", want_file=False)
    case("a folder", output=OUT, want_file=False)
    case("a FIFO", output=OUT / "fifo", want_file=False, prepare=lambda: os.mkfifo(OUT / "fifo"))
    case("a link to nowhere", output=OUT / "l.profplug", lines=0, prepare=lambda: (OUT / "l.profplug").symlink_to(OUT / "target"))
    case("a name that is taken", output=OUT / "t.profplug", prepare=lambda: (OUT / "t.profplug").write_bytes(b""), exact=0,
         check=lambda name, ours, runs, files, said: len(files) == 2 or fail(name, f"{files}"))
    if ROOT:
        def unwritable():
            (OUT / "closed").mkdir(mode=0o555)
        case("folder that only root may write", enter=["uid=65534"], output=OUT / "closed/x.profplug", prepare=unwritable, want_file=False)
    else:
        skipped.append("other users: needs root")


# ---- things done to the file and its folder in mid-run ----

def files():
    one = OUT / "f.profplug"
    case("file renamed", acts=[f"rename:{one}"], output=one, want_file=True)
    case("own bus error", acts=["own-sigbus"], exact=0, want_file=True)
    case("own bus error, handled", acts=["own-sigbus-handled"], want_file=True)
    case("bus error sent", acts=[f"raise:{signal.SIGBUS}"], exact=0, want_file=True)
    case("bus error ignored", acts=[f"ignore:{signal.SIGBUS}", f"raise:{signal.SIGBUS}"], want_file=True)


def cuts():
    """Somebody cuts the file short, or takes it away: what was in it is lost, and one line says so. A program that holds SIGBUS off is ended by
    the kernel when it touches such a page: there is no remedy for that, and it is not tried here."""
    one = OUT / "f.profplug"
    once = 3 if EXTENT == "sample" else 40       # at each time another page is touched first
    for bytes_ in (0, 4096, 8192, 20000, *random.Random(5).sample(range(8192, 180000), once)):
        case(f"file cut to {bytes_}", acts=[f"cut:{bytes_}:{one}"], output=one, lines=1, broken=True)
        case(f"file cut to {bytes_}, more than one end", acts=[f"cut:{bytes_}:{one}", "forks:3"], output=one, exact=0, lines=4, broken=True)
    case("file removed", acts=[f"unlink:{one}"], output=one, want_file=False)
    case("folder removed", acts=[f"shell:rm -r {OUT}"], output=one, want_file=False)
    case("folder removed, forks", acts=[f"shell:rm -r {OUT}", "forks:3"], output=one, exact=0, lines=5)
    case("file replaced", acts=[f"shell:test ! -e {one} || {{ rm {one}; echo mine >{one}; }}"], output=one, exact=0, lines=1, broken=True)


# ---- limits ----

def limits():
    few = EXTENT == "sample"
    for bytes_ in [0, 8191, 8192, 12288, 40000, 200000] if few else [0, 1, *range(4096, 700000, 16384)]:
        case(f"RLIMIT_FSIZE {bytes_}", enter=[f"fsize={bytes_}"])
        if bytes_ in (0, 40000):
            case(f"RLIMIT_FSIZE {bytes_}, SIGXFSZ ignored", enter=[f"fsize={bytes_}", f"ignore={signal.SIGXFSZ}"])
    case("RLIMIT_FSIZE in mid-run", acts=["fsize:100"], want_file=True)
    case("RLIMIT_FSIZE in mid-run, forks", acts=["fsize:100", "forks:4"], want_file=True, exact=0, lines=4, output="%e-%p.profplug")
    # Limits of memory: only where plain itself still gets through.
    for what, sizes in (("as", (8, 12, 16, 24, 32, 34, 40, 64, 100, 200)), ("data", (1, 2, 4, 8, 16, 24, 26, 32, 40, 64, 100))):
        for mb in sizes[1::3] + sizes[5:7] if few else sizes:
            # With 12 MB the stacks of threads just fit, so it depends on their turns.
            for _ in range(8 if (what, mb) == ("as", 12) else 1):
                case(f"RLIMIT_{what.upper()} {mb} MB", enter=[f"{what}={mb << 20}"])
            case(f"RLIMIT_{what.upper()} {mb} MB, static", enter=[f"{what}={mb << 20}"], program="-static")
    for kb in (64, 128, 1024):
        case(f"RLIMIT_STACK {kb} KB", enter=[f"stack={kb << 10}"])
    for n in (0, 3, 4, 6, 10) if few else range(0, 11):
        case(f"RLIMIT_NOFILE {n}, static", enter=[f"nofile={n}"], program="-static")
        if n > 3:
            case(f"RLIMIT_NOFILE {n}", enter=[f"nofile={n}"])
    case("RLIMIT_NOFILE in mid-run", acts=["nofile:0"], want_file=True)
    case("RLIMIT_SIGPENDING 0", enter=["sigpending=0"], want_file=True)
    case("RLIMIT_MEMLOCK 0", enter=["memlock=0"], want_file=True)
    if ROOT:
        case("RLIMIT_MEMLOCK 0, a user", enter=["memlock=0", "uid=65534"], want_file=True)
        case("RLIMIT_NPROC 0, a user", enter=["nproc=0", "uid=65534"], exact=0, want_file=True)
        case("mlockall of a user", enter=["memlock=1000000", "uid=65534"], acts=["mlockall"], want_file=True)
    case("RLIMIT_CPU", enter=["cpu=60"], want_file=True)
    case("RLIMIT_DATA in mid-run", acts=["no-threads", "data:1"], want_file=True, exact=TINY_HALF)


# ---- descriptors ----

def descriptors():
    for closed in ("0", "1", "012") if EXTENT == "sample" else ("0", "1", "2", "01", "02", "12", "012"):
        case(f"without {closed}", enter=[f"close={closed}"], want_file=True)
        case(f"without {closed}, no place for the file", enter=[f"close={closed}"], output=OUT / "no/x.profplug")
        case(f"without {closed}, few descriptors", enter=[f"close={closed}", "nofile=5"])
    for how in ("close-all", "close-each", "close-standard", "take-all"):
        case(how, acts=[how], want_file=True)
        case(f"{how}, forks", acts=[how, "forks:4"], exact=0, output="%e-%p.profplug", lines=5)
        case(f"{how}, few descriptors", enter=["nofile=20"], acts=[how], want_file=True)


# ---- what is not there, or forbidden ----

def surroundings():
    if MOUNTS:
        for place in ("/proc", "/dev", "/sys", "/tmp"):
            if str(WORK).startswith(place + "/"):
                # The folder itself lies there: everything is moved to where it is not hidden.
                continue
            case(f"no {place}", enter=[f"hide={place}"], want_file=True)
        inside = OUT / "inside"

        def room():
            inside.mkdir()
            shutil.copy(WORK / "plain-static", inside / "plain")
            shutil.copy(WORK / "profiled-static", inside / "profiled")
        for program in ("-static", ""):
            case(f"chroot in mid-run {program}", acts=[f"chroot:{OUT}"], output=OUT / "c.profplug", want_file=True, program=program)
            case(f"chroot in mid-run {program}, forks", acts=[f"chroot:{OUT}", "forks:3"], exact=0, want_file=True, lines=3, program=program)
    if ROOT:
        case("drop of privileges", acts=["drop"], want_file=True)
        case("drop of privileges, forks", acts=["drop", "forks:3"], want_file=True, exact=0, lines=3)
        case("mlockall", acts=["mlockall"], want_file=True, may_lose=False)
        case("not dumpable", acts=["undumpable"], want_file=True)
        case("a user, not dumpable", enter=["uid=65534"], acts=["undumpable"], want_file=True)
    if MOUNTS and shutil.which("unshare"):
        for at in ("1", "1000000000"):
            case(f"clocks that begin at {at} s", under=["unshare", "-T", "--monotonic", at, "--boottime", at], want_file=True, may_lose=False)
    case("chdir before the end", acts=["chdir:/"], output="rel.profplug", want_file=True)
    case("chdir, forks", acts=["chdir:/", "forks:2"], output="rel-%p.profplug", want_file=True, exact=0,
         check=lambda name, ours, runs, files, said: len(files) == 3 or fail(name, f"{files}"))
    case("clearenv", acts=["clearenv"], want_file=True)
    case("clearenv, forks", acts=["clearenv", "forks:2"], want_file=True, exact=0)
    case("no environment", enter=["environment=none"], output=None, want_file=True)
    case("no arguments", enter=["arguments=none"], want_file=True)
    case("address space not randomized", enter=["personality=1"], want_file=True, may_lose=False)
    for action in ("eperm", "enosys"):
        case(f"perf_event_open: {action}", enter=[f"forbid=perf_event_open:{action}"], want_file=True)
        case(f"perf_event_open and timer_create: {action}", enter=[f"forbid=perf_event_open,timer_create:{action}"], want_file=True)
    for call in ("fallocate", "prctl", "getrusage", "fcntl", "ioctl", "readlink", "madvise", "pwrite64", "uname", "getcwd", "timer_settime", "tgkill"):
        for action in ("eperm",) if EXTENT == "sample" else ("eperm", "enosys"):
            case(f"{call}: {action}", enter=[f"forbid={call}:{action}"])


def sandboxes():
    case("process_vm_readv: kill", enter=["forbid=process_vm_readv:kill"], want_file=True)
    case("perf_event_open: kill", enter=["forbid=perf_event_open:kill"], want_file=True)
    case("perf_event_open and timer_create: kill", enter=["forbid=perf_event_open,timer_create:kill"], want_file=True)
    for name in ("filter-eperm", "filter-kill", "filter-trap", "least-eperm", "least-kill", "strict", "strict-syscall"):
        case(name, acts=[name], want_file=True, exact=TINY if name.startswith("filter") else TINY_HALF)
    for name in ("filter-eperm", "filter-kill"):
        case(f"{name}, forks", acts=[name, "forks:3"], want_file=True, exact=0, lines=3)
    case("no time stamp counter", acts=["no-counter"], want_file=True, may_lose=False)


# ---- other people's programs ----

def privileges():
    """A program that runs with rights which its caller lacks takes no orders from the caller's environment, and writes nothing."""
    if not ROOT:
        skipped.append("set-uid programs: need root")
        return

    def give(owner, mode, capability=None):
        for kind in ("plain", "profiled"):
            path = WORK / f"{kind}-own"
            shutil.copy(WORK / kind, path)
            os.chown(path, owner, owner)
            path.chmod(mode)
            if capability:
                must("setcap", capability, path)
    order = {"PROFPLUG_CONFIG": str(OUT / "config")}
    for what, owner, mode in (("set-uid root", 0, 0o4755), ("set-uid nobody", 65534, 0o4755), ("set-gid nobody", 65534, 0o2755)):
        give(owner, mode)
        case(what, enter=["uid=1234"], program="-own", want_file=False, silent=True, exact=0)
        case(f"{what}, a faulty option", enter=["uid=1234"], program="-own", want_file=False, silent=True, output=None, options="level=9", environment=order)
    give(65534, 0o4755)
    case("set-uid nobody for root", program="-own", want_file=False, silent=True)
    if shutil.which("setcap"):
        give(0, 0o755, "cap_net_raw+ep")
        case("file capability", enter=["uid=1234"], program="-own", want_file=False, silent=True)
    give(0, 0o755)
    case("no set-uid", enter=["uid=1234"], program="-own", want_file=True)


def tools():
    gdb = ["gdb", "-q", "-batch", "-iex", "set print inferior-events off", "-iex", "set print thread-events off", "-ex", "run", "-ex", "quit $_exitcode", "--args"]
    for tool in (["strace", "-f", "-o", "/dev/null"], ["valgrind", "-q", "--trace-children=yes"], gdb):
        if shutil.which(tool[0]):
            case(f"under {tool[0]}", under=tool, want_file=True, environment={"TROUBLE_QUICK": "1"} if tool[0] == "valgrind" else {})
        else:
            skipped.append(f"{tool[0]} is missing")


def calls():
    """After the start the runtime makes no system call that a filter is not asked about: what strace sees of it beyond plain has a row."""
    if not shutil.which("strace"):
        skipped.append("system calls after the start: strace is missing")
        return
    if WANTED and not any(w in "calls" for w in WANTED):
        return
    rows = set(re.findall(r"PP_FORBIDDEN_\w+, +SYS_(\w+)", (HERE.parents[2] / "rt/process/sandbox.c").read_text()))
    OUT.mkdir(exist_ok=True)
    seen = {}
    for kind in ("plain", "profiled"):
        trace = WORK / "trace"
        command("strace", "-f", "-qq", "-o", trace, WORK / kind, "rename-self", "forks:2", env={"PROFPLUG": f"output={OUT}/calls-%p.profplug"}, cwd=OUT)
        text = trace.read_text()
        after = text[text.index('"another-name"'):].splitlines()[1:]
        seen[kind] = {m[1] for m in (re.match(r"\d+ +(?:<\.\.\. )?(\w+)(?:\(| resumed)", line) for line in after) if m}
    strange = seen["profiled"] - seen["plain"] - rows - {"mprotect"}        # the C library's, of one thread more at the same time
    global checked
    checked += 1
    if strange or len(seen["profiled"] & rows) < 10 or len(rows) < 25:
        fail("system calls after the start", f"{sorted(strange)}; seen {sorted(seen['profiled'] & rows)}")


def outlets():
    """The one line, where standard error is no place for it."""
    reader, writer = os.pipe()
    os.close(reader)
    full_reader, full = os.pipe()
    os.set_blocking(full, False)
    try:
        while True:
            os.write(full, b"x" * 4096)
    except BlockingIOError:
        pass
    os.set_blocking(full, True)
    for name, enter, to in (("broken pipe", [], writer), ("full pipe", [], full), ("full disk", [], os.open("/dev/full", os.O_WRONLY)),
                            ("file at its limit", ["fsize=0"], os.open(WORK / "stderr", os.O_WRONLY | os.O_CREAT | os.O_APPEND))):
        global checked
        checked += 1
        try:
            done = subprocess.run([WORK / "enter", *enter, "--", WORK / "profiled"], stdout=subprocess.PIPE, stderr=to, stdin=subprocess.DEVNULL, timeout=60,
                                  env={"PROFPLUG": "output=/no/such/place"}, cwd=WORK)
            if done.returncode != 7 or done.stdout != REFERENCE:
                fail(f"line into a {name}", f"status {done.returncode}, output {done.stdout!r}")
        except subprocess.TimeoutExpired:
            fail(f"line into a {name}", "hangs")
        os.close(to)
    os.close(full_reader)


def memory():
    """A memory control group: what is recorded counts in it, too."""
    groups = pathlib.Path("/sys/fs/cgroup/memory")
    if not ROOT or not (groups / "memory.limit_in_bytes").exists():
        skipped.append("memory control group: needs root and a first-version hierarchy")
        return
    group = groups / f"profplug-faults-{os.getpid()}"
    group.mkdir()
    try:
        for mb in (8, 16):
            (group / "memory.limit_in_bytes").write_text(str(mb << 20))
            case(f"memory control group of {mb} MB", under=["sh", "-c", f'echo $$ >{group}/cgroup.procs; exec "$@"', "sh"], want_file=True)
    finally:
        subprocess.run(["rmdir", group])


# ---- the environment's word ----

def words():
    bad = ["", ",", ",,,,", "=", "=x", "level", "level=", "level=9", "sample-hz=0", "sample-hz=-1", "sample-hz=99999999999999999999", "budget=1e9",
           "max-file=0", "max-file=1", "max-file=8K", "max-file=99999999999G", "output=", "output=%", "output=%q{", "output=%q{HOME}/x", "output=%e%e%e%z",
           "label=", "label=:", "label=x", "label=a:" + "b" * 5000, "x" * 100000, "a,b,c,d,e,f,g,h", "\x1b[2J", "hits=on", "gpu=on", "samples=maybe", "off", "on",
           "level=off,output=x", "%s%n%s", "preset=production", "timing=exact", "sample-hz=20000"]
    for text in bad if EXTENT != "sample" else bad[::5]:
        case(f"PROFPLUG={text[:40]!r}", output=None, options=text, lines=4, exact=0, environment={"TROUBLE_QUICK": "1"})
    for text in ("/nowhere", "/", "/dev/full", "/dev/zero", str(WORK / "plain"), "/proc/self/mem"):
        case(f"PROFPLUG_CONFIG={text}", environment={"PROFPLUG_CONFIG": text}, lines=1, want_file=True)


# ---- many ----

def many():
    n = 20 if EXTENT == "sample" else 100
    case(f"{n} forks at once", acts=[f"forks:{n}"], exact=0, want_file=True, may_lose=False, output="%e-%p.profplug",
         environment={"TROUBLE_QUICK": "1"}, check=lambda name, ours, runs, files, said: len(files) == n + 1 or fail(name, f"{len(files)} files"))
    starting = [subprocess.Popen([WORK / "profiled"], env={"PROFPLUG": "output=at-once.profplug"}, cwd=WORK, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                for _ in range(8)]
    ended = [(p.communicate(timeout=60)[0], p.returncode) for p in starting]
    if not WANTED and (ended != [(REFERENCE, 7)] * 8 or len([report("eight at once", p, TINY) for p in WORK.glob("at-once*")]) != 8):
        fail("eight at once with one name", f"{ended} {list(WORK.glob('at-once*'))}")
    case("one name for all", acts=["forks:10"], exact=0, want_file=True, may_lose=False, output="same.profplug", environment={"TROUBLE_QUICK": "1"},
         check=lambda name, ours, runs, files, said: len(files) == 11 or fail(name, f"{len(files)} files"))


GROUPS = (disks, image_disks, names, files, cuts, limits, descriptors, surroundings, sandboxes, privileges, tools, calls, outlets, memory, words, many)
compile_all()
WORK.chmod(0o755)
REFERENCE = command(WORK / "plain").stdout
MOUNTS = private_mounts()
if not MOUNTS:
    skipped.append("mounts and name spaces: need root")
try:
    for group in GROUPS:
        if MOUNTS:
            (WORK / "disk").mkdir(exist_ok=True)
        group()
finally:
    if MOUNTS:
        unmount()
    shutil.rmtree(WORK, ignore_errors=True)
print(f"{checked} troubles, {len(failures)} failures; losses named in reports: {', '.join(sorted(seen_losses))}")
for line in skipped:
    print("skipped:", line)
if not WANTED and (checked < 50 or "disk_extents" not in seen_losses and MOUNTS):
    sys.exit("too little was checked")
sys.exit(1 if failures else 0)
