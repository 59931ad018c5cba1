/* SPDX-License-Identifier: MIT */
/* plural.c: see plural.h. */
#include "words/plural.h"

#include <string.h>

const char *plural(uint64_t count, const char *one, const char *many) { return count == 1 ? one : many; }
const char *plural_figure(double figure, const char *one, const char *many)
{
    return figure >= 0.5 && figure < 1.5 ? one : many;
}

const char *plural_unit(uint64_t count, const char *unit)
{
    static const char *const units[][2] = { { "entry", "entries" },
                                            { "iteration", "iterations" },
                                            { "call", "calls" },
                                            { "value", "values" },
                                            { "item", "items" },
                                            { "run of the loop", "runs of the loop" } };
    for (size_t i = 0; count == 1 && i < sizeof units / sizeof *units; i++)
        if (strcmp(units[i][1], unit) == 0)
            return units[i][0];
    return unit;
}

static size_t part_add(char *to, size_t room, size_t used, const char *part, size_t bytes)
{
    if (bytes > room - 1 - used)
        bytes = room - 1 - used;
    memcpy(to + used, part, bytes);
    return used + bytes;
}

char *plural_text(char *to, size_t room, uint64_t count, const char *text)
{
    size_t used = 0;
    for (const char *open; (open = strchr(text, '{'));) {
        const char *bar = strchr(open, '|'), *close = bar ? strchr(bar, '}') : NULL;
        if (!close)
            break;
        const char *word = count == 1 ? open + 1 : bar + 1, *end = count == 1 ? bar : close;
        used = part_add(to, room, used, text, (size_t)(open - text));
        used = part_add(to, room, used, word, (size_t)(end - word));
        text = close + 1;
    }
    used = part_add(to, room, used, text, strlen(text));
    to[used] = 0;
    return to;
}
