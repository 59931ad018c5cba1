/* SPDX-License-Identifier: MIT */
/* help.c: `profplug help [COMMAND]`, from the table of verbs and the rows of the options and arguments. */
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

static const struct { const char *key, *fallback, *values, *help; } arguments[] = {
#define PP_ARGUMENT(id, key, kind, fallback, values, help) { key, fallback, values, help },
#include "profplug/abi/argument.def"
};

#define TEXT_WIDTH 100

/* Breaks the text between words. */
static void text_print(const char *text, const char *margin)
{
    while (*text) {
        size_t length = strlen(text);
        if (length > TEXT_WIDTH) {
            for (length = TEXT_WIDTH; length && text[length] != ' '; length--)
                ;
            length = length ? length : TEXT_WIDTH;
        }
        printf("%s%.*s\n", margin, (int)length, text);
        text += length;
        text += *text == ' ';
    }
}

static void arguments_print(void)
{
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        printf("  %-10s %s", arguments[i].key, arguments[i].values);
        printf(*arguments[i].fallback ? " (default %s)\n" : "\n", arguments[i].fallback);
        text_print(arguments[i].help, "             ");
    }
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
    if (!strcmp(argv[1], "plugin")) {
        puts("Arguments of the compiler plugin, as -fplugin-arg-profplug-KEY=VALUE:\n");
        arguments_print();
        return DIAG_DONE;
    }
    const struct command *command = command_find(argv[1]);
    if (!command)
        return diag_error(argv[1], "no such command; expected one of those that `profplug help` lists");
    printf("profplug %s %s\n  %s\n", command->name, command->synopsis, command->summary);
    if (*command->help)
        printf("\n%s", command->help);
    if (!strcmp(command->name, "run")) {
        puts("\nRun-time options, as --KEY VALUE or --KEY=VALUE:");
        options_describe(stdout);
    } else if (!strcmp(command->name, "cc")) {
        puts("\nArguments of the plugin, as -fplugin-arg-profplug-KEY=VALUE:");
        arguments_print();
    }
    return DIAG_DONE;
}
