/* SPDX-License-Identifier: MIT */
/* tally.c: see tally.h. */
#include "read/tally.h"

#include <stdlib.h>

bool number_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size, uint64_t offset)
{
    struct pp_number head;
    if (size <= sizeof head || !memchr(payload + sizeof head, 0, size - sizeof head))
        return cursor_fail(c, offset, "a number of %llu bytes, expected at least %zu with a terminated name",
                           (unsigned long long)size, sizeof head + 1);
    memcpy(&head, payload, sizeof head);
    if (!head.id || head.id > PP_NUMBERS || head.kind >= PP_NUMBER_KIND_COUNT)
        return cursor_fail(c, offset, "a number %u of kind %u, expected 1 to %u of a kind below %u", head.id, head.kind,
                           PP_NUMBERS, PP_NUMBER_KIND_COUNT);
    *ARRAY_PUSH(p->number, p->number_count, p->number_capacity) =
        (struct profile_number){ head.id, head.kind, arena_copy(&p->arena, (const char *)payload + sizeof head) };
    return true;
}

bool tallies_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_tallies head;
    struct pp_tally tally[PP_TALLIES];
    if (!cursor_copy(c, &head, e->offset, sizeof head, "numbers of a stage"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.count, sizeof *tally) || head.count > PP_TALLIES || !head.first ||
        head.first > PP_NUMBERS)
        return cursor_fail(c, e->offset, "%u numbers of a stage from %u, expected at most %u from 1 to %u", head.count,
                           head.first, PP_TALLIES, PP_NUMBERS);
    if (!cursor_copy(c, tally, e->offset + sizeof head, head.count * sizeof *tally, "numbers of a stage"))
        return false;
    struct profile_block *b = &p->block[e->block];
    for (uint32_t i = 0; i < head.count; i++)
        if (tally[i].count)
            *ARRAY_PUSH(b->tally, b->tally_count, b->tally_capacity) =
                (struct profile_tally){ head.stage, head.first + i, tally[i] };
    return true;
}

bool windows_check(struct cursor *c, const struct pp_windows *windows, uint64_t offset)
{
    for (unsigned i = 0; i < PP_WINDOW_KIND_COUNT; i++)
        if (windows[i].shift > PP_WINDOW_SHIFT_MOST)
            return cursor_fail(c, offset, "windows of 2^%llu ns, expected at most 2^%u",
                               (unsigned long long)windows[i].shift + PP_WINDOW_BITS,
                               PP_WINDOW_SHIFT_MOST + PP_WINDOW_BITS);
    return true;
}
