/* SPDX-License-Identifier: MIT */
/* heapsample.c: the heap from samples. How many blocks and bytes a thread asks for is counted. Which lines asked for
 * them, what lives and the peak come from sampled blocks. It must not know how the allocator is found.
 *
 * Bytes are drawn: a thread has a number of bytes `left` until its next sampled block, from an exponential
 * distribution. So a block of s bytes is taken with the probability p = 1 - exp(-s / mean), and stands for w blocks,
 * which are 1 / p in the mean and whole numbers. The sum of w over sampled blocks is an estimate without bias of how
 * many there were, and the sum of w (w - 1) one of its variance. The first blocks of a thread are all taken, with
 * w = 1, so that the figures of small programs are exact.
 *
 * A call of malloc subtracts its size from `left`, and a call of free looks whether a sampled block may have that
 * address (`filter`). Both then jump to the C library. The live sampled blocks are in tables without locks: an entry
 * is claimed by a compare-and-exchange, and only the owner of the block takes it out. */
#include "memory/heapsample.h"
#include "file/memory.h"
#include "memory/account.h"
#include "memory/backend.h"
#include "memory/heapbook.h"
#include "operation/operation.h"
#include "stack/callsite.h"
#include "system/clock.h"
#include "system/exponential.h"
#include "system/state.h"
#include "thread/thread.h"

#include <string.h>

#define MEAN_BITS 15u     /* 32 KB from one sampled block to the next */
#define LIVE_STEP 4096u   /* with each so many that live the mean doubles, so that the tables have room */
#define MEAN_BITS_MORE 16 /* at most so often */
#define DRAWS 256u        /* after so many sampled blocks a thread looks how long they took to come: */
#define DRAW_NS 400u      /* what one costs, with its free, at least; more where that was measured: */
#define DRAW_STEPS 3u     /* it has so many steps that are timed */
#define PACE_PART 2u      /* this part of the budget */
#define CALM 4u           /* so much rarer, and the mean is halved again */
#define SPREAD_MOST 3u    /* 256 KB from one to the next, */
#define SPREAD_LIVE 19    /* or a part of what lives: log2 of 16 means of MEAN_BITS */
#define TOLL_BITS 5u      /* one in so many is timed, for all, log2 */
#define TOLL_MOST_NS 20000u
#define EXACT_BLOCKS 512u /* of a thread */
#define EXACT_ALL 8192u   /* of the process, which may have many short threads */
#define EXACT_LIVE 4096u  /* no more of these while so many sampled blocks live */

bool pp_heap_is_sampled;

static inline uint64_t blocks_got(const struct pp_words *own) { return own->sampled.blocks + own->sampled.moves; }

/* What drawn blocks cost, by some of them. The program decides in which caches all of that lies. The choice cannot keep
 * step with it: `number` counts calls of the allocator, of which those with a drawn block come at random. */
static inline uint64_t toll_begin(uint64_t number)
{
    return PP_LIKELY((uint32_t)number * UINT32_C(2654435769) >> (32 - TOLL_BITS)) ? 0 : pp_now_ns();
}

static __attribute__((noinline, cold)) void toll_take(uint64_t begun_ns)
{
    uint64_t took_ns = pp_now_ns() - begun_ns, reading_ns = pp_costs.frame_ns / 4;
    took_ns = took_ns < TOLL_MOST_NS ? took_ns : TOLL_MOST_NS;
    took_ns = (took_ns > reading_ns ? took_ns - reading_ns : 0) << TOLL_BITS;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->draws_ns, took_ns, memory_order_relaxed);
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->draws, 1, memory_order_relaxed);
}

static inline void toll_end(uint64_t begun_ns)
{
    if (PP_UNLIKELY(begun_ns))
        toll_take(begun_ns);
}

/* ---- the sampled blocks that live ---- */

