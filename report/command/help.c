/* SPDX-License-Identifier: MIT */
/* help.c: `profplug help [COMMAND]`, from the table of verbs and the rows of the options. */
#include "command/command.h"
#include "words/diag.h"
#include "host/options.h"

#include <stdio.h>
#include <string.h>

static int list_print(void)
{
    puts("profplug finds where the time, memory and I/O of a C program go, down to the line.\n\n"
         "  profplug-gcc -O2 -g -o PROGRAM FILE.c     compile and link, instrumented\n"
         "  profplug run PROGRAM && profplug report   run it, and read what it did\n\n"
         "Commands:");
    for (const struct command *command = command_table; command->name; command++)
        printf("  %-10s %s\n", command->name, command->summary);
    puts("\n`profplug help COMMAND` says more, `profplug help options` what a program can be told at run time,\n"
         "`profplug help plugin` what the compiler can be told. Results go to standard output, diagnostics to standard error.\n"
         "Exit status: 0 done, 1 a check found something, 2 wrong usage or unreadable input.");
    return DIAG_DONE;
}

static int plugin_print(void)
{
    puts("Arguments of the compiler plugin, as -fplugin-arg-profplug-KEY=VALUE:\n\n"
         "  functions=auto|all|stages|none   which get probes: auto counts the small ones and frames the others; stages: marked ones alone\n"
         "  lines=auto|all|stages|none       count how often lines are reached: all of them; those of stages and of functions with\n"
         "                                   annotated loops; auto: those, of what they call in their unit, and inline functions of that\n"
         "  min-size=N                       auto: statements from which on a function gets a frame (60; also with loops, or marked)\n"
         "  loops=annotated|none             whether annotated loops are measured\n"
         "  segment=on|off                   off: for what is compiled without -fPIC and linked into a shared library nevertheless\n"
         "  copies=on|off                    bytes that calls of memcpy, memmove and mempcpy copy, and memset fills, by line (off)\n"
         "  allocators=on|off                what functions with the attributes malloc or alloc_size hand out, by line (off)\n"
         "  filter=FILE                      lines function:GLOB=skip|allow, source:GLOB=skip|allow, default:skip|allow\n"
         "  default=on|off                   what the program does where PROFPLUG is not set\n"
         "  explain                          a note for every function: what its probe adds, or why it is left out; with profplug-gcc also for the calls and\n"
         "                                   loops that GCC inlines, vectorizes or unrolls only with or only without the plugin (it compiles twice)");
    return DIAG_DONE;
}

int command_help(int argc, char **argv)
{
    if (argc > 2)
        return diag_error(argv[2], "one command at most; expected profplug help [COMMAND]");
    if (argc < 2)
        return list_print();
    if (!strcmp(argv[1], "options")) {
        puts("Run-time options: PROFPLUG=KEY=VALUE,KEY=VALUE in the environment (PROFPLUG=off and on, too), --KEY VALUE or\n"
             "--KEY=VALUE of profplug run, {\"KEY\": VALUE} in the JSON file that PROFPLUG_CONFIG names:\n");
        options_describe(stdout);
        return DIAG_DONE;
    }
    if (!strcmp(argv[1], "plugin"))
        return plugin_print();
    const struct command *command = command_find(argv[1]);
    if (!command)
        return diag_error(argv[1], "no such command; expected one of those that `profplug help` lists");
    printf("profplug %s %s\n  %s\n", command->name, command->synopsis, command->summary);
    if (*command->help)
        printf("\n%s", command->help);
    if (!strcmp(command->name, "run")) {
        puts("\nRun-time options, as --KEY VALUE or --KEY=VALUE:");
        options_describe(stdout);
    }
    return DIAG_DONE;
}
