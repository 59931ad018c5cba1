# SPDX-License-Identifier: MIT
"""Reads a data file by what include/profplug/abi/format.h says of it, independent of the report's reader: for tests alone."""
import re, struct, pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
ABI = ROOT / "include/profplug/abi"
FORMAT = (ABI / "format.h").read_text()
LOSSES = re.findall(r"^    PP_LOSS\((\w+),", FORMAT, re.M)
METRICS = [m[1] for m in re.finditer(r"^PP_METRIC\((\w+),", (ABI / "metric.def").read_text(), re.M)]
GIVEN = re.findall(r"^    PP_GIVEN\((\w+),", FORMAT, re.M)
EXTENTS = ["NONE"] + re.findall(r"^PP_EXTENT\((\w+),", (ABI / "extent.def").read_text(), re.M)
EXITS = ["UNKNOWN", "EXIT", "SIGNAL", "EXEC", "KILLED"]
KINDS = ["function", "stage", "loop", "iteration", "scope"]
BUCKETS = (47 - 6 + 1) * 64
SIZE = {"uint64_t": 8, "uint32_t": 4, "uint16_t": 2, "int32_t": 4, "uint8_t": 1, "char": 1, "double": 8, "int64_t": 8}
CODE = {"uint64_t": "Q", "uint32_t": "I", "uint16_t": "H", "int32_t": "i", "uint8_t": "B", "char": "s", "double": "d", "int64_t": "q"}
COUNTS = {"PP_LOSS_COUNT": len(LOSSES), "PP_GIVEN_COUNT": len(GIVEN), "PP_METRIC_CAPACITY": 32, "PP_METRIC_COUNT": len(METRICS), "PP_BUCKETS": BUCKETS, "PP_SLOWEST": 16,
          "PP_DIRECTORY_ENTRIES": 170, "PP_SIZES": 8, "PP_WINDOWS": 64, "PP_FLOORS": 64, "PP_WINDOW_KIND_COUNT": 2}


class Layout:
    """A struct of format.h, as its text declares it."""
    def __init__(self, name):
        body = re.search(r"struct %s \{(.*?)\n?\};" % name, FORMAT, re.S)[1]
        body = re.sub(r"/\*.*?\*/", "", body, flags=re.S)
        self.fields, at, widest = {}, 0, 1
        for line in body.split(";"):
            words = line.split(None, 1)
            if not words:
                continue
            kind, rest = words
            if kind == "struct":
                kind, rest = rest.split(None, 1)
            for declarator in rest.split(","):
                m = re.match(r"\s*(\w+)(?:\[(\w*)\])?", declarator)
                name_, count = m[1], m[2]
                n = None if count is None else int(COUNTS.get(count, count) or 0)
                if kind in SIZE:
                    align = size = SIZE[kind]
                else:
                    inner = Layout(kind)
                    align, size = 8, inner.size
                at = (at + align - 1) // align * align
                widest = max(widest, align)
                self.fields[name_] = (kind, at, n)
                at += size * (1 if n is None else n)
        self.size = (at + widest - 1) // widest * widest

    def read(self, data, base):
        out = {}
        for name, (kind, at, n) in self.fields.items():
            if kind == "char":
                out[name] = data[base + at:base + at + n].split(b"\0")[0].decode(errors="replace") if n else None
            elif kind in CODE:
                values = struct.unpack_from("<%d%s" % (1 if n is None else n, CODE[kind]), data, base + at)
                out[name] = values[0] if n is None else list(values)
            else:
                inner = Layout(kind)
                out[name] = inner.read(data, base + at) if n is None else [inner.read(data, base + at + i * inner.size) for i in range(n)]
        return out


L = {n: Layout("pp_" + n) for n in """
    header records record module place child sites thread_rows thread_row counters operations
    operation nodes node stages stage frames frame samples sample paths path callsites callsite
    blocks block number tallies tally directory directory_entry
""".split()}
SITE = struct.Struct("<IBBBBIIIIII")


