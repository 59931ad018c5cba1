/* SPDX-License-Identifier: MIT */
/* callsite.c: see callsite.h. A call in the program itself is identified by its return address. A call in a library is
 * looked up each time, because the library may be unloaded, and another one may be loaded at the same address. If
 * nothing in that library is instrumented, the stack is unwound to the first instrumented caller.
 *
 * No lock: a thread takes a number, fills in its callsite, and then enters the number into the index. The loser of a
 * race leaves a callsite that nobody uses, or a second one for the same place. */
#define _GNU_SOURCE
#include "stack/callsite.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "stack/modules.h"
#include "stack/unwind.h"
#include "stack/walk.h"
#include "stack/wrapper.h"
#include "system/state.h"
#include "thread/thread.h"

#include <errno.h>

#define FIRST 128u /* callsites in the first extent; each further one doubles their number */
#define SUMS_FIRST 32u /* the same of their sums, which are larger: about a page */
#define EXTENTS(first) (PP_CALLSITE_BITS + 1 - __builtin_ctz(first))
#define INDEX (1u << (PP_CALLSITE_BITS + 1))
#define CALLERS (1u << 16)
/* A short process has few, which share a page with their index. Both grow as needed. */
#define FEW_CALLERS 256u
#define FEW_INDEX 256u
_Static_assert(CALLERS * sizeof(uint64_t) + INDEX * sizeof(uint32_t) == PP_CALLSITES_BYTES, "what the heap asks for");
#define PAGE_BITS 10u    /* places of the index in a page */
#define REGION_BITS 14u  /* code whose calls share a page of it: so a short process touches few */
#define FRAMES 128       /* the most callers that are unwound */
#define CHAIN 24         /* the most calls in wrappers, one within the other */
#define OWN_FRAMES 16    /* in addition: frames of the runtime below them */
#define BLOCKS_FIRST 42u /* rows of a thread's first array: a page */

/* Numbers in an open-addressed hash table; 0: free. */
struct index {
    uint32_t mask;
    _Atomic uint32_t number[];
};
static struct {
    uint64_t callers_mask;
    _Atomic uint64_t caller[FEW_CALLERS];
    uint32_t index_mask;
    _Atomic uint32_t number[FEW_INDEX];
} few;
struct pp_callers *_Atomic pp_callers = (struct pp_callers *)(void *)&few.callers_mask;
static struct index *_Atomic index_of = (struct index *)(void *)&few.index_mask;
static struct pp_callsites *_Atomic extent[EXTENTS(FIRST)];
static struct pp_blocks *_Atomic shared_blocks[EXTENTS(SUMS_FIRST)];
static _Atomic uint32_t count = 1; /* numbers given out */

static uint32_t extent_of(uint32_t number, uint32_t first)
{
    return number < first ? 0 : 32u - (uint32_t)__builtin_clz(number / first);
}
static uint32_t extent_first(uint32_t e, uint32_t first) { return e ? first << (e - 1) : 0; }
static uint32_t extent_capacity(uint32_t e, uint32_t first) { return e ? first << (e - 1) : first; }

static struct pp_callsites *points_get(uint32_t e)
{
    struct pp_callsites *have = atomic_load_explicit(&extent[e], memory_order_acquire);
    struct pp_extent claimed;
    uint64_t rows = extent_capacity(e, FIRST);
    if (have || !pp_extent_claim(&claimed, sizeof *have + rows * sizeof(struct pp_callsite)))
        return have;
    struct pp_callsites *made = claimed.address;
    made->first = extent_first(e, FIRST);
    made->capacity = (uint32_t)rows;
    if (!atomic_compare_exchange_strong_explicit(&extent[e], &have, made, memory_order_acq_rel, memory_order_acquire))
        return have;
    pp_extent_publish(&claimed, PP_EXTENT_CALLSITES, 0);
    return made;
}

static struct pp_callsite *point_at(uint32_t number)
{
    uint32_t e = extent_of(number, FIRST);
    struct pp_callsites *have = atomic_load_explicit(&extent[e], memory_order_acquire);
    return have ? (struct pp_callsite *)(have + 1) + (number - extent_first(e, FIRST)) : NULL;
}

