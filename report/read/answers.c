/* SPDX-License-Identifier: MIT */
/* answers.c: see answers.h. */
#include "read/answers.h"

#include <stdlib.h>

bool answers_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    if (e->size < sizeof(struct pp_answers))
        return cursor_fail(c, e->offset, "answers of %llu bytes, expected at least %zu", (unsigned long long)e->size, sizeof(struct pp_answers));
    struct pp_answers *from = memory_zeroed(1, sizeof *from);
    bool good = cursor_copy(c, from, e->offset, sizeof *from, "answers");
    if (good) {
        struct profile_answers *to = ARRAY_PUSH(p->answers, p->answers_count, p->answers_capacity);
        *to = (struct profile_answers){ .target = from->target, .kind = from->kind };
        for (uint32_t i = 0; i < PP_BUCKETS; i++)
            to->bucket_count += from->histogram[i] != 0;
        to->bucket = arena_take(&p->arena, to->bucket_count * sizeof *to->bucket);
        for (uint32_t i = 0, n = 0; i < PP_BUCKETS; i++)
            if (from->histogram[i])
                to->bucket[n++] = (struct profile_bucket){ i, from->histogram[i] };
    }
    free(from);
    return good;
}
