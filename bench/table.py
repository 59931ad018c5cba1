# SPDX-License-Identifier: MIT
"""The bench's record as text: a table for each workload, one over all, what is in RESULTS.md. It must not know how anything was measured."""
import datetime
import json
import math
import os
import re
import statistics
import subprocess
import textwrap

SCHEMA = "profplug-bench/1"
BEFORE = "With a star: measured before ({}), in runs of 0.2 to 0.5 s with all functions where the linker puts them, so to some percent only.\n"
BORNE = "\n# What the profiler bears"            # written by hand after `./dev check`: it stays


def cpu_model():
    found = re.search(r"model name\s*: (.*)", open("/proc/cpuinfo").read())
    return found[1] if found else os.uname().machine


def first_line(*command):
    return subprocess.run(command, capture_output=True, text=True).stdout.splitlines()[0]


def begin(ways, earlier):
    """A record; with the workloads of the one that lies beside the table `earlier`, if there is one of this compiler. Rows of another machine say so."""
    record = {"schema": SCHEMA, "cpu": cpu_model(), "cpus": os.cpu_count(), "kernel": os.uname().release.split("-")[0], "gcc": first_line("gcc", "--version"),
              "load_begin": os.getloadavg()[0], "meaning": {way.name: way.meaning for way in ways}, "workloads": {}}
    if earlier and os.path.exists(record_path(earlier)):
        old = read(record_path(earlier))
        if all(old.get(key) == record[key] for key in ("schema", "gcc")):
            for row in (row for result in old["workloads"].values() for row in result["ways"].values()):
                row.setdefault("cpu", old["cpu"])
            record["workloads"], record["meaning"] = old["workloads"], {**old["meaning"], **record["meaning"]}
            record.update({part: old[part] for part in ("compiling", "latency") if part in old})
    return record


def rounds(record, title, made, size):
    """How many rounds the record has of this plugin and runtime at this size."""
    row = record["workloads"].get(title, {}).get("ways", {}).get("plain", {})
    return len(row["seconds"]) if (row.get("made"), row.get("size")) == (made, size) else 0


def put(record, title, result, more=False):
    """What was measured now; of ways that were not, what the record has. Instructions stay those of the same plugin and runtime."""
    old = record["workloads"].get(title, {})
    for name, row in result["ways"].items():
        before = old.get("ways", {}).get(name, {})
        if (before.get("made"), before.get("size")) != (row["made"], row["size"]):
            continue
        if before.get("counted", {}).get("made") == row["made"]:
            row.update({key: before[key] for key in ("instructions", "instruction_ratio", "counted")})
        if more:
            row.update({key: before[key] + row[key] for key in ("seconds", "ratios", "ns_per_call") if key in before})
    if more:
        result["rounds"] = len(result["ways"]["plain"]["seconds"])
    for part in ("ways", "said"):
        result[part] = {**old.get(part, {}), **result[part]}
    result["missing"] = {name: why for name, why in {**old.get("missing", {}), **result["missing"]}.items() if name not in result["ways"]}
    if result.get("calls_counted") is None and old.get("calls_counted") is not None:
        result["calls_counted"] = old["calls_counted"]
    record["workloads"][title] = result


def put_instructions(record, title, counted, counts):
    """Also where the times were measured before, of another plugin: `counted` says of which these are."""
    ways = record["workloads"].get(title, {}).get("ways", {})
    for name, count in counts.items():
        if name in ways:
            ways[name].update(count, counted=counted)


def finish(record, order):
    record["date"] = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    record["load_end"] = os.getloadavg()[0]
    record["workloads"] = {title: record["workloads"][title] for title in order if title in record["workloads"]}
    record["geometric_mean"] = {name: mean for name in record["meaning"] if (mean := geometric_mean(record, name))}


def quartiles(values):
    """Low, median, high; of fewer than four values the least and the greatest."""
    if len(values) < 4:
        return min(values), statistics.median(values), max(values)
    return tuple(statistics.quantiles(values, n=4))


def median(row):
    return statistics.median(row["ratios"])


def judged(record):
    """The recursion stands for itself: ns a call."""
    return [title for title in record["workloads"] if title != "calls"]


