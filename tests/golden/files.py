# SPDX-License-Identifier: MIT
"""files.py PROFPLUG MAKE [--accept]: data files of this format version, good and corrupt in every way, and things that are no data files; each
with the exact line. The good file is checked in as good.txt (offset and bytes of every row that is not zero), so that a change of the layout
without a change of the version is seen; the others are edits of it."""
import os
import pathlib
import resource
import socket
import struct
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "run"))
import datafile  # noqa: E402

ROW = 32
HEADER = datafile.L["header"].fields
KIND = {name: number for number, name in enumerate(datafile.EXTENTS)}
LIMIT_BYTES, LIMIT_S = 1 << 30, 10


def dump(data):
    rows = [f"{len(data)}"]
    for at in range(0, len(data), ROW):
        row = data[at:at + ROW]
        if any(row):
            rows.append(f"{at:x} {row.hex()}")
    return "\n".join(rows) + "\n"


def undump(text):
    first, *rows = text.splitlines()
    data = bytearray(int(first))
    for row in rows:
        at, content = row.split(" ")
        data[int(at, 16):int(at, 16) + ROW] = bytes.fromhex(content)
    return data


def entry(data, kind):
    """Where the directory's entry of a kind lies, and its extent."""
    for at in range(4096 + 16, 8192, 24):
        if struct.unpack_from("<I", data, at + 20)[0] == KIND[kind]:
            return at, struct.unpack_from("<Q", data, at)[0]
    raise AssertionError(kind)


def u32(value): return struct.pack("<I", value)
def u64(value): return struct.pack("<Q", value)


