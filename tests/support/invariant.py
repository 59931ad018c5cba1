# SPDX-License-Identifier: MIT
"""invariant.py: what holds in every report, whatever ran: numbers that are numbers, an order between fields of a row, sums, and references that
lead to a row. docs/report.md says what the fields mean. The schema (tests/golden/schema.py) says which there are."""

import collections
import math

import callers

# Rows whose fields ascend. A field that is absent is passed over.
ASCEND = {
    "runs": ["overhead_least_percent overhead_percent overhead_most_percent", "arena_top_bytes arena_free_bytes arena_bytes"],
    "threads": ["wall_ns RUN_WALL", "start_offset_ns end_offset_ns"],
    "thread_groups": ["mean_cpu_ns max_cpu_ns cpu_ns", "union_ns lifetime_ns", "most_at_once threads"],
    "snapshots": ["cpu_ns RUN_CPU", "at_ns RUN_WALL"],
    "stages": ["timed_calls calls", "wall_min_ns wall_mean_ns wall_max_ns wall_total_ns", "wall_min_ns wall_p50_ns wall_p95_ns wall_p99_ns wall_max_ns",
               "throughput_min_per_second throughput_median_per_second throughput_max_per_second", "growth_rises growth_steps",
               "arena_used_bytes arena_bytes", "arena_gap_bytes arena_bytes", "entry_arena_used_bytes entry_arena_bytes", "entry_arena_gap_bytes entry_arena_bytes"],
    "loops": ["iteration_timed_calls iterations", "trips_min trips_mean trips_max", "iteration_wall_total_ns wall_total_ns",
              "iteration_wall_min_ns iteration_wall_mean_ns iteration_wall_max_ns iteration_wall_total_ns",
              "iteration_wall_min_ns iteration_wall_p50_ns iteration_wall_p95_ns iteration_wall_p99_ns iteration_wall_max_ns"],
    "functions": ["timed_calls calls", "library_ns self_ns cpu_total_ns", "remainder_ns self_ns", "wait_ns call_wall_ns"],
    "lines": ["library_ns self_ns total_ns", "wait_ns call_wall_ns"],
    "call_tree": ["timed_calls calls", "self_ns cpu_total_ns"],
    "allocations": ["temporary_blocks free_blocks", "peak_blocks alloc_blocks", "peak_bytes alloc_bytes"],
    "operations": ["errors calls", "sequential_calls calls", "found_nothing_calls calls", "nodelay_calls calls", "timed_calls calls", "wait_ns wall_ns", "max_ns wall_ns"],
    "locks": ["max_ns wait_ns", "held_io_ns wait_ns"],
    "files": ["wait_ns wall_ns"],
    "endpoints": ["wait_ns wall_ns", "response_p50_ns response_p95_ns response_p99_ns response_max_ns", "served_p50_ns served_p95_ns served_p99_ns served_max_ns"],
}
# The same, but of a process that no other one forked: a child frees what its parent asked for.
ALONE = ["temporary_blocks alloc_blocks", "free_blocks alloc_blocks", "free_bytes alloc_bytes", "unmap_bytes map_bytes"]
# Of these the first is the sum of the second and the third.
SUM = ["cpu_ns user_ns system_ns", "self_ns user_ns system_ns", "alloc_bytes free_bytes live_bytes", "alloc_blocks free_blocks live_blocks", "alloc_bytes free_bytes net_bytes",
       "map_bytes unmap_bytes live_map_bytes", "arena_bytes arena_used_bytes arena_free_bytes"]
# The rows that a field of a row leads to, by their id, and the field that is their name here.
REFERENCE = {"parent": ("stages", ""), "stage_id": ("stages", "stage"), "module_id": ("modules", ""), "function_id": ("functions", "function"),
             "parent_id": ("call_tree", ""), "call_tree_id": ("call_tree", ""), "thread_id": ("threads", "")}
