/* SPDX-License-Identifier: MIT */
/* accepted.c: see accepted.h. A line of the file is an ID, a tab and the reason. Lines that begin with # are remarks,
 * which stay, in front. */
#include "host/accepted.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "host/projectfile.h"
#include "words/diag.h"

static const char heading[] =
    "# Findings of profplug that are accepted as they are: an ID, a tab, and why.\n"
    "# `profplug accept ID \"why\"` adds one, `profplug accept --remove ID` takes one away.\n";

static void row_add(struct accepted *a, const char *id, const char *why)
{
    struct acceptance *row = ARRAY_PUSH(a->row, a->count, a->capacity);
    row->id = arena_copy(&a->arena, id);
    row->why = arena_copy(&a->arena, why);
}

bool accepted_read(struct accepted *a)
{
    *a = (struct accepted){ .remarks = "" };
    bool there;
    a->path = project_file(&a->arena, ACCEPTED_FILE, &there);
    FILE *file = there ? fopen(a->path, "r") : NULL;
    if (there && !file) {
        diag_error(a->path, "%s; expected a text file of accepted findings", strerror(errno));
        return false;
    }
    char *line = NULL;
    size_t room = 0;
    for (ssize_t bytes; file && (bytes = getline(&line, &room, file)) > 0;) {
        while (bytes && strchr("\r\n", line[bytes - 1]))
            line[--bytes] = 0;
        char *tab = strchr(line, '\t');
        if (line[0] == '#')
            a->remarks = arena_print(&a->arena, "%s%s\n", a->remarks, line);
        if (line[0] == '#' || !line[0])
            continue;
        if (tab)
            *tab++ = 0;
        row_add(a, line, tab ? tab : "");
    }
    free(line);
    if (file)
        fclose(file);
    return true;
}

void accepted_free(struct accepted *a)
{
    free(a->row);
    arena_free(&a->arena);
}

static struct acceptance *row_find(const struct accepted *a, const char *id)
{
    for (size_t i = 0; i < a->count; i++)
        if (strcmp(a->row[i].id, id) == 0)
            return &a->row[i];
    return NULL;
}

const char *accepted_why(const struct accepted *a, const char *id)
{
    const struct acceptance *row = row_find(a, id);
    return row ? row->why : NULL;
}

void accepted_put(struct accepted *a, const char *id, const char *why)
{
    struct acceptance *row = row_find(a, id);
    if (row)
        row->why = arena_copy(&a->arena, why);
    else
        row_add(a, id, why);
}

bool accepted_remove(struct accepted *a, const char *id)
{
    struct acceptance *row = row_find(a, id);
    if (!row)
        return false;
    *row = a->row[--a->count];
    return true;
}

static int by_id(const void *x, const void *y)
{
    return strcmp(((const struct acceptance *)x)->id, ((const struct acceptance *)y)->id);
}

bool accepted_write(const struct accepted *a)
{
    struct arena arena = { 0 };
    const char *fresh = arena_print(&arena, "%s.%d", a->path, (int)getpid());
    FILE *file = fopen(fresh, "w");
    if (a->count) /* one order, so that merges of two branches rarely touch the same lines */
        qsort(a->row, a->count, sizeof *a->row, by_id);
    if (file)
        fputs(a->remarks[0] ? a->remarks : heading, file);
    for (size_t i = 0; file && i < a->count; i++)
        fprintf(file, "%s\t%s\n", a->row[i].id, a->row[i].why);
    bool done = file && !ferror(file);
    done = file && fclose(file) == 0 && done && rename(fresh, a->path) == 0;
    if (!done) {
        diag_error(a->path, "%s; expected a file that can be written", strerror(errno));
        unlink(fresh);
    }
    arena_free(&arena);
    return done;
}