class DataFile:
    jumps = 0                                # times that a handler jumped out of the runtime's own bookkeeping: each may cost a value

    def __init__(self, path):
        self.path = str(path)
        data = self.data = pathlib.Path(path).read_bytes()
        assert data[:8] == b"profplug", f"{path}: no magic"
        self.header = L["header"].read(data, 0)
        self.extents, at, seen = [], self.header["directory"], set()
        while at:
            assert at not in seen
            seen.add(at)
            count = min(struct.unpack_from("<I", data, at + 8)[0], 170)
            for i in range(count):
                e = L["directory_entry"].read(data, at + 16 + i * 24)
                if e["kind"]:
                    assert e["offset"] % 4096 == 0 and e["size"] % 4096 == 0 and e["offset"] + e["size"] <= len(data), e
                    self.extents.append(e)
            at = struct.unpack_from("<Q", data, at)[0]
        spans = sorted((e["offset"], e["size"]) for e in self.extents if e["kind"] not in (4,))
        for (a, n), (b, _) in zip(spans, spans[1:]):
            assert a + n <= b, "extents overlap"
        self.losses = dict(zip(LOSSES, self.header["losses"]))
        self.exact = self.header["timing"] == 1
        self.exit = (EXITS[self.header["exit_kind"]], self.header["exit_status"])
        self._records()
        self._sites()

    def of(self, kind):
        return [e for e in self.extents if EXTENTS[e["kind"]] == kind]

    def samples(self):
        for e in self.of("SAMPLES"):
            head = L["samples"].read(self.data, e["offset"])
            for i in range(head["capacity"]):
                s = L["sample"].read(self.data, e["offset"] + L["samples"].size + i * L["sample"].size)
                if s["count"]:
                    yield s

    def tallies(self):
        """Name: how often it was said, and the sum, over all threads and stages."""
        out = {}
        for e in self.of("TALLIES"):
            head = L["tallies"].read(self.data, e["offset"])
            for i in range(head["count"]):
                t = L["tally"].read(self.data, e["offset"] + L["tallies"].size + i * L["tally"].size)
                if t["count"]:
                    name, total = self.numbers[head["first"] + i], t["sum"][0] | t["sum"][1] << 64
                    count, sum_ = out.get(name, (0, 0))
                    out[name] = (count + t["count"], sum_ + (total - (1 << 128) if total >> 127 else total))
        return out

    def _records(self):
        self.arguments, self.labels, self.options, self.modules, self.places, self.children, self.numbers = [], [], {}, [], {}, [], {}
        for e in self.of("RECORDS"):
            used = struct.unpack_from("<Q", self.data, e["offset"])[0]
            at = e["offset"] + L["records"].size
            end = at + used
            assert end <= e["offset"] + e["size"]
            while at < end:
                kind, size = struct.unpack_from("<II", self.data, at)
                body = self.data[at + 8:at + 8 + size]
                at += 8 + (size + 7) // 8 * 8
                if kind == 1: self.arguments.append(body[:-1].decode())
                if kind == 2: self.labels.append(body[:-1].decode())
                if kind == 3: self.options.update([body[:-1].decode().split("=", 1)])
                if kind == 4: self.modules.append(dict(L["module"].read(body, 0), path=body[L["module"].size:].split(b"\0")[0].decode()))
                if kind == 5:
                    p = L["place"].read(body, 0)
                    p["name"], p["function"], p["file"] = [s.decode() for s in body[24:].split(b"\0")[:3]]
                    self.places[p["key"]] = p
                if kind == 8: self.numbers[struct.unpack_from("<I", body)[0]] = body[8:].split(b"\0")[0].decode()
                if kind == 6:
                    c = L["child"].read(body, 0)
                    if c["pid"]: self.children.append((c["pid"], body[8:].split(b"\0")[0].decode()))
            assert at == end

    def _sites(self):
        self.sites = {}
        for e in self.of("SITES"):
            h = L["sites"].read(self.data, e["offset"])
            base = e["offset"] + L["sites"].size
            strings = base + h["site_count"] * SITE.size
            def text(o):
                return self.data[strings + o:self.data.index(b"\0", strings + o)].decode()
            for i in range(h["site_count"]):
                slot, kind, mode, category, reason, name, symbol, file, line, stage, statements = SITE.unpack_from(self.data, base + i * SITE.size)
                if mode:
                    key = h["last_key"] - slot
                    assert key not in self.sites, "a key given out twice"
                    self.sites[key] = dict(kind=kind, mode=mode, name=text(name), symbol=text(symbol), line=line, stage=text(stage), module=h["module"])

    def name(self, key):
        key &= 0xffffffff
        if key in self.places:
            return self.places[key]["name"]
        s = self.sites.get(key)
        return (s["stage"] or s["name"]) if s else "?%d" % key

    def _chunked(self, kind, head, item, count_field):
        for e in self.of(kind):
            h = L[head].read(self.data, e["offset"])
            for i in range(h[count_field]):
                yield e["thread"], L[item].read(self.data, e["offset"] + L[head].size + i * L[item].size)

    def threads(self):
        return [r for _, r in self._chunked("THREADS", "thread_rows", "thread_row", "count")]

    def nodes(self):
        return list(self._chunked("NODES", "nodes", "node", "used"))

    def stages(self):
        return [(t, s) for t, s in self._chunked("STAGES", "stages", "stage", "used") if s["number"]]

    def frames(self):
        return [(t, f) for t, f in self._chunked("FRAMES", "frames", "frame", "capacity") if f["start_ns"]]

    def sample_paths(self):
        """[(sample, [path], end)]: each sample with the calls that led to it, outermost first, and what lies beyond."""
        path = {(t, h + i): p for t, h, i, p in self._numbered("PATHS", "paths", "path")}
        out = []
        for t, s in self._chunked("SAMPLES", "samples", "sample", "capacity"):
            calls, at, end = [], s["path"], None
            while at:
                assert path[t, at]["parent"] < at
                calls.insert(0, path[t, at])
                at = path[t, at]["parent"]
            if s["count"]:
                out.append((s, calls, ["whole", "cut", "blind"][calls[0]["end"]] if calls else None))
        return out

    def blocks(self):
        """{(module, address, library) or None: sums} of blocks of the heap, over all threads."""
        point, out = {}, {}
        for e in self.of("CALLSITES"):
            h = L["callsites"].read(self.data, e["offset"])
            for i in range(h["capacity"]):
                p = L["callsite"].read(self.data, e["offset"] + L["callsites"].size + i * L["callsite"].size)
                if p["known"]:
                    point[h["first"] + i] = p["module"], p["address"], p["library"]
        for e in self.of("BLOCKS"):
            h = L["blocks"].read(self.data, e["offset"])
            for i in range(h["count"]):
                b = L["block"].read(self.data, e["offset"] + L["blocks"].size + i * L["block"].size)
                if b["alloc_blocks"] or b["free_blocks"]:
                    to = out.setdefault(point.get(h["first"] + i), {})
                    for k in ("alloc_blocks", "alloc_bytes", "free_blocks", "free_bytes", "temporary_blocks"):
                        to[k] = to.get(k, 0) + b[k]
        return out

    def _numbered(self, kind, head, item):
        for e in self.of(kind):
            h = L[head].read(self.data, e["offset"])
            for i in range(h["used"]):
                yield e["thread"], h["first"], i, L[item].read(self.data, e["offset"] + L[head].size + i * L[item].size)

    def has_counter(self, key):
        """Counted and framed sites."""
        return self.sites.get(key, {}).get("mode") in (1, 2)

    @property
    def counts_calls(self):
        """The collector calltree, by its place in options.def."""
        return self.header["collectors"] >> 2 & 1

    def calls(self):
        """Calls of each function by name: counters and nodes, over all threads."""
        out = {}
        for e in self.of("COUNTERS") if self.counts_calls else ():
            n = struct.unpack_from("<Q", self.data, e["offset"])[0]
            values = struct.unpack_from("<%dQ" % n, self.data, e["offset"] + L["counters"].size)
            for key, v in enumerate(values):
                if self.has_counter(key):        # of a framed site a part is in the word before
                    v = v + values[key - 1] & (1 << 64) - 1 if self.sites[key]["mode"] == 2 else v
                    if v:
                        out[self.name(key)] = out.get(self.name(key), 0) + v
        for _, n in self.nodes():
            if n["calls"] and not self.has_counter(n["key"]):
                out[self.name(n["key"])] = out.get(self.name(n["key"]), 0) + n["calls"]
        return out

    def operations(self):
        """Rows of calls that are in use, in all threads; the top bit of their key is set."""
        for e in self.of("OPERATIONS"):
            for i in range(L["operations"].read(self.data, e["offset"])["capacity"]):
                row = L["operation"].read(self.data, e["offset"] + L["operations"].size + i * L["operation"].size)
                if row["key"] >> 63:
                    yield row

    def stage_totals(self, name, kind=None):
        """Sums over threads and parents; checks what holds of each record."""
        total = dict(calls=0, timed_calls=0, wall_ns=0, self_ns=0, histogram=0, active=0, loop_runs=0, metric=[0] * 32, records=0)
        for _, s in self.stages():
            assert abs(sum(s["histogram"]) - s["timed_calls"]) <= self.jumps
            if s["timed_calls"]:
                assert s["min_ns"] * s["timed_calls"] <= s["timed_ns"] <= s["max_ns"] * s["timed_calls"]
            if self.name(s["key"]) == name and (kind is None or KINDS[s["kind"]] == kind):
                total["records"] += 1
                for k in ("calls", "timed_calls", "wall_ns", "self_ns", "active", "loop_runs"):
                    total[k] += s[k]
                total["histogram"] += sum(s["histogram"])
                total["metric"] = [a + b for a, b in zip(total["metric"], s["metric"])]
        return total

    def paths(self):
        """{('main', 'f', 'g'): calls} over all threads."""
        by = {(t, n["number"]): n for t, n in self.nodes()}
        out = {}
        for (t, number), n in by.items():
            path, at = [], n
            while at["number"]:
                path.append(self.name(at["key"]))
                at = by[t, at["parent"]]
            if number:
                key = tuple(reversed(path))
                out[key] = out.get(key, 0) + n["calls"]
        return out