UNIQUE = {"modules": "id", "stages": "id key", "functions": "id key", "threads": "id", "call_tree": "id", "snapshots": "number", "metrics": "name"}
# Sums by function and by line, exactly, of the rows of a list.
TOTALS = {"allocations": "alloc_bytes alloc_blocks free_bytes free_blocks temporary_blocks", "mappings": "maps map_bytes unmap_bytes",
          "copies": "copies copy_bytes", "pools": "pool_blocks pool_bytes", "fills": "fills fill_bytes"}
SIGNED = {"exit_status", "unhooked_read_bytes", "unhooked_write_bytes", "growth_bytes", "growth_bytes_per_entry", "rss_delta_bytes", "net_bytes", "live_blocks",
          "live_bytes", "live_map_bytes", "peak_blocks", "peak_bytes", "evidence", "value"}      # value: of a remark, such as a stride
OWN = {"sum", "min", "max"}              # the program's own numbers, which may be anything
SHARES = ("known_line", "unknown_line", "no_debug", "library", "outside", "profiler")


def described(kind, number, row):
    names = [f"{key}={row[key]!r}" for key in ("id", "key", "name", "operation", "label", "file", "line") if key in row]
    return f"{kind}[{number}] {' '.join(names[:4])}"


def check_numbers(value, at, field, found):
    """Every number is finite, none is negative that is not signed, none is a difference that wrapped, and shares are at most 100 %."""
    if isinstance(value, dict):
        for key, inner in value.items():
            check_numbers(inner, f"{at}.{key}", field if field == "evidence" else key, found)
    elif isinstance(value, list):
        for number, inner in enumerate(value):
            check_numbers(inner, f"{at}[{number}]", field, found)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        if not math.isfinite(value):
            found.append(f"{at} is {value}: not a finite number")
        elif value < 0 and field not in SIGNED | OWN:
            found.append(f"{at} is {value}: negative")
        elif abs(value) >= 1 << 63 and field not in OWN:
            found.append(f"{at} is {value}: a difference below 0")
        elif value > 100 and field.endswith(("_line_percent", "fragmentation_percent", "confidence_percent", *(f"{share}_percent" for share in SHARES))):
            found.append(f"{at} is {value}: a share above 100 %")


def ascends(low, high, name):
    """Times are rounded, and what is no integer is written with six digits."""
    return low <= high + (high * 1e-5 if isinstance(low, float) or isinstance(high, float) else 0) + name.endswith("_ns")


def check_order(at, row, orders, outer, found):
    for order in orders:
        fields = [(name, outer.get(name, row.get(name))) for name in order.split() if name in row or name in outer]
        for (less, low), (more, high) in zip(fields, fields[1:]):
            if not ascends(low, high, less):
                found.append(f"{at}: {less} {low} exceeds {more} {high}")
    for name, tally in row.get("counters", {}).items():
        if not (tally["count"] and tally["min"] <= tally["max"] and tally["min"] * tally["count"] <= tally["sum"] <= tally["max"] * tally["count"]):
            found.append(f"{at}: counter {name} contradicts itself: {tally}")
    if "sizes" in row and sum(row["sizes"]) > row["calls"]:
        found.append(f"{at}: sizes add up to {sum(row['sizes'])} of {row['calls']} calls")


def check_sums(at, row, found):
    for whole, *parts in map(str.split, SUM):
        if all(name in row for name in (whole, *parts)) and row[whole] != sum(row[name] for name in parts):
            found.append(f"{at}: {whole} {row[whole]} is not the sum of {parts[0]} {row[parts[0]]} and {parts[1]} {row[parts[1]]}")


