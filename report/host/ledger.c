/* SPDX-License-Identifier: MIT */
/* ledger.c: see ledger.h. A line is fields parted by tabs, as the file's head says. Lines that begin with # are
 * remarks. A line that is cut short, because its writer was killed, is no attempt. */
#include "host/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "host/projectfile.h"
#include "words/diag.h"

static const char heading[] =
    "# Attempts to make a program faster, by `profplug try`, a line each, parted by tabs: number, time, commit,\n"
    "# verdict, compared with, finding, percent it promised at least and at most, percent saved, at least and at\n"
    "# most, exit status, hash of the output, ns of each run, findings in the first run, program, note.\n";

static const char *const names[ATTEMPTS] = { "begin", "helped", "no help", "slower", "unclear", "broken" };

const char *attempt_name(enum attempt_verdict verdict) { return names[verdict]; }

/* ---- reading ---- */

enum field {
    NUMBER,
    WHEN,
    COMMIT,
    VERDICT,
    AGAINST,
    FINDING,
    LEAST,
    MOST,
    SAVED,
    LOW,
    HIGH,
    STATUS,
    OUTPUT,
    TIMES,
    LISTED,
    COMMAND,
    NOTE,
    FIELDS
};

/* "ID|LOW|HIGH"; the ID may have bars of its own. */
static struct attempt_finding finding_read(struct arena *arena, char *text)
{
    struct attempt_finding f = { .id = "", .low_percent = NAN, .high_percent = NAN };
    char *high = strrchr(text, '|'), *low;
    if (!high)
        return f;
    *high = 0;
    low = strrchr(text, '|');
    if (!low)
        return f;
    *low = 0;
    f.low_percent = strtod(low + 1, NULL);
    f.high_percent = strtod(high + 1, NULL);
    f.id = arena_copy(arena, text);
    return f;
}

static void lists_read(struct arena *arena, struct attempt *a, char *times, char *findings)
{
    a->ns = arena_take(arena, (strlen(times) + 1) * sizeof *a->ns);
    for (char *one; (one = strsep(&times, ","));)
        if (*one)
            a->ns[a->run_count++] = strtod(one, NULL);
    a->listed = arena_take(arena, (strlen(findings) + 1) * sizeof *a->listed);
    for (char *one; (one = strsep(&findings, ";"));)
        if (*one)
            a->listed[a->listed_count++] = finding_read(arena, one);
}

static bool attempt_read(struct arena *arena, char *line, struct attempt *a)
{
    char *field[FIELDS];
    size_t count = 0;
    for (char *one; count < FIELDS && (one = strsep(&line, "\t"));)
        field[count++] = one;
    if (count != FIELDS || line)
        return false;
    *a = (struct attempt){ .number = (unsigned)strtoul(field[NUMBER], NULL, 10),
                           .when = arena_copy(arena, field[WHEN]),
                           .commit = arena_copy(arena, field[COMMIT]),
                           .verdict = ATTEMPTS,
                           .against = (unsigned)strtoul(field[AGAINST], NULL, 10),
                           .finding = { .id = arena_copy(arena, field[FINDING]),
                                        .low_percent = strtod(field[LEAST], NULL),
                                        .high_percent = strtod(field[MOST], NULL) },
                           .saved = strtod(field[SAVED], NULL),
                           .low = strtod(field[LOW], NULL),
                           .high = strtod(field[HIGH], NULL),
                           .status = (int)strtol(field[STATUS], NULL, 10),
                           .output = strtoull(field[OUTPUT], NULL, 16),
                           .command = arena_copy(arena, field[COMMAND]),
                           .note = arena_copy(arena, field[NOTE]) };
    for (enum attempt_verdict v = 0; v < ATTEMPTS; v++)
        a->verdict = strcmp(field[VERDICT], names[v]) == 0 ? v : a->verdict;
    lists_read(arena, a, field[TIMES], field[LISTED]);
    return a->number && a->verdict != ATTEMPTS && a->run_count;
}

