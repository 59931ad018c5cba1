/* SPDX-License-Identifier: MIT */
/* config.c: `profplug config`: prints flags for a build system on one line. */
#include "command/command.h"
#include "words/diag.h"
#include "host/toolchain.h"

#include <stdio.h>
#include <string.h>

int command_config(int argc, char **argv)
{
    const char *compiler = "gcc", *usage = "expected --cflags, --libs, --plugin, --include, --prefix or --version";
    int shared = 0, items = 0;
    enum flag_id id;
    struct flags flags;
    flags_begin(&flags, "config", argc, argv, false);
    while ((id = flags_next(&flags)) != FLAG_END || flags.next < argc) {
        if (id == FLAG_CONFIG_SHARED)
            shared = 1;
        else if (id == FLAG_CONFIG_CC && *flags.value)
            compiler = flags.value;
        else if (id < FLAG_FIRST || id == FLAG_CONFIG_CC)
            return diag_error(id == FLAG_END ? argv[flags.next] : flags.word, "no such option of config; %s", usage);
        else
            items++;
    }
    if (!items)
        return diag_error("config", "no item given; %s", usage);

    struct toolchain toolchain;
    if (toolchain_find(&toolchain))
        return DIAG_WRONG;
    char plugin[PATH_MAX] = "";
    const char *between = "";
    flags_begin(&flags, "config", argc, argv, false);
    while ((id = flags_next(&flags)) != FLAG_END) {
        if (id == FLAG_CONFIG_SHARED || id == FLAG_CONFIG_CC)
            continue;
        if (!*plugin && (id == FLAG_CONFIG_CFLAGS || id == FLAG_CONFIG_PLUGIN)) {
            int major = compiler_major(compiler);
            if (major <= 0)
                return diag_error(compiler, "%s; expected a GCC for " PROFPLUG_TARGET,
                                  major ? "cannot be run" : "not a GCC for this target");
            if (!toolchain_plugin(&toolchain, major, plugin, sizeof plugin))
                return diag_error(compiler, "there is no plugin for GCC %d; expected %s", major, plugin);
        }
        fputs(between, stdout);
        between = " ";
        if (id == FLAG_CONFIG_CFLAGS)
            printf("-fplugin=%s -g -I%s", plugin, toolchain.include);
        else if (id == FLAG_CONFIG_LIBS && shared)
            printf("-L%s -Wl,-rpath,%s -lprofplug", toolchain.shared, toolchain.shared);
        else if (id == FLAG_CONFIG_LIBS)
            printf("-L%s -l:libprofplug.a", toolchain.library);
        else
            fputs(id == FLAG_CONFIG_PLUGIN    ? plugin
                  : id == FLAG_CONFIG_INCLUDE ? toolchain.include
                  : id == FLAG_CONFIG_PREFIX  ? toolchain.prefix
                                              : PROFPLUG_VERSION,
                  stdout);
    }
    putchar('\n');
    return DIAG_DONE;
}
