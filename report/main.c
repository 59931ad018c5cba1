/* SPDX-License-Identifier: MIT */
/* main.c: profplug VERB ... and, under the names profplug-gcc and profplug-g++, a compiler. It finds the verb in the
 * table and calls it. It must not know what verbs do. */
#include "command/command.h"
#include "pager.h"
#include "words/diag.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* profplug-gcc, profplug-g++-13, profplug-aarch64-linux-gnu-gcc, profplug-gcc-ar: what follows `profplug-` is the
 * compiler, or one of its programs. */
static int compiler_call(const char *compiler, int argc, char **argv)
{
    char **arguments = calloc((size_t)argc + 4, sizeof *arguments);
    int count = 0, next = 1;
    if (!arguments)
        return diag_error(compiler, "out of memory");
    arguments[count++] = (char *)"cc";
    if (argc > 1 && !strcmp(argv[1], "--strict"))
        arguments[count++] = argv[next++];
    arguments[count++] = (char *)compiler;
    while (next < argc)
        arguments[count++] = argv[next++];
    int status = command_cc(count, arguments);
    free(arguments);
    return status;
}

int main(int argc, char **argv)
{
    const char *self = argc > 0 ? argv[0] : "profplug";
    const char *slash = strrchr(self, '/');
    if (slash) /* a bare name was found in PATH, and can be found again */
        command_self = self;
    self = slash ? slash + 1 : self;
    if (!strncmp(self, "profplug-", 9) && self[9])
        return compiler_call(self + 9, argc, argv);

    if (argc > 1 && !strcmp(argv[1], "--no-pager")) {
        pager_refuse();
        argv++;
        argc--;
    }
    const char *verb = argc > 1 ? argv[1] : NULL;
    if (!verb)
        return diag_error("", "no command given; expected one of those that `profplug help` lists");
    if (!strcmp(verb, "--version") || !strcmp(verb, "-V") || !strcmp(verb, "version")) {
        puts("profplug " PROFPLUG_VERSION);
        return 0;
    }
    if (!strcmp(verb, "--help") || !strcmp(verb, "-h"))
        verb = "help";
    const struct command *command = command_find(verb);
    if (!command)
        return command_refuse(verb, verb[0] == '-' ? "option" : "command");
    if (argc == 3 && (!strcmp(argv[2], "--help") || !strcmp(argv[2], "-h"))) {
        char *arguments[] = { (char *)"help", argv[1], NULL };
        return command_help(2, arguments);
    }
    int status = command->call(argc - 1, argv + 1);
    /* If the output could not be written, that is an error, unless the reader closed the pipe, as head does. */
    bool lost = diag_finish(stdout) && errno != EPIPE;
    int why = errno;
    pager_end();
    if (lost && !status)
        return diag_error("standard output", "%s; expected room for the result", strerror(why));
    return status;
}
