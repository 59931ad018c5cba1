/* SPDX-License-Identifier: MIT */
/* commands.c: the tables of verbs and of their options, and the parsing of options by these rows. It must not know what
 * any of them does. */
#include "command/command.h"
#include "store/elsewhere.h"
#include "symbol/image.h"
#include "words/diag.h"
#include "words/spelling.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

const char *command_self;

const struct command command_table[] = {
#define PROFPLUG_COMMAND(name, synopsis, summary, help, exit) { #name, synopsis, summary, help, exit, command_##name },
#include "command/commands.def"
    { NULL, NULL, NULL, NULL, NULL, NULL },
};

const struct flag flag_table[] = {
#define PROFPLUG_FLAG(verb, id, letter, word, value, help) { #verb, FLAG_##id, letter, word, value, help },
#include "command/flags.def"
    { NULL, FLAG_END, 0, NULL, NULL, NULL },
};

const struct command *command_find(const char *name)
{
    for (const struct command *command = command_table; command->name; command++)
        if (!strcmp(command->name, name))
            return command;
    return NULL;
}

int command_refuse(const char *name, const char *what)
{
    char ask[SPELLING_BYTES];
    struct spelling close = { .said = name };
    for (const struct command *command = command_table; command->name; command++)
        spelling_offer(&close, command->name);
    return diag_error(name, "no such %s%s; expected one of those that `profplug help` lists", what,
                      spelling_ask(&close, ask));
}

int files_refuse(const char *second)
{
    return diag_error(second, "a second file; expected one; `profplug merge` adds several up, `profplug diff` compares "
                              "two");
}

int place_take(const char *value, bool maps)
{
    if (maps)
        return elsewhere_map(value) ? 0
                                    : diag_error("--map", "'%s' names no two folders; expected OLD=NEW", value);
    struct stat is;
    if (stat(value, &is) != 0 || !S_ISDIR(is.st_mode))
        return diag_error("--source", "'%s' is no folder; expected one with sources or debug files", value);
    elsewhere_look(value);
    image_debug_directory(value);
    return 0;
}

void flags_begin(struct flags *flags, const char *verb, int argc, char **argv, bool ends_at_operand)
{
    *flags = (struct flags){ .verb = verb, .argc = argc, .argv = argv };
    char *letter = flags->letters;
    struct option *option = flags->option;
    if (ends_at_operand)
        *letter++ = '+';
    *letter++ = ':';
    for (const struct flag *flag = flag_table; flag->verb; flag++) {
        if (strcmp(flag->verb, verb))
            continue;
        assert(option < flags->option + FLAGS_MOST);
        if (flag->letter) {
            *letter++ = flag->letter;
            if (*flag->value)
                *letter++ = ':';
        }
        if (*flag->word)
            *option++ = (struct option){ .name = flag->word, .has_arg = *flag->value != 0, .val = (int)flag->id };
    }
    opterr = 0;
    optind = 0;
}

enum flag_id flags_next(struct flags *flags)
{
    int key = getopt_long(flags->argc, flags->argv, flags->letters, flags->option, NULL);
    flags->next = optind;
    flags->value = optarg;
    if (key == -1)
        return FLAG_END;
    flags->word = flags->argv[optind - 1];
    if (key == '?' || key == ':') {
        if (optopt > 0 && optopt < FLAG_FIRST) { /* a letter, perhaps among others */
            flags->written[0] = '-';
            flags->written[1] = (char)optopt;
            flags->word = flags->written;
        }
        return key == ':' ? FLAG_MISSING : FLAG_WRONG;
    }
    for (const struct flag *flag = flag_table; flag->verb; flag++)
        if (!strcmp(flag->verb, flags->verb) && ((int)flag->id == key || flag->letter == key))
            return flag->id;
    return FLAG_WRONG;
}

const char *flags_further(struct flags *flags) { return optind < flags->argc ? flags->argv[optind++] : NULL; }

int flags_refuse(const struct flags *flags, enum flag_id id)
{
    if (id == FLAG_MISSING)
        return diag_error(flags->word, "a value is missing; expected one after it");
    /* without its value, and with the dashes that people mistype, too */
    char word[64], ask[SPELLING_BYTES];
    const char *begin = flags->word + strspn(flags->word, "-");
    snprintf(word, sizeof word, "%.*s", (int)strcspn(begin, "="), begin);
    struct spelling close = { .said = word };
    for (const struct flag *flag = flag_table; flag->verb && word[0] && word[1]; flag++)
        if (!strcmp(flag->verb, flags->verb) && *flag->word)
            spelling_offer(&close, flag->word);
    char dashed[80] = "";
    if (close.name[0])
        snprintf(dashed, sizeof dashed, "--%s", close.name[0]);
    close.name[0] = dashed[0] ? dashed : NULL;
    return diag_error(flags->word, "no such option%s; expected one that `profplug help %s` lists",
                      spelling_ask(&close, ask), flags->verb);
}

const struct flag *flag_find(const char *verb, const char *word, const char **value)
{
    *value = NULL;
    for (const struct flag *flag = flag_table; flag->verb; flag++) {
        size_t length = strlen(flag->word);
        if (strcmp(flag->verb, verb))
            continue;
        if (flag->letter && word[0] == '-' && word[1] == flag->letter && !word[2])
            return flag;
        if (!length || strncmp(word, "--", 2) || strncmp(word + 2, flag->word, length))
            continue;
        const char *end = word + 2 + length;
        if (*end && *end != '=')
            continue;
        if (*end)
            *value = end + 1;
        return flag;
    }
    return NULL;
}