/* Where the search for a callsite begins. */
static uint32_t place_of(const struct index *index, const struct pp_callsite *p)
{
    uint64_t what = p->address ^ (uint64_t)p->module << 44 ^ (uint64_t)p->library << 52 ^ (uint64_t)p->kind << 40 ^
                    (uint64_t)p->outer << 24,
             hash = what * UINT64_C(0x9e3779b97f4a7c15),
             region = ((p->address >> REGION_BITS) ^ (uint64_t)(p->outer >> 8) << 32) * UINT64_C(0x9e3779b97f4a7c15);
    uint32_t page = (uint32_t)(region >> (64 - (PP_CALLSITE_BITS + 1 - PAGE_BITS))) << PAGE_BITS;
    return (page | (uint32_t)(hash >> (64 - PAGE_BITS))) & index->mask;
}

/* A callsite that another thread adds to the old table meanwhile is not found again, and gets a second number. */
static bool index_grow(struct index *old)
{
    uint32_t mask = old->mask * 8 + 7; /* INDEX - 1 at last */
    struct index *made = pp_memory(sizeof *made + (mask + UINT64_C(1)) * sizeof *made->number);
    if (!made)
        return false;
    made->mask = mask;
    /* Half of it stays free, also where others made a larger one meanwhile, and went on. */
    for (uint32_t number = 1; number <= mask / 2 && number < atomic_load_explicit(&count, memory_order_relaxed);
         number++) {
        const struct pp_callsite *p = point_at(number);
        if (!p) /* another thread is about to fill it in. A half of it would do no harm in the wrong place */
            continue;
        uint32_t i = place_of(made, p);
        while (atomic_load_explicit(&made->number[i], memory_order_relaxed))
            i = (i + 1) & made->mask;
        atomic_store_explicit(&made->number[i], number, memory_order_relaxed);
    }
    /* Two threads may both make one: the first stays. Partner: point_get. */
    atomic_compare_exchange_strong_explicit(&index_of, &old, made, memory_order_acq_rel, memory_order_relaxed);
    return true;
}

static uint32_t point_get(uint64_t address, uint32_t module, uint32_t library, enum pp_callsite_kind kind,
                          uint32_t outer)
{
    const struct pp_callsite wanted = {
        .address = address, .module = module, .library = library, .kind = (uint16_t)kind, .outer = (uint16_t)outer
    };
    struct index *index;
    uint32_t number;
again:
    index = atomic_load_explicit(&index_of, memory_order_acquire); /* partner: index_grow */
    number = 0;
    if (!index->mask)
        index->mask = FEW_INDEX - 1;
    for (uint32_t i = place_of(index, &wanted), tried = 0; tried <= index->mask; i = (i + 1) & index->mask, tried++) {
        /* Partner: the exchange below. It writes, since a new page that is read first has two faults. */
        uint32_t there = atomic_fetch_add_explicit(&index->number[i], 0, memory_order_acquire);
        if (!there) {
            if (!number) {
                number = atomic_load_explicit(&count, memory_order_relaxed);
                if (number > index->mask / 2 && index->mask < INDEX - 1) {
                    if (!index_grow(index))
                        return 0;
                    goto again;
                }
                while (number < 1u << PP_CALLSITE_BITS &&
                       !atomic_compare_exchange_weak_explicit(&count, &number, number + 1, memory_order_relaxed,
                                                              memory_order_relaxed))
                    continue;
                if (number == 1u << PP_CALLSITE_BITS || !points_get(extent_of(number, FIRST)))
                    return 0;
                struct pp_callsite *p = point_at(number);
                *p = wanted;
                atomic_store_explicit((_Atomic uint32_t *)&p->known, 1,
                                      memory_order_release); /* partner: points_take in report/read/extent.c */
            }
            if (atomic_compare_exchange_strong_explicit(&index->number[i], &there, number, memory_order_release,
                                                        memory_order_acquire))
                return number;
        }
        const struct pp_callsite *p = point_at(there);
        if (p->address == address && p->module == module && p->library == library && p->kind == kind &&
            p->outer == outer)
            return there;
    }
    return number;
}

/* Caches a caller whose image is never unloaded. If its place is taken it is looked up at each call, so the table
 * grows. */