bool ledger_read(struct ledger *l)
{
    bool there;
    *l = (struct ledger){ 0 };
    struct stat status;
    l->path = project_file(&l->arena, LEDGER_FILE, &there);
    there = there || lstat(l->path, &status) == 0; /* a link that leads nowhere, too */
    if (there && stat(l->path, &status) == 0 && !S_ISREG(status.st_mode)) {
        diag_error(l->path, "not a regular file; expected a text file of attempts");
        return false;
    }
    FILE *file = there ? fopen(l->path, "r") : NULL;
    if (there && !file) {
        diag_error(l->path, "%s; expected a text file of attempts", strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t room = 0;
    for (ssize_t bytes; file && (bytes = getline(&line, &room, file)) > 0;) {
        struct attempt a;
        bool whole = line[bytes - 1] == '\n';
        while (bytes && strchr("\r\n", line[bytes - 1]))
            line[--bytes] = 0;
        if (line[0] == '#' || !line[0])
            continue;
        if (whole && attempt_read(&l->arena, line, &a))
            *ARRAY_PUSH(l->row, l->count, l->capacity) = a;
        else
            l->strange++;
    }
    free(line);
    if (file)
        fclose(file);
    return true;
}

void ledger_free(struct ledger *l)
{
    free(l->row);
    arena_free(&l->arena);
}

/* ---- writing ---- */

/* A field holds no tab and no newline. */
static const char *plain(struct arena *arena, const char *text)
{
    char *copy = arena_copy(arena, text);
    for (char *p = copy; *p; p++)
        *p = *p == '\t' || *p == '\n' || *p == '\r' ? ' ' : *p;
    return copy;
}

static const char *line_make(struct arena *arena, const struct attempt *a)
{
    const char *times = "", *listed = "";
    for (size_t i = 0; i < a->run_count; i++)
        times = arena_print(arena, "%s%s%.0f", times, i ? "," : "", a->ns[i]);
    for (size_t i = 0; i < a->listed_count; i++)
        listed = arena_print(arena, "%s%s%s|%.1f|%.1f", listed, i ? ";" : "", plain(arena, a->listed[i].id),
                             a->listed[i].low_percent, a->listed[i].high_percent);
    return arena_print(arena,
                       "%u\t%s\t%s\t%s\t%u\t%s\t%.1f\t%.1f\t%.2f\t%.2f\t%.2f\t%d\t%016" PRIx64 "\t%s\t%s\t%s\t%s\n",
                       a->number, a->when, a->commit, names[a->verdict], a->against, plain(arena, a->finding.id),
                       a->finding.low_percent, a->finding.high_percent, a->saved, a->low, a->high, a->status, a->output,
                       times, listed, plain(arena, a->command), plain(arena, a->note));
}

/* The largest number among the lines, and whether the last line has an end. */
static unsigned number_last(FILE *file, bool *ended)
{
    char *line = NULL;
    size_t room = 0;
    unsigned last = 0;
    *ended = true;
    for (ssize_t bytes; (bytes = getline(&line, &room, file)) > 0;) {
        unsigned number = line[0] == '#' ? 0 : (unsigned)strtoul(line, NULL, 10);
        *ended = line[bytes - 1] == '\n';
        last = number > last ? number : last;
    }
    free(line);
    return last;
}

bool ledger_is_writable(const struct ledger *l)
{
    const char *slash = strrchr(l->path, '/');
    struct arena arena = { 0 };
    char *folder = arena_copy(&arena, slash && slash != l->path ? l->path : slash ? "/" : ".");
    if (slash && slash != l->path)
        folder[slash - l->path] = 0;
    struct stat status;
    bool writable = access(lstat(l->path, &status) == 0 ? l->path : folder, W_OK) == 0;
    if (!writable)
        diag_error(l->path, "%s; expected a file that can be written", strerror(errno));
    arena_free(&arena);
    return writable;
}

/* The whole line is one write, under a lock, so that numbers differ and lines stay apart. */
bool ledger_append(const struct ledger *l, struct attempt *a)
{
    struct arena arena = { 0 };
    int number = open(l->path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    FILE *file = number >= 0 ? fdopen(number, "a+") : NULL;
    bool ended = true, done = file && flock(number, LOCK_EX) == 0;
    if (done) {
        rewind(file);
        bool fresh = fgetc(file) == EOF;
        rewind(file);
        a->number = number_last(file, &ended) + 1;
        const char *text = arena_print(&arena, "%s%s%s", fresh ? heading : "", ended ? "" : "\n", line_make(&arena, a));
        size_t bytes = strlen(text);
        errno = ENOSPC; /* of a write that took a part of it */
        done = write(number, text, bytes) == (ssize_t)bytes;
    }
    if (!done)
        diag_error(l->path, "%s; expected a file that can be written", strerror(errno));
    if (file)
        fclose(file);
    else if (number >= 0)
        close(number);
    arena_free(&arena);
    return done;
}

struct ledger_rate ledger_rate(const struct ledger *l, const char *rule)
{
    struct ledger_rate rate = { 0 };
    size_t bytes = strlen(rule);
    for (size_t i = 0; i < l->count; i++) {
        const struct attempt *a = &l->row[i];
        bool decided = a->verdict == ATTEMPT_HELPED || a->verdict == ATTEMPT_NO_HELP || a->verdict == ATTEMPT_SLOWER;
        if (!decided || strncmp(a->finding.id, rule, bytes) != 0 || a->finding.id[bytes] != '@')
            continue;
        rate.tried++;
        rate.helped += a->verdict == ATTEMPT_HELPED;
    }
    return rate;
}
