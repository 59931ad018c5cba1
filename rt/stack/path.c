/* SPDX-License-Identifier: MIT */
/* path.c: see path.h. The tree is in the data file, an index into it in private memory. Most of a path is the same as
 * in the last one, so the two are compared from the outermost call inwards before anything is looked up. */
#include "stack/path.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "system/state.h"
#include "system/syscall.h"

#include <string.h>

#define DEPTH 64u       /* the most calls of a trail */
#define LONGEST_RUN 16u /* the longest cycle of a recursion that is folded */
#define FIRST 128u      /* paths in the first extent: a page; each further one doubles their number */
#define EXTENTS 10u     /* 65,536 paths */

struct call {
    uint64_t address;
    uint32_t module;
    uint32_t number; /* of its path, 0: not booked */
};

/* Numbers of paths in an open-addressed hash table; 0: free. */
struct index {
    uint32_t mask, number[];
};

struct pp_trail {
    struct pp_paths *extent[EXTENTS];
    struct index *index;
    uint32_t count;             /* paths, including number 0, which stands for no path */
    uint32_t pid;               /* a fork's child starts anew, in the extents that it inherited */
    uint32_t depth, last_depth; /* calls of this trail and the last */
    uint32_t turn;              /* which of `call` is this trail's; the other one is the last's */
    enum pp_path_end last_end;
    uint64_t met[4];            /* a bit by hash of each call of this trail: most are met once, and fold nothing */
    struct call call[2][DEPTH]; /* innermost first */
};

struct pp_trail *pp_trail_begin(uint64_t *kept)
{
    struct pp_trail *t = (struct pp_trail *)(uintptr_t)*kept;
    if (!t && !(t = pp_memory(sizeof *t)))
        return NULL;
    *kept = (uint64_t)(uintptr_t)t;
    t->depth = 0; /* first, since a new page that is read before has two faults */
    memset(t->met, 0, sizeof t->met);
    if (!t->count || t->pid != pp_run.header->pid) {
        t->pid = pp_run.header->pid;
        t->count = 1;
        t->last_depth = 0;
        if (t->index)
            memset(t->index->number, 0, (t->index->mask + 1) * sizeof *t->index->number);
        for (unsigned i = 0; i < EXTENTS && t->extent[i]; i++)
            t->extent[i]->used = 0;
    }
    return t;
}

bool pp_trail_add(struct pp_trail *t, uint64_t address, uint32_t module)
{
    struct call *call = t->call[t->turn];
    uint32_t n = t->depth;
    if (n == DEPTH)
        return false;
    call[n++] = (struct call){ address, module, 0 };
    t->depth = n;
    uint64_t hash = address * UINT64_C(0x9e3779b97f4a7c15) >> 56, bit = UINT64_C(1) << hash % 64;
    uint64_t *met = &t->met[hash / 64];
    if (!(*met & bit)) {
        *met |= bit;
        return true;
    }
    /* Folds a recursion: if the last calls repeat the ones before them, they are dropped. */
    for (uint32_t run = 1; run <= LONGEST_RUN && run * 2 <= n; run++) {
        uint32_t same = 0;
        while (same < run && call[n - 1 - same].address == call[n - 1 - run - same].address &&
               call[n - 1 - same].module == call[n - 1 - run - same].module)
            same++;
        if (same < run)
            continue;
        n -= run;
        break;
    }
    t->depth = n;
    return true;
}

/* ---- the tree ---- */

static uint32_t extent_of(uint32_t number)
{
    return number < FIRST ? 0 : 32u - (uint32_t)__builtin_clz(number / FIRST);
}
static uint32_t extent_first(uint32_t extent) { return extent ? FIRST << (extent - 1) : 0; }

static struct pp_path *path_at(struct pp_trail *t, uint32_t number)
{
    uint32_t extent = extent_of(number);
    return (struct pp_path *)(t->extent[extent] + 1) + (number - extent_first(extent));
}

