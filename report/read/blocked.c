/* SPDX-License-Identifier: MIT */
/* blocked.c: see blocked.h. */
#include "read/blocked.h"

#include <stdlib.h>

#define PIECE_BYTES 65536

bool stalls_take(struct cursor *c, const struct extent *e, struct profile_block *b)
{
    struct pp_blocked_table head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "waits by their calls"))
        return false;
    if (!cursor_fits(e->size, sizeof head, head.capacity, sizeof(struct pp_blocked_path)))
        return cursor_fail(c, e->offset, "room for %u waits by their calls, expected at most %llu", head.capacity,
                           (unsigned long long)((e->size - sizeof head) / sizeof(struct pp_blocked_path)));
    struct pp_blocked_path *row = memory_zeroed(1, PIECE_BYTES);
    uint64_t at = e->offset + sizeof head, end = at + (uint64_t)head.capacity * sizeof *row;
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, row, PIECE_BYTES, &at, end, sizeof *row, &bytes, "waits by their calls");
        for (size_t i = 0; good && i < bytes / sizeof *row; i++) {
            if (row[i].count && row[i].kind >= PP_OPERATION_COUNT)
                good = cursor_fail(c, at + i * sizeof *row, "a wait of kind %u, expected below %u", row[i].kind, PP_OPERATION_COUNT);
            else if (row[i].count)
                *ARRAY_PUSH(b->stall, b->stall_count, b->stall_capacity) = row[i];
        }
    }
    free(row);
    return good;
}

void stalls_settle(struct profile_block *b)
{
    for (size_t i = 0; i < b->stall_count; i++) {
        if (b->stall[i].node >= b->node_count)
            b->stall[i].node = 0;
        if (b->stall[i].path >= b->path_count)
            b->stall[i].path = 0;
    }
}