#define HASH_BITS 16
#define SIEVE_BITS 14
#define WINDOW 16u /* an entry lies within so many places of where its hash points */
#define BUSY 1u    /* instead of an address: the entry is being written */
#define LEVELS 4u
#define FILTER_MOST (UINT8_MAX - 16u) /* threads that add at once must not overflow it */

struct table {
    unsigned bits; /* of the hash, by which places are found */
    _Atomic uint64_t *block;
    struct pp_sampled *row;
};
PP_FAR static _Atomic uint64_t few_block[(1u << 6) + WINDOW], first_block[(1u << 10) + WINDOW];
PP_FAR static struct pp_sampled few_row[(1u << 6) + WINDOW], first_row[(1u << 10) + WINDOW];
static struct table table[LEVELS] = {
    { 6, few_block, few_row }, { 10, first_block, first_row }, { 13, NULL, NULL }, { 16, NULL, NULL }
};
PP_FAR static uint8_t filter[1u << HASH_BITS]; /* how many sampled blocks have that place */
PP_FAR static uint8_t sieve[1u << SIEVE_BITS]; /* the same by the hash: most that pass the filter are not there */
static _Atomic uint32_t live, exact;           /* exact: blocks that were taken because their thread had few */
static bool some_are_looked_at;                /* some were, of which is asked what was touched */

/* Blocks that lie side by side have neighbouring places, so that a program that frees them in turn finds the next one
 * in the same cache line: (address / 16 + address / 65536) % 65536. */
static inline uint8_t *filter_at(const void *block) { return &filter[(uint32_t)(uintptr_t)block * 0x1001u >> 16]; }

/* Whether a sampled block may have that address. The usual way falls through, also where the compiler wants the code
 * small: each jump that is taken costs a nanosecond of a free. */
static inline bool is_filtered(const void *block)
{
#ifdef __x86_64__
    __asm__ goto("cmpb $0, %0\n\tjne %l[found]" : : "m"(*filter_at(block)) : "cc" : found);
    return false;
found:
    return true;
#else
    return PP_UNLIKELY(*filter_at(block));
#endif
}

static inline uint32_t hash_of(const void *block)
{
    return (uint32_t)(uintptr_t)block * UINT32_C(2654435769) >> (32 - HASH_BITS);
}

static inline uint8_t *sieve_at(uint32_t hash) { return &sieve[hash >> (HASH_BITS - SIEVE_BITS)]; }

/* Two threads may both make it: the memory of one is not used. */
static bool table_make(struct table *t)
{
    uint64_t count = (UINT64_C(1) << t->bits) + WINDOW;
    char *room = t->block ? NULL : pp_memory(count * (sizeof *t->block + sizeof *t->row));
    if (room) {
        t->row = (struct pp_sampled *)(void *)room;
        atomic_store_explicit((_Atomic(char *) *)&t->block, room + count * sizeof *t->row, memory_order_release);
    }
    return t->block;
}

/* False: there is no room. Nothing here is read before it is written to: then a new page would have two faults. */
static bool sampled_put(const void *block, const struct pp_sampled *sampled)
{
    uint32_t hash = hash_of(block);
    _Atomic uint8_t *filtered = (_Atomic uint8_t *)filter_at(block), *sieved = (_Atomic uint8_t *)sieve_at(hash);
    bool room = (atomic_fetch_add_explicit(filtered, 1, memory_order_relaxed) < FILTER_MOST) &
                (atomic_fetch_add_explicit(sieved, 1, memory_order_relaxed) < FILTER_MOST);
    for (struct table *t = table; room && t < table + LEVELS && (t->block || table_make(t)); t++)
        for (uint32_t i = hash >> (HASH_BITS - t->bits), end = i + WINDOW; i < end; i++) {
            uint64_t none = 0;
            if (!atomic_compare_exchange_strong_explicit(&t->block[i], &none, BUSY, memory_order_acquire,
                                                         memory_order_relaxed))
                continue;
            t->row[i] = *sampled;
            atomic_fetch_add_explicit(&live, 1, memory_order_relaxed);
            /* partner: pp_sampled_take, in whatever thread the program hands the block to */
            atomic_store_explicit(&t->block[i], (uint64_t)(uintptr_t)block, memory_order_release);
            return true;
        }
    atomic_fetch_sub_explicit(filtered, 1, memory_order_relaxed);
    atomic_fetch_sub_explicit(sieved, 1, memory_order_relaxed);
    return false;
}