static void caller_keep(uint64_t caller, uint32_t number)
{
    static _Atomic bool grows; /* or there is no memory */
    struct pp_callers *callers = atomic_load_explicit(&pp_callers, memory_order_acquire), *longer;
    uint64_t none = 0;
    if (!callers->mask)
        callers->mask = FEW_CALLERS - 1;
    uint64_t mask = callers->mask * 16 + 15; /* CALLERS - 1 at last */
    /* partner: pp_callsite_kept */
    if (atomic_compare_exchange_strong_explicit(pp_caller_at(callers, caller), &none,
                                                caller << PP_CALLSITE_BITS | number, memory_order_release,
                                                memory_order_relaxed) ||
        mask > CALLERS || atomic_exchange_explicit(&grows, true, memory_order_relaxed))
        return;
    if (!(longer = pp_memory(sizeof *longer + (mask + 1) * sizeof *longer->word)))
        return;
    longer->mask = mask;
    atomic_store_explicit(&pp_callers, longer, memory_order_release); /* partner: pp_callsite_kept */
    atomic_store_explicit(&grows, false, memory_order_relaxed);
}

/* Calls in wrappers and in headers, innermost first, and the call that led to them. */
struct chain {
    struct {
        uint64_t address;
        uint32_t module;
    } call[CHAIN];
    uint32_t count;
};

/* Adds a call, unless it is there already: a recursion is in the chain once. False: there is no room. */
static bool chain_add(struct chain *chain, uint64_t address, uint32_t module)
{
    for (uint32_t i = 0; i < chain->count; i++)
        if (chain->call[i].address == address && chain->call[i].module == module)
            return true;
    if (chain->count == CHAIN)
        return false;
    chain->call[chain->count].address = address;
    chain->call[chain->count++].module = module;
    return true;
}

static uint32_t chain_get(const struct chain *chain, uint32_t library, enum pp_callsite_kind kind)
{
    uint32_t number = 0;
    for (uint32_t i = chain->count; i-- > 0;)
        number = point_get(chain->call[i].address, chain->call[i].module, i ? 0 : library, kind, number);
    return number;
}

/* A call of a library whose callsite was found by unwinding. What unwinding reads are return addresses, and registers
 * that functions saved. While all of these words of the stack are the same, it is the same callsite. Each lies where
 * the code and the words before it say. */
#define KNOWN_WORDS 24u
#define KNOWN_CALLS 8u
struct known_call {
    uint64_t stack, caller; /* 0: the entry is not ready */
    uint32_t what, number;  /* the library, as in struct pp_image, with the kind; of the callsite */
    uint32_t count;
    struct {
        uint64_t at, value;
    } word[KNOWN_WORDS];
};
struct known_calls { /* of a thread: a page */
    struct known_call call[KNOWN_CALLS];
    uint32_t next; /* to be replaced */
};

static bool known_stands(const struct known_call *k, uint64_t stack, uint64_t caller, uint32_t what)
{
    if (k->caller != caller || k->stack != stack || k->what != what)
        return false;
    for (uint32_t i = 0; i < k->count; i++)
        if (*(const uint64_t *)(uintptr_t)k->word[i].at != k->word[i].value)
            return false;
    return true;
}

/* The entry of this call, or one that was emptied for it. NULL: there is no memory. */
static struct known_call *known_at(struct pp_thread *thread, uint64_t stack, uint64_t caller, uint32_t what)
{
    uint64_t *kept = &pp_private(thread)->known_calls;
    struct known_calls *all = (struct known_calls *)(uintptr_t)*kept;
    if (!all) {
        if (!(all = pp_memory(sizeof *all)))
            return NULL;
        all->next = 0; /* a new page that is read first has two faults */
        *kept = (uint64_t)(uintptr_t)all;
    }
    for (struct known_call *k = all->call; k < all->call + KNOWN_CALLS; k++)
        if (known_stands(k, stack, caller, what))
            return k;
    struct known_call *k = &all->call[all->next++ % KNOWN_CALLS];
    k->caller = 0;
    k->stack = stack;
    k->count = 0;
    return k;
}

