/* SPDX-License-Identifier: MIT */
/* command.h: the tables of verbs (commands.def) and of their options (flags.def). */
#ifndef PROFPLUG_REPORT_COMMAND_H
#define PROFPLUG_REPORT_COMMAND_H

#include <getopt.h>
#include <stdbool.h>
#include <stddef.h>

struct command {
    const char *name, *synopsis, *summary, *help, *exit;
    int (*call)(int argc, char **argv);
};
/* The path by which the tool was called; NULL if it was found in PATH. */
extern const char *command_self;

extern const struct command command_table[]; /* ends with a row whose name is NULL */

/* NULL if there is no such verb. */
const struct command *command_find(const char *name);

/* Prints one line about a verb that is not there, and returns DIAG_WRONG. `what`: command or option. */
int command_refuse(const char *name, const char *what);

enum flag_id {
    FLAG_END = -1,    /* no option is left */
    FLAG_WRONG = 0,   /* no such option; flags.word is what was given */
    FLAG_MISSING = 1, /* its value is missing */
    FLAG_FIRST = 255, /* above all letters */
#define PROFPLUG_FLAG(verb, id, letter, word, value, help) FLAG_##id,
#include "command/flags.def"
};
struct flag {
    const char *verb;
    enum flag_id id;
    char letter;                     /* 0: none */
    const char *word, *value, *help; /* empty: none */
};
extern const struct flag flag_table[]; /* ends with a row whose verb is NULL */

/* A walk over a verb's arguments. Only one at a time, because getopt has global state. */
#define FLAGS_MOST 32
struct flags {
    const char *verb, *value, *word; /* the verb; value and spelling of the current option */
    int argc, next;                  /* next: index of the first operand, after FLAG_END */
    char **argv;
    struct option option[FLAGS_MOST + 1];
    char letters[2 * FLAGS_MOST + 3], written[3];
};

/* With `ends_at_operand`, options end at the first word that is not an option. Otherwise they may follow operands. */
void flags_begin(struct flags *flags, const char *verb, int argc, char **argv, bool ends_at_operand);

/* The next option's ID, FLAG_WRONG, FLAG_MISSING or FLAG_END. */
enum flag_id flags_next(struct flags *flags);

/* Takes the next argument as another value of the current option; NULL if there is none. */
const char *flags_further(struct flags *flags);

/* Prints one line about a second data file, and returns DIAG_WRONG. */
int files_refuse(const char *second);

/* Takes the value of --map (`maps`) or --source. Returns 0, or DIAG_WRONG after one line. */
int place_take(const char *value, bool maps);

/* Prints the line for FLAG_WRONG or FLAG_MISSING and returns DIAG_WRONG. */
int flags_refuse(const struct flags *flags, enum flag_id id);

/* For verbs that parse their arguments themselves: the verb's row for `word` (-x, --name or --name=VALUE), or
 * NULL. *value is the value within `word`, or NULL. */
const struct flag *flag_find(const char *verb, const char *word, const char **value);

#define PROFPLUG_COMMAND(name, synopsis, summary, help, exit) int command_##name(int argc, char **argv);
#include "command/commands.def"

#endif