static uint64_t touched(const struct pp_sampled *s, const void *block)
{
    return s->touch.weight ? s->weight * pp_touch_end(&s->touch, block, s->size) : 0; /* most are not looked at */
}

bool pp_sampled_take(const void *block, struct pp_sampled *old)
{
    uint32_t hash = hash_of(block);
    uint8_t *filtered = filter_at(block), *sieved = sieve_at(hash);
    if (!*filtered || !*sieved)
        return false;
    uint64_t begun_ns = toll_begin(pp_words()->sampled.frees);
    for (struct table *t = table; t < table + LEVELS && t->block; t++)
        for (uint32_t i = hash >> (HASH_BITS - t->bits), end = i + WINDOW; i < end; i++) {
            if (atomic_load_explicit(&t->block[i], memory_order_acquire) != (uint64_t)(uintptr_t)block)
                continue;
            *old = t->row[i];
            old->touched_bytes = touched(old, block);
            atomic_fetch_sub_explicit((_Atomic uint8_t *)filtered, 1, memory_order_relaxed);
            atomic_fetch_sub_explicit((_Atomic uint8_t *)sieved, 1, memory_order_relaxed);
            atomic_fetch_sub_explicit(&live, 1, memory_order_relaxed);
            atomic_store_explicit(&t->block[i], 0, memory_order_release); /* partner: the exchange in sampled_put */
            toll_end(begun_ns);
            return true;
        }
    return false;
}

/* ---- drawing ---- */