/* Whether the entry still belongs to who began it: a signal handler may have taken it meanwhile. */
static bool known_is_ours(const struct known_call *k, uint64_t stack)
{
    return k && k->stack == stack && !atomic_load_explicit((const _Atomic uint64_t *)&k->caller, memory_order_relaxed);
}

/* NULL: what the last step read is more than can be kept. */
static struct known_call *known_add(struct known_call *k, uint64_t stack, const struct pp_unwind *unwind)
{
    if (!known_is_ours(k, stack) || k->count + 2 > KNOWN_WORDS || unwind->slot <= 1 ||
        (unwind->base && !unwind->base_at))
        return NULL;
    if (unwind->base) {
        k->word[k->count].at = unwind->base_at;
        k->word[k->count++].value = unwind->base_value;
    }
    k->word[k->count].at = unwind->slot;
    k->word[k->count++].value = unwind->pc;
    return k;
}

/* The innermost instrumented call on the stack, through which the library that called us was entered, and if that is in
 * a wrapper or a header, those up to the user's. If there is none, the library's own call. */
static __attribute__((noinline)) uint32_t point_unwind(uint64_t caller, const struct pp_image *library,
                                                       enum pp_callsite_kind kind)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    struct pp_unwind unwind;
    struct pp_image image = { 0 };
    struct chain chain;
    struct known_call *known = NULL;
    uint32_t what = library->mapping ^ (uint32_t)kind << 24;
    uint64_t stack = 0;
    bool out = false;
    chain.count = 0;
    if (pp_unwind_here(&unwind)) {
        stack = unwind.reg[PP_UNWIND_STACK];
        known = thread ? known_at(thread, stack, caller, what) : NULL;
        if (known && known->caller)
            return known->number;
        pp_walk_bound(&unwind, thread);
        for (unsigned depth = 0; depth < FRAMES + OWN_FRAMES; depth++) {
            uint64_t place = unwind_place(&unwind);
            if (place - image.low >= image.high - image.low && !pp_image_find(place, &image))
                break;
            out = out || (unwind.returned && unwind.pc == caller);
            if (out && image.instrumented && !pp_own_code(&image, place)) {
                if (!image.fixed)
                    known = NULL; /* another one may be loaded to its place */
                if (!chain_add(&chain, place - image.bias, image.id) || !pp_wrapper_at(place, &image))
                    break;
            }
            if (!pp_unwind_step(&unwind, image.frames, image.mapping))
                break;
            known = known_add(known, stack, &unwind);
        }
    }
    if (!chain.count)
        return point_get(caller - 1 - library->bias, library->id, pp_wrapper_at(caller - 1, library) ? 0 : library->id,
                         kind, 0);
    uint32_t number = chain_get(&chain, library->instrumented ? 0 : library->id, kind);
    if (number && known_is_ours(known, stack)) {
        known->what = what;
        known->number = number;
        atomic_signal_fence(memory_order_seq_cst);
        known->caller = caller; /* last, for handlers */
    }
    return number;
}

uint32_t pp_callsite_at(const void *caller)
{
    uint64_t place = (uint64_t)(uintptr_t)caller - 1;
    struct pp_image image;
    int kept = errno;
    uint32_t number =
        caller && !pp_tls()->busy && pp_image_find(place, &image)
            ? point_get(place - image.bias, image.id, image.instrumented ? 0 : image.id, PP_CALLSITE_BLOCKS, 0)
            : 0;
    errno = kept;
    return number;
}

uint32_t pp_callsite_find(const void *caller, enum pp_callsite_kind kind)
{
    uint64_t place = (uint64_t)(uintptr_t)caller - 1;
    struct pp_image image;
    uint32_t number;
    int kept = errno;
    if (pp_tls()->busy)
        return 0; /* the core is at work, perhaps in a fork */
    if (!pp_image_find(place, &image)) {
        number = point_get(place, 0, 0, kind, 0);
    } else if (image.instrumented && !pp_own_code(&image, place) && !pp_wrapper_at(place, &image)) {
        number = point_get(place - image.bias, image.id, 0, kind, 0);
        if (image.fixed && number && kind != PP_CALLSITE_MAPPINGS)
            caller_keep(place + 1, number); /* a call is of one kind, except for mappings */
    } else {
        number = point_unwind(place + 1, &image, kind);
    }
    errno = kept;
    return number;
}