static uint32_t hash_of(uint32_t parent, uint64_t address, uint32_t module, uint32_t end)
{
    uint64_t h = (address ^ (uint64_t)parent << 40 ^ (uint64_t)module << 24 ^ (uint64_t)end << 62) *
                 UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h ^ h >> 32);
}

static void index_put(struct index *index, uint32_t hash, uint32_t number)
{
    uint32_t i = hash & index->mask;
    while (index->number[i])
        i = (i + 1) & index->mask;
    index->number[i] = number;
}

/* Makes room for one more path: half of the index stays free. */
static bool index_room(struct pp_trail *t)
{
    struct index *old = t->index;
    if (old && t->count < old->mask / 2)
        return true;
    uint32_t size = old ? (old->mask + 1) * 2 : FIRST * 4;
    struct index *index = pp_memory(sizeof *index + size * sizeof *index->number);
    if (!index)
        return false;
    index->mask = size - 1;
    for (uint32_t n = 1; n < t->count; n++) {
        struct pp_path *p = path_at(t, n);
        index_put(index, hash_of(p->parent, p->address, p->module, p->end), n);
    }
    t->index = index;
    if (old)
        pp_unmap(old, sizeof *old + (old->mask + 1) * sizeof *old->number);
    return true;
}

static struct pp_paths *extent_get(struct pp_trail *t, uint32_t extent, uint32_t thread)
{
    struct pp_extent claimed;
    uint32_t first = extent_first(extent), capacity = extent ? first : FIRST;
    if (t->extent[extent] ||
        !pp_extent_claim(&claimed, sizeof(struct pp_paths) + (uint64_t)capacity * sizeof(struct pp_path)))
        return t->extent[extent];
    struct pp_paths *head = claimed.address;
    head->first = first;
    head->capacity = capacity;
    head->used = extent == 0; /* number 0 is no path */
    pp_extent_publish(&claimed, PP_EXTENT_PATHS, thread);
    return t->extent[extent] = head;
}

static uint32_t path_get(struct pp_trail *t, uint32_t parent, const struct call *call, uint32_t end, uint32_t thread)
{
    uint32_t hash = hash_of(parent, call->address, call->module, end), number = t->count, extent = extent_of(number);
    for (uint32_t i = hash, n; t->index && (n = t->index->number[i & t->index->mask]); i++) {
        const struct pp_path *p = path_at(t, n);
        if (p->address == call->address && p->parent == parent && p->module == call->module && p->end == end)
            return n;
    }
    if (extent == EXTENTS || !extent_get(t, extent, thread) || !index_room(t))
        return 0;
    *path_at(t, number) =
        (struct pp_path){ .address = call->address, .module = call->module, .parent = parent, .end = end };
    /* partner: paths_take in report/read/extent.c, which reads `used` paths */
    atomic_store_explicit((_Atomic uint32_t *)&t->extent[extent]->used, number - extent_first(extent) + 1,
                          memory_order_release);
    index_put(t->index, hash, number);
    t->count++;
    return number;
}

uint32_t pp_trail_book(struct pp_trail *t, struct pp_thread *thread, enum pp_path_end end, uint64_t weight)
{
    if (!t)
        return 0;
    struct call *call = t->call[t->turn], *last = t->call[t->turn ^ 1];
    uint32_t n = t->depth, m = end == t->last_end ? t->last_depth : 0, path = 0;
    bool known = true;
    while (n) {
        struct call *c = &call[--n];
        known =
            known && m && last[m - 1].address == c->address && last[m - 1].module == c->module && last[m - 1].number;
        c->number = known ? last[--m].number : path_get(t, path, c, path ? PP_PATH_WHOLE : end, thread->id);
        if (!c->number) {
            pp_loss(PP_LOSS_PATHS, weight);
            break;
        }
        path = c->number;
    }
    while (n)
        call[--n].number = 0;
    t->last_depth = t->depth;
    t->last_end = end;
    t->turn ^= 1;
    return path;
}
