/* SPDX-License-Identifier: MIT */
/* decision.c: see decision.h. */
#include "host/decision.h"
#include "store/arena.h"
#include "words/diag.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct decisions {
    char **text;
    size_t count, capacity;
}; /* "FILE:LINE:COLUMN: decision", sorted */

/* Returns the exit status, or 128+N for signal N. `more` is appended to the words. */
static int compiler_run(char *const *words, char *const *more, bool silent)
{
    size_t count = 0, extra = 0;
    while (words[count])
        count++;
    while (more[extra])
        extra++;
    char **all = calloc(count + extra + 1, sizeof *all);
    if (!all)
        return diag_error(words[0], "out of memory");
    memcpy(all, words, count * sizeof *all);
    memcpy(all + count, more, extra * sizeof *all);
    fflush(NULL);
    pid_t pid = fork();
    if (!pid) {
        int nothing = silent ? open("/dev/null", O_RDWR) : -1;
        if (silent)
            dup2(nothing, 1), dup2(nothing, 2);
        execvp(all[0], all);
        diag_error(all[0], "%s; expected a compiler", strerror(errno));
        _exit(errno == ENOENT ? 127 : 126);
    }
    int status = 0;
    pid_t got = pid;
    while (pid > 0 && (got = waitpid(pid, &status, 0)) < 0 && errno == EINTR) {}
    free(all);
    if (pid < 0 || got < 0)
        return diag_error(words[0], "%s; expected to start a process and to wait for it", strerror(errno));
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Removes what may differ without another decision: the numbers that GCC gives to functions and loops, and its
 * estimates. */
static void text_reduce(char *text)
{
    static const char *const estimates[] = { " which now has ", " (header execution count" };
    for (size_t i = 0; i < sizeof estimates / sizeof *estimates; i++) {
        char *found = strstr(text, estimates[i]);
        if (found)
            *found = 0;
    }
    char *to = text;
    for (const char *from = text; *from;) {
        bool numbered =
            (*from == '/' || (from > text && from[-1] == ' ' && to - text >= 5 && !strncasecmp(to - 5, "loop ", 5))) &&
            isdigit((unsigned char)from[*from == '/']);
        if (!numbered) {
            *to++ = *from++;
            continue;
        }
        from += *from == '/';
        while (isdigit((unsigned char)*from))
            from++;
    }
    *to = 0;
}

static int text_compare(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static struct decisions decisions_read(const char *path)
{
    struct decisions found = { 0 };
    FILE *file = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    static const char word[] = ": optimized: ";
    while (file && getline(&line, &room, file) > 0) {
        char *at = strstr(line, word), *kept;
        line[strcspn(line, "\n")] = 0;
        if (!at || strstr(at, "basic block part")) /* neither a loop nor a call */
            continue;
        char *what = at + strlen(word);
        what += strspn(what, " ");
        text_reduce(what);
        memmove(at + 2, what, strlen(what) + 1); /* PLACE: WHAT */
        if ((kept = strdup(line)))
            *ARRAY_PUSH(found.text, found.count, found.capacity) = kept;
    }
    free(line);
    if (file)
        fclose(file);
    if (found.count)
        qsort(found.text, found.count, sizeof *found.text, text_compare);
    return found;
}

static void decisions_free(struct decisions *decisions)
{
    for (size_t i = 0; i < decisions->count; i++)
        free(decisions->text[i]);
    free(decisions->text);
}

static void difference_say(const char *decision, const char *where)
{
    const char *place = strstr(decision, ": ");
    fprintf(stderr, "%.*s: note: profplug: %s: %s\n", (int)(place - decision), decision, where, place + 2);
}

static void decisions_compare(const struct decisions *with, const struct decisions *without, const char *source)
{
    size_t same = 0, differ = 0;
    for (size_t i = 0, k = 0; i < with->count || k < without->count;) {
        int order = i == with->count ? 1 : k == without->count ? -1 : strcmp(with->text[i], without->text[k]);
        if (!order) {
            same++, i++, k++;
            continue;
        }
        differ++;
        if (order < 0)
            difference_say(with->text[i++], "only with the plugin");
        else
            difference_say(without->text[k++], "only without the plugin");
    }
    fprintf(stderr,
            same == 1 ? "profplug: %s: %zu call inlined or loop transformed as without the plugin, %zu not\n"
                      : "profplug: %s: %zu calls inlined and loops transformed as without the plugin, %zu not\n",
            source, same, differ);
}

int decision_compare(char *const *with, char *const *without, const char *source)
{
    const char *temporary = getenv("TMPDIR");
    char folder[PATH_MAX], path[2][PATH_MAX + 16], record[2][PATH_MAX + 64], nowhere[PATH_MAX + 16];
    snprintf(folder, sizeof folder, "%s/profplug-XXXXXX", temporary && *temporary ? temporary : "/tmp");
    if (!mkdtemp(folder))
        return diag_error(folder, "%s; expected room for the compiler's records", strerror(errno));
    for (int i = 0; i < 2; i++) {
        snprintf(path[i], sizeof path[i], "%s/%d", folder, i);
        snprintf(record[i], sizeof record[i], "-fopt-info-optimized-inline-vec-loop=%s", path[i]);
    }
    snprintf(nowhere, sizeof nowhere, "%s/out", folder);
    char *more[2][5] = { { record[0], NULL }, { record[1], (char *)"-S", (char *)"-o", nowhere, NULL } };
    int status = compiler_run(with, more[0], false);
    if (!status) {
        int plain = compiler_run(without, more[1], true);
        struct decisions found[2] = { decisions_read(path[0]), decisions_read(path[1]) };
        if (plain)
            diag_warning(source,
                         "without the plugin, the compiler ended with status %d: "
                         "the two compilations cannot be compared",
                         plain);
        else
            decisions_compare(&found[0], &found[1], source);
        decisions_free(&found[0]);
        decisions_free(&found[1]);
    }
    unlink(path[0]);
    unlink(path[1]);
    unlink(nowhere);
    rmdir(folder);
    return status;
}