static uint64_t random_next(struct pp_thread *thread)
{
    static _Atomic uint64_t state; /* of threads without a block: splitmix64 (Vigna) */
    if (PP_LIKELY(thread))
        return pp_random(pp_private(thread));
    uint64_t z = atomic_fetch_add_explicit(&state, UINT64_C(0x9e3779b97f4a7c15), memory_order_relaxed);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

#define PART_BITS 58 /* fraction bits of a probability, and of the exponent before */
#define ONE (UINT64_C(1) << PART_BITS)
#define SURE 20u /* beyond so many means every block is taken: that it would not be is less than 1 in 10^8 */

static uint64_t part_times(uint64_t a, uint64_t b) { return (uint64_t)((unsigned __int128)a * b >> PART_BITS); }

/* 1 - exp(-x): by the series for a small part of x, which is then doubled again. */
static uint64_t probability(uint64_t x)
{
    unsigned halved = 0;
    for (; x > ONE / 16; halved++)
        x >>= 1;
    uint64_t square = part_times(x, x), cube = part_times(square, x),
             p = x - square / 2 + cube / 6 - part_times(cube, x) / 24;
    while (halved--)
        p = 2 * p - part_times(p, p);
    return p;
}

/* How many blocks a sampled one stands for. A fraction is rounded up or down at random. */
static uint32_t weight_draw(uint64_t size, unsigned mean_bits, uint64_t random)
{
    if (!mean_bits || size >= (uint64_t)SURE << mean_bits)
        return 1;
    uint64_t p = probability(size << (PART_BITS - mean_bits));
    uint64_t weight_q20 = (UINT64_C(1) << 63) / (p >> (PART_BITS - 43));
    return (uint32_t)((weight_q20 + (random & ((1u << 20) - 1))) >> 20);
}

static uint64_t left_draw(unsigned mean_bits, uint64_t random, uint64_t dither)
{
    return ((pp_exponential_q16(random) << mean_bits) + (dither & ((UINT64_C(1) << mean_bits) - 1))) >> 16;
}

/* ---- booking ---- */

static void squares(const struct pp_sampled *s, uint64_t *blocks, uint64_t *bytes)
{
    *blocks = (uint64_t)s->weight * (s->weight - 1u);
    *bytes = (uint64_t)((unsigned __int128)s->size * s->size * *blocks >> 10);
}

static void alloc_book(struct pp_thread *thread, const struct pp_sampled *s)
{
    bool shared;
    uint64_t bytes = s->weight * s->size, blocks_squares, bytes_squares;
    struct pp_block *row = block_of(thread, s->callsite, &shared);
    squares(s, &blocks_squares, &bytes_squares);
    if (thread)
        word_take(&heap_account(thread)->distance, bytes);
    if (!row)
        return;
    block_add(shared, &row->alloc_bytes, bytes);
    block_add(shared, &row->alloc_blocks, s->weight);
    block_add(shared, &row->alloc_bytes_variance, bytes_squares);
    block_add(shared, &row->alloc_blocks_variance, blocks_squares);
    callsite_grow(thread, (int64_t)bytes);
}

static void free_book(const struct pp_sampled *s)
{
    struct pp_thread *thread = booking_thread();
    uint64_t begun_ns = toll_begin(s->number);
    bool shared, temporary = thread && thread == s->thread && blocks_got(pp_words()) == s->number;
    uint64_t bytes = s->weight * s->size, blocks_squares, bytes_squares;
    struct pp_block *row = block_of(thread, s->callsite, &shared);
    squares(s, &blocks_squares, &bytes_squares);
    if (thread) {
        struct pp_heap_account *account = heap_account(thread);
        if (account_lower(account, bytes))
            account_raise(account, bytes - account->distance);
        word_add(&account->free_bytes, bytes);
        word_add(&account->temporary_blocks, temporary ? s->weight : 0);
        pp_heapsample_settle(thread);
    }
    if (row) {
        block_add(shared, &row->free_bytes, bytes);
        block_add(shared, &row->free_blocks, s->weight);
        block_add(shared, &row->free_bytes_variance, bytes_squares);
        block_add(shared, &row->free_blocks_variance, blocks_squares);
        block_add(shared, &row->temporary_blocks, temporary ? s->weight : 0);
        if (s->touched_bytes)
            block_add(shared, &row->touched_bytes, s->touched_bytes);
        callsite_grow(thread, -(int64_t)bytes);
    }
    toll_end(begun_ns);
}

/* ---- a thread's words. `own` is pp_tls_offset, read once ---- */

#if defined __x86_64__ && defined __SEG_FS
#define OWN(own) ((struct pp_words __seg_fs *)(own))
#else
#define OWN(own) ((void)(own), pp_words())
#endif

/* Subtracts the size of a block from what is left. True: it does not suffice, and nothing is subtracted. */
static inline bool left_falls_short(size_t size, int64_t own)
{
#ifdef __x86_64__
    __asm__ goto("subq %[size], %[left]\n\tjc %l[beyond]"
                 : [left] "+m"(OWN(own)->sampled.left)
                 : [size] "er"(size)
                 : "cc"
                 : beyond);
    return false;
beyond:
    __asm__("addq %1, %0" : "+m"(OWN(own)->sampled.left) : "er"(size) : "cc");
    return true;
#else
    if (OWN(own)->sampled.left < size)
        return true;
    word_take(&OWN(own)->sampled.left, size);
    return false;
#endif
}

static inline void blocks_count(int64_t own)
{
#ifdef __x86_64__
    __asm__("addq $1, %0" : "+m"(OWN(own)->sampled.blocks) : : "cc");
#else
    word_add(&OWN(own)->sampled.blocks, 1);
#endif
}

static inline void frees_count(int64_t own)
{
#ifdef __x86_64__
    __asm__("addq $1, %0" : "+m"(OWN(own)->sampled.frees) : : "cc");
#else
    word_add(&OWN(own)->sampled.frees, 1);
#endif
}

static inline void moves_count(int64_t own)
{
#ifdef __x86_64__
    __asm__("addq $1, %0" : "+m"(OWN(own)->sampled.moves) : : "cc");
#else
    word_add(&OWN(own)->sampled.moves, 1);
#endif
}

void pp_heapsample_settle(struct pp_thread *thread)
{
    struct pp_words *own = pp_words();
    uint64_t moves = own->sampled.moves;
    if (!thread || !pp_heap_is_sampled)
        return;
    if (moves) {
        word_take(&own->sampled.moves, moves); /* a handler may resize some meanwhile */
        word_add(&own->sampled.blocks, moves);
        word_add(&own->sampled.frees, moves);
        atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->moves, moves, memory_order_relaxed);
    }
    struct pp_heap_account *account = heap_account(thread);
    account->asked_bytes = account->drawn_bytes - own->sampled.left;
    account->alloc_blocks = own->sampled.blocks;
    account->free_blocks = own->sampled.frees;
}

