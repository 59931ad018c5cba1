#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""format.py BUILD: the page is one file that asks for nothing, runs no script but its own, and makes no markup of the names of a hostile
program. Its data has the rows and the sums of the JSON report, and its plain part the findings and the sources."""

import base64
import hashlib
import json
import math
import os
import re
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, must
from sheets import Page, sheets_of, sources_of

HERE = os.path.dirname(os.path.abspath(__file__))
EVIL = "</script><b onclick=x>&amp;\x1b.txt"


def policy_check(document, page):
    policy = next(a["content"] for tag, a in page.tags if tag == "meta" and a.get("http-equiv"))
    run = [content for attributes, content in page.scripts if not attributes]
    style = re.search(r"<style>(.*?)</style>", document, re.S)[1]
    def name(text):
        return "'sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() + "'"
    expect(len(run) == 2, "two scripts run: one before the first paint, one behind the data", len(run))
    expect("default-src 'none'" in policy and f"script-src {name(run[0])} {name(run[1])};" in policy, "the policy names the scripts' digests", policy)
    expect(len(run[0]) < 200, "before the first paint there is little to run", run[0][:300])
    expect(policy.endswith(f"style-src {name(style)}"), "the policy names the style's digest", policy)
    expect("unsafe" not in policy and "connect-src" not in policy, "the policy allows nothing else", policy)
    for tag, attributes in page.tags:
        expect(not any(a.startswith("on") or a == "style" for a in attributes), "no element runs or is styled by itself", tag, attributes)
        for a in ("src", "href", "action", "data"):
            expect(attributes.get(a, "#")[:1] == "#" or (tag, attributes[a]) == ("link", "data:,"), "no element asks for anything", tag, attributes)
    expect({tag for tag, _ in page.tags} <= {"html", "head", "meta", "link", "title", "style", "body", "header", "h1", "h2", "h3", "span", "small", "div", "main", "section",
           "dl", "dt", "dd", "ul", "li", "p", "strong", "article", "a", "code", "details", "summary", "figure", "figcaption", "pre", "table", "thead", "tbody", "tr", "th",
           "td", "svg", "rect", "b", "i", "script"}, "no element comes from a name", {tag for tag, _ in page.tags})
    kinds = [a.get("type") for a, _ in page.scripts]
    expect(kinds == [None, *["application/octet-stream"] * (len(kinds) - 2), None], "the script follows the data", kinds[-3:])
    order = [document.index(mark) for mark in ("<script>", 'id="head"', 'id="findings"', 'id="hottest"', 'id="sources"', "data-sheet=")] + [document.rindex("<script>")]
    expect(order == sorted(order), "what reads without a script comes first", order)
    expect(page.inside == [], "each element is closed", page.inside)


def total(values):
    return sum(v for v in values if not math.isnan(v))


def sums_check(sheets, report):
    """Every row of the JSON report has its row, and every sum is that of the JSON report."""
    def compare(sheet, rows, fields):
        for column, field in fields.items():
            mine = [v for i, v in enumerate(sheets[sheet].get(column, [])) if not (sheet == "functions" and sheets[sheet]["step"][i])]
            expect(total(mine) == sum(r.get(field, 0) for r in rows), f"{sheet}.{column} adds up as in JSON", total(mine), sum(r.get(field, 0) for r in rows))
    lines, functions, stages = report["lines"], report["functions"], report["stages"]
    compare("lines", lines, {"hits": "hits", "self_ns": "self_ns", "total_ns": "total_ns", "samples": "samples", "library_ns": "library_ns", "wait_ns": "wait_ns",
                             "alloc_bytes": "alloc_bytes", "alloc_blocks": "alloc_blocks", "read_bytes": "read_bytes", "live_bytes": "live_bytes"})
    compare("functions", functions, {"self_ns": "self_ns", "samples": "samples", "calls": "calls", "wait_total_ns": "wait_total_ns", "alloc_bytes": "alloc_bytes"})
    compare("stages", stages, {"calls": "calls", "wall_ns": "wall_total_ns", "wall_self_ns": "wall_self_ns", "p99_ns": "wall_p99_ns", "cpu_ns": "cpu_ns"})
    compare("loops", report["loops"], {"calls": "iterations", "wall_ns": "iteration_wall_total_ns", "p50_ns": "iteration_wall_p50_ns"})
    expect(sheets["lines"]["count"] == len(lines), "each line has a row", sheets["lines"]["count"], len(lines))
    expect(sheets["advice"].get("title", []) == [r["title"] for r in report["recommendations"]], "each finding has a row")
    errors = [e for e in sheets["lines"]["error_percent"] if not math.isnan(e)]
    want = [r["error_percent"] for r in lines if r["self_ns"] or r["total_ns"]]
    expect(len(errors) == len(want) and all(abs(a - b) <= 0.006 + 1e-5 * b for a, b in zip(sorted(errors), sorted(want))), "errors are those of JSON", errors[:3], want[:3])
    run = sheets["run"]
    expect(run["wall_ns"] == [report["runs"][0]["wall_ns"]] and abs(run["whole_cpu_ns"][0] - report["coverage"]["cpu_ns"]) <= 1, "the run's times", run)
    cpu = total(sheets["stacks"]["cpu_ns"])
    expect(abs(cpu - report["coverage"]["cpu_ns"]) <= 1 + sheets["stacks"]["count"], "chains of calls add up to the CPU time", cpu, report["coverage"]["cpu_ns"])
    frames = sheets["frames"]
    expect(all(p < i for i, p in enumerate(frames["parent"]) if i), "parents of frames come first")


def sources_check(sheets, page, sources):
    for row, path in enumerate(sheets["sources"]["file"]):
        if path not in sources:
            continue
        with open(sources[path], encoding="utf-8") as file:
            real = file.read().split("\n")
        kept = page.get(row, {})
        expect(kept and all(text == real[n - 1] for n, text in kept.items()), f"lines of {path} are those of the file", len(kept))
        expect(len(kept) == sheets["sources"]["kept"][row], "the number of lines is right", len(kept), sheets["sources"]["kept"][row])


def test(build, scratch):
    program, data, page_file = f"{scratch}/hostile", f"{scratch}/hostile.profplug", f"{scratch}/page.html"
    must([f"{build}/profplug-gcc", "-O1", "-g", "-w", "-fplugin-arg-profplug-lines=all", "-o", program, f"{HERE}/hostile.c"])
    os.makedirs(os.path.dirname(f"{scratch}/{EVIL}"))
    with open(f"{scratch}/{EVIL}", "w") as file:
        file.write("line\n" * 100)
    expect(call([f"{build}/profplug", "run", f"--output={data}", program, EVIL], cwd=scratch).returncode == 0, "the program runs")
    must([f"{build}/profplug", "report", "--format", "html", "-o", page_file, data])
    with open(page_file, "rb") as file:
        raw = file.read()
    document = raw.decode()                                                 # it is UTF-8
    report = json.loads(must([f"{build}/profplug", "report", "--format", "json", data]))
    page = Page(document)
    policy_check(document, page)
    sheets, plain = sheets_of(page), " ".join(" ".join(page.words).split())
    sums_check(sheets, report)
    sources_check(sheets, sources_of(page), {f"{HERE}/hostile.c": f"{HERE}/hostile.c"})
    expect(not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]", document), "nothing hidden is in it")
    for seen in ("<script>alert('stage')</script>", "\\u202e drawkcab", "not utf-8: \\xff\\xfe <i>", "work", EVIL.replace("\x1b", "\\x1b"), '& <b>"bold"</b> */'):
        expect(seen in plain, f"{seen} can be read", plain[:400])
    expect("</script><img src=y onerror=alert(2)>.c" in "".join(sheets["lines"]["file"]), "the hostile file has its lines")
    for row in report["recommendations"]:
        expect(row["title"] in plain and row["action"] in plain, "the finding can be read without a script", row["title"])
    piped = must([f"{build}/profplug", "report", "--format", "html", data])
    expect(piped == document, "a pipe gets the same bytes")
    web = f"{HERE}/../../report/web"
    for name, most in (("bundle.js", 90_000), ("bundle.css", 20_000)):
        expect(os.path.getsize(f"{web}/{name}") <= most, f"{name} has {most} bytes at most", os.path.getsize(f"{web}/{name}"))


main(test)
