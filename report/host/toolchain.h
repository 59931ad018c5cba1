/* SPDX-License-Identifier: MIT */
/* toolchain.h: where profplug's own parts lie (build tree or installed), and which GCC a command is. It must not know the
 * arguments of a compilation. */
#ifndef PROFPLUG_REPORT_TOOLCHAIN_H
#define PROFPLUG_REPORT_TOOLCHAIN_H

#include <limits.h>
#include <stddef.h>

struct toolchain {
    char prefix[PATH_MAX];       /* of the installation, or the build folder */
    char library[PATH_MAX];      /* folder of libprofplug.a */
    char shared[PATH_MAX];       /* folder of libprofplug.so: another, so that -lprofplug means the archive */
    char include[PATH_MAX];      /* folder of profplug.h */
    char plugins[PATH_MAX];      /* folder of gcc-N/profplug.so */
};

/* From the place of the running executable. Returns 0, or DIAG_WRONG after one line. */
int toolchain_find(struct toolchain *toolchain);

/* Writes the path of the plugin for that major version of GCC. Returns 1 if it is there, else 0 (and the path where it would be). */
int toolchain_plugin(const struct toolchain *toolchain, int major, char *path, size_t size);

/* Majors that have a plugin, ascending; returns how many. */
int toolchain_majors(const struct toolchain *toolchain, int *majors, int capacity);

/* The major version of GCC that `compiler` (name or path) is; 0 if it runs but is not GCC for PROFPLUG_TARGET, -1 if it cannot be run. Asks the compiler, 1 to 2 ms. */
int compiler_major(const char *compiler);

/* First line that `argv` (with its terminating null) prints on standard output, without its newline. Returns 0, or -1. */
int program_ask(char *const *argv, char *line, size_t size);

#endif
