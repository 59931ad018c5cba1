/* SPDX-License-Identifier: MIT */
/* toolchain.h: finds profplug's own files (build tree or installed), and which GCC a command is. It must not know
 * the arguments of a compilation. */
#ifndef PROFPLUG_REPORT_TOOLCHAIN_H
#define PROFPLUG_REPORT_TOOLCHAIN_H

#include <limits.h>
#include <stddef.h>

struct toolchain {
    char prefix[PATH_MAX];  /* the installation's prefix, or the build folder */
    char library[PATH_MAX]; /* folder of libprofplug.a */
    char shared[PATH_MAX];  /* folder of libprofplug.so; a separate one, so that -lprofplug finds the archive */
    char include[PATH_MAX]; /* folder of profplug.h */
    char plugins[PATH_MAX]; /* folder of gcc-N/profplug.so */
};

/* Finds them relative to the running executable. Returns 0, or DIAG_WRONG after one line. */
int toolchain_find(struct toolchain *toolchain);

/* Writes the path of the plugin for that major version of GCC. Returns 1 if it exists, else 0. */
int toolchain_plugin(const struct toolchain *toolchain, int major, char *path, size_t size);

/* Major versions of GCC that have a plugin, ascending; returns how many. */
int toolchain_majors(const struct toolchain *toolchain, int *majors, int capacity);

/* The major version of the GCC `compiler` (name or path); 0 if it is not a GCC for PROFPLUG_TARGET, -1 if it
 * cannot be run. It asks the compiler, which takes 1 to 2 ms. */
int compiler_major(const char *compiler);

/* First line that `argv` (ends with NULL) prints on standard output, without its newline. Returns 0, or -1. */
int program_ask(char *const *argv, char *line, size_t size);

#endif