def check_references(document, found):
    ids = {kind: {row["id"]: row for row in document[kind]} for kind in ("modules", "stages", "functions", "threads", "call_tree")}
    # A function that only encloses lines has no row of its own, and a file that was full lacks what no room was left for.
    optional = {*document["truncated"], "functions", *(set(ids) - {"modules"} if document["runs"][0]["losses"]["disk_extents"] else ())}
    for kind, rows in document.items():
        before = set()
        for number, row in enumerate(rows) if isinstance(rows, list) else ():
            for inner in (row, *row.get("slowest", [])) if isinstance(row, dict) else ():
                for field, (to, name) in REFERENCE.items():
                    target = ids[to].get(inner[field]) if field in inner else None
                    if field in inner and not target and to not in optional:
                        found.append(f"{described(kind, number, row)}: {field} {inner[field]} is the id of no row of {to}")
                    elif target and name in inner and target["name"] != inner[name]:
                        found.append(f"{described(kind, number, row)}: {field} {inner[field]} is {target['name']}, not {inner[name]}")
                    elif target and to == kind and inner[field] not in before:
                        found.append(f"{described(kind, number, row)}: stands before {field} {inner[field]}")
            if kind == "bottlenecks":
                subject = ids[row["subject_kind"] + "s"].get(row["subject_id"])
                if subject["name"] != row["name"] if subject else row["subject_kind"] + "s" not in document["truncated"]:
                    found.append(f"{described(kind, number, row)}: subject_id {row['subject_id']} is no {row['subject_kind']} of that name")
            if kind in ids:
                before.add(row["id"])
    for loop in document["loops"]:
        if any(loop.get(field) != value for field, value in ids["stages"].get(loop["id"], {"id": 0}).items()):
            found.append(f"loops: {loop['key']} is not the row of stages with its id {loop['id']}")


def check_waits(document, found):
    """What a line waited in calls of a kind is the same in waits, whose rows have the calls that led there, as in operations; but for a line of which only
    unfinished calls are recorded. Libraries that are made of one source have the same line in different functions."""
    known, told, rows, ended = collections.Counter(), collections.Counter(), collections.Counter(), collections.Counter()
    for kind, to in (("operations", known), ("waits", told)):
        for row in document.get(kind, []):
            if "line" in row:
                key = row["operation"], row["file"], row["line"], row["function_id"]
                to[key] += row.get("wait_ns", 0)
                rows[key] += 1
                ended[key] += row.get("wait_ns", 0) - row["unfinished_ns"] if to is told else 0
    for key, ns in told.items():
        if key in known and ended[key] > rows[key] and abs(ns - known[key]) > rows[key] + 1e-6 * known[key]:
            found.append(f"waits: {key} has {ns} ns, operations {known[key]}")


def check_calls(document, found):
    """Calls by path add up to the function's, also where control left without a probe. A function that is only counted is on no path."""
    if {"functions", "call_tree"} & set(document["truncated"]) or any(document["runs"][0]["losses"][kind] for kind in ("frames", "disk_extents", "objects")):
        return
    calls = collections.Counter()
    for row in document["call_tree"]:
        calls[row["function_id"]] += row.get("calls", 0)
    for number, row in enumerate(document["functions"]):
        if calls[row["id"]] not in (0, row.get("calls", calls[row["id"]])):
            found.append(f"{described('functions', number, row)}: {row['calls']} calls, {calls[row['id']]} in call_tree")


