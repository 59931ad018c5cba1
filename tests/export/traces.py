#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""traces.py BUILD: Chrome's and Perfetto's traces, Firefox's profile and OpenTelemetry's profiles are decoded here, by their formats' own rules. They hold
the spans, values and totals of the JSON report, under its names. Where protoc is installed it decodes them too, strictly by the messages in *.proto."""

import json
import os
import re
import shutil
import subprocess

import made
from made import HERE, program
from wire import message, numbers, signed

expect = program.expect
CPU, WAIT = "CPU time, user and kernel", "time that calls waited"


def near(a, b):
    return abs(a - b) <= max(1000, 1e-6 * abs(b))


def prose(text):
    """A name of the JSON report as people read it: bytes that are no UTF-8 in hexadecimal."""
    return re.sub("[\udc80-\udcff]", lambda found: f"\\x{ord(found[0]) - 0xdc00:02x}", text)


class Trace:
    """What a trace draws. slices: (thread, name, kind, start, end, where); values: (name, time, value); calls: by cost (name, depth, start, end)."""
    def __init__(self):
        self.threads, self.slices, self.values, self.calls, self.let_go, self.instants = {}, [], [], {}, None, []


def replay(what, events):
    """Pairs of begins and ends on one track, as (begin, depth, end): ends close what began last."""
    open_now, pairs = [], []
    for event in events:
        if event["phase"] == "B":
            open_now.append(event)
            continue
        expect(open_now and event.get("name") in (None, open_now[-1]["name"]), f"{what}: an end closes the innermost slice", event, open_now[-1:])
        if open_now:
            began = open_now.pop()
            pairs.append((began, len(open_now), event))
            expect(began["at"] <= event["at"], f"{what}: it ends after it began", began, event)
    expect(not open_now, f"{what}: all that began ends", open_now)
    return pairs


def whole_ns(us):
    """A time as it is written, in us with 3 digits, or 6 where another event of the track has the same ns."""
    found = re.fullmatch(r"(\d+)\.(\d{3})(\d{3})?", us)
    expect(found, "a time in us", us)
    return int(found[1]) * 1000 + int(found[2])


def chrome(data):
    trace, tracks, named = Trace(), {}, {}
    seen = json.loads(data, parse_float=str)
    for event in seen["traceEvents"]:
        place, phase = (event["pid"], event["tid"]), event["ph"]
        if phase == "M":
            named[event["name"], place] = event["args"]["name"]
        elif phase == "C":
            trace.values.append((event["name"], whole_ns(event["ts"]), event["args"]["value"]))
        elif phase == "i":
            trace.instants.append((event["name"], whole_ns(event["ts"])))
        else:
            tracks.setdefault(place, []).append({"phase": phase, "name": event["name"], "kind": event["cat"], "at": whole_ns(event["ts"]), "exact": float(event["ts"]),
                                                 "args": event.get("args", {})})
    trace.process = min(pid for what, (pid, _) in named if what == "process_name")
    trace.threads = {tid: name for (what, (pid, tid)), name in named.items() if what == "thread_name" and pid == trace.process and tid < 10_000_000}
    for (pid, tid), events in tracks.items():
        times = [event["exact"] for event in events]
        expect(times == sorted(set(times)), "chrome: no two slices of a track begin or end at one time", [pair for pair in zip(times, times[1:]) if pair[0] >= pair[1]])
        pairs = replay("chrome", events)
        expect(all(began["args"] == ended["args"] and began["kind"] == ended["kind"] for began, _, ended in pairs), "chrome: an end has what its begin has")
        if pid == trace.process:
            trace.slices += [(tid % 10_000_000, began["name"], began["kind"], began["at"], ended["at"], began["args"].get("at")) for began, _, ended in pairs]
        else:
            trace.calls[named["thread_name", (pid, tid)]] = [(began["name"], depth, began["at"], ended["at"]) for began, depth, ended in pairs]
    trace.let_go = [seen["otherData"][key] for key in ("stages_let_go", "waits_let_go", "values_let_go")]
    return trace


def perfetto(data):
    """By numbers of Perfetto's messages: trace 1 is packet; packet 8 timestamp, 11 track_event, 12 interned_data, 60 track_descriptor; ..."""
    trace, name_of, tracks, events, last = Trace(), {}, {}, {}, {}
    packets = message(data)
    expect(list(packets) == [1], "perfetto: packets alone", list(packets))
    for packet in map(message, packets[1]):
        expect(packet[10] == [1] and packet[13] == [2 if last else 1], "perfetto: one sequence, which begins afresh", packet)
        last = packet
        for entry in (message(row) for one in packet.get(12, []) for row in message(one)[2]):
            expect(entry[1][0] not in name_of, "perfetto: a name is written once")
            name_of[entry[1][0]] = entry[2][0].decode("utf-8")
        if 60 in packet:
            track = message(packet[60][0])
            row = {"name": track[2][0].decode("utf-8"), "parent": track.get(5, [0])[0], "process": message(track[3][0]) if 3 in track else None,
                   "thread": message(track[4][0]) if 4 in track else None, "counter": 8 in track}
            expect(track[1][0] not in tracks and (not row["parent"] or row["parent"] in tracks), "perfetto: a track stands after its parent", row)
            tracks[track[1][0]] = row
        if 11 in packet:
            event = message(packet[11][0])
            notes = {one[10][0].decode("utf-8"): one.get(6, one.get(3))[0] for one in map(message, event.get(4, []))}
            expect(event[11][0] in tracks, "perfetto: an event's track is there", event)
            events.setdefault(event[11][0], []).append({"phase": " BEIC"[event[9][0]], "at": packet[8][0], "kind": event.get(22, [b""])[0].decode("utf-8"),
                                                         "name": name_of[event[10][0]] if 10 in event else None, "value": event.get(30), "notes": notes})
    trace.process = next(track["process"][1][0] for track in tracks.values() if track["process"])
    trace.threads = {track["thread"][2][0]: track["name"] for track in tracks.values() if track["thread"] and track["thread"][1][0] == trace.process}
    for number, rows in events.items():
        track = tracks[number]
        thread = (track["thread"] or (tracks[track["parent"]]["thread"] if track["parent"] else None) or {1: [trace.process], 2: [0]})
        trace.instants += [(row["name"], row["at"]) for row in rows if row["phase"] == "I"]
        if track["counter"]:
            trace.values += [("heap in use, bytes" if track["name"] == "heap in use" else track["name"], row["at"], signed(row["value"][0])) for row in rows]
            continue
        pairs = replay("perfetto", [row for row in rows if row["phase"] in "BE"])
        if thread[1][0] == trace.process:
            trace.slices += [(thread[2][0], began["name"], began["kind"], began["at"], ended["at"], began["notes"]["at"].decode("utf-8") if "at" in began["notes"] else None)
                             for began, _, ended in pairs]
        else:
            trace.calls[track["name"]] = [(began["name"], depth, began["at"], ended["at"]) for began, depth, ended in pairs]
    return trace


