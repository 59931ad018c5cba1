# SPDX-License-Identifier: MIT
"""The ways in which the bench compiles and runs a program: plain and its controls, profplug's, and what others offer, where it is installed.
It must not know the programs."""
import glob
import shutil
import subprocess
from dataclasses import dataclass, field


@dataclass
class Way:
    name: str
    meaning: str
    compiler: list = field(default_factory=lambda: ["gcc"])
    flags: list = field(default_factory=list)
    libraries: list = field(default_factory=list)
    extra: str = ""                  # a source of ours that is compiled with it
    program_of: str = ""             # runs what that way built
    environment: dict = field(default_factory=dict)      # {work}: an empty folder, made for each run
    prefix: list = field(default_factory=list)
    base: str = "plain"
    part: float = 1                  # of the workload's size; where it is not 1, the base runs at that size, too
    counted: bool = True             # callgrind can count its instructions
    patched: bool = False
    only: str = ""                   # one workload
    missing: str = ""                # why it is left out


def ways(build, profiler):
    plug, libraries = profiler.compiler, profiler.libraries
    argument = "-fplugin-arg-profplug-"

    def ours(name, meaning, setting="", flags=(), **more):
        value = "off" if setting == "off" else "output={work}/%p.profplug" + ("," + setting if setting else "")
        return Way(name, meaning, list(plug), list(flags), list(libraries), environment={"PROFPLUG": value}, **more)

    every = ["functions=all"]
    return [
        Way("plain", "gcc -O2 -g"),
        Way("copy", "the plain program once more: what a ratio of nothing looks like", program_of="plain", counted=False),
        Way("padded", "plain, `-fpatchable-function-entry=8`: what moving code about does", flags=["-fpatchable-function-entry=8"]),
        ours("off", "compiled with the plugin, `PROFPLUG=off`", "off"),
        ours("default", "compiled with the plugin, no options", program_of="off"),
        ours("stages", "default, with three stages and a loop annotated (patches/)", patched=True),
        ours("timeline=on", "stages, `PROFPLUG=timeline=on`: also when each ran", "timeline=on", program_of="stages"),
        ours("lines=all", f"`{argument}lines=all`", flags=[f"{argument}lines=all"]),
        ours("hits", "the same, `PROFPLUG=samples=off,calltree=off,memory=off,io=off,waits=off`: what gcov records, and nothing else",
             "samples=off,calltree=off,memory=off,io=off,waits=off", program_of="lines=all"),
        ours("timing=exact", "`PROFPLUG=timing=exact`", "timing=exact", program_of="off"),
        ours("memory=off", "`PROFPLUG=memory=off`: default less memory", "memory=off", program_of="off"),
        ours("blocks=exact", "`PROFPLUG=blocks=exact`: default, with every block of the heap instead of samples", "blocks=exact", program_of="off"),
        ours("comprehensive", "`PROFPLUG=level=comprehensive`", "level=comprehensive", program_of="off"),
        ours("framed", f"`{argument}functions=all`: every function has a frame", flags=[argument + key for key in every], only="calls"),
        ours("every call timed", "the same, `PROFPLUG=timing=exact`", "timing=exact", program_of="framed", only="calls", part=0.25),
        Way("instrumented", "`-finstrument-functions`, empty hooks", flags=["-finstrument-functions"], extra="hooks.c"),
        gprof(), *gcov(), uftrace(), *xray(),
        Way("perf", "perf record -F 1000 -e cpu-clock:u", program_of="plain", counted=False, missing=perf_missing(),
            prefix=["perf", "record", "-q", "-F", "1000", "-e", "cpu-clock:u", "-o", "{work}/perf.data"]),
        gperftools(),
        Way("callgrind", "valgrind --tool=callgrind, a tenth of the size", program_of="plain", counted=False, part=0.1, missing=absent("valgrind"),
            prefix=["valgrind", "-q", "--tool=callgrind", "--callgrind-out-file={work}/callgrind.out"]),
        Way("heaptrack", "heaptrack, a tenth of the size", program_of="plain", counted=False, part=0.1, missing=absent("heaptrack"),
            prefix=["heaptrack", "-o", "{work}/heap"]),
    ]


def absent(*programs):
    return ", ".join(f"no {p} on this machine" for p in programs if not shutil.which(p))


def gprof():
    return Way("gprof", "`-pg`", flags=["-pg"], missing=absent("gprof"))


def gcov():
    where = {"GCOV_PREFIX": "{work}/gcov"}
    return (Way("gcov", "`--coverage`", flags=["--coverage"], environment=where, missing=absent("gcov")),
            Way("gcov atomic", "`--coverage -fprofile-update=atomic`", flags=["--coverage", "-fprofile-update=atomic"], environment=where, missing=absent("gcov")))


def uftrace():
    return Way("uftrace", "uftrace record on `-pg`, a tenth of the size", program_of="gprof", counted=False, part=0.1, missing=absent("uftrace"),
               prefix=["uftrace", "record", "--no-pager", "-d", "{work}/uftrace"])


def xray():
    missing = absent("clang")
    if not missing and subprocess.run(["clang", "-fxray-instrument", "-x", "c", "-", "-o", "/dev/null"], input="int main(void){return 0;}", text=True,
                                      capture_output=True).returncode:
        missing = "this clang has no XRay runtime"
    environment = {"XRAY_OPTIONS": "patch_premain=true xray_mode=xray-basic xray_logfile_base={work}/xray."}
    return (Way("clang", "plain, compiled by clang: what XRay is compared with", compiler=["clang"], flags=["-w"], missing=missing),
            Way("XRay", "clang's `-fxray-instrument`, patched at the start, xray-basic, a quarter of the size; against clang", compiler=["clang"], flags=["-w", "-fxray-instrument"], base="clang", part=0.25,
                environment=environment, missing=missing, counted=False))


def perf_missing():
    missing = absent("perf")
    if not missing:
        done = subprocess.run(["perf", "record", "-q", "-e", "cpu-clock:u", "-o", "/dev/null", "true"], capture_output=True, text=True)
        if done.returncode:
            missing = "perf record is refused: " + (done.stderr.strip() or "without a word").split("\n")[0]
    return missing


def gperftools():
    found = sorted(glob.glob("/usr/lib/*/libprofiler.so*") + glob.glob("/usr/lib/libprofiler.so*"), key=len)
    return Way("gperftools", "libprofiler preloaded, 1000 Hz", program_of="plain", counted=False, missing="" if found else "no libprofiler.so on this machine",
               environment={"LD_PRELOAD": found[0] if found else "", "CPUPROFILE": "{work}/prof", "CPUPROFILE_FREQUENCY": "1000"})
