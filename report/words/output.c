/* SPDX-License-Identifier: MIT */
/* output.c: see output.h. A regular file is written beside its place, under a name of its own, and moved there. Other
 * files (devices, pipes), and those in folders where no file may be added, are written as they are. */
#include "words/output.h"

#include <profplug/abi/format.h>

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/arena.h"
#include "words/diag.h"

static struct {
    struct arena arena;
    const char *path, *place, *making; /* as given; behind links; NULL: it is written as it is */
} now;

static FILE *making_open(void)
{
    struct stat old;
    char *real = realpath(now.path, NULL);
    bool there = real && stat(real, &old) == 0;
    now.place = arena_copy(&now.arena, real ? real : now.path);
    free(real);
    if (there ? !S_ISREG(old.st_mode) || access(now.place, W_OK) : lstat(now.path, &old) == 0)
        return NULL;
    now.making = arena_print(&now.arena, "%s.%ld", now.place, (long)getpid());
    unlink(now.making); /* left by a process of this number that was killed */
    FILE *out = fopen(now.making, "wxe");
    if (out && there && fchmod(fileno(out), old.st_mode & 07777)) { /* then it has the mode of a new file */
    }
    return out;
}

/* A run that is the result's own input, or another: who made it wants to keep it. */
static bool is_run(const char *path)
{
    struct stat there;
    char magic[sizeof PP_MAGIC - 1];
    FILE *file = stat(path, &there) == 0 && S_ISREG(there.st_mode) ? fopen(path, "re") : NULL;
    bool is = file && fread(magic, 1, sizeof magic, file) == sizeof magic && !memcmp(magic, PP_MAGIC, sizeof magic);
    if (file)
        fclose(file);
    return is;
}

FILE *output_open(const char *path)
{
    if (!path)
        return stdout;
    if (is_run(path)) {
        diag_error(path, "a profplug data file; expected another name to write to");
        return NULL;
    }
    now.path = path;
    errno = 0;
    FILE *out = making_open();
    if (!out && errno != ENOSPC && errno != EDQUOT) {
        now.making = NULL;
        out = fopen(path, "we");
    }
    if (!out) {
        diag_error(path, "%s; expected a file to write to", strerror(errno));
        arena_free(&now.arena);
    }
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is an error like a full disk */
    return out;
}

int output_end(FILE *out, int status)
{
    if (out == stdout)
        return status;
    if (diag_finish(out) || (status != DIAG_WRONG && now.making && rename(now.making, now.place)))
        status = diag_error(now.path, "%s; expected room for the result", strerror(errno));
    if (status == DIAG_WRONG && now.making)
        unlink(now.making);
    arena_free(&now.arena);
    now.making = NULL;
    return status;
}