def firefox(data):
    trace = Trace()
    seen = json.loads(data)
    shared, strings = seen["shared"], seen["shared"]["stringArray"]
    for name, table in [*((name, table) for name, table in shared.items() if name != "stringArray"), *((key, thread[key]) for thread in seen["threads"] for key in ("samples", "markers"))]:
        columns = {key: len(value) for key, value in table.items() if isinstance(value, list)}
        expect(set(columns.values()) <= {table["length"]}, f"firefox: {name}: columns of one length", columns, table["length"])
    stacks = shared["stackTable"]
    expect(all(prefix is None or 0 <= prefix < row for row, prefix in enumerate(stacks["prefix"])), "firefox: callers come first")
    expect(all(0 <= func < shared["funcTable"]["length"] for func in shared["frameTable"]["func"]), "firefox: a frame's function is there")
    expect(all(source is None or 0 <= source < shared["sources"]["length"] for source in shared["funcTable"]["source"]), "firefox: a function's file is there")
    expect(len(set(strings)) == len(strings) and all(0 <= text < len(strings) for text in shared["funcTable"]["name"] + shared["sources"]["filename"]), "firefox: strings are there")
    groups = [group["name"] for group in seen["meta"]["categories"]]
    for rows in (thread["markers"] for thread in seen["threads"]):
        expect(all((groups[group] == "Wait") == (note["type"] == "wait") for group, note in zip(rows["category"], rows["data"], strict=True)), "firefox: waits have a category of their own")
    trace.costs, trace.names = {}, {strings[name] for name in shared["funcTable"]["name"]}
    for thread in seen["threads"]:
        samples = thread["samples"]
        if samples["length"]:
            expect(all(0 <= stack < stacks["length"] for stack in samples["stack"]) and samples["time"] == sorted(samples["time"]), "firefox: stacks of samples", thread["name"])
            trace.costs[thread["name"].split(":")[0]] = sum(samples["weight"]) * (1e6 if samples["weightType"] == "tracing-ms" else 1)
        if "calls by" in thread["processName"]:
            continue
        trace.threads[thread["tid"]], rows = thread["name"], thread["markers"]
        for at in range(rows["length"]):
            start, note = round(rows["startTime"][at] * 1e6), rows["data"][at]
            if note["type"] == "snapshot":
                trace.instants.append((strings[rows["name"][at]], start))
            else:
                trace.slices.append((thread["tid"], strings[rows["name"][at]], note["type"], start, round(rows["endTime"][at] * 1e6), note.get("at") or None))
    for counter in seen["counters"]:
        value, wide = 0, counter["samples"]
        for time, change in zip(wide["time"], wide["count"], strict=True):
            value += change
            trace.values.append(("heap in use, bytes" if counter["name"] == "heap in use" else counter["name"], round(time * 1e6), value))
    return trace