bool pp_heapsample_estimates(void)
{
    pp_heapsample_settle(booking_thread());
    return pp_words()->sampled.mean_bits != 0;
}

/* The words continue what the block's last thread counted. */
void pp_heapsample_birth(struct pp_thread *thread)
{
    struct pp_words *own = pp_words();
    struct pp_heap_account *account = heap_account(thread);
    own->sampled.left = own->sampled.mean_bits = 0;
    own->sampled.moves = 0;
    own->sampled.blocks = account->alloc_blocks;
    own->sampled.frees = account->free_blocks;
    account->drawn_bytes = account->asked_bytes;
    account->exact_until = account->alloc_blocks + EXACT_BLOCKS;
}

void pp_heapsample_death(struct pp_thread *thread) { pp_heapsample_settle(thread); }

void pp_heapsample_end(void)
{
    for (struct table *t = table; some_are_looked_at && t < table + LEVELS && t->block; t++)
        for (uint32_t i = 0; i < (1u << t->bits) + WINDOW; i++) {
            struct pp_sampled *s = &t->row[i];
            uint64_t block = atomic_load_explicit(&t->block[i], memory_order_acquire); /* partner: sampled_put */
            if (block <= BUSY)
                continue;
            bool shared;
            uint64_t bytes = touched(s, (void *)(uintptr_t)block);
            struct pp_block *row = bytes ? block_of(booking_thread(), s->callsite, &shared) : NULL;
            if (row)
                block_add(shared, &row->touched_bytes, bytes);
            s->touch.weight = 0; /* its free books nothing more */
        }
}

/* Where a library asks for the block, the stack is unwound: that takes three times as long. */
static uint64_t draw_cost_ns(void)
{
    uint64_t timed = atomic_load_explicit((_Atomic uint64_t *)&pp_run.header->draws, memory_order_relaxed),
             sum = atomic_load_explicit((_Atomic uint64_t *)&pp_run.header->draws_ns, memory_order_relaxed),
             cost = timed ? sum / timed * DRAW_STEPS >> TOLL_BITS : 0;
    return cost > DRAW_NS ? cost : DRAW_NS;
}

/* By how many doublings the thread's sampled blocks are farther apart than usual: a program that gets and gives back
 * gigabytes would spend a quarter of its time on them. Of what lives there are still some. */
static unsigned spread_bits(struct pp_heap_account *account)
{
    if (++account->draws % DRAWS == 0) {
        uint64_t now = pp_now_ns(), took = now - account->paced_ns;
        uint64_t least = pp_budget_ns(DRAWS * draw_cost_ns() * PACE_PART);
        int most = 63 - __builtin_clzll((uint64_t)pp_callsites_live() | 1) - SPREAD_LIVE;
        account->paced_ns = now;
        if (took < least && (account->spread_bits < SPREAD_MOST || (int)account->spread_bits < most))
            account->spread_bits++;
        else if (account->spread_bits && took / CALM > least)
            account->spread_bits--;
    }
    return account->spread_bits;
}

