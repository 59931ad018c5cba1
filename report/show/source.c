/* SPDX-License-Identifier: MIT */
/* source.c: see source.h. The lines are exact. */
#include "show/source.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/arena.h"
#include "store/elsewhere.h"

#define LARGEST ((off_t)64 << 20)

struct source {
    struct source *next;
    char *path, *text, *even; /* even: the same bytes with a blank for each tab */
    char **line;
    size_t line_count, line_capacity;
    uint64_t changed_ns;
    bool readable;
};

static struct source *cache;

static bool text_read(struct source *s)
{
    char elsewhere[ELSEWHERE_BYTES];
    bool moved;
    int file = open(elsewhere_find(s->path, elsewhere, &moved), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct stat status;
    if (file < 0)
        return false;
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode) || status.st_size > LARGEST) {
        close(file);
        return false;
    }
    /* of a copy, such as a clone of the repository, the time says nothing */
    if (!moved)
        s->changed_ns = (uint64_t)status.st_mtim.tv_sec * UINT64_C(1000000000) + (uint64_t)status.st_mtim.tv_nsec;
    size_t size = (size_t)status.st_size, used = 0;
    s->text = memory_zeroed(1, size + 1);
    for (ssize_t n; used < size && (n = read(file, s->text + used, size - used)) > 0;)
        used += (size_t)n;
    close(file);
    s->text[used] = 0;
    for (char *p = s->text, *end = s->text + used; p < end;) {
        *ARRAY_PUSH(s->line, s->line_count, s->line_capacity) = p;
        char *newline = memchr(p, '\n', (size_t)(end - p)), *stop = newline ? newline : end;
        if (stop > p && stop[-1] == '\r')
            stop[-1] = 0;
        for (char *c = p; (c = memchr(c, 0, (size_t)(stop - c)));)
            *c = ' ';
        *stop = 0;
        p = stop + 1;
    }
    s->even = memcpy(memory_zeroed(1, size + 1), s->text, size + 1);
    for (char *tab = s->even; (tab = memchr(tab, '\t', used - (size_t)(tab - s->even)));)
        *tab = ' ';
    return true;
}

const struct source *source_get(const char *path)
{
    for (struct source *s = cache; s; s = s->next)
        if (strcmp(s->path, path) == 0)
            return s->readable ? s : NULL;
    struct source *s = memory_zeroed(1, sizeof *s);
    size_t bytes = strlen(path) + 1;
    s->path = memcpy(memory_zeroed(1, bytes), path, bytes);
    s->readable = path[0] && text_read(s);
    s->next = cache;
    cache = s;
    return s->readable ? s : NULL;
}

size_t source_line_count(const struct source *source) { return source->line_count; }

const char *source_line(const struct source *source, size_t number, bool trimmed)
{
    if (number == 0 || number > source->line_count)
        return NULL;
    const char *line = source->line[number - 1], *even = source->even + (line - source->text);
    return trimmed ? even + strspn(even, " ") : line;
}

int source_offset(const struct source *source, size_t number, uint32_t column)
{
    const char *whole = source_line(source, number, false), *text = source_line(source, number, true);
    return whole && column && column <= strlen(whole) ? (int)(column - 1) - (int)(strlen(whole) - strlen(text)) : -1;
}

uint64_t source_changed_ns(const struct source *source) { return source->changed_ns; }

void source_forget(void)
{
    while (cache) {
        struct source *next = cache->next;
        free(cache->path);
        free(cache->text);
        free(cache->even);
        free(cache->line);
        free(cache);
        cache = next;
    }
}