def otlp(data):
    """By numbers of OpenTelemetry's messages. Sums by type, stages and names."""
    whole = message(data)
    table = message(whole[2][0])
    strings = [text.decode("utf-8") for text in table[5]]
    mappings, locations, functions, attributes, stacks = (table[number] for number in (1, 2, 3, 6, 7))
    expect(strings[0] == "" and all(not rows[0] for rows in (mappings, locations, functions, table[4], attributes, stacks)), "otlp: row 0 of each table is empty")
    expect(len(set(strings)) == len(strings), "otlp: a string is there once")
    expect(all(value < len(strings) for row in functions[1:] for value in (message(row)[key][0] for key in (1, 2, 3) if key in message(row))), "otlp: a function's strings are there")
    expect(all(message(line)[1][0] < len(functions) for row in locations[1:] for line in message(row)[3]), "otlp: a location's function is there")
    expect(all(0 < value < len(locations) for row in stacks[1:] for value in numbers(message(row)[1][0])), "otlp: a stack's locations are there")
    resource = message(whole[1][0])
    said = {pair[1][0].decode("utf-8"): message(pair[2][0]) for pair in map(message, message(resource[1][0])[1])}
    scope = message(resource[2][0])
    sums, stages, ids = {}, set(), set()
    for profile in map(message, scope[2]):
        kind = message(profile[1][0])
        ids.add(profile[7][0])
        expect(len(profile[7][0]) == 16 and profile[3][0] > 10**18, "otlp: a profile's number and time", profile[7], profile[3])
        rows = [message(row) for row in profile.get(2, [])]
        expect(all(0 < row[1][0] < len(stacks) and len(numbers(row[4][0])) == 1 for row in rows), "otlp: a sample's stack and value")
        sums[strings[kind[1][0]]] = sum(numbers(row[4][0])[0] for row in rows)
        for row in rows:
            for attribute in numbers(row[2][0]) if 2 in row else ():
                pair = message(attributes[attribute])
                expect(strings[pair[1][0]] == "stage", "otlp: an attribute's key", pair)
                stages.add(message(pair[2][0])[1][0].decode("utf-8"))
    expect(len(ids) == len(scope[2]), "otlp: profiles have numbers of their own")
    return sums, stages, {strings[message(row)[1][0]] for row in functions[1:]}, said


def spans_of(seen):
    """The report's spans as slices."""
    rows = []
    for span in seen["timeline"]["spans"]:
        name = span["operation"] if span["kind"] == "wait" else ("iteration of " if span["kind"] == "iteration" else "") + prose(span["stage"])
        at = f"{prose(span['file'])}:{span['line']} in {prose(span['function'])}" if span["kind"] == "wait" and "line" in span else None
        rows.append((span["thread_id"], name, span["kind"], span["start_offset_ns"], span["start_offset_ns"] + span["wall_ns"], at))
    return rows


def values_of(seen):
    heap = [("heap in use, bytes", span["start_offset_ns"] + span["wall_ns"], span["live_bytes"]) for span in seen["timeline"]["spans"] if "live_bytes" in span]
    return heap + [(prose(row["name"]), row["offset_ns"], row["value"]) for row in seen["timeline"]["values"]]


def timeline(form, trace, seen):
    expect(sorted(trace.slices, key=str) == sorted(spans_of(seen), key=str) and trace.slices, f"{form}: the report's spans",
           sorted(set(trace.slices) ^ set(spans_of(seen)), key=str)[:6], len(trace.slices))
    expect(sorted(trace.values) == sorted(values_of(seen)), f"{form}: the report's values", sorted(set(trace.values) ^ set(values_of(seen)))[:6])
    expect(trace.threads == {row["id"]: prose(row["name"]) for row in seen["threads"]}, f"{form}: threads and their names", trace.threads)
    expect({prose(row["label"]) for row in seen.get("snapshots", [])} <= {name for name, _ in trace.instants}, f"{form}: snapshots", trace.instants)