def interval(ratios):
    """Of the median, by the signed-rank test: 95 in 100 such intervals have the truth. None of fewer than six rounds."""
    count = len(ratios)
    if count < 6:
        return None
    logs = [math.log(ratio) for ratio in ratios]
    means = sorted((logs[i] + logs[j]) / 2 for i in range(count) for j in range(i, count))
    sums = [1] + [0] * len(means)               # how many of the 2 ** count signs have that sum of ranks
    for term in range(1, count + 1):
        sums = [ways + (sums[total - term] if total >= term else 0) for total, ways in enumerate(sums)]
    rank = next(total for total in range(len(sums)) if sum(sums[:total + 1]) > 0.025 * 2 ** count) - 1
    return math.exp(means[rank]), math.exp(means[-1 - rank])


def interval_text(ratios):
    found = interval(ratios)
    return f"{found[0]:.3f} to {found[1]:.3f}" if found else "-"


def geometric_mean(record, name):
    """Of the programs' medians; their intervals are independent of each other, and add up as errors do."""
    rows = [row for title in judged(record) if (row := record["workloads"][title]["ways"].get(name))]
    if not rows:
        return None
    centre = statistics.fmean(math.log(median(row)) for row in rows)
    mean = {"of": len(rows), "ratio": math.exp(centre), "worst": max(map(median, rows)), "star": "" if all("made" in row for row in rows) else "*"}
    if all(interval(row["ratios"]) for row in rows):
        for key, side in (("low", 0), ("high", 1)):
            width = math.sqrt(sum(math.log(interval(row["ratios"])[side] / median(row)) ** 2 for row in rows)) / len(rows)
            mean[key] = math.exp(centre + (width if side else -width))
    if all("instruction_ratio" in row for row in rows):
        mean["instruction_ratio"] = math.exp(statistics.fmean(math.log(row["instruction_ratio"]) for row in rows))
        mean["instruction_star"] = "" if all("counted" in row for row in rows) else "*"
    return mean


def workload_text(title, record, ways):
    result = record["workloads"][title]
    per_call = "calls" in result
    lines = [f"| {title} | CPU s | CPU ratio | 95 % interval | of the least | instructions |" + (" ns a call over plain |" if per_call else ""), "|---|---|---|---|---|---|" + ("---|" if per_call else "")]
    for way in ways:
        row = result["ways"].get(way.name)
        if not row:
            continue
        base = result["ways"][way.base]
        is_beside = "made" in row and (base.get("made"), base.get("size")) == (row["made"], row["size"])
        least = f"{min(row['seconds']) / min(base['seconds']):.3f}" if is_beside else "-"
        seconds = f"{statistics.median(row['seconds']):.3f}"
        ir = f"{row['instruction_ratio']:.3f}" if "instruction_ratio" in row else "-"
        line = f"| {way.name} | {seconds} | 1 | | 1 | 1 |" if way.name == way.base else f"| {way.name} | {seconds} | {median(row):.3f} | {interval_text(row['ratios'])} | {least} | {ir} |"
        if per_call:
            low, middle, high = quartiles(row["ns_per_call"])
            line += f" {middle:.2f} ({low:.2f} to {high:.2f}) |"
        lines.append(line)
    lines += [f"\nnot measured: {name}: {why}" for name, why in result["missing"].items()]
    for name, said in result["said"].items():
        lines.append(f"\n{name}: {said_text(said)}")
    lines.append(f"\n{result['date'][:16]}, {result['rounds']} rounds, load {result['load']:.1f} at the end, {'commit ' + result['commit'] if result['commit'] else 'no git'}, plugin and runtime {result['plugin_and_runtime']}")
    before = [way.name for way in ways if result["ways"].get(way.name, result)["date"] != result["date"]]
    if before:
        lines.append("\nmeasured before that, against their own plain runs: " + ", ".join(f"{name} ({result['ways'][name]['date'][:16]})" for name in before))
    for counted in sorted({json.dumps(result["ways"][way.name]["counted"]) for way in ways if "counted" in result["ways"].get(way.name, {})}):
        names = [way.name for way in ways if json.dumps(result["ways"].get(way.name, {}).get("counted")) == counted]
        counted = json.loads(counted)
        if any(counted["made"] != result["ways"][name].get("made") for name in names):
            lines.append(f"\ninstructions of {', '.join(names)} are of {counted['date'][:16]}, commit {counted['commit']}, plugin and runtime {counted['made']}")
    if per_call:
        lines.append(f"\n{result['calls']:,} calls, counted by profplug: {result['calls_counted']:,}" if result["calls_counted"] is not None else f"\n{result['calls']:,} calls")
    return "\n".join(lines)


