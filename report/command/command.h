/* SPDX-License-Identifier: MIT */
/* command.h: the table of verbs, made from commands.def, and that of their options, made from flags.def. */
#ifndef PROFPLUG_REPORT_COMMAND_H
#define PROFPLUG_REPORT_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

struct command {
    const char *name, *synopsis, *summary, *help, *exit;
    int (*call)(int argc, char **argv);
};
/* How the tool was called, if that was by a path; else null: PATH finds `profplug`. */
extern const char *command_self;

extern const struct command command_table[];     /* ends with a row whose name is null */

/* Null if there is no such verb. */
const struct command *command_find(const char *name);

enum flag_id {
    FLAG_END = -1,               /* no option is left */
    FLAG_WRONG = 0,              /* no such option; flags.word is what was given */
    FLAG_MISSING = 1,            /* its value is missing */
    FLAG_FIRST = 255,            /* above all letters */
#define PROFPLUG_FLAG(verb, id, letter, word, value, help) FLAG_##id,
#include "command/flags.def"
};
struct flag {
    const char *verb;
    enum flag_id id;
    char letter;                 /* 0: none */
    const char *word, *value, *help;     /* empty: none */
};
extern const struct flag flag_table[];           /* ends with a row whose verb is null */

/* A walk over a verb's arguments. One at a time: getopt keeps where it is. */
#define FLAGS_MOST 16
struct flags {
    const char *verb, *value, *word;     /* the verb; of the option at hand: its value, and how it was written */
    int argc, next;                      /* next: what follows the options, once flags_next said FLAG_END */
    char **argv;
    struct option option[FLAGS_MOST + 1];
    char letters[2 * FLAGS_MOST + 3], written[3];
};

/* With `ends_at_operand` options end at the first word that is none; else they may stand behind it. */
void flags_begin(struct flags *flags, const char *verb, int argc, char **argv, bool ends_at_operand);

/* The next option's ID, FLAG_WRONG, FLAG_MISSING or FLAG_END. */
enum flag_id flags_next(struct flags *flags);

/* Takes the next argument as a further value of the option at hand; null if there is none. */
const char *flags_further(struct flags *flags);

/* The line for FLAG_WRONG and FLAG_MISSING; returns DIAG_WRONG. */
int flags_refuse(const struct flags *flags, enum flag_id id);

/* For verbs that walk by themselves: the row of the verb that is written as `word` (-x, --name or --name=VALUE), NULL
 * if there is none. Where `word` has the value in it, *value is that, else NULL. */
const struct flag *flag_find(const char *verb, const char *word, const char **value);

#define PROFPLUG_COMMAND(name, synopsis, summary, help, exit) int command_##name(int argc, char **argv);
#include "command/commands.def"

#endif