uint32_t pp_callsite_of_mapping(const void *caller)
{
    uint32_t number = pp_callsite_find(caller, PP_CALLSITE_MAPPINGS);
    return number ? number : point_get(0, 0, 0, PP_CALLSITE_MAPPINGS, 0);
}

uint32_t pp_callsite_of_kind(const void *caller, enum pp_callsite_kind kind)
{
    uint32_t number = pp_callsite_kept(caller);
    if (!number)
        number = pp_callsite_find(caller, kind);
    return number ? number : point_get(0, 0, 0, kind, 0);
}

bool pp_callsite_foreign(const void *caller, uint64_t low)
{
    struct pp_image image;
    return pp_image_find((uint64_t)(uintptr_t)caller - 1, &image) && image.low == low && !image.instrumented;
}

/* ---- sums of what was allocated and freed ---- */

static struct pp_block *shared_find(uint32_t number)
{
    uint32_t e = extent_of(number, SUMS_FIRST);
    struct pp_blocks *have = atomic_load_explicit(&shared_blocks[e], memory_order_acquire);
    struct pp_extent claimed;
    uint64_t rows = extent_capacity(e, SUMS_FIRST);
    if (!have && pp_extent_claim(&claimed, sizeof *have + rows * sizeof(struct pp_block))) {
        struct pp_blocks *made = claimed.address;
        made->first = extent_first(e, SUMS_FIRST);
        made->count = (uint32_t)rows;
        if (atomic_compare_exchange_strong_explicit(&shared_blocks[e], &have, made, memory_order_acq_rel,
                                                    memory_order_acquire)) {
            pp_extent_publish(&claimed, PP_EXTENT_BLOCKS, 0);
            have = made;
        }
    }
    return have ? (struct pp_block *)(have + 1) + (number - extent_first(e, SUMS_FIRST)) : NULL;
}

struct pp_block *pp_block_find(struct pp_thread *thread, struct pp_sums *own, uint32_t number, bool *shared)
{
    *shared = !thread;
    if (!thread)
        return shared_find(number);
    if (number >= own->count) { /* a longer array; readers add what the older ones hold */
        uint64_t wanted = own->count ? own->count * 2 : BLOCKS_FIRST;
        while (wanted <= number)
            wanted = wanted * 2 + 1;
        struct pp_extent claimed;
        int kept = errno;
        bool room = pp_extent_claim(&claimed, sizeof(struct pp_blocks) + wanted * sizeof(struct pp_block));
        errno = kept;
        if (!room) {
            *shared = true;
            return shared_find(number);
        }
        struct pp_blocks *made = claimed.address;
        made->count = (uint32_t)wanted;
        made->older = own->address;
        pp_extent_publish(&claimed, PP_EXTENT_BLOCKS, thread->id);
        /* partner: array_of */
        atomic_store_explicit((_Atomic uint64_t *)&own->address, (uint64_t)(uintptr_t)(made + 1), memory_order_release);
        /* A handler in between sees the longer array with the shorter length, never the reverse. */
        atomic_signal_fence(memory_order_seq_cst);
        own->count = wanted;
    }
    return (struct pp_block *)(uintptr_t)own->address + number;
}

/* The address of another thread's array; 0: it has none. */
static uint64_t array_of(struct pp_thread *thread)
{
    return thread ? atomic_load_explicit((_Atomic uint64_t *)&pp_private(thread)->heap.sums.address,
                                         memory_order_acquire) /* partner: pp_block_find */
                  : 0;
}

/* ---- the peak ---- */

#define PEAK_PART 128 /* the peak is recorded again when the heap has grown by this part */
#define STEP_PART 256 /* all threads together have less than this part unreported */

int64_t pp_callsites_step;
static _Atomic int64_t live_bytes, peak_mark;

/* Sums up the live blocks of each callsite over all threads. One thread at a time does this. Others skip it, since the
 * heap is as large for them. */