def check_totals(document, found):
    run, coverage = document["runs"][0], document["coverage"]
    if run["events_sampled"] + run["events_skipped"] != coverage["samples"]:
        found.append(f"runs[0]: events_sampled {run['events_sampled']} and events_skipped {run['events_skipped']} are not coverage's {coverage['samples']} samples")
    for kind in ("modules", "threads", "functions", "lines", "call_tree"):
        # A thread counts its samples, also those for which it got no memory. Of a full file any of its pieces may be missing.
        lost = run["losses"]["disk_extents"] or (kind == "threads" and run["losses"]["memory_failures"])
        if sum(row["samples"] for row in document[kind]) > coverage["samples"] and not lost:
            found.append(f"{kind}: more samples than coverage's {coverage['samples']}")
    if coverage["kernel_placed_ns"] + coverage["kernel_profiler_ns"] > coverage["kernel_ns"] + 1:
        found.append(f"coverage: kernel_placed_ns {coverage['kernel_placed_ns']} and kernel_profiler_ns {coverage['kernel_profiler_ns']} exceed kernel_ns {coverage['kernel_ns']}")
    for kind in ("functions", "lines"):
        if sum(row.get("system_ns", 0) for row in document[kind]) > coverage["kernel_placed_ns"] + len(document[kind]):
            found.append(f"{kind}: more kernel time than coverage's {coverage['kernel_placed_ns']}")
    # What is in code with lines stands on lines, but for what stands at functions because its line was never reached.
    on_lines, known = sum(row["samples"] for row in document["lines"]), coverage["samples_known_line"] - coverage.get("samples_stray_line", 0)
    if on_lines < known and "lines" not in document["truncated"]:
        found.append(f"lines: {on_lines} samples, fewer than coverage's {known} on known lines")
    for kind, error in (("functions", "self_error_percent"), ("lines", "error_percent")):
        for number, row in enumerate(document[kind]):
            if row.get("few_samples", False) != (row.get(error, 0) > 100):
                found.append(f"{described(kind, number, row)}: {error} {row.get(error)}, few_samples {row.get('few_samples')}")
    for kind, fields in TOTALS.items():
        for field in fields.split() if kind in document else ():
            for to, keys in (("functions", ("function_id",)), ("lines", ("file", "line"))):
                if to in document["truncated"]:
                    continue
                parts, whole = collections.Counter(), collections.Counter()
                for row in document[kind]:
                    parts[tuple(row.get(key) for key in keys)] += row.get(field, 0)
                for row in document[to]:
                    whole[(row["id"],) if to == "functions" else (row["file"], row["line"])] += row.get(field, 0)
                for key, value in whole.items():
                    if value != parts[key]:
                        found.append(f"{to} {key}: {field} {value}; {kind} have {parts[key]} there")


def breaches(document, settled=True):
    """What does not hold, a line each, with the row it is about. Not settled: the end came amid the work of a thread, or of a handler, whose numbers may
    be half booked. Their order is not judged then."""
    found = []
    run = document["runs"][0]
    settled = settled and run["exit_kind"] in ("exit", "exec")
    outer = {"RUN_WALL": run["wall_ns"], "RUN_CPU": run["cpu_ns"]}
    # Where activations were left or lost, an outer one may have been closed early, and those that are timed stand for too many.
    whole = not (run["losses"]["frames"] or run["losses"]["healed_frames"])
    orders = {kind: list(rows) for kind, rows in ASCEND.items()} if settled else {}
    if settled:
        orders["stages"] += ["wall_self_ns wall_total_ns"] * whole
        orders["loops"] += [*orders["stages"], *["iteration_wall_self_ns iteration_wall_total_ns"] * whole]
        orders["allocations"] += ALONE * (run["pid"] == run["root_pid"])
        for kind in ("functions", "lines", "mappings", "snapshots"):
            orders.setdefault(kind, []).extend(orders["allocations"])
    for kind, rows in document.items():
        check_numbers(rows, kind, kind, found)
        for number, row in enumerate(rows) if isinstance(rows, list) and kind != "truncated" else ():
            at = described(kind, number, row)
            check_sums(at, row, found)
            if settled:
                check_order(at, row, orders.get(kind, ()), outer, found)
        for field in UNIQUE.get(kind, "").split():
            twice = [value for value, times in collections.Counter(row[field] for row in rows).items() if times > 1]
            if twice:
                found.append(f"{kind}: {field} {twice[0]!r} stands in several rows")
    if settled:
        check_waits(document, found)
    for field in ("number", "at_ns"):
        values = [row[field] for row in document.get("snapshots", [])]
        if values != sorted(values):
            found.append(f"snapshots: {field} does not ascend: {values}")
    check_references(document, found)
    check_totals(document, found)
    if settled:
        check_calls(document, found)
    return found or (callers.check(document) if settled and not document.get("truncated") else [])
