/* SPDX-License-Identifier: MIT */
/* help.c: `profplug help [COMMAND]`, from the tables of verbs, of their options and of the plugin's arguments. */
#include "command/command.h"
#include "words/diag.h"
#include "host/options.h"
#include "section/section.h"

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
    puts("\n`profplug help COMMAND` says more, "
         "`profplug help options` lists the options at run time, `profplug help plugin`\n"
         "those of the compiler plugin. Results go to standard output, "
         "diagnostics to standard error.\n"
         "Exit status: 0 done, 1 a check found something, 2 wrong usage or unreadable input.");
    return DIAG_DONE;
}

static const struct {
    const char *key, *fallback, *values, *help;
} arguments[] = {
#define PP_ARGUMENT(id, key, kind, fallback, values, help) { key, fallback, values, help },
#include "profplug/abi/argument.def"
};

enum { HELP_WIDTH = 110, FLAG_WIDTH_MOST = 30 };

/* Wraps the text between words. The first line starts at the cursor, the others at `column`. */
static void paragraph_print(const char *text, int column)
{
    while (*text) {
        size_t room = (size_t)(HELP_WIDTH - column), part = strlen(text);
        if (part > room)
            for (part = room; part && text[part] != ' '; part--)
                ;
        part = part ? part : strlen(text);
        printf("%.*s\n", (int)part, text);
        text += part;
        if (*text)
            printf("%*s", column, "");
        text += *text == ' ';
    }
}

static void arguments_print(void)
{
    for (size_t i = 0; i < sizeof arguments / sizeof *arguments; i++) {
        printf("  %-10s %s", arguments[i].key, arguments[i].values);
        printf(*arguments[i].fallback ? " (default %s)\n" : "\n", arguments[i].fallback);
        fputs("             ", stdout);
        paragraph_print(arguments[i].help, 13);
    }
}

/* Writes "-o, --output FILE"; returns its length. */
static int flag_write(const struct flag *flag, char *out, size_t size)
{
    char letter[3] = { '-', flag->letter, 0 };
    return snprintf(out, size, "%s%s%s%s%s%s", flag->letter ? letter : "", flag->letter && *flag->word ? ", " : "",
                    *flag->word ? "--" : "", flag->word, *flag->value ? " " : "", flag->value);
}

/* The verb's options, with their texts aligned. */
static void flags_print(const char *verb)
{
    char written[128];
    int widest = 0;
    for (const struct flag *flag = flag_table; flag->verb; flag++) {
        int length = strcmp(flag->verb, verb) ? 0 : flag_write(flag, written, sizeof written);
        widest = length > widest && length <= FLAG_WIDTH_MOST ? length : widest;
    }
    int column = widest + 4;
    for (const struct flag *flag = flag_table; flag->verb; flag++) {
        if (strcmp(flag->verb, verb))
            continue;
        int length = flag_write(flag, written, sizeof written);
        printf("  %s%*s", written, length > widest ? 0 : column - 2 - length, "");
        if (length > widest)
            printf("\n%*s", column, "");
        paragraph_print(flag->help, column);
    }
}

static void page_print(const struct command *command)
{
    printf("profplug %s %s\n  %s\n", command->name, command->synopsis, command->summary);
    if (*command->help)
        printf("\n%s", command->help);
    const struct flag *flag = flag_table;
    while (flag->verb && strcmp(flag->verb, command->name))
        flag++;
    if (flag->verb) {
        puts("\nOptions:");
        flags_print(command->name);
    }
    if (*command->exit) {
        fputs("\nExit status: ", stdout);
        paragraph_print(command->exit, 0);
    }
}

int command_help(int argc, char **argv)
{
    if (argc > 2)
        return diag_error(argv[2], "too many arguments; expected profplug help [COMMAND]");
    if (argc < 2)
        return list_print();
    if (!strcmp(argv[1], "options")) {
        puts("Run-time options: PROFPLUG=KEY=VALUE,KEY=VALUE in the environment (PROFPLUG=off and on, "
             "too), --KEY VALUE or\n"
             "--KEY=VALUE of profplug run, {\"KEY\": "
             "VALUE} in the JSON file that PROFPLUG_CONFIG names:\n");
        options_describe(stdout);
        return DIAG_DONE;
    }
    if (!strcmp(argv[1], "sections")) {
        puts("Tables of a report, for profplug report --section NAME:\n");
        for (const struct section *section = section_table; section->name; section++)
            printf("  %-12s %s\n", section->name, section->meaning);
        return DIAG_DONE;
    }
    if (!strcmp(argv[1], "plugin")) {
        puts("Arguments of the compiler plugin, as -fplugin-arg-profplug-KEY=VALUE:\n");
        arguments_print();
        return DIAG_DONE;
    }
    const struct command *command = command_find(argv[1]);
    if (!command)
        return command_refuse(argv[1], "command");
    page_print(command);
    if (!strcmp(command->name, "run")) {
        puts("\nRun-time options, as --KEY VALUE or --KEY=VALUE:");
        options_describe(stdout);
    } else if (!strcmp(command->name, "cc")) {
        puts("\nArguments of the plugin, as -fplugin-arg-profplug-KEY=VALUE:");
        arguments_print();
    }
    return DIAG_DONE;
}