static void peak_take(int64_t now)
{
    struct pp_callsites *head = atomic_load_explicit(&extent[0], memory_order_acquire);
    uint64_t turn = atomic_load_explicit((_Atomic uint64_t *)&head->peak_turn, memory_order_relaxed), total = 0;
    if (turn & 1 || !atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)&head->peak_turn, &turn, turn + 1,
                                                             memory_order_acquire, memory_order_relaxed))
        return;
    /* partner: the report, which reads an odd turn before it reads any of the following stores */
    atomic_thread_fence(memory_order_release);
    uint32_t points = atomic_load_explicit(&count, memory_order_relaxed), threads = pp_thread_count();
    for (uint32_t number = 0; number < points; number++) {
        const struct pp_callsite *p = number ? point_at(number) : NULL;
        struct pp_block *to = p && p->kind != PP_CALLSITE_BLOCKS ? NULL : shared_find(number);
        if (!to)
            continue;
        uint64_t blocks = to->alloc_blocks - to->free_blocks, bytes = to->alloc_bytes - to->free_bytes;
        for (uint32_t id = 1; id <= threads; id++) {
            struct pp_thread *thread = pp_thread_at(id);
            uint64_t array = array_of(thread);
            while (array) {
                const struct pp_blocks *list = (const struct pp_blocks *)(uintptr_t)array - 1;
                const struct pp_block *b = (const struct pp_block *)(uintptr_t)array + number;
                if (number < list->count) {
                    blocks += b->alloc_blocks - b->free_blocks;
                    bytes += b->alloc_bytes - b->free_bytes;
                }
                array = list->older;
            }
        }
        to->peak_blocks = blocks;
        to->peak_bytes = bytes;
        total += bytes;
    }
    head->peak_bytes = total;
    pp_callsites_step = now / STEP_PART / (threads ? threads : 1);
    atomic_store_explicit(&peak_mark, now + now / PEAK_PART, memory_order_relaxed);
    atomic_store_explicit((_Atomic uint64_t *)&head->peak_turn, turn + 2,
                          memory_order_release); /* partner: the report */
}

int64_t pp_callsites_live(void) { return atomic_load_explicit(&live_bytes, memory_order_relaxed); }

void pp_callsites_tell(int64_t bytes)
{
    int64_t now = atomic_fetch_add_explicit(&live_bytes, bytes, memory_order_relaxed) + bytes;
    int kept = errno;
    if (bytes > 0 && now > atomic_load_explicit(&peak_mark, memory_order_relaxed))
        peak_take(now);
    errno = kept;
}

/* ---- sums over all threads ---- */

uint32_t pp_callsites_count(void)
{
    return atomic_load_explicit(&extent[0], memory_order_acquire) ? atomic_load_explicit(&count, memory_order_acquire)
                                                                  : 0;
}

static void sum_add(struct pp_block *sum, const struct pp_block *more)
{
    sum->alloc_blocks += more->alloc_blocks;
    sum->alloc_bytes += more->alloc_bytes;
    sum->free_blocks += more->free_blocks;
    sum->free_bytes += more->free_bytes;
}

bool pp_callsite_sum(uint32_t number, struct pp_block *sum)
{
    uint32_t e = extent_of(number, SUMS_FIRST), threads = pp_thread_count();
    const struct pp_blocks *shared = atomic_load_explicit(&shared_blocks[e], memory_order_acquire);
    const struct pp_callsite *p = number ? point_at(number) : NULL;
    *sum = (struct pp_block){ 0 };
    if (p && p->kind != PP_CALLSITE_BLOCKS)
        return false;
    if (shared)
        sum_add(sum, (const struct pp_block *)(shared + 1) + (number - extent_first(e, SUMS_FIRST)));
    for (uint32_t id = 1; id <= threads; id++) {
        struct pp_thread *thread = pp_thread_at(id);
        for (uint64_t array = array_of(thread); array; array = ((const struct pp_blocks *)(uintptr_t)array - 1)->older)
            if (number < ((const struct pp_blocks *)(uintptr_t)array - 1)->count)
                sum_add(sum, (const struct pp_block *)(uintptr_t)array + number);
    }
    return sum->alloc_blocks || sum->free_blocks || sum->alloc_bytes || sum->free_bytes;
}

void pp_callsites_fork_child(void)
{
    atomic_store_explicit(&live_bytes, 0, memory_order_relaxed);
    atomic_store_explicit(&peak_mark, 0, memory_order_relaxed);
    pp_callsites_step = 0;
}