def corrupt_files(good):
    """name: (bytes, the line after the file's name)"""
    size = len(good)
    at, extent = entry(good, "COUNTERS")
    nodes, sites, records, stages, samples, threads, paths, tallies, snapshot = [entry(good, kind)[1] for kind in
                                                                       ("NODES", "SITES", "RECORDS", "STAGES", "SAMPLES", "THREADS", "PATHS", "TALLIES", "SNAPSHOT")]
    stage_3 = stages + 64 + datafile.L["stage"].size * 3
    node, site = datafile.L["node"], 64
    parent = node.fields["parent"][1]
    field = {name: where[1] for name, where in HEADER.items()}
    layout = good[4088:4096][::-1].hex()
    last = 4096 + 16 + 24 * (struct.unpack_from("<I", good, 4096 + 8)[0] - 1)
    second = struct.unpack_from("<Q", good, 4096 + 16 + 24)[0]
    strings = struct.unpack_from("<I", good, sites + 12)[0]

    def change(*changes):
        data = bytearray(good)
        for place, value in changes:
            data[place:place + len(value)] = value
        return bytes(data)

    return {
        "empty": (b"", "the file is empty, expected a profplug data file"),
        "short": (good[:100], "cut off after 100 bytes, expected a profplug header of 4096"),
        "zeros": (bytes(size), 'not a profplug data file, expected it to begin with "profplug"'),
        "text": (b"some text\n" * 1000, 'not a profplug data file, expected it to begin with "profplug"'),
        "magic": (change((3, b"X")), 'not a profplug data file, expected it to begin with "profplug"'),
        "future": (change((field["version"], u32(10))), "offset 8: format version 10, expected 9 (a newer profplug wrote it)"),
        "layout": (change((4088, u64(1))), f"offset 4088: layout 0000000000000001, expected {layout}: another build of profplug wrote it; read it with that one"),
        "header-size": (change((field["header_size"], u32(2048))), "offset 12: header size 2048, expected 4096"),
        "feature": (change((field["features_required"], u64(1 << 5))), "offset 24: needs features 0x20, expected none beyond 0x0 (a newer profplug wrote it)"),
        "no-directory": (good[:4096], "offset 40: directory at 4096, expected a multiple of 4096 with 4096 bytes before the file's end at 4096"),
        "cut": (good[:size - 4096], f"offset {last}: extent of 4096 bytes at {size - 4096}, expected it to end by the file's end at {size - 4096}"),
        "unaligned": (change((at, u64(extent + 8))), f"offset {at}: extent of 4096 bytes at {extent + 8}, expected multiples of 4096"),
        "beyond": (change((at, u64(1 << 40))), f"offset {at}: extent of 4096 bytes at {1 << 40}, expected it to end by the file's end at {size}"),
        "overlapping": (change((at, u64(second))), f"offset {second}: an extent begins inside the one at {second}, expected none before {second + 4096}"),
        "circle": (change((4096, u64(4096))), "offset 4096: the directory's chunks form a circle, expected a last one"),
        "cyclic-nodes": (change((nodes + 64 + 2 * node.size + parent, u32(3))), f"offset {nodes + 64 + 2 * node.size}: call tree node 2 with parent 3, expected an earlier one"),
        "cyclic-stages": (change((stages + 64 + datafile.L["stage"].size * 3 + datafile.L["stage"].fields["parent"][1], u32(3))),
                          f"offset {stages + 64 + datafile.L['stage'].size * 3}: stage 3 with parent 3, expected an earlier one"),
        "windows": (change((stage_3 + datafile.L["stage"].fields["windows"][1] + 4, u32(64))), f"offset {stage_3}: windows of 2^87 ns, expected at most 2^57"),
        "tallies": (change((tallies + 8, u32(64))), f"offset {tallies}: 64 numbers of a stage from 1, expected at most 63 from 1 to 1008"),
        "tallies-first": (change((tallies + 4, u32(0))), f"offset {tallies}: 2 numbers of a stage from 0, expected at most 63 from 1 to 1008"),
        "snapshot": (change((snapshot + 12, u32(1000))), f"offset {snapshot}: a snapshot of 4 stages and 1000 points, expected them within 4096 bytes"),
        "snapshot-cyclic": (change((snapshot + 208 + 2 * 304 + 12, u32(2))), f"offset {snapshot + 208 + 2 * 304}: stage 2 of a snapshot with parent 2, expected an earlier one"),
        "string": (change((sites + site + 8, u32(1 << 20))), f"offset {sites + site}: a site's string at {1 << 20}, expected an offset below {strings}"),
        "next table": (change((sites + 32, u64(441))), f"offset {sites}: a next table after 441 bytes, expected a multiple of 8 from 435 to 4096"),
        "slot": (change((sites + site, u32(1 << 20))), f"offset {sites + site}: a site with slot {1 << 20}, expected below 6"),
        "unterminated": (change((sites + 12, u32(strings - 1))), f"offset {sites + site + 6 * 32}: a string table of {strings - 1} bytes, expected it to end in 0"),
        "counters": (change((extent, u64(1 << 61))), f"offset {extent}: {1 << 61} counters, expected at most 504"),
        "nodes": (change((nodes + 4, u32(0xffffffff)), (nodes + 8, u32(0xffffffff))), f"offset {nodes}: 4294967295 call tree nodes, expected at most 31"),
        "samples": (change((samples, u32(64))), f"offset {samples}: room for 64 samples, expected at most 63"),
        "paths": (change((paths + 4, u32(0xffffffff)), (paths + 8, u32(0xffffffff))), f"offset {paths}: 4294967295 call paths, expected at most 168"),
        "cyclic-paths": (change((paths + 64 + 2 * 24 + 12, u32(2))), f"offset {paths + 64 + 2 * 24}: call path 2 with parent 2, expected an earlier one"),
        "path-end": (change((paths + 64 + 24 + 16, u32(9))), f"offset {paths + 64 + 24}: call path 1 with end 9, expected below 3"),
        "threads": (change((threads + 4, u32(1 << 31))), f"offset {threads}: room for 2147483648 threads, expected at most 45"),
        "records": (change((records, u64(1 << 40))), f"offset {records}: {1 << 40} bytes of records, expected at most 4032"),
        "record": (change((records + 64 + 4, u32(5000))), f"offset {records + 64}: a record of 5000 bytes, expected at most 20"),
    }