if __name__ == "__main__":
    import sys
    for p in sys.argv[1:]:
        d = DataFile(p)
        h = d.header
        print(p, len(d.data), "pid", h["pid"], "exit", d.exit, "wall %.6f" % ((h["end_ns"] - h["start_ns"]) / 1e9), h["clock_name"], h["cpu_model"], h["host"])
        print(" losses", {k: v for k, v in d.losses.items() if v}, "timed", h["events_timed"], "self_ns", h["self_ns"], "sampled", h["events_sampled"])
        print(" args", d.arguments, "labels", d.labels, "modules", [m["path"] for m in d.modules], "children", d.children)
        for t in d.threads(): print(" thread", t["tid"], t["block"], t["name"], t["end_ns"] and t["end_ns"] - t["start_ns"], t["cpu_ns"], t["samples"])
        print(" calls", d.calls())
        for t, s in d.stages():
            print("  stage", t, s["number"], d.name(s["key"]), KINDS[s["kind"]], "parent", s["parent"], {k: s[k] for k in ("calls", "timed_calls", "wall_ns", "self_ns", "min_ns", "max_ns", "active", "loop_runs", "trips_min", "trips_max", "sampled_calls")}, s["metric"][:len(METRICS)])
        for t, n in d.nodes():
            print("  node", t, n["number"], "<-", n["parent"], d.name(n["key"]), {k: n[k] for k in ("calls", "timed_calls", "timed_ns", "self_ns", "stage", "active")})
        for t, f in d.frames(): print("  open", t, f["node_number"], f["stage"])
