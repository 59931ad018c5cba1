# SPDX-License-Identifier: MIT
"""Links a program with its functions in another order, the same one for whatever it was compiled by: what code at other addresses costs or saves
is then chance, and not the profiler's. Each function has a section of its own, whose name says where it comes. It must not know what is measured."""
import glob
import hashlib
import os
import re
import shlex
import shutil
import subprocess

FLAGS = ["-ffunction-sections"]
# Cold parts, and what runs before main, stay where the linker puts them.
FUNCTION = re.compile(r"^\s*\[ *\d+\] (\.text\.(?!unlikely|startup|exit|hot)\S+) +PROGBITS", re.M)


def place(name, number):
    return hashlib.sha256(f"{number} {name}".encode()).hexdigest()[:12]


def link(number, compiled, folder, compiler, flags, libraries):
    """The program in layout `number`, of the objects that lie in the folder `compiled`. An earlier one will do, if it is of the same objects."""
    objects = sorted(path for path in glob.glob(f"{compiled}/*.o") if not path.endswith("/extra.o"))
    program, stamp = f"{folder}/program", f"{folder}/made"
    said = shlex.join([*compiler, *flags, *libraries, *(f"{path} {os.path.getmtime(path)}" for path in objects)])
    if os.path.exists(program) and os.path.exists(stamp) and open(stamp).read() == said:
        return program
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    moved = []
    for path in objects:
        text = subprocess.run(["readelf", "-SW", path], capture_output=True, text=True, check=True).stdout
        moved.append(f"{folder}/{os.path.basename(path)}")
        words = [word for name in FUNCTION.findall(text) for word in ("--rename-section", f"{name}=.text.sorted.{place(name, number)}")]
        subprocess.run(["objcopy", *words, path, moved[-1]], check=True)
    subprocess.run([*compiler, *flags, *moved, "-o", program, *libraries], check=True)
    for path in moved:
        os.remove(path)
    with open(stamp, "w") as f:
        f.write(said)
    return program
