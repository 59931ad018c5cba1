/* SPDX-License-Identifier: MIT */
/* commands.c: the table of verbs. It must not know what they do. */
#include "command/command.h"

#include <stddef.h>
#include <string.h>

const char *command_self;

const struct command command_table[] = {
#define PROFPLUG_COMMAND(name, synopsis, summary, help) { #name, synopsis, summary, help, command_##name },
#include "command/commands.def"
    { NULL, NULL, NULL, NULL, NULL },
};

const struct command *command_find(const char *name)
{
    for (const struct command *command = command_table; command->name; command++)
        if (!strcmp(command->name, name))
            return command;
    return NULL;
}