class Tool:
    def __init__(self, path):
        self.path, self.asked = path, 0

    def ask(self, arguments, wanted, status=2, user=None):
        """Status and the one line on standard error; the line may be given by its beginning, if that ends in a blank."""
        def limit():
            if not self.sanitized:
                resource.setrlimit(resource.RLIMIT_AS, (LIMIT_BYTES, LIMIT_BYTES))
            if user:
                os.setgroups([])
                os.setgid(user)
                os.setuid(user)
        done = subprocess.run([self.path, *arguments], capture_output=True, text=True, errors="replace", timeout=LIMIT_S * 6, preexec_fn=limit)
        said = done.stderr
        right = said.startswith(wanted) and said.count("\n") == 1 if wanted.endswith(" ") else said == (wanted + "\n" if wanted else "")
        assert done.returncode == status and right, f"{arguments}\n  got      (status {done.returncode}) {said}\n  expected (status {status}) {wanted}"
        self.asked += 1
        return done.stdout

    @property
    def sanitized(self):
        with open(self.path, "rb") as file:
            return b"__asan_init" in file.read()


def no_files(tool):
    """What is no data file, and must neither block nor be read to its end."""
    regular = "not a regular file, expected a profplug data file"
    os.mkfifo("fifo")
    os.mkdir("folder")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind("socket")
    os.symlink("loop", "loop")
    for name, wanted in (("fifo", regular), ("folder", "a folder, expected a profplug data file"), ("/dev/zero", regular), ("/dev/null", regular), ("/dev/tty", None),
                         ("socket", "cannot be opened: No such device or address, expected a profplug data file"),
                         ("loop", "cannot be opened: Too many levels of symbolic links, expected a profplug data file"),
                         ("good/below", "cannot be opened: Not a directory, expected a profplug data file"),
                         ("absent", "cannot be opened: No such file or directory, expected a profplug data file"),
                         ("", "cannot be opened: No such file or directory, expected a profplug data file"),
                         ("x" * 300, "cannot be opened: File name too long, expected a profplug data file")):
        tool.ask(["report", name], f"profplug: {name}: {wanted}" if wanted else f"profplug: {name}: ")
    tool.ask(["report", "/proc/self/mem"], "profplug: /proc/self/mem: ")
    pathlib.Path("line\nbreak").write_bytes(b"")
    tool.ask(["report", "line\nbreak"], "profplug: line\\nbreak: the file is empty, expected a profplug data file")


def unreadable(tool):
    os.chmod("good", 0)
    user = 65534 if os.getuid() == 0 else None
    os.chmod(".", 0o755)
    copied = f"{os.getcwd()}/tool"
    with open(tool.path, "rb") as file:
        pathlib.Path(copied).write_bytes(file.read())
    os.chmod(copied, 0o755)
    other = Tool(copied)
    other.ask(["report", "good"], "profplug: good: cannot be opened: Permission denied, expected a profplug data file", user=user)
    os.chmod("good", 0o644)
    os.unlink(copied)
    tool.asked += other.asked