def calls(form, trace, totals, seen):
    """Slices of calls are as long as the report's costs, with callers around what they call."""
    expect(set(trace.calls) == {CPU, WAIT}, f"{form}: a track for each time", list(trace.calls))
    for cost, key in ((CPU, "cpu"), (WAIT, "wait")):
        rows = trace.calls.get(cost, [])
        expect(near(sum(end - start for _, depth, start, end in rows if not depth), totals[key]), f"{form}: {key}'s total", rows[:3], totals)
    row = next(row for row in seen["functions"] if row["name"] == "filled" and row.get("cpu_total_ns"))
    inside = sum(end - start for name, _, start, end in trace.calls[CPU] if name == "filled")
    expect(abs(inside / row["cpu_total_ns"] - 1) < 0.01, f"{form}: a function with what it calls", inside, row["cpu_total_ns"])
    expect(any(len(name) > 10000 for name, *_ in trace.calls[CPU]), f"{form}: a name of ten thousand letters")


def costs(form, sums, totals):
    expect(all(near(sums.get(name, 0), totals[name]) for name in totals), f"{form}: totals", sums, totals)


def meanings(trace):
    """Firefox's costs by their short names."""
    short = {CPU: "cpu", "the part of CPU time in the kernel": "kernel", WAIT: "wait", "samples taken": "samples", "bytes allocated": "alloc_bytes",
             "blocks allocated": "alloc_blocks", "bytes that lived at the end": "live_bytes", "blocks that lived at the end": "live_blocks"}
    return {short[name]: value for name, value in trace.costs.items()}


def protoc(run):
    """Strictly: each field is one that the messages know, in its type, and texts are UTF-8."""
    if not shutil.which("protoc"):
        print("not here: protoc, for perfetto and otlp")
        return
    for form, root, texts in (("perfetto", "Trace", "name"), ("otlp", "ProfilesData", "string_table")):
        done = program.call(["protoc", f"--proto_path={HERE}", f"--decode={root}", f"{form}.proto"], stdin=run.export(form))
        expect(done.returncode == 0 and not done.err, f"protoc reads {form}", done.err[-600:])
        expect(not re.search(r"^ *\d+[:{ ]", done.out, re.M), f"protoc: {form} has no unknown field", re.findall(r"^ *\d+[:{ ].*", done.out, re.M)[:5])
        expect(len(re.findall(rf"^ *{texts}: ", done.out, re.M)) > 20, f"protoc: {form}'s names", done.out[:600])
        print(f"read by protoc: {form}")
        if form == "otlp":
            first = done.out[done.out.index("profiles {"):].split("\n    profiles {")[0]
            cpu = sum(map(int, re.findall(r"^ *values: (\d+)", first, re.M)))
            expect(near(cpu, run.totals()["cpu"]), "protoc: otlp's CPU time", cpu)


def narrowed(run):
    """One cost, one stage, one thread; through a pipe and into a file."""
    stage, thread = next(row for row in run.report["stages"] if row["name"].startswith("a;b")), run.report["threads"][-1]["id"]
    for words in (("--stage", stage["key"]), ("--thread", str(thread))):
        seen = json.loads(program.must([run.tool, "report", "--format", "json", *words, run.data]))
        total, waits = seen["coverage"]["cpu_ns"], sum(row["wait_ns"] for row in seen["waits"])
        expect(0 < total < run.report["coverage"]["cpu_ns"], f"{words}: a part of the run", total, run.report["coverage"])
        expect(0 < waits < run.totals()["wait"], f"{words}: a part of its waits", waits)
        for form, read in (("chrome", chrome), ("perfetto", perfetto), ("firefox", firefox)):
            trace = read(run.export(form, *words))
            expect(sorted(trace.slices, key=str) == sorted(spans_of(seen), key=str) and trace.slices, f"{form} {words}: its spans", trace.slices)
            cpu = trace.costs[CPU] if form == "firefox" else sum(end - start for _, depth, start, end in trace.calls[CPU] if not depth)
            wait = trace.costs[WAIT] if form == "firefox" else sum(end - start for _, depth, start, end in trace.calls[WAIT] if not depth)
            expect(near(cpu, total) and near(wait, waits), f"{form} {words}: its CPU time and waits", cpu, total, wait, waits)
        sums = otlp(run.export("otlp", *words))[0]
        expect(near(sums["cpu"], total) and near(sums["wait"], waits), f"otlp {words}: its CPU time and waits", sums, total, waits)
    wait = run.totals()["wait"]
    for form, read in (("chrome", chrome), ("perfetto", perfetto)):
        rows = read(run.export(form, "--metric", "wait")).calls
        expect(list(rows) == [WAIT] and near(sum(end - start for _, depth, start, end in rows[WAIT] if not depth), wait), f"{form}: waits alone", rows, wait)
    one = firefox(run.export("firefox", "--metric", "wait")).costs
    expect(list(one) == [WAIT] and near(one[WAIT], wait), "firefox: waits alone", one, wait)
    sums = otlp(run.export("otlp", "--metric", "wait"))[0]
    expect(list(sums) == ["wait"] and near(sums["wait"], wait), "otlp: waits alone", sums)
    for form in ("chrome", "perfetto", "firefox", "otlp"):
        program.must([run.tool, "export", "--format", form, "-o", f"{run.scratch}/to.{form}", run.data])
        with open(f"{run.scratch}/to.{form}", "rb") as file:
            expect(file.read() == run.export(form), f"{form}: a pipe and a file have the same bytes")
        cut = subprocess.run(f"'{run.tool}' export --format {form} '{run.data}' | head -c 10", shell=True, capture_output=True)
        expect(len(cut.stdout) == 10 and not cut.stderr, f"{form}: a pipe that closes early", cut)


