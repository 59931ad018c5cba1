# SPDX-License-Identifier: MIT
"""What the bench runs: programs in C. Those that it compiles itself have a patch that puts three stages and an annotated loop in
(patches/NAME.patch), others are built by their own build systems (ownbuild.py). Sources come as tests/real gets them, ours lie in work/. It must not
know how anything is measured."""
import copy
import os
import shlex
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "tests/real"))
from project import Project, fetch  # noqa: E402
import ownbuild  # noqa: E402
import serving  # noqa: E402

# title: size, which makes a run about 0.2 s of CPU time
SIZES = {"sqlite": 4, "lua": 1.6, "zstd": 4, "zstd 2 threads": 4, "bzip2": 1, "cjson": 1, "nasm": 1, "mawk": 1, "jq": 1, "redis": 1, "nginx": 1, "python": 1,
         "mawk check": 1, "tree": 1, "calls": 1}
REQUESTS = {"redis": 20000, "nginx": 6000}


class Workload(Project):
    def __init__(self, title, cache):
        self.title, self.size = title, SIZES[title]
        name = title.split()[0]
        if name in ownbuild.ROWS:
            self.name, self.sources, self.flags, self.libraries = name, [], [], ["-lm", *ownbuild.LIBRARIES.get(name, [])]
            self.root = fetch(name, cache, *ownbuild.ROWS[name][:2])
        elif name in ("cjson", "tree", "calls"):
            self.name, self.root, self.libraries = name, f"{HERE}/work", []
            self.sources, self.flags = [f"{HERE}/work/{name}.c"], []
            if name == "cjson":
                self.root = fetch(name, cache, name, "cJSON.c")
                self.sources = [f"{self.root}/cJSON.c", *self.sources]
                self.flags, self.libraries = [f"-I{self.root}"], ["-lm"]
        else:
            super().__init__(name, cache)

    @property
    def is_recursion(self):
        return self.name == "calls"

    def build(self, folder, compiler, flags, libraries=(), keep=False):
        if self.sources:
            return super().build(folder, compiler, flags, libraries, keep)
        program, stamp = f"{folder}/{self.name}", f"{folder}/{self.name}.flags"
        said = shlex.join([*compiler, *flags, *libraries, f"{max(map(os.path.getmtime, (self.root, ownbuild.__file__))):.0f}"])
        if not (keep and os.path.exists(program) and open(stamp).read() == said):
            objects = ownbuild.build(self.name, self.root, folder, compiler, flags, libraries)
            subprocess.run([*compiler, *flags, *objects, "-o", program, *libraries, *self.libraries], check=True)
            with open(stamp, "w") as f:
                f.write(said)
        return program

    @property
    def environment(self):
        """Of its runs, beside this process's own."""
        return ownbuild.environment(self.name, self.root)

    @property
    def counted_part(self):
        """Of the size, for a run whose instructions are counted. The start of a server would be most of a shorter one."""
        return 1 / 2 if self.name in REQUESTS else 1 / 40

    @property
    def is_check(self):
        """The run is of the program's own tests."""
        return self.title.endswith(" check")

    def command(self, program, arguments):
        """The words of a run."""
        return ownbuild.checking(program, arguments) if self.is_check else [program, *arguments]

    def attend(self, process, work):
        """While it runs: a server is asked, and then told to end."""
        if self.name in REQUESTS:
            serving.ask(self.name, work, self.port, process, self.requests)

    def arguments(self, work, size):
        if self.name in REQUESTS:
            self.port, self.requests = serving.free_port(), max(400, int(REQUESTS[self.name] * size))
            return serving.arguments(self.name, work, self.port)
        if self.is_check:
            return ownbuild.checks(self.root, work, size)
        if self.name in ownbuild.ROWS:
            return ownbuild.arguments(self.name, work, size)
        if self.name == "cjson":
            return [str(max(1, int(60 * size))), "2000"]
        if self.name == "tree":
            return [str(max(1, int(60 * size))), "16"]
        if self.name == "calls":
            return [str(max(1, int(40 * size))), "30"]
        arguments = super().arguments(work, size)
        return [*arguments[:-1], "2"] if self.title.endswith("2 threads") else arguments

    def patched(self, folder):
        """The same with its stages and its loop; None, and why, where the patch does not fit these sources."""
        if not self.sources:
            return None, "it has no stages"
        if os.path.exists(folder):
            shutil.rmtree(folder)
        shutil.copytree(self.root, folder, ignore=shutil.ignore_patterns(".git", "tests", "doc", "contrib", "programs"))
        os.makedirs(f"{folder}/work", exist_ok=True)
        other = copy.copy(self)

        def moved(path):
            if path.startswith(self.root + "/") and self.root != f"{HERE}/work":
                return path.replace(self.root, folder, 1)
            return shutil.copy(path, f"{folder}/work/{os.path.basename(path)}")

        other.sources = [moved(path) for path in self.sources]
        other.flags = [flag.replace(self.root, folder) for flag in self.flags]
        done = subprocess.run(["patch", "-p1", "-s", "-i", f"{HERE}/patches/{self.name}.patch"], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            return None, "its patch does not fit these sources: " + done.stdout.strip().split("\n")[0]
        return other, None
