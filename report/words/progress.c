/* SPDX-License-Identifier: MIT */
/* progress.c: see progress.h. */
#include "words/progress.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

#define WAIT_NS 1000000000u /* what is done sooner needs no line */
#define NEXT_NS 100000000u  /* from one line to the next */
#define BAR_MOST 40

static struct {
    const char *what;
    size_t most, depth; /* depth: works within one another */
    uint64_t begun_ns, shown_ns;
    bool terminal, shown;
} now;

static uint64_t clock_ns(void)
{
    struct timespec t = { 0 };
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void progress_begin(const char *what, size_t most)
{
    const char *term = getenv("TERM");
    if (now.depth++)
        return;
    now.what = what;
    now.most = most;
    now.begun_ns = clock_ns();
    now.shown_ns = 0;
    now.terminal = isatty(STDERR_FILENO) && !(term && strcmp(term, "dumb") == 0);
}

static int width_get(void)
{
    struct winsize size;
    return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20 ? size.ws_col : 80;
}

void progress_step(size_t done)
{
    char bar[BAR_MOST + 1], line[256];
    if (now.depth != 1 || !now.terminal || !now.most)
        return;
    uint64_t at_ns = clock_ns();
    if (at_ns - now.begun_ns < WAIT_NS || at_ns - now.shown_ns < NEXT_NS)
        return;
    double part = done < now.most ? (double)done / (double)now.most : 1;
    int width = width_get() - 1, room = width - (int)strlen(now.what) - 18, full;
    room = room > BAR_MOST ? BAR_MOST : room > 0 ? room : 0;
    full = (int)(part * room);
    for (int i = 0; i < room; i++)
        bar[i] = i < full ? '#' : '.';
    bar[room] = 0;
    int length = snprintf(line, sizeof line, "profplug: %s %s %3.0f %%", now.what, bar, 100 * part);
    length = length < width ? length : width;
    now.shown = true;
    now.shown_ns = at_ns;
    fprintf(stderr, "\r%.*s\033[K", length, line);
    fflush(stderr);
}

void progress_hide(void)
{
    if (!now.shown)
        return;
    now.shown = false;
    fputs("\r\033[K", stderr);
    fflush(stderr);
}

void progress_end(void)
{
    if (now.depth && !--now.depth)
        progress_hide();
}