def timeless(run):
    """A run without a timeline: threads and calls, and how to record more."""
    data = f"{run.scratch}/timeless.profplug"
    program.must([run.program], env={"PROFPLUG": f"output={data}"}, cwd=run.scratch)
    for form, read in (("chrome", chrome), ("perfetto", perfetto), ("firefox", firefox)):
        done = program.call([run.tool, "export", "--format", form, data])
        trace = read(done.stdout)
        expect(done.returncode == 0 and not trace.slices and len(trace.threads) == 3, f"{form}: no timeline", trace.threads)
        expect(done.err.count("\n") == 1 and "timeline=on" in done.err and form in done.err, f"{form}: how to record one", done.err)


def idle(build, scratch):
    """A program that does nothing: little to draw, in whole files."""
    program.write(f"{scratch}/idle.c", "int main(void) { return 0; }\n")
    program.must([f"{build}/profplug-gcc", "-o", f"{scratch}/idle", f"{scratch}/idle.c"])
    program.must([f"{scratch}/idle"], env={"PROFPLUG": f"timeline=on,output={scratch}/idle.profplug"}, cwd=scratch)
    for form, read in (("chrome", chrome), ("perfetto", perfetto), ("firefox", firefox), ("otlp", otlp)):
        done = program.call([f"{build}/profplug", "export", "--format", form, f"{scratch}/idle.profplug"])
        expect(done.returncode == 0 and not done.err, f"{form}: an idle program", done.err)
        trace = read(done.stdout)
        expect(form == "otlp" or len(trace.threads) == 1, f"{form}: its thread")


def test(build, scratch):
    odd = made.Made(build, scratch, source="odd.c", options="blocks=on,timeline=on")
    work = made.Made(build, scratch, options="blocks=on,timeline=on")
    for run in (odd, work):
        totals = run.totals()
        for form, read in (("chrome", chrome), ("perfetto", perfetto), ("firefox", firefox)):
            trace = read(run.export(form))
            timeline(form, trace, run.report)
            if form == "firefox":
                costs(form, meanings(trace), totals)
            elif run is work:
                calls(form, trace, totals, run.report)
            if form == "chrome":
                expect(trace.let_go == [run.report["timeline"]["let_go"][key] for key in ("activations", "waits", "values")], "chrome: what was let go", trace.let_go)
        sums, stages, names, said = otlp(run.export("otlp"))
        costs("otlp", sums, totals)
        expect(stages and stages <= {prose(row["key"]) for row in run.report["stages"]}, "otlp: stages are attributes", stages)
        expect(said["process.pid"][3] == [run.report["runs"][0]["pid"]] and "wo<r>k;\\xff" in said["process.executable.path"][1][0].decode("utf-8"), "otlp: whose profile", said)
        expect(not any(name.startswith("pp_") for name in names), "otlp: functions by the names that the program calls them by", [name for name in names if name.startswith("pp_")])
        if run is work:
            expect(any(len(name) > 10000 for name in names) and any("grind<int>" in name for name in names), "otlp: names")
        protoc(run)
    kinds = {span["kind"] for span in odd.report["timeline"]["spans"]}
    expect(kinds == {"stage", "iteration", "wait"} and len(odd.report["timeline"]["values"]) == 10, "odd.c has what is drawn", kinds)
    narrowed(odd)
    timeless(odd)
    idle(build, scratch)
    expect(os.path.getsize(odd.data) > 0, "a run was read")


if __name__ == "__main__":
    program.main(test)