/* A block for which what was left did not suffice is sampled. */
static __attribute__((noinline)) void *block_draw(void *block, size_t size, const void *caller)
{
    struct pp_words *own = pp_words();
    struct pp_thread *thread = booking_thread();
    if (!block || !*pp_fork_generation)
        return block;
    uint64_t drawn_ns = own->sampled.mean_bits ? toll_begin(blocks_got(own)) : 0;
    blocks_count(pp_tls_offset);
    uint32_t alive = atomic_load_explicit(&live, memory_order_relaxed);
    struct pp_sampled s = { .size = size,
                            .number = blocks_got(own),
                            .thread = thread,
                            .weight = weight_draw(size, (unsigned)own->sampled.mean_bits, random_next(thread)) };
    uint64_t left = 0, before = own->sampled.left;
    unsigned bits = 0;
    if (s.number >= (thread ? heap_account(thread)->exact_until : EXACT_BLOCKS) || alive >= EXACT_LIVE ||
        atomic_fetch_add_explicit(&exact, 1, memory_order_relaxed) >= EXACT_ALL) {
        bits = MEAN_BITS + (alive / LIVE_STEP < MEAN_BITS_MORE ? alive / LIVE_STEP : MEAN_BITS_MORE);
        bits += thread ? spread_bits(heap_account(thread)) : 0;
        left = left_draw(bits, random_next(thread), random_next(thread));
    }
    /* The first blocks are many in a short run, which samples tell too little of. */
    uint64_t begun_ns = bits ? 0 : pp_once_begin();
    own->sampled.left = left;
    own->sampled.mean_bits = bits;
    if (thread) {
        heap_account(thread)->drawn_bytes += left - before + size;
        pp_heapsample_settle(thread);
    }
    s.callsite = pp_callsite_of(caller);
    if (size >= PP_TOUCH_LEAST) {
        bool shared;
        const struct pp_block *row = block_of(thread, s.callsite, &shared);
        s.touch = pp_touch_begin(block, size, row ? row->alloc_blocks + 1 : 0, random_next(thread));
        some_are_looked_at = true;
    }
    if (sampled_put(block, &s))
        alloc_book(thread, &s);
    else
        pp_loss(PP_LOSS_RECORDS, 1); /* table_make says if memory was refused */
    pp_once_end(begun_ns);
    toll_end(drawn_ns);
    return block;
}

void *pp_sampled_note(void *block, size_t size, const void *caller)
{
    int64_t own = pp_tls_offset;
    if (PP_UNLIKELY(!block) || left_falls_short(size, own))
        return block_draw(block, size, caller);
    blocks_count(own);
    return block;
}

void pp_sampled_give(const void *block)
{
    int64_t own = pp_tls_offset;
    struct pp_sampled s;
    frees_count(own);
    if (pp_sampled_take(block, &s))
        free_book(&s);
}

void *pp_sampled_moved(const void *block, const struct pp_sampled *old, void *result, size_t size, const void *caller)
{
    int64_t own = pp_tls_offset;
    if (!result && size) { /* refused: the block stays as it was */
        if (old && !sampled_put(block, old))
            pp_loss(PP_LOSS_RECORDS, 1);
        return NULL;
    }
    frees_count(own);
    if (old)
        free_book(old);
    return result ? pp_sampled_note(result, size, caller) : NULL;
}

/* ---- the functions of the program ---- */

#define CALLER __builtin_return_address(0)
/* Across lines of the cache a malloc and its free take 2 to 4 % more. */
#define LINE(bytes) __attribute__((aligned(bytes)))

static __attribute__((noinline)) void free_found(void *block);

static __attribute__((noinline)) void *malloc_drawn(size_t size)
{
    return block_draw(pp_backend.malloc(size), size, CALLER);
}

LINE(64) void pp_sampled_free(void *block)
{
    int64_t own = pp_tls_offset;
    if (is_filtered(block)) {
        if (block) /* nothing is given back often: in regcomp by 71 of 165 calls */
            free_found(block);
        return;
    }
    frees_count(own);
    pp_backend.free(block);
}

