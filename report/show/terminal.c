/* SPDX-License-Identifier: MIT */
/* terminal.c: the width, colour and letters of the output. See screen.h. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "show/screen.h"

/* As the C library decides: the first of these that is set. */
static bool locale_is_utf8(void)
{
    static const char *const name[] = { "LC_ALL", "LC_CTYPE", "LANG" };
    const char *value = NULL;
    for (size_t i = 0; i < sizeof name / sizeof *name && !(value && value[0]); i++)
        value = getenv(name[i]);
    return value && (strcasestr(value, "utf-8") || strcasestr(value, "utf8"));
}

void view_terminal(struct view *view, FILE *out)
{
    const char *columns = getenv("COLUMNS"), *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    int file = fileno(out), wide = columns ? atoi(columns) : 0;
    bool terminal = isatty(file);
    struct winsize size;
    view->width = terminal ? 80 : 160;
    if (wide >= 40 && wide <= 1000)
        view->width = wide;
    else if (terminal && ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40)
        view->width = size.ws_col;
    view->utf8 = locale_is_utf8();
    view->colour = terminal && !(no_colour && no_colour[0]) && !(term && strcmp(term, "dumb") == 0);
}
