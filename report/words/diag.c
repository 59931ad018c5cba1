/* SPDX-License-Identifier: MIT */
/* diag.c: one line per problem. See diag.h. */
#include "words/diag.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static diag_sink sink_now;
static void *sink_context;

void diag_redirect(diag_sink sink, void *context)
{
    sink_now = sink;
    sink_context = context;
}

static void line_print(const char *where, const char *mark, const char *format, va_list arguments)
{
    char *text = NULL, *line = NULL;
    const char *between = where && *where ? ": " : "";
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    int length = asprintf(&line, "profplug: %s%s%s%s\n", where ? where : "", between, mark, text ? text : format);
    free(text);
    if (length < 0)
        return;
    for (int i = 0; i < length - 1; i++) /* a file name may hold anything; a line stays one line */
        if ((unsigned char)line[i] < ' ' || line[i] == 127)
            line[i] = ' ';
    if (sink_now) {
        line[length - 1] = 0;
        sink_now(sink_context, line);
    } else {
        fflush(stdout);
        /* one write, so that lines of several processes do not mix */
        if (write(STDERR_FILENO, line, (size_t)length) < 0) { /* nowhere left to say it */
        }
    }
    free(line);
}

int diag_error(const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    line_print(where, "", format, arguments);
    va_end(arguments);
    return DIAG_WRONG;
}

void diag_warning(const char *where, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    line_print(where, "warning: ", format, arguments);
    va_end(arguments);
}
