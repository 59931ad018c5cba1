/* SPDX-License-Identifier: MIT */
/* pager.c: see pager.h. It must not know what is shown. */
#include "pager.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "words/diag.h"

static bool refused;
static pid_t pager;

void pager_refuse(void) { refused = true; }

/* A command line may be anything that a shell takes. Only a first word that is plainly a program can be looked for. */
static bool is_missing(const char *command)
{
    char word[4096], path[8192];
    size_t length = strcspn(command, " \t");
    const char *folders = getenv("PATH");
    if (length >= sizeof word || strcspn(command, "'\"`$&|;<>()*?[]{}~#\\=!\n") < length)
        return false;
    snprintf(word, sizeof word, "%.*s", (int)length, command);
    if (strchr(word, '/'))
        return access(word, X_OK) != 0;
    for (const char *at = folders ? folders : "/usr/bin:/bin"; *at; at += strcspn(at, ":"), at += *at == ':') {
        snprintf(path, sizeof path, "%.*s/%s", (int)strcspn(at, ":"), at, word);
        if (access(path, X_OK) == 0)
            return false;
    }
    return true;
}

/* NULL: none. */
static const char *command_find(void)
{
    static const char *const name[] = { "PROFPLUG_PAGER", "PAGER" };
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        const char *value = getenv(name[i]);
        if (!value)
            continue;
        if (!value[strspn(value, " \t")] || strcmp(value, "cat") == 0)
            return NULL;
        if (!is_missing(value))
            return value;
        diag_warning(name[i], "'%s' is not there; expected a program that shows pages, or nothing", value);
        return NULL;
    }
    return is_missing("less") ? NULL : "less";
}

static void reader_run(const char *command, const int end[2])
{
    dup2(end[0], STDIN_FILENO);
    close(end[0]);
    close(end[1]);
    setenv("LESS", "FRX", 0); /* as git: leave if one screen holds all, show colours, keep the screen */
    setenv("LV", "-c", 0);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

void pager_begin(void)
{
    int end[2];
    if (refused || pager || !isatty(STDOUT_FILENO))
        return;
    const char *command = command_find();
    if (!command || pipe(end) != 0)
        return;
    fflush(stdout);
    pager = fork();
    if (pager == 0)
        reader_run(command, end);
    if (pager > 0) {
        dup2(end[1], STDOUT_FILENO);
        signal(SIGPIPE, SIG_IGN); /* who leaves early has seen enough */
        signal(SIGINT, SIG_IGN);  /* it is the pager's to know */
    } else {
        pager = 0;
    }
    close(end[0]);
    close(end[1]);
}

void pager_end(void)
{
    if (!pager)
        return;
    fflush(stdout);
    close(STDOUT_FILENO);
    while (waitpid(pager, NULL, 0) < 0 && errno == EINTR) {}
    pager = 0;
}
