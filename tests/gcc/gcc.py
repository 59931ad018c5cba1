#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""gcc.py CACHE [MAJOR...]: profplug with newer GCCs than this machine has.
Each comes from a Debian release in a chroot, CACHE/gcc-RELEASE, which is kept: remove it to get a fresh one.
All is built there with that GCC. Then run the tests of emitted code, those of hits of lines, and samples of the torture
programs. Each GCC is also given the others' plugins. A GCC that cannot be had is named and left out.
Exit status 1 if one fails, 77 if none could be tried."""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree

SOURCE = pathlib.Path(__file__).resolve().parents[2]
ROWS = [("trixie", 13), ("trixie", 14), ("sid", 15), ("sid", 16)]
PACKAGES = ("cmake ninja-build pkg-config libdwarf-dev libelf-dev libcjson-dev zlib1g-dev "
            "python3 make binutils xz-utils").split()
GCC_PACKAGES = ("gcc-{}", "g++-{}", "gcc-{}-plugin-dev")
TESTS = (["-L", "^(gimple|hits)$"], ["-R", "^(hits_known_(c|cc)|torture_(c|cxx|compile|flags)_sample)$"])
# In a namespace of its own: what is mounted goes away with it.
ENTER = """set -e
root=$1; source=$2; shift 2
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount -t tmpfs tmpfs "$root/tmp"
mount --bind "$source" "$root/profplug"
mount -o remount,bind,ro "$root/profplug"
exec chroot "$root" "$@"
"""


class Missing(Exception):
    """It cannot be had here, and why."""


class Failed(Exception):
    """It can, and does not work."""


def say(text):
    print(f"gcc: {text}", flush=True)


def logged(log, words):
    words = [str(word) for word in words]
    with open(log, "ab") as file:
        quiet = {"stdin": subprocess.DEVNULL, "stdout": file, "stderr": subprocess.STDOUT}
        return subprocess.run(words, check=False, **quiet).returncode


def last_line(log):
    lines = [line for line in log.read_text(errors="replace").splitlines() if line.strip()]
    return re.sub(r"\w+://[^/ ]*", "", lines[-1]) if lines else "no word of it"


def asked(words):
    done = subprocess.run(words, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False, text=True)
    return done.stdout if done.returncode == 0 else ""


def mirror():
    """Debian's archive as apt is told of it here; without one debootstrap knows its own."""
    for line in asked(["apt-get", "indextargets", "--format", "$(ORIGIN) $(CODENAME) $(REPO_URI)"]).splitlines():
        origin, codename, place = line.split(" ", 2)
        if origin == "Debian" and "-" not in codename:
            return [place]
    return []


def proxies():
    known = asked(["apt-config", "dump"]).splitlines()
    return "".join(line + "\n" for line in known if re.match(r"Acquire::https?::Proxy", line))


class Release:
    def __init__(self, cache, name):
        self.name, self.root, self.log = name, cache / f"gcc-{name}", cache / f"gcc-{name}.log"

    def make(self):
        self.log.write_text("")
        if not self.root.exists():
            if not shutil.which("debootstrap"):
                raise Missing("debootstrap is not installed")
            say(f"making {self.root}")
            part = self.root.with_suffix(".part")
            shutil.rmtree(part, ignore_errors=True)
            if logged(self.log, ["debootstrap", "--variant=minbase", self.name, part, *mirror()]):
                raise Missing(f"debootstrap: {last_line(self.log)}")
            part.rename(self.root)
        for folder in ("profplug", "build"):
            (self.root / folder).mkdir(exist_ok=True)
        (self.root / "etc/apt/apt.conf.d/01proxy").write_text(proxies())
        daemons = self.root / "usr/sbin/policy-rc.d"
        daemons.write_text("#!/bin/sh\nexit 101\n")
        daemons.chmod(0o755)

    def call(self, words, major=None):
        path = (f"/opt/gcc-{major}:" if major else "") + "/usr/sbin:/usr/bin:/sbin:/bin"
        environment = ["env", "-i", f"PATH={path}", "LC_ALL=C.UTF-8", "HOME=/root",
                       "DEBIAN_FRONTEND=noninteractive", "PYTHONDONTWRITEBYTECODE=1"]
        enter = ["unshare", "--mount", "--propagation", "private", "sh", "-c", ENTER, "sh", self.root, SOURCE]
        return logged(self.log, [*enter, *environment, *words])

    def install(self, major):
        """This GCC, under the name of gcc, too."""
        if self.call(["true"]):
            raise Missing(f"chroot: {last_line(self.log)}")
        words = PACKAGES + [package.format(major) for package in GCC_PACKAGES]
        if self.call(["dpkg-query", "-s", *words]):
            self.call(["apt-get", "-q", "update"])
            if self.call(["apt-get", "-q", "install", "-y", "--no-install-recommends", *words]):
                known = not self.call(["apt-cache", "show", words[-1]])
                raise Missing(f"apt-get: {last_line(self.log)}" if known else f"there is no GCC {major} in {self.name}")
        names = self.root / f"opt/gcc-{major}"
        names.mkdir(exist_ok=True)
        for name in ("gcc", "g++", "gcov"):
            link = names / name
            if not link.is_symlink():
                link.symlink_to(f"/usr/bin/{name}-{major}")


