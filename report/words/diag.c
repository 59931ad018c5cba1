/* SPDX-License-Identifier: MIT */
/* diag.c: one line per problem. See diag.h. */
#include "words/diag.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "words/progress.h"
#include "words/quote.h"

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
    int length = asprintf(&line, "profplug: %s%s%s%s", where ? where : "", between, mark, text ? text : format);
    free(text);
    if (length < 0)
        return;
    struct arena arena = { 0 }; /* a file name may hold anything; a line stays one line */
    char *plain = arena_print(&arena, "%s\n", quote_plain(&arena, line));
    free(line);
    if (sink_now) {
        plain[strlen(plain) - 1] = 0;
        sink_now(sink_context, plain);
    } else {
        fflush(stdout);
        progress_hide();
        /* one write, so that lines of several processes do not mix */
        if (write(STDERR_FILENO, plain, strlen(plain)) < 0) { /* nowhere left to say it */
        }
    }
    arena_free(&arena);
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

int diag_finish(FILE *out)
{
    struct pollfd end = { .fd = fileno(out), .events = POLLOUT };
    errno = 0;
    bool lost = fflush(out) != 0;
    int why = errno;
    if (!lost && ferror(out)) { /* a write in the middle failed, and took its bytes with it */
        lost = true;
        if (poll(&end, 1, 0) == 1 && end.revents & POLLERR)
            why = EPIPE;
        else /* one byte more cannot harm what is not whole, and says why */
            why = write(end.fd, "\n", 1) < 0 ? errno : EIO;
    }
    if (out != stdout && fclose(out) && !lost) {
        lost = true;
        why = errno;
    }
    errno = why;
    return lost;
}