def said_text(said):
    if "complaint" in said:
        return said["complaint"]
    functions = said["functions"]
    known = functions["framed"] + functions["counted"] + functions["left_out"]
    shares = ", ".join(f"{100 * functions[key] / known:.0f} % {word}" for key, word in (("framed", "framed"), ("counted", "counted"), ("left_out", "left out"))) if known else "no functions"
    rate = f" ({said['samples'] / said['cpu_seconds']:.0f} a CPU second)" if said.get("cpu_seconds") else ""
    least, most = said.get("overhead_least_percent"), said.get("overhead_most_percent")
    account = f"{least:.1f} to {most:.1f} %" if most is not None else f"{said['overhead_percent']:.1f} %" if said["overhead_percent"] is not None else "not measured"
    text = f"{known} functions: {shares}; {functions['inlined']} seen only inlined; {said['samples']} samples{rate}, {said['file_bytes'] / 1e6:.1f} MB, own account {account}"
    if said["stages"]:
        text += "; " + ", ".join(f"{s['name']} {s['calls']:,}" + (f" ({said['iterations'][s['name']]:,} iterations)" if s["name"] in said["iterations"] else "") for s in said["stages"])
    return text


def summary_text(record, ways):
    """Medians, workloads down and ways across, in two tables: ours and gcc's own, and the others."""
    others = {"uftrace", "clang", "XRay", "perf", "gperftools", "callgrind", "heaptrack"}
    results = record["workloads"]
    new = [w for w in ways if any("made" in result["ways"].get(w.name, {}) for result in results.values())]
    old = [w for w in ways if w not in new]
    tables = []
    for part in ([w for w in new if w.name not in others], [w for w in old if w.name not in others], [w for w in ways if w.name in others]):
        shown = [w for w in part if w.name not in ("plain", "clang") and not w.only and any(w.name in result["ways"] for result in results.values())]
        if not shown:
            continue
        dates = sorted({f"{row['date'][:10]}, {row['cpu']}" for row in (result["ways"].get(w.name, {}) for w in shown for result in results.values()) if row and "made" not in row})
        lines = ([BEFORE.format("; ".join(dates))] if dates else []) + ["| CPU against plain | " + " | ".join(w.name for w in shown) + " |", "|---|" + "---|" * len(shown)]
        for title, result in results.items():
            cells = [f"{median(result['ways'][w.name]):.3f}{'' if 'made' in result['ways'][w.name] else '*'}" if w.name in result["ways"] else "-" for w in shown]
            lines.append(f"| {title} | " + " | ".join(cells) + " |")
        means, programs = {w.name: record["geometric_mean"].get(w.name, {}) for w in shown}, len(judged(record))
        lines.append("| geometric mean, without calls | " + " | ".join(f"{mean['ratio']:.3f}{mean['star']}{'' if mean['of'] == programs else ' (' + str(mean['of']) + ')'}" if mean else "-" for mean in means.values()) + " |")
        if any("low" in mean for mean in means.values()):
            lines.append("| its 95 % interval | " + " | ".join(f"{mean['low']:.3f} to {mean['high']:.3f}{mean['star']}" if "low" in mean else "-" for mean in means.values()) + " |")
        lines.append("| its instructions | " + " | ".join(f"{mean['instruction_ratio']:.3f}{mean['instruction_star']}" if "instruction_ratio" in mean else "-" for mean in means.values()) + " |")
        tables.append("\n".join(lines))
    return "\n\n".join(tables) + "\n"


def compiling_text(compiling):
    lines = ["## Compiling", ""]
    if "sqlite_ratio" in compiling:
        lines += ["CPU time of SQLite's amalgamation, -O2 -g, against plain: " + ", ".join(f"{name} {ratio:.3f}" for name, ratio in compiling["sqlite_ratio"].items() if name != "plain") + ".", ""]
    lines += ["Loops that GCC vectorizes at -O3, and which of them it leaves scalar with the plugin:", "", "| | plain | default: lost | lines=all: lost |", "|---|---|---|---|"]
    for name, loops in compiling["loops"].items():
        lines.append(f"| {name} | {loops['plain']} | " + " | ".join(f"{len(loops[way]['lost'])}" + (f": {', '.join(loops[way]['lost'][:6])}" + (", ..." if len(loops[way]["lost"]) > 6 else "")
                                                                    if loops[way]["lost"] else "") for way in ("default", "lines=all")) + " |")
    return "\n".join(lines) + "\n"