class Trial:
    """One GCC: its build, its tests."""
    def __init__(self, release, major):
        self.release, self.major, self.version = release, major, "-"
        self.passed, self.failed, self.left_out, self.note = 0, [], 0, ""
        self.build = f"/build/gcc-{major}"
        self.folder = release.root / self.build[1:]

    def call(self, *words):
        return self.release.call(words, self.major)

    def compile(self):
        self.folder.mkdir(exist_ok=True)
        say(f"GCC {self.major}: building, and its tests (log: {self.release.log})")
        # The other GCCs of that release have a row of their own.
        others = [f"-DPROFPLUG_GCC_{major}=OFF" for _, major in ROWS if major != self.major]
        compilers = [f"-DCMAKE_C_COMPILER=/usr/bin/gcc-{self.major}", f"-DCMAKE_CXX_COMPILER=/usr/bin/g++-{self.major}"]
        folders = ["-S", "/profplug", "-B", self.build, "-DPROFPLUG_CACHE=/build/cache"]
        if self.call("cmake", "-G", "Ninja", *folders, *compilers, *others) or self.call("ninja", "-C", self.build):
            raise Failed("it does not build")

    def test(self):
        for number, which in enumerate(TESTS):
            results = self.folder / f"results-{number}.xml"
            results.unlink(missing_ok=True)
            form = ["--output-on-failure", "--output-junit", f"{self.build}/{results.name}"]
            self.call("ctest", "--test-dir", self.build, *which, "-j", str(os.cpu_count() or 1), *form)
            if not results.exists():
                raise Failed(f"ctest: {last_line(self.release.log)}")
            for case in xml.etree.ElementTree.parse(results).getroot().iter("testcase"):
                if case.find("failure") is not None:
                    self.failed.append(case.get("name"))
                elif case.find("skipped") is not None:
                    self.left_out += 1
                else:
                    self.passed += 1
        if self.passed < 50:
            raise Failed(f"only {self.passed} tests passed; expected those of emitted code at least")

    def refuse(self, plugins):
        """Each other GCC's plugin says in one line that it is another's."""
        for major, (version, plugin) in plugins.items():
            if major != self.major:
                shutil.copy(plugin, self.release.root / "build/profplug.so")
                said = f"profplug: this plugin was built for GCC {version}, and this is GCC {self.version}:"
                for compiler, language in (("cc1", "c"), ("cc1plus", "c++")):
                    script = f"gcc -fplugin=/build/profplug.so -c -x {language} /dev/null -o /dev/null 2>/build/refused"
                    status = self.call("sh", "-c", script)
                    text = (self.release.root / "build/refused").read_text()
                    if not status or text.count("\n") != 1 or not text.startswith(f"{compiler}: error: {said}"):
                        say(f"the plugin of GCC {major} in {compiler} of GCC {self.major}, status {status}: {text}")
                        self.failed.append(f"plugin of GCC {major}")
                    else:
                        self.passed += 1

    def run(self, plugins):
        try:
            self.release.make()
            self.release.install(self.major)
            self.call("sh", "-c", "gcc -dumpfullversion >/build/version")
            self.version = (self.release.root / "build/version").read_text().strip()
            self.compile()
            plugins[self.major] = (self.version, self.folder / "profplug.so")
            self.test()
            self.refuse(plugins)
        except Missing as why:
            self.note = f"left out: {why}"
        except Failed as why:
            self.failed.append(str(why))
        return self

    def row(self):
        words = self.note or " ".join(self.failed)
        numbers = f"{self.passed:>6} {len(self.failed):>6} {self.left_out:>8}"
        return f"{self.major:>4} {self.release.name:<8} {self.version:<8} {numbers}  {words}".rstrip()


def main():
    if len(sys.argv) < 2 or not all(word.isdigit() for word in sys.argv[2:]):
        sys.exit("usage: gcc.py CACHE [MAJOR...]")
    if os.geteuid():
        if shutil.which("sudo") and asked(["sudo", "-n", "echo", "yes"]):
            os.execvp("sudo", ["sudo", "-n", sys.executable, *sys.argv])
        say("left out: chroots of other Debian releases need root, or sudo without a password")
        sys.exit(77)
    cache = pathlib.Path(sys.argv[1]).resolve()
    cache.mkdir(parents=True, exist_ok=True)
    releases = {name: Release(cache, name) for name, _ in ROWS}
    wanted = [int(word) for word in sys.argv[2:]] or [major for _, major in ROWS]
    # Oldest first: what is built on an older release loads on a newer one.
    plugins = {}
    trials = [Trial(releases[name], major).run(plugins) for name, major in ROWS if major in wanted]
    print(" GCC release  version  passed failed left out")
    for trial in trials:
        print(trial.row())
    if any(trial.failed for trial in trials):
        sys.exit(1)
    sys.exit(0 if any(trial.passed for trial in trials) else 77)


main()