LINE(32) void *pp_sampled_malloc(size_t size)
{
    int64_t own = pp_tls_offset;
    if (PP_UNLIKELY(left_falls_short(size, own)))
        return malloc_drawn(size);
    blocks_count(own);
    return pp_backend.malloc(size);
}

static __attribute__((noinline)) void *calloc_drawn(size_t count, size_t size)
{
    return block_draw(pp_backend.calloc(count, size), count * size, CALLER); /* NULL where the product overflows */
}

void *pp_sampled_calloc(size_t count, size_t size)
{
    int64_t own = pp_tls_offset;
    size_t bytes;
    if (PP_UNLIKELY(__builtin_mul_overflow(count, size, &bytes) || left_falls_short(bytes, own)))
        return calloc_drawn(count, size);
    blocks_count(own);
    return pp_backend.calloc(count, size);
}

/* A free of so many ns has asked the kernel to take memory back. One that took longer than the most lost its CPU. */
#define RETURN_LEAST 16384u /* bytes of a block whose free is timed */
#define RETURN_LEAST_NS 2000u
#define RETURN_MOST_NS(bytes) (20000 + (bytes) / 8)

/* Where the C library gives memory back, the free is a call of the kernel's for as many blocks as the sampled one. */
static __attribute__((noinline, cold)) void returned(const struct pp_sampled *s, uint64_t took_ns, const void *caller)
{
    uint64_t most_ns = RETURN_MOST_NS(s->size * s->weight);
    struct pp_done done = { .kind = PP_OPERATION_MEMORY, .wall_ns = took_ns < most_ns ? took_ns : most_ns };
    for (uint32_t i = 0; i < s->weight && PP_RECORDS(PP_OPERATIONS_IO); i++)
        pp_operation_book(caller, &done);
}

static __attribute__((noinline)) void free_found(void *block)
{
    struct pp_sampled s;
    if (pp_bootstrap_owns(block))
        return;
    frees_count(pp_tls_offset);
    if (!pp_sampled_take(block, &s))
        return pp_backend.free(block);
    free_book(&s);
    uint64_t begun_ns = s.size >= RETURN_LEAST ? pp_now_ns() : 0;
    pp_backend.free(block);
    if (begun_ns && (begun_ns = pp_now_ns() - begun_ns) >= RETURN_LEAST_NS)
        returned(&s, begun_ns, CALLER);
}

static __attribute__((noinline)) void *realloc_found(void *block, size_t size)
{
    struct pp_sampled old;
    if (pp_bootstrap_owns(block)) {
        size_t had = pp_bootstrap_size(block);
        void *copy = pp_sampled_malloc(size);
        return copy ? memcpy(copy, block, had < size ? had : size) : NULL;
    }
    bool ours = pp_sampled_take(block, &old);
    return pp_sampled_moved(block, ours ? &old : NULL, pp_backend.realloc(block, size), size, CALLER);
}

void *pp_sampled_realloc(void *block, size_t size)
{
    int64_t own = pp_tls_offset;
    if (!block) /* some programs get all their blocks so */
        return pp_sampled_malloc(size);
    if (PP_UNLIKELY(!size) || is_filtered(block) || left_falls_short(size, own))
        return realloc_found(block, size);
    moves_count(own);
    return pp_backend.realloc(block, size);
}

/* No sampled block has the addresses that are marked here, so their frees are looked at: a null pointer's, and those
 * of blocks that are not the allocator's. */
void pp_heapsample_start(void)
{
    *filter_at(NULL) = 1;
    for (uint32_t at = 0; pp_bootstrap_is_used() && at < PP_BOOTSTRAP_BYTES; at += 16)
        *filter_at(pp_bootstrap + at) = 1;
    pp_run.header->blocks_mean = 1u << MEAN_BITS;
    pp_heap_is_sampled = true;
}
