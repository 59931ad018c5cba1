#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""arrows.py BUILD: which room calls which, by nm over the objects, is what HACKING.md says; report/ has no cycles, and rt/ no mutual
pairs but the named ones. arrows.py BUILD --print shows what nm finds. arrows.py --self-test plants wrong arrows and expects them found."""

import collections
import glob
import os
import re
import subprocess
import sys

ROOT = os.path.realpath(f"{os.path.dirname(os.path.abspath(__file__))}/../..")
OBJECTS = {"rt": "rt/CMakeFiles/rt_static.dir", "report": "report/CMakeFiles/report.dir"}


def arrows_found(build, part):
    """Room to the rooms whose symbols it uses. Weak definitions are skipped: they are the C library's names, which anybody calls."""
    folder, defined, used = os.path.join(build, OBJECTS[part]), {}, {}
    for path in glob.glob(f"{folder}/*/*.o"):
        name = os.path.relpath(path, folder)
        if not os.path.exists(f"{ROOT}/{part}/{name[:-2]}"):
            continue                                                        # left behind in the build folder by a source that is gone
        used[name] = set()
        for line in subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout.splitlines():
            *_, kind, symbol = line.split()
            if kind in "Uwv":
                used[name].add(symbol)
            elif kind in "TDBRCG":
                defined[symbol] = name
    if not used:
        raise SystemExit(f"arrows.py: no objects in {folder}; expected a build of this tree")
    found = {os.path.dirname(name): set() for name in used}
    for name, symbols in used.items():
        found[os.path.dirname(name)] |= {os.path.dirname(defined[s]) for s in symbols if s in defined}
    return {room: rooms - {room} for room, rooms in found.items()}


def arrows_said(page, part):
    """The table of HACKING.md: rows `PART/ROOM/`, whose third cell names the rooms."""
    rows = re.findall(rf"^\| `{part}/(\w+)/` \|[^|]*\|([^|]*)\|$", page, re.M)
    return {room: set() if "no room" in cell else set(re.findall(r"\w+", cell)) for room, cell in rows}


def mutual_said(page):
    """Bullets `- thread with probe (why), metric (why)` below the table."""
    pairs = set()
    for room, others in re.findall(r"^- (\w+) with (.*?)(?=\n- |\n\n)", page, re.M | re.S):
        pairs |= {frozenset((room, other)) for other in re.findall(r"\w+", re.sub(r"\([^)]*\)", "", others)) if other != "and"}
    return pairs


def cycle_of(arrows):
    """Rooms that lie on a cycle."""
    left = {room: set(rooms) for room, rooms in arrows.items()}
    while any(not rooms & set(left) for rooms in left.values()):
        left = {room: rooms for room, rooms in left.items() if rooms & set(left)}
    return set(left)


def breaches(page, found):
    wrong = []
    for part, rooms in found.items():
        said = arrows_said(page, part)
        for room in sorted(set(rooms) | set(said)):
            if room not in rooms or room not in said:
                wrong.append(f"HACKING.md: {part}/{room}/ is {'in no row' if room in rooms else 'no room any more'}")
                continue
            for other in sorted(rooms[room] - said[room]):
                wrong.append(f"{part}/{room} calls {other}; HACKING.md does not allow that")
            for other in sorted(said[room] - rooms[room]):
                wrong.append(f"{part}/{room} does not call {other}, as HACKING.md says it may")
    if "report" in found and cycle_of(found["report"]):
        wrong.append(f"report: {', '.join(sorted(cycle_of(found['report'])))} lie on a cycle; expected none")
    mutual = {frozenset((a, b)) for a, rooms in found.get("rt", {}).items() for b in rooms if a in found["rt"].get(b, ())}
    for pair in mutual ^ mutual_said(page):
        wrong.append(f"rt: {' and '.join(sorted(pair))} are {'' if pair in mutual else 'not '}mutual; HACKING.md says otherwise")
    return wrong


def self_test():
    page = "| `rt/a/` | x | b |\n| `rt/b/` | x | a |\n| `rt/c/` | x | no room |\n| `report/d/` | x | e |\n| `report/e/` | x | no room |\n\n- a with b (why)\n\n"
    good = {"rt": {"a": {"b"}, "b": {"a"}, "c": set()}, "report": {"d": {"e"}, "e": set()}}
    planted = [("does not allow", {"rt": {**good["rt"], "c": {"a"}}}), ("as HACKING.md says it may", {"report": {"d": set(), "e": set()}}),
               ("lie on a cycle", {"report": {"d": {"e"}, "e": {"d"}}}), ("mutual; HACKING.md says otherwise", {"rt": {"a": {"b", "c"}, "b": {"a"}, "c": {"a"}}}),
               ("in no row", {"rt": {**good["rt"], "new": set()}}), ("no room any more", {"rt": {"a": {"b"}, "b": {"a"}}})]
    failed = [f"clean: {wrong}" for wrong in breaches(page, good)]
    failed += [f"expected '{said}', got {breaches(page, found)}" for said, found in planted if not any(said in w for w in breaches(page, found))]
    print("\n".join(failed) or f"{len(planted)} planted arrows found")
    return 1 if failed else 0


def main():
    if sys.argv[1:] == ["--self-test"]:
        return self_test()
    found = {part: arrows_found(sys.argv[1], part) for part in OBJECTS}
    if sys.argv[2:] == ["--print"]:
        for part, rooms in found.items():
            for room in sorted(rooms):
                print(f"{part}/{room}: {', '.join(sorted(rooms[room])) or 'no room'}")
        return 0
    wrong = breaches(open(f"{ROOT}/HACKING.md").read(), found)
    print("\n".join(wrong) or f"{sum(len(r) for rooms in found.values() for r in rooms.values())} arrows are those of HACKING.md")
    return 1 if wrong else 0


sys.exit(main())
