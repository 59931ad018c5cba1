/* SPDX-License-Identifier: MIT */
/* command.h: the table of verbs, made from commands.def. */
#ifndef PROFPLUG_REPORT_COMMAND_H
#define PROFPLUG_REPORT_COMMAND_H

struct command {
    const char *name, *synopsis, *summary, *help;
    int (*call)(int argc, char **argv);
};
/* How the tool was called, if that was by a path; else null: PATH finds `profplug`. */
extern const char *command_self;

extern const struct command command_table[];     /* ends with a row whose name is null */

/* Null if there is no such verb. */
const struct command *command_find(const char *name);

#define PROFPLUG_COMMAND(name, synopsis, summary, help) int command_##name(int argc, char **argv);
#include "command/commands.def"

#endif
