#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""suite.py BUILD CACHE PROJECT...: each project of projects.py, built by its own build system with gcc and with profplug-gcc, must find the same
at its configure step, say the same while it compiles, pass its own tests alike, one by one, and install the same files; and its tests must
have left data of the project's functions. Must not know any project."""
import collections
import glob
import os
import re
import shutil
import subprocess
import sys
import time

sys.path[:0] = [os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", name) for name in ("real", "behaviour", "support")]
from project import SKIPPED, Verdict, fetch  # noqa: E402
from projects import PROJECTS  # noqa: E402
from report import read  # noqa: E402
from wrapped import WRAPPED  # noqa: E402

READ_AT_MOST = 40               # data files of one project that are read whole


def pieces(cache):
    """Lua programs out of fengari's tests: the text between back quotes that follows `luaCode =`, behind the file's own prefix. Whether they
    could be had."""
    folder = f"{cache}/fengari"
    if os.path.exists(f"{folder}/pieces"):
        return True
    if not shutil.which("npm"):
        print("left out: the pieces of Lua's test suite, which npm brings: it is missing")
        return False
    os.makedirs(folder, exist_ok=True)
    got = subprocess.run(["timeout", "60", "npm", "pack", "--silent", "fengari@0.1.5"], cwd=folder, capture_output=True, text=True)
    if got.returncode or subprocess.run(["tar", "-xzf", "fengari-0.1.5.tgz"], cwd=folder).returncode:
        print("left out: the pieces of Lua's test suite; npm does not bring fengari 0.1.5 (offline?): " + got.stderr.strip()[-200:])
        return False
    os.makedirs(f"{folder}/part", exist_ok=True)
    for path in sorted(glob.glob(f"{folder}/package/test/test-suite/*.test.js")):
        text = open(path).read()
        lead = re.search(r"^const prefix = `(.*?)`;", text, re.M | re.S)
        for number, found in enumerate(re.finditer(r"luaCode = (?:prefix \+ )?`(.*?)`", text, re.S)):
            piece = (lead.group(1) if lead else "") + found.group(1)
            with open(f"{folder}/part/{os.path.basename(path).split('.')[0]}{number:03}.lua", "w") as file:
                file.write(piece.replace("\\`", "`").replace("\\${", "${").replace("\\\\", "\\"))
    os.rename(f"{folder}/part", f"{folder}/pieces")
    return True


class Copy:
    """One build of a project, in a folder of its own, with a home of its own."""

    def __init__(self, project, kind, source, top, cache, compilers):
        self.project, self.kind, self.top = project, kind, top
        shutil.rmtree(top, ignore_errors=True)
        for part in ("home", "b", "data", "tools", "dest"):
            os.makedirs(f"{top}/{part}")
        shutil.copytree(source, f"{top}/src", symlinks=True)
        self.env = {key: os.environ[key] for key in ("PATH", "TERM", "USER") if key in os.environ}
        self.env.update({"HOME": f"{top}/home", "LC_ALL": "C", "TZ": "UTC", "CC": compilers[0], "CXX": compilers[1], "SRC": f"{top}/src", "DEST": f"{top}/dest",
                         "CACHE": cache, "JOBS": "2", "SOURCE_DATE_EPOCH": "1600000000", "PROFPLUG": f"output={top}/tools/%e-%p.profplug"})
        self.compilers = compilers

    def shell(self, command, limit, **env):
        got = subprocess.run(["bash", "-c", command], cwd=f"{self.top}/b", env={**self.env, **env}, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                             stderr=subprocess.STDOUT, timeout=limit)
        got.text = self.neutral(got.stdout.decode("utf-8", "replace")).replace("\r", "\n")
        return got

    def neutral(self, text):
        """Without what names this copy, and without addresses."""
        text = re.sub(r"\b0x[0-9a-f]{6,}", "0x...", text)
        for compiler, name in zip(self.compilers, ("gcc", "g++")):
            text = text.replace(compiler, name)
        text = re.sub(r"\bgcc-(ar|nm|ranlib)-\d+", r"gcc-\1", text)         # with its version, which the wrapper's lack
        return text.replace(self.top, "@")

    def answers(self):
        found = {}
        for name in self.project.answers:
            path = f"{self.top}/b/{name}"
            found[name] = self.neutral(open(path, errors="replace").read()).splitlines() if os.path.exists(path) else None
        for path in glob.glob(f"{self.top}/b/**/config.log", recursive=True):     # what autoconf found, without how
            found["config.log"] = [line for line in self.neutral(open(path, errors="replace").read()).splitlines()
                                   if re.match(r"(ac|am|lt|gcc|gl)_\w+=|configure:\d+: result:|#define ", line)]
        return found

    def installed(self):
        return sorted(os.path.relpath(os.path.join(folder, name), f"{self.top}/dest") for folder, _, names in os.walk(f"{self.top}/dest") for name in names)

    def exported(self, name):
        got = subprocess.run(["readelf", "--dyn-syms", "-W", f"{self.top}/dest/{name}"], capture_output=True, text=True)
        rows = [line.split() for line in got.stdout.splitlines()]
        # The linker lists there some that it defines itself, hidden or local: nothing binds to them.
        return {row[7].split("@")[0] for row in rows if len(row) > 7 and row[0][0].isdigit() and row[6] != "UND" and row[5] != "HIDDEN" and row[4] != "LOCAL"}


def difference(a, b, most=6):
    a, b = collections.Counter(a), collections.Counter(b)
    return [f"-{x}" for x in list(a - b)[:most]] + [f"+{x}" for x in list(b - a)[:most]]


def recorded(build, folder, source, verdict, project):
    files = sorted(glob.glob(f"{folder}/*"), key=os.path.getsize)
    chosen = files if len(files) <= READ_AT_MOST else files[:: len(files) // (READ_AT_MOST // 2)] + files[-10:]
    calls, losses, samples = collections.Counter(), collections.Counter(), 0
    for path in chosen:
        report = read(build, "--top", "0", "--min-percent", "0", path, settled=False)
        for run in report["runs"]:
            samples += run.get("events_sampled", 0)
            losses.update({key: count for key, count in run.get("losses", {}).items()})
        for function in report["functions"]:
            if function.get("calls", 0) > 0 and function.get("file", "").startswith(source):
                calls[function["name"]] += function["calls"]
    verdict.expect(files, f"{len(files)} data files ({sum(map(os.path.getsize, files)) >> 20} MiB), {len(chosen)} read")
    missing = [name for name in project.functions if not any(re.fullmatch(name, found) for found in calls)]
    verdict.expect(not missing and len(calls) >= 20, f"{len(calls)} of its functions were called, {sum(calls.values())} times; {samples} samples {missing or ''}")
    print(f"      losses: {dict(losses)}")


def examine(project, build, cache, verdict):
    began = time.monotonic()
    missing = [name for name in project.needs if not shutil.which(name)]
    if missing:
        print(f"skipped: {project.name}: {', '.join(missing)} missing")
        return False
    tests = [step for step in project.tests if not step.extra or pieces(cache)]
    fetch_name = f"foreign-{project.package}"
    source = fetch(fetch_name, cache, project.package, project.marker)
    top = f"{build}/foreign/{project.name}"
    copies = [Copy(project, kind, source, f"{top}/{kind}", cache, compilers) for kind, compilers in
              (("plain", (shutil.which("gcc"), shutil.which("g++"))), ("guest", (f"{build}/profplug-gcc", f"{build}/profplug-g++")))]
    plain, guest = copies
    print(f"== {project.name} ({project.system})")

    found = [copy.shell(project.configure, 600) for copy in copies]
    verdict.expect([got.returncode for got in found] == [0, 0], f"configures {[got.text[-600:] for got in found if got.returncode]}")
    if any(got.returncode for got in found):
        return True
    said = [sorted(re.sub(r"\d+\.\d+ ?s", "", line) for line in got.text.splitlines()) for got in found]
    verdict.expect(said[0] == said[1], f"says the same at the configure step, {len(said[0])} lines {difference(*said)}")
    answers = [copy.answers() for copy in copies]
    for name in answers[0]:
        a, b = answers[0][name], answers[1].get(name)
        verdict.expect(a and a == b, f"{name}: the same {len(a or [])} lines {difference(a or [], b or [])}")

    made = [copy.shell(project.build, 1800) for copy in copies]
    verdict.expect([got.returncode for got in made] == [0, 0], f"builds {[got.text[-1500:] for got in made if got.returncode]}")
    if any(got.returncode for got in made):
        return True
    said = [sorted(re.sub(r"\d+\.\d+ ?s\b|^\[ *\d+%\]|^\[\d+/\d+\]|(?<=obj/conf_)[0-9a-f]{32}", "", line) for line in got.text.splitlines()) for got in made]
    verdict.expect(said[0] == said[1], f"says the same at the build, {len(said[0])} lines, {len(re.findall('warning: ', made[0].text))} warnings {difference(*said)}")

    for number, step in enumerate(tests):
        took, done = [], []
        for copy in copies:
            start = time.monotonic()
            done.append(copy.shell(step.command, 3600, PROFPLUG=f"output={copy.top}/data/%e-%p.profplug"))
            took.append(time.monotonic() - start)
            with open(f"{copy.top}/test{number}.log", "w") as log:
                log.write(done[-1].text)
        outcomes = [step.pattern.findall(got.text) for got in done]
        outcomes = [[(one,) if isinstance(one, str) else one for one in outcome] for outcome in outcomes]
        verdict.expect(done[0].returncode == done[1].returncode, f"{step.command[:70]}...: exit status {done[0].returncode} and {done[1].returncode}, "
                       f"{took[0]:.1f} s and {took[1]:.1f} s {'' if done[0].returncode == done[1].returncode else done[1].text[-1500:]}")
        tally = collections.Counter(word for one in outcomes[1] for word in one if re.fullmatch(r"PASS|Passed|Ok|OK|pass|0|FAIL|SKIP|Failed|fail", word))
        verdict.expect(collections.Counter(outcomes[0]) == collections.Counter(outcomes[1]) and len(outcomes[1]) >= step.least,
                       f"  {len(outcomes[0])} and {len(outcomes[1])} tests, at least {step.least}: one by one alike {dict(tally)} {difference(*outcomes)}")
        if step.literal:
            verdict.expect(done[0].text == done[1].text, f"  the same output, {len(done[0].text)} bytes {difference(done[0].text.splitlines(), done[1].text.splitlines())}")

    if project.install:
        got = [copy.shell(project.install, 600) for copy in copies]
        verdict.expect([one.returncode for one in got] == [0, 0], f"installs {[one.text[-800:] for one in got if one.returncode]}")
        names = [copy.installed() for copy in copies]
        verdict.expect(names[0] == names[1] and names[0], f"installs the same {len(names[0])} files {difference(*names)}")
        for name in names[0]:
            if ".so" in name and not os.path.islink(f"{plain.top}/dest/{name}"):
                more, less = guest.exported(name) - plain.exported(name), plain.exported(name) - guest.exported(name)
                verdict.expect(not less and not [symbol for symbol in more if not re.fullmatch(r"(__)?profplug_.*", symbol) and symbol not in WRAPPED], f"  {name} exports the same, and {sorted(more)} {sorted(less)}")
    recorded(build, f"{guest.top}/data", f"{guest.top}/", verdict, project)
    stray = [os.path.join(folder, name) for copy in copies for part in ("b", "src") for folder, _, names in os.walk(f"{copy.top}/{part}") for name in names if name.endswith(".profplug")]
    verdict.expect(not stray and not os.listdir(f"{plain.top}/data"), f"no data file elsewhere {stray[:3]}")
    print(f"      {time.monotonic() - began:.0f} s")
    return True


build, cache, *names = sys.argv[1:]
unknown = set(names) - {project.name for project in PROJECTS}
if unknown or not names:
    sys.exit(f"suite.py: {unknown or 'no project'}; expected some of {' '.join(project.name for project in PROJECTS)}")
verdict = Verdict()
done = [project for project in PROJECTS if project.name in names and examine(project, build, os.path.abspath(cache), verdict)]
if not done:
    sys.exit(SKIPPED)
if not verdict.wrong and "KEEP" not in os.environ:
    for project in done:
        shutil.rmtree(f"{build}/foreign/{project.name}")
verdict.finish()