def sparse(tool, good):
    """A file of a terabyte, all but a few pages a hole: as good as before when the hole is behind; refused where it is a table's."""
    def make(name, *changes):
        with open(name, "wb") as file:
            file.write(good)
            file.truncate(1 << 40)
            for at, value in changes:
                file.seek(at)
                file.write(value)
    try:
        make("sparse")
    except OSError as error:
        print("no sparse files here:", error)
        return
    wide = u64(1 << 30) + u64((1 << 40) - (1 << 30))
    tool.ask(["report", "sparse"], "", 0)
    for kind, head, wanted in (("COUNTERS", u64(1 << 36), None), ("SAMPLES", u32(0xffffffff), None),
                               ("NODES", u32(0) + u32(0xffffffff) * 2, "call tree nodes of "), ("NODES", u32(0xfffffff0) + u32(1) * 2, "call tree nodes of "),
                               ("STAGES", u32(0) + u32(40000000) * 2, "stages of "), ("PATHS", u32(0) + u32(0xffffffff) * 2, "call paths of "),
                                ("THREADS", u32(0x7fffffff) * 2, "threads of "),
                               ("RECORDS", u64(1 << 38), "records of "), ("SITES", u32(0x7fffffff) * 4, "a site table of ")):
        make("sparse", (entry(good, kind)[0], wide), (1 << 30, head))
        tool.ask(["report", "sparse"], f"profplug: sparse: offset {1 << 30}: {wanted}" if wanted else "", 2 if wanted else 0)
    make("sparse", (4096, u64(1 << 31) + u32(170)), (1 << 31, u64(1 << 32)), (1 << 32, u64(1 << 31)))
    tool.ask(["report", "sparse"], f"profplug: sparse: offset {1 << 31}: the directory's chunks form a circle, expected a last one")
    os.unlink("sparse")


def many(tool, good, count=10000):
    """The newest of ten thousand files; and all of them named at once."""
    os.mkdir("many")
    pid, start = HEADER["pid"][1], HEADER["start_realtime_ns"][1]
    data = bytearray(good[:16384])
    begin = struct.unpack_from("<Q", good, start)[0]
    root, parent = HEADER["root_pid"][1], HEADER["parent_pid"][1]
    for i in range(count):
        mine = 100 + i
        data[pid:pid + 4] = data[root:root + 4] = u32(mine)
        data[parent:parent + 4] = u32(mine - 1 if i % 3 else 1)
        data[start:start + 8] = u64(begin + i)
        with open(f"many/{i}.profplug", "wb") as file:
            file.write(data if i != count - 1 - (count - 1) % 3 else good[:pid] + data[pid:16384] + good[16384:])
    os.chdir("many")
    begun = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = tool.ask(["report"], "", 0)
    ended = resource.getrusage(resource.RUSAGE_CHILDREN)
    took = ended.ru_utime + ended.ru_stime - begun.ru_utime - begun.ru_stime
    assert "batches" in out, out
    assert took < LIMIT_S, f"{took} s of CPU time"
    names = sorted(name for name in os.listdir("."))
    tool.ask(["report", *names], f"profplug: {names[1]}: a second file; expected one; `profplug merge` adds several up, `profplug diff` compares two")
    os.chdir("..")
    print(f"{count} files in a folder: {took:.1f} s of CPU time")


def main(tool, make, *options):
    tool, make = Tool(os.path.abspath(tool)), os.path.abspath(make)
    with tempfile.TemporaryDirectory() as work:
        os.chdir(work)
        subprocess.run([make, "made"], check=True)
        if "--accept" in options:
            (HERE / "good.txt").write_text(dump(pathlib.Path("made").read_bytes()))
        good = bytes(undump((HERE / "good.txt").read_text()))
        assert pathlib.Path("made").read_bytes()[4088:4096] == good[4088:4096], "the layout changed; if nothing released has the old one: files.py ... --accept"
        reports = []
        for content in (pathlib.Path("made").read_bytes(), good):
            pathlib.Path("good").write_bytes(content)
            reports.append(tool.ask(["report", "good"], "", 0))
        assert reports[0] == reports[1], "the file that was kept reads as the one that is written now"
        table = corrupt_files(good)
        for name, (content, wanted) in table.items():
            pathlib.Path(name).write_bytes(content)
            for verb in (["report"], ["report", "--format", "json"], ["annotate", "-i"]):
                tool.ask([*verb, name], f"profplug: {name}: {wanted}")
        no_files(tool)
        unreadable(tool)
        sparse(tool, good)
        many(tool, good)
        os.chdir("/")
        assert len(table) >= 25
        print(f"{len(table)} corrupt files, {tool.asked} questions, each with its line")


main(*sys.argv[1:])
