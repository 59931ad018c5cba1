/* SPDX-License-Identifier: MIT */
/* config.c: `profplug config`: what a build system needs to hear, one line. */
#include "command/command.h"
#include "words/diag.h"
#include "host/toolchain.h"

#include <stdio.h>
#include <string.h>

int command_config(int argc, char **argv)
{
    const char *compiler = "gcc", *usage = "expected --cflags, --libs, --plugin, --include, --prefix or --version";
    int shared = 0, items = 0;
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--shared"))
            shared = 1;
        else if (!strcmp(argv[i], "--cc") && i + 1 < argc)
            compiler = argv[++i];
        else if (!strncmp(argv[i], "--cc=", 5) && argv[i][5])
            compiler = argv[i] + 5;
        else if (strcmp(argv[i], "--cflags") && strcmp(argv[i], "--libs") && strcmp(argv[i], "--plugin") &&
                 strcmp(argv[i], "--include") && strcmp(argv[i], "--prefix") && strcmp(argv[i], "--version"))
            return diag_error(argv[i], "no such option of config; %s", usage);
        else
            items++;
    }
    if (!items)
        return diag_error("config", "nothing asked for; %s", usage);

    struct toolchain toolchain;
    if (toolchain_find(&toolchain))
        return DIAG_WRONG;
    char plugin[PATH_MAX] = "";
    const char *between = "";
    for (int i = 1; i < argc; i++) {
        const char *item = argv[i];
        if (!strcmp(item, "--cc"))
            i++;
        if (!strcmp(item, "--shared") || !strncmp(item, "--cc", 4))
            continue;
        if (!*plugin && (!strcmp(item, "--cflags") || !strcmp(item, "--plugin"))) {
            int major = compiler_major(compiler);
            if (major <= 0)
                return diag_error(compiler, "%s; expected a GCC for " PROFPLUG_TARGET, major ? "cannot be run" : "is not");
            if (!toolchain_plugin(&toolchain, major, plugin, sizeof plugin))
                return diag_error(compiler, "there is no plugin for GCC %d; expected %s", major, plugin);
        }
        fputs(between, stdout);
        between = " ";
        if (!strcmp(item, "--cflags"))
            printf("-fplugin=%s -g -I%s", plugin, toolchain.include);
        else if (!strcmp(item, "--libs") && shared)
            printf("-L%s -Wl,-rpath,%s -lprofplug", toolchain.shared, toolchain.shared);
        else if (!strcmp(item, "--libs"))
            printf("-L%s -l:libprofplug.a", toolchain.library);
        else
            fputs(!strcmp(item, "--plugin") ? plugin : !strcmp(item, "--include") ? toolchain.include :
                  !strcmp(item, "--prefix") ? toolchain.prefix : PROFPLUG_VERSION, stdout);
    }
    putchar('\n');
    return DIAG_DONE;
}