def latency_text(latency):
    lines = ["## Latency of servers", "", "By `bench/latency.py`: server and client have a CPU each; questions come at random times, at half of the rate at which plain is saturated. Microseconds from when "
             "a question was due to its answer, medians of all runs; the median of the rounds' ratios and its 95 % interval.", "",
             "| | questions a second | CPU busy %: plain, default | median: plain, default | 99 of 100: plain, default | ratio of 99 of 100 | its interval | ratio of 999 of 1,000 | its interval |",
             "|---|---|---|---|---|---|---|---|---|"]
    for name, r in latency.items():
        pairs = [f"{r['plain'][key] * factor:.{digits}f}, {r['default'][key] * factor:.{digits}f}" for key, factor, digits in (("busy", 100, 1), ("p50", 1, 1), ("p99", 1, 1))]
        judged = [cell for key in ("p99", "p999") for cell in (f"{statistics.median(r['ratios'][key]):.3f}", interval_text(r["ratios"][key]))]
        lines.append(f"| {name} | {r['rate']:,.0f} | " + " | ".join([*pairs, *judged]) + " |")
    for name, r in latency.items():
        lines.append(f"\n{name}: {r['date'][:16]}, {r['rounds']} rounds of {r['pairs']} pairs of {r['seconds']:g} s, {r['told']:,} answers, {r['cpu']}, commit {r['commit']}, "
                     f"plugin and runtime {r['made']}")
    return "\n".join(lines) + "\n"


def read(path):
    with open(path) as file:
        record = json.load(file)
    if record.get("schema") != SCHEMA:
        raise SystemExit(f"bench: {path}: is {record.get('schema')}; expected {SCHEMA}")
    return record


def comparison_text(old, record):
    """Ways whose quartiles do not overlap with those of the earlier record."""
    lines = [f"against {old['date']}:"]
    for title, result in record["workloads"].items():
        for name, row in result["ways"].items():
            before = old["workloads"].get(title, {}).get("ways", {}).get(name)
            if not before or name == "plain":
                continue
            low, middle, high = quartiles(row["ratios"])
            old_low, old_middle, old_high = quartiles(before["ratios"])
            if low > old_high or high < old_low:
                lines.append(f"  {title}, {name}: {old_middle:.3f} ({old_low:.3f} to {old_high:.3f}) is now {middle:.3f} ({low:.3f} to {high:.3f})")
    return "\n".join(lines if len(lines) > 1 else [*lines, "  nothing lies apart"])


def record_path(output):
    return re.sub(r"\.md$", "", output) + ".json"


def wrapped(text):
    """Lines of at most 120 columns, but for rows of tables."""
    def lines(line):
        return [line] if line.startswith("|") or not line else textwrap.wrap(line, 120, break_long_words=False, break_on_hyphens=False, subsequent_indent="  " if line.startswith("- ") else "")
    return "\n".join(piece for line in text.split("\n") for piece in lines(line))


def write(output, record, ways):
    text = [
        "# What the profiler costs", "",
        f"Measured by `./dev bench` on {record['date'][:10]}: {record['cpu']}, {record['cpus']} CPUs, load {record['load_begin']:.1f} at the start and {record['load_end']:.1f} at the end, "
        f"Linux {record['kernel']}, {record['gcc']}, `-O2 -g`.",
        "CPU time of the whole process against the plain build; rounds in which the ways take turns; the median of the rounds' ratios, its 95 % interval (signed-rank), and the ratio of the least. A mean that lacks programs says of how many it is.",
        "In each round the functions lie in another order, the same one in all ways, and the stack elsewhere: what an address costs is then part of the interval.",
        "Instructions: callgrind, one smaller run; the sampler's are not in it, and of calls of functions more are timed than else, since under callgrind each takes 50 times as long. All numbers of all rounds: RESULTS.json.", "",
        *(f"- {way.name}: {way.meaning}" for way in ways if any(way.name in result["ways"] for result in record["workloads"].values())), "",
        summary_text(record, ways),
        *(workload_text(title, record, ways) + "\n" for title in record["workloads"]),
    ]
    if "compiling" in record:
        text.append(compiling_text(record["compiling"]))
    if "latency" in record:
        text.append(latency_text(record["latency"]))
    kept = open(output).read() if os.path.exists(output) else ""
    with open(output, "w") as f:
        f.write(wrapped("\n".join(text)) + (kept[kept.index(BORNE):] if BORNE in kept else ""))
    with open(record_path(output), "w") as f:
        json.dump(record, f, indent=1)
        f.write("\n")
