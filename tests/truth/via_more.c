/* SPDX-License-Identifier: MIT */
/* via_more.c: see via.h. It comes from a static library. */
#include "via.h"
#include <math.h>
#include <string.h>

void *xmalloc(size_t bytes)
{
    void *block = malloc(bytes);
    if (!block)
        abort();
    return block;
}

char *xcopy(const char *text, size_t bytes)
{
    char *copy = xmalloc(bytes);
    memcpy(copy, text, bytes);
    return copy;
}

char *named_copy(const char *text, size_t bytes)
{
    char *copy = xmalloc(bytes);
    memcpy(copy, text, bytes);
    return copy;
}

char *plain_copy(const char *text, size_t bytes)
{
    char *copy = xmalloc(bytes); /* MARK plain */
    memset(copy, text[0], bytes); /* another body than the wrappers', or GCC makes one of them */
    return copy;
}

long xread(int fd, char *to, size_t bytes)
{
    size_t have = 0;
    while (have < bytes) {
        ssize_t got = read(fd, to + have, bytes - have);
        if (got <= 0)
            abort();
        have += (size_t)got;
    }
    return (long)have;
}

double xwork(double from, long times)
{
    for (long i = 0; i < times; i++)
        from = sqrt(from) + 1;
    return from;
}
