/* SPDX-License-Identifier: MIT */
/* via.h: the wrappers of via.c: by attribute, by name, nested, inlined, and in another file. */
#include <profplug.h>
#include <stdlib.h>
#include <unistd.h>

PROFPLUG_WRAPPER void *xmalloc(size_t bytes);
PROFPLUG_WRAPPER char *xcopy(const char *text, size_t bytes); /* calls xmalloc */
char *named_copy(const char *text, size_t bytes);             /* the same; a wrapper by the argument wrapper= */
PROFPLUG_WRAPPER long xread(int fd, char *to, size_t bytes);
PROFPLUG_WRAPPER double xwork(double from, long times);
char *plain_copy(const char *text, size_t bytes); /* not a wrapper: it asks for the memory itself */

static inline __attribute__((always_inline)) PROFPLUG_WRAPPER void *xinline(size_t bytes)
{
    void *block = malloc(bytes); /* MARK inline wrapper */
    if (!block)
        abort();
    return block;
}
