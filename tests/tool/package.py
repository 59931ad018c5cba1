#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""package.py BUILD: an installation works where it was put: through its wrapper, profplug config, pkg-config and CMake's
find_package, also from the build tree."""

import os
import shutil
import sys

sys.path.insert(0, sys.path[0] + "/../support")
from program import call, expect, main, write

SOURCE = """#include <profplug.h>
#include <stdio.h>
PROFPLUG_STAGE ("load", "data_loading") int load (int x) { return 2 * x; }
int main (void) { PROFPLUG_LOOP ("batches") for (int i = 0; i < 3; i++) load (i); puts ("done"); return 0; }
"""
PROJECT = """cmake_minimum_required(VERSION 3.16)
project(consumer C CXX)
find_package(profplug 0.1 REQUIRED)
string(REGEX MATCH "^[0-9]+" major "${CMAKE_C_COMPILER_VERSION}")
add_library(part STATIC part.c)
add_executable(program main.c)
target_link_libraries(program PRIVATE part)
add_executable(plain main.c part.c)
target_include_directories(plain PRIVATE ${profplug_INCLUDE_DIR})
target_compile_options(plain PRIVATE -Wall -Wextra -Werror)
profplug_instrument(part program OPTIONS functions=all)
add_executable(link_time main.c part.c)
set_property(TARGET link_time PROPERTY INTERPROCEDURAL_OPTIMIZATION ON)
profplug_instrument(link_time)
add_executable(plus main.cc)
profplug_instrument(plus)
add_executable(plain_before main.c)
target_link_libraries(plain_before part m)
profplug_instrument(plain_before)
add_executable(plain_after main.c)
profplug_instrument(plain_after)
target_link_libraries(plain_after part m)
add_library(shared SHARED part.c)
profplug_instrument(shared)
add_executable(of_shared main.c part.c)
target_compile_options(of_shared PRIVATE -fplugin=${profplug_PLUGIN_DIR}/gcc-${major}/profplug.so)
target_link_libraries(of_shared PRIVATE profplug::shared)
add_executable(of_part main_of_part.c)
target_link_libraries(of_part part)
"""


def leaves_data(tool, program, cwd):
    done = call([tool, "run", program], cwd=cwd)
    expect(done.out == "done\n" and done.returncode == 0, f"{program} runs", done.err)
    expect("data in" in done.err, f"{program} leaves data", done.err)
    sections = call(["readelf", "-SW", os.path.join(cwd, program)]).out
    expect("profplug_objects" in sections, f"{program} is instrumented")


def consume(prefix_argument, tool, cwd):
    os.mkdir(cwd)
    write(cwd + "/CMakeLists.txt", PROJECT)
    write(cwd + "/main.c", SOURCE.replace("return 2 * x", "extern int part (int); return part (x)"))
    write(cwd + "/main.cc", SOURCE)
    write(cwd + "/main_of_part.c", "#include <stdio.h>\nint part (int x);\nint main (void) { part (1); puts (\"done\"); return 0; }\n")
    write(cwd + "/part.c", "int part (int x);\nint part (int x) { return 2 * x; }\n")
    done = call(["cmake", "-S", cwd, "-B", cwd + "/b", prefix_argument], cwd=cwd)
    expect(done.returncode == 0 and "Warning" not in done.err, "CMake finds the package", done.err)
    done = call(["cmake", "--build", cwd + "/b"], cwd=cwd)
    expect(done.returncode == 0, "CMake builds with it", done.out, done.err)
    for program in ("b/program", "b/link_time", "b/plus", "b/plain_before", "b/plain_after", "b/of_part", "b/of_shared"):
        leaves_data(tool, program, cwd)
    expect(call([cwd + "/b/plain"]).out == "done\n", "the plain target runs")
    expect("profplug_objects" not in call(["readelf", "-SW", cwd + "/b/plain"]).out, "what is not asked for is not instrumented")
    write(cwd + "/wrong/CMakeLists.txt", "cmake_minimum_required(VERSION 3.16)\nproject(w C)\nfind_package(profplug REQUIRED)\nprofplug_instrument(nosuch)\n")
    done = call(["cmake", "-S", cwd + "/wrong", "-B", cwd + "/wrong/b", prefix_argument])
    expect(done.returncode != 0 and "'nosuch' is not a target" in done.err, "a target that is none is named", done.err)


def test(build, scratch):
    prefix = scratch + "/first/prefix"
    done = call(["cmake", "--install", build, "--prefix", prefix])
    expect(done.returncode == 0, "installs", done.err)
    moved = scratch + "/moved here"                        # with a blank, and not where it was installed
    shutil.move(prefix, moved)
    tool = moved + "/bin/profplug"
    write(scratch + "/main.c", SOURCE)

    done = call([moved + "/bin/profplug-gcc", "-O2", "main.c", "-o", "a"], cwd=scratch)
    expect(done.returncode == 0 and not done.err, "the installed wrapper compiles", done.err)
    leaves_data(tool, "./a", scratch)
    done = call([tool, "config", "--prefix", "--version"])
    expect(done.out == f"{moved} {call([tool, '--version']).out.split()[1]}\n", "config knows the prefix", done.out, done.err)

    unmoved = scratch + "/plain-prefix"
    shutil.copytree(moved, unmoved, symlinks=True)
    tool = unmoved + "/bin/profplug"
    flags, libs = (call([tool, "config", item]).out.split() for item in ("--cflags", "--libs"))
    done = call(["gcc", "-O2", *flags, "main.c", "-o", "b", *libs], cwd=scratch)
    expect(done.returncode == 0, "profplug config --cflags, --libs", done.err)
    leaves_data(tool, "./b", scratch)
    for folder in (libs[0][2:], build):
        done = call(["gcc", "-O2", *flags, "main.c", "-o", "e", "-L" + folder, "-lprofplug"], cwd=scratch)
        expect(done.returncode == 0 and "libprofplug.so" not in call(["readelf", "-d", scratch + "/e"]).out, f"-L{folder} -lprofplug is the archive", done.err)
        leaves_data(tool, "./e", scratch)
    libs = call([tool, "config", "--shared", "--libs"]).out.split()
    done = call(["gcc", "-O2", *flags, "main.c", "-o", "c", *libs], cwd=scratch)
    expect(done.returncode == 0 and "libprofplug.so" in call(["readelf", "-d", scratch + "/c"]).out, "profplug config --shared --libs", done.err)
    leaves_data(tool, "./c", scratch)
    done = call([unmoved + "/bin/profplug-gcc-ar", "rcs", "libmain.a", "main.c"], cwd=scratch)
    expect(done.returncode == 0 and not done.err and call([unmoved + "/bin/profplug-gcc-nm", "-V"]).out == call(["gcc-nm", "-V"]).out, "the archivers are GCC's", done.err)
    plugin = call([tool, "config", "--plugin"]).out.strip()
    expect(os.path.isfile(plugin) and plugin.startswith(unmoved), "config --plugin names the installed one", plugin)
    for argv in (["config"], ["config", "--nosuch"], ["config", "--cc", "nosuch-gcc", "--plugin"]):
        done = call([tool] + argv)
        expect(done.returncode == 2 and done.err.count("\n") == 1 and "expected" in done.err and not done.out.strip(), f"{argv}: one line", done.err, done.out)

    for part in ("share/profplug/profplug-report-2.schema.json", "share/profplug/profplug-overhead-1.schema.json", "share/profplug/profplug-diff-1.schema.json", "share/doc/profplug/COPYING", "share/doc/profplug/LICENSES/MIT.txt", "share/man/man1/profplug-run.1",
                 "share/man/man3/profplug.3", "share/man/man5/profplug-data.5", "share/doc/profplug/docs/options.md", "bin/profplug-g++", "bin/profplug-gcc-ar"):
        expect(os.path.exists(f"{unmoved}/{part}"), f"{part} is installed")

    pc = [os.path.join(folder, "") for folder, _, files in os.walk(unmoved) if "profplug.pc" in files]
    expect(len(pc) == 1, "profplug.pc is installed")
    if shutil.which("pkg-config") and pc:
        env = {"PKG_CONFIG_PATH": pc[0]}
        flags, libs = (call(["pkg-config", item, "profplug"], env=env).out.split() for item in ("--cflags", "--libs"))
        done = call(["gcc", "-O2", *flags, "main.c", "-o", "d", *libs], cwd=scratch)
        expect(done.returncode == 0, "pkg-config", flags, libs, done.err)
        leaves_data(tool, "./d", scratch)
        expect(call(["pkg-config", "--modversion", "profplug"], env=env).out.strip() == call([tool, "config", "--version"]).out.strip(), "pkg-config's version is the tool's")
    consume("-DCMAKE_PREFIX_PATH=" + unmoved, tool, scratch + "/consumer")
    consume("-Dprofplug_DIR=" + build + "/cmake", build + "/profplug", scratch + "/consumer-of-build")


main(test)
