/* SPDX-License-Identifier: MIT */
/* heap.c: wraps malloc and the functions like it, and books the blocks and bytes that the program asks for and frees.
 * Our definitions are weak and go before the C library's, or another allocator's that is linked or preloaded. The
 * allocator behind them (backend.c) does the work, so a block, its alignment and its usable size are what they would be
 * without us. The size that was asked for is kept beside the heap (shadow.h), so that a free subtracts what its malloc
 * added.
 *
 * In a static executable the C library's own functions win. There the linker redirects the calls to ours (--wrap, which
 * profplug-gcc passes). If the program brings its own malloc, or is static and was linked without that, ours is not in
 * effect: nothing is measured, and the header says so. */
#define _GNU_SOURCE
#include "memory/shadow.h"
#include "memory/heap.h"
#include "file/memory.h"
#include "memory/account.h"
#include "memory/backend.h"
#include "memory/heapbook.h"
#include "memory/heapsample.h"
#include "memory/library.h"
#include "memory/peak.h"
#include "stack/callsite.h"
#include "stack/modules.h"
#include "system/state.h"
#include "system/syscall.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <link.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#pragma weak dlsym /* absent in a fully static program */

#define LOWEST 4096u /* no block lies below */

#define SELDOM __attribute__((noinline, cold)) /* compiled for size */

static bool by_callsite; /* blocks=exact: sums of each callsite, too */
static bool recording;   /* never cleared: while the collector is off nobody reads the account, but it stays exact */

/* The current functions behind malloc and the like. The *_slow functions handle every case. The *_quick ones are used
 * while everything is recorded, with glibc's own functions behind them. Once it is known that nothing is recorded, all
 * are the backend's. A thread may see an old value for a moment, which is correct, too. */
static void *malloc_slow(size_t size), *calloc_slow(size_t count, size_t size), *realloc_slow(void *block, size_t size);
static void *memalign_slow(size_t align, size_t size), *aligned_alloc_slow(size_t align, size_t size);
static int posix_memalign_slow(void **result, size_t align, size_t size);
static void *valloc_slow(size_t size), *pvalloc_slow(size_t size);
static void free_slow(void *block), free_forward(void *block);
#define SLOW                                                                                                       \
    {                                                                                                              \
        malloc_slow, calloc_slow, realloc_slow, free_slow, memalign_slow, aligned_alloc_slow, posix_memalign_slow, \
            valloc_slow, pvalloc_slow                                                                              \
    }
static struct pp_backend active = SLOW;

static void calls_follow(void);

static SELDOM bool backend_find(void)
{
    if (!pp_backend_find())
        return false;
    if (!recording) { /* a function that the allocator lacks stays ours, and fails */
        active.malloc = pp_backend.malloc;
        active.calloc = pp_backend.calloc;
        active.free = pp_bootstrap_is_used() ? free_forward : pp_backend.free; /* no further block comes from there */
        active.realloc = pp_bootstrap_is_used() ? realloc_slow : pp_backend.realloc;
        active.memalign = pp_backend.memalign ? pp_backend.memalign : memalign_slow;
        active.aligned_alloc = pp_backend.aligned_alloc ? pp_backend.aligned_alloc : aligned_alloc_slow;
        active.posix_memalign = pp_backend.posix_memalign ? pp_backend.posix_memalign : posix_memalign_slow;
        active.valloc = pp_backend.valloc ? pp_backend.valloc : valloc_slow;
        active.pvalloc = pp_backend.pvalloc ? pp_backend.pvalloc : pvalloc_slow;
        calls_follow();
    }
    return true;
}

#define BACKEND_IS_KNOWN() (PP_LIKELY(pp_backend.malloc != NULL) || backend_find())

/* ---- booking ---- */

static inline void account_alloc(struct pp_thread *thread, const void *block, size_t size)
{
    struct pp_heap_account *account = heap_account(thread);
    word_take(&account->distance, size);
    word_add(&account->alloc_blocks, 1);
    *(volatile uint64_t *)&account->last_block = (uint64_t)(uintptr_t)block;
}

/* Returns whether the block was temporary: freed before the thread allocated another one. */
static bool account_free(struct pp_thread *thread, const void *block, size_t size)
{
    if (PP_UNLIKELY(!thread))
        return false;
    struct pp_heap_account *account = heap_account(thread);
    if (PP_UNLIKELY(account_lower(account, size)))
        account_raise(account, size - account->distance);
    word_add(&account->free_bytes, size);
    word_add(&account->free_blocks, 1);
    if (PP_LIKELY(account->last_block != (uint64_t)(uintptr_t)block))
        return false;
    account->last_block = 0;
    word_add(&account->temporary_blocks, 1);
    return true;
}

static inline void callsite_alloc(struct pp_thread *thread, uint32_t callsite, size_t size)
{
    bool shared;
    struct pp_block *b = block_of(thread, callsite, &shared);
    if (PP_UNLIKELY(!b))
        return;
    block_add(shared, &b->alloc_bytes, size);
    block_add(shared, &b->alloc_blocks, 1);
    callsite_grow(thread, (int64_t)size);
}

static inline void callsite_free(struct pp_thread *thread, uint32_t callsite, bool temporary, size_t size)
{
    bool shared;
    struct pp_block *b = block_of(thread, callsite, &shared);
    if (PP_UNLIKELY(!b))
        return;
    block_add(shared, &b->free_bytes, size);
    block_add(shared, &b->free_blocks, 1);
    callsite_grow(thread, -(int64_t)size);
    if (temporary)
        block_add(shared, &b->temporary_blocks, 1);
}

/* `caller` is the return address of the program's call. */
static SELDOM void *book_alloc(void *block, size_t size, const void *caller)
{
    if (PP_UNLIKELY(!block))
        return block;
    if (pp_heap_is_sampled)
        return pp_sampled_note(block, size, caller);
    void *shadow = shadow_at((uintptr_t)block, true);
    if (PP_UNLIKELY(!shadow))
        return block; /* its free is not counted either */
    uint32_t callsite = by_callsite ? pp_callsite_of(caller) : 0;
    struct pp_thread *thread = booking_thread();
    shadow_write(shadow, size, callsite);
    if (PP_LIKELY(thread))
        account_alloc(thread, block, size);
    if (by_callsite)
        callsite_alloc(thread, callsite, size);
    return block;
}

static SELDOM void book_free(const void *block, size_t size, uint32_t callsite)
{
    struct pp_thread *thread = booking_thread();
    bool temporary = account_free(thread, block, size);
    if (by_callsite)
        callsite_free(thread, callsite, temporary, size);
}

/* The backend may call its own public functions, which are ours: those calls are not booked. A static executable's
 * dlsym allocates its error message while the runtime is at work. */
#define IS_UNBOOKED() (PP_LIKELY(!recording) || PP_UNLIKELY(IN_BACKEND || RUNTIME_AT_WORK))
#define CALLER __builtin_return_address(0)
/* Calls from the dynamic linker are forwarded unbooked where another allocator is in effect: AddressSanitizer
 * recognises TLS blocks by their caller, and would report them as leaks. */
static struct {
    uintptr_t low, bytes;
} loader;
#define LOADER_ASKS() PP_UNLIKELY((uintptr_t)CALLER - loader.low < loader.bytes)
#define FORWARD(call)                        \
    ({                                       \
        IN_BACKEND = 1;                      \
        __auto_type forward_result = (call); \
        IN_BACKEND = 0;                      \
        forward_result;                      \
    })

/* ---- the wrapped functions ---- */

static __attribute__((noinline)) void *malloc_slow(size_t size)
{
    if (PP_UNLIKELY(!BACKEND_IS_KNOWN()))
        return pp_bootstrap_get(size, 16);
    if (IS_UNBOOKED() || LOADER_ASKS())
        return pp_backend.malloc(size);
    return book_alloc(FORWARD(pp_backend.malloc(size)), size, CALLER);
}

/* Returns the leaf of the block's address, 0 if there is none. A null pointer has none. */
static inline uintptr_t quick_leaf(const void *block)
{
    uintptr_t at = (uintptr_t)block >> leaf_bits;
    if (PP_UNLIKELY((uintptr_t)block >> ADDRESS_BITS))
        return 0;
    return atomic_load_explicit(&leaves[at], memory_order_acquire); /* partner: leaf_make */
}

/* Makes the block's leaf the thread's window. A handler that interrupts finds the window closed, and leaves it
 * closed. */
static void window_move(const void *block)
{
    struct pp_words *own = pp_words();
    uintptr_t leaf = quick_leaf(block);
    if (!leaf || !own->tls.thread || own->window.busy)
        return;
    own->window.busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    own->window.bytes = 0;
    atomic_signal_fence(memory_order_seq_cst);
    uintptr_t low = (uintptr_t)block >> leaf_bits << leaf_bits, end = low + (UINT64_C(1) << leaf_bits);
    own->window.low = low ? low : LOWEST; /* so that a null pointer is outside */
    own->window.shadow = leaf + (own->window.low >> GLIBC_GRANULE_BITS);
    atomic_signal_fence(memory_order_seq_cst);
    own->window.bytes = end - own->window.low;
    atomic_signal_fence(memory_order_seq_cst);
    own->window.busy = 0;
}

static __attribute__((noinline)) void *book_alloc_far(void *block, size_t size)
{
    book_alloc(block, size, NULL);
    if (size <= SHADOW_DIRECT)
        window_move(block);
    return block;
}

static void *malloc_quick(size_t size)
{
    void *block = pp_backend.malloc(size);
    uintptr_t at = (uintptr_t)block - PP_WORDS_HERE->window.low;
    if (PP_UNLIKELY(at >= PP_WORDS_HERE->window.bytes || size > SHADOW_DIRECT))
        return book_alloc_far(block, size);
    uint8_t *shadow = (uint8_t *)PP_WORDS_HERE->window.shadow + (at >> GLIBC_GRANULE_BITS);
    account_alloc((struct pp_thread *)(uintptr_t)PP_WORDS_HERE->tls.thread, block, size);
    *shadow = (uint8_t)(size + 1);
    return block;
}

static SELDOM void *malloc_by_callsite(size_t size)
{
    void *block = pp_backend.malloc(size);
    uintptr_t leaf = quick_leaf(block);
    struct pp_thread *thread = booking_thread();
    if (PP_UNLIKELY(!leaf || size > WIDE_DIRECT || !thread))
        return book_alloc(block, size, CALLER);
    uint32_t callsite = pp_callsite_of(CALLER);
    ((uint32_t *)leaf)[(uintptr_t)block >> GLIBC_GRANULE_BITS] = callsite << WIDE_BITS | ((uint32_t)size + 1);
    account_alloc(thread, block, size);
    callsite_alloc(thread, callsite, size);
    return block;
}

static SELDOM void *calloc_slow(size_t count, size_t size)
{
    if (PP_UNLIKELY(!BACKEND_IS_KNOWN()))
        return size && count > SIZE_MAX / size ? NULL : pp_bootstrap_get(count * size, 16);
    if (IS_UNBOOKED() || LOADER_ASKS())
        return pp_backend.calloc(count, size);
    /* Where the product overflows calloc returns NULL. */
    return book_alloc(FORWARD(pp_backend.calloc(count, size)), count * size, CALLER);
}

static SELDOM void free_slow(void *block)
{
    if (PP_UNLIKELY(pp_bootstrap_owns(block) || !BACKEND_IS_KNOWN()))
        return;
    size_t size;
    uint32_t callsite = 0;
    if (IS_UNBOOKED() || !block) {
        pp_backend.free(block);
        return;
    }
    if (pp_heap_is_sampled)
        pp_sampled_give(block);
    else if (shadow_take((uintptr_t)block, &size, &callsite))
        book_free(block, size, callsite);
    FORWARD((pp_backend.free(block), 0));
}

static void free_forward(void *block)
{
    if (PP_LIKELY(!pp_bootstrap_owns(block)))
        pp_backend.free(block);
}

/* Out of line, so that free_quick need not save registers. */
static __attribute__((noinline)) void free_last(void *block, struct pp_thread *thread)
{
    struct pp_heap_account *account = heap_account(thread);
    account->last_block = 0;
    word_add(&account->temporary_blocks, 1);
    pp_backend.free(block);
}

static __attribute__((noinline)) void free_high(void *block, struct pp_thread *thread, size_t size)
{
    struct pp_heap_account *account = heap_account(thread);
    account_raise(account, size - account->distance);
    word_add(&account->free_bytes, size);
    word_add(&account->free_blocks, 1);
    if (account->last_block == (uint64_t)(uintptr_t)block)
        return free_last(block, thread);
    pp_backend.free(block);
}

/* The block's shadow entry is known. */
static inline void free_at(void *block, uint8_t *shadow, uint32_t size, struct pp_thread *thread)
{
    struct pp_heap_account *account = heap_account(thread);
    *shadow = 0;
    if (PP_UNLIKELY(account_lower(account, size)))
        return free_high(block, thread, size);
    word_add(&account->free_bytes, size);
    word_add(&account->free_blocks, 1);
    if (PP_UNLIKELY(account->last_block == (uint64_t)(uintptr_t)block))
        return free_last(block, thread);
    pp_backend.free(block);
}

/* The block is outside the window: another thread got it, or the heap spans several leaves. */
static __attribute__((noinline)) void free_far(void *block)
{
    if (!block)
        return;
    uintptr_t leaf = quick_leaf(block);
    struct pp_thread *thread = booking_thread();
    if (PP_UNLIKELY(!leaf || !thread))
        return free_slow(block);
    uint8_t *shadow = (uint8_t *)leaf + ((uintptr_t)block >> GLIBC_GRANULE_BITS);
    uint32_t size = *shadow - 1u;
    if (PP_UNLIKELY(size > SHADOW_DIRECT))
        return free_slow(block);
    /* The thread has only freed until now. */
    if (!pp_words()->window.bytes)
        window_move(block);
    free_at(block, shadow, size, thread);
}

static void free_quick(void *block)
{
    uintptr_t at = (uintptr_t)block - PP_WORDS_HERE->window.low;
    if (PP_UNLIKELY(at >= PP_WORDS_HERE->window.bytes))
        return free_far(block);
    uint8_t *shadow = (uint8_t *)PP_WORDS_HERE->window.shadow + (at >> GLIBC_GRANULE_BITS);
    uint32_t size = *shadow - 1u;
    if (PP_UNLIKELY(size > SHADOW_DIRECT))
        return free_slow(block);
    free_at(block, shadow, size, (struct pp_thread *)(uintptr_t)PP_WORDS_HERE->tls.thread);
}

static SELDOM void free_by_callsite(void *block)
{
    uintptr_t leaf = quick_leaf(block);
    if (PP_UNLIKELY(!leaf))
        return free_slow(block);
    uint32_t *entry = (uint32_t *)leaf + ((uintptr_t)block >> GLIBC_GRANULE_BITS), size = (*entry & WIDE_LONG) - 1;
    struct pp_thread *thread = booking_thread();
    if (PP_UNLIKELY(size > WIDE_DIRECT || !thread))
        return free_slow(block);
    uint32_t callsite = *entry >> WIDE_BITS;
    *entry = 0;
    bool temporary = account_free(thread, block, size);
    callsite_free(thread, callsite, temporary, size);
    pp_backend.free(block);
}

static SELDOM void *realloc_slow(void *block, size_t size)
{
    if (!block)
        return active.malloc(size);
    if (PP_UNLIKELY(pp_bootstrap_owns(block))) {
        size_t old = pp_bootstrap_size(block);
        void *copy = active.malloc(size);
        return copy ? memcpy(copy, block, old < size ? old : size) : NULL;
    }
    if (PP_UNLIKELY(!BACKEND_IS_KNOWN()))
        return NULL;
    if (IS_UNBOOKED())
        return pp_backend.realloc(block, size);
    size_t old;
    uint32_t callsite = 0;
    if (pp_heap_is_sampled) {
        struct pp_sampled sampled;
        bool drawn = pp_sampled_take(block, &sampled);
        void *moved = FORWARD(pp_backend.realloc(block, size));
        return pp_sampled_moved(block, drawn ? &sampled : NULL, moved, size, CALLER);
    }
    /* Taken first: once the block has moved, its address may belong to another thread. */
    bool ours = shadow_take((uintptr_t)block, &old, &callsite);
    void *result = FORWARD(pp_backend.realloc(block, size));
    if (!result && size) { /* refused: the block stays as it was */
        void *shadow = ours ? shadow_at((uintptr_t)block, false) : NULL;
        if (shadow)
            shadow_write(shadow, old, callsite);
        return NULL;
    }
    if (ours)
        book_free(block, old, callsite);
    return book_alloc(result, size, CALLER);
}

static SELDOM void *aligned_get(void *(**behind)(size_t, size_t), size_t align, size_t size, const void *caller)
{
    if (PP_UNLIKELY(!BACKEND_IS_KNOWN()))
        return pp_bootstrap_get(size, align);
    if (PP_UNLIKELY(!*behind)) {
        errno = ENOMEM;
        return NULL;
    }
    if (IS_UNBOOKED())
        return (*behind)(align, size);
    return book_alloc(FORWARD((*behind)(align, size)), size, caller);
}

static SELDOM void *memalign_slow(size_t align, size_t size)
{
    return aligned_get(&pp_backend.memalign, align, size, CALLER);
}

static SELDOM void *aligned_alloc_slow(size_t align, size_t size)
{
    return aligned_get(&pp_backend.aligned_alloc, align, size, CALLER);
}

static SELDOM int posix_memalign_slow(void **result, size_t align, size_t size)
{
    if (PP_UNLIKELY(!BACKEND_IS_KNOWN())) {
        void *block = pp_bootstrap_get(size, align);
        if (block)
            *result = block;
        return block ? 0 : ENOMEM;
    }
    if (PP_UNLIKELY(!pp_backend.posix_memalign))
        return ENOMEM;
    if (IS_UNBOOKED())
        return pp_backend.posix_memalign(result, align, size);
    int status = FORWARD(pp_backend.posix_memalign(result, align, size));
    if (status == 0)
        book_alloc(*result, size, CALLER);
    return status;
}

static SELDOM void *pages_get(void *(**behind)(size_t), size_t size, const void *caller)
{
    if (PP_UNLIKELY(!BACKEND_IS_KNOWN() || !*behind)) {
        errno = ENOMEM;
        return NULL;
    }
    return IS_UNBOOKED() ? (*behind)(size) : book_alloc(FORWARD((*behind)(size)), size, caller);
}

static SELDOM void *valloc_slow(size_t size) { return pages_get(&pp_backend.valloc, size, CALLER); }
static SELDOM void *pvalloc_slow(size_t size) { return pages_get(&pp_backend.pvalloc, size, CALLER); }

void *pp_heap_malloc(size_t size) { return active.malloc(size); }
void *pp_heap_calloc(size_t count, size_t size) { return active.calloc(count, size); }
void pp_heap_free(void *block) { active.free(block); }
void *pp_heap_realloc(void *block, size_t size) { return active.realloc(block, size); }
void *pp_heap_memalign(size_t align, size_t size) { return active.memalign(align, size); }
void *pp_heap_aligned_alloc(size_t align, size_t size) { return active.aligned_alloc(align, size); }
int pp_heap_posix_memalign(void **result, size_t align, size_t size)
{
    return active.posix_memalign(result, align, size);
}
void *pp_heap_valloc(size_t size) { return active.valloc(size); }
void *pp_heap_pvalloc(size_t size) { return active.pvalloc(size); }

#define WRAPPER(function) PP_WRAPPER __attribute__((alias("pp_heap_" #function)))
WRAPPER(malloc) void *malloc(size_t size);
WRAPPER(calloc) void *calloc(size_t count, size_t size);
WRAPPER(free) void free(void *block);
WRAPPER(realloc) void *realloc(void *block, size_t size);
WRAPPER(memalign) void *memalign(size_t align, size_t size);
WRAPPER(aligned_alloc) void *aligned_alloc(size_t align, size_t size);
WRAPPER(posix_memalign) int posix_memalign(void **result, size_t align, size_t size);
WRAPPER(valloc) void *valloc(size_t size);
WRAPPER(pvalloc) void *pvalloc(size_t size);

/* What the program calls itself. A function follows the one in effect if ours is the program's. */
#ifndef PP_SHARED
#define NAMED                         \
    {                                 \
        malloc, calloc, realloc, free \
    }
extern struct pp_heap_calls __profplug_heap;
struct pp_heap_calls __profplug_heap = NAMED;
static volatile struct pp_heap_calls named = NAMED; /* not known to the compiler: a program may bring its own */
static const struct pp_heap_calls own = { pp_heap_malloc, pp_heap_calloc, pp_heap_realloc, pp_heap_free };
_Static_assert(offsetof(struct pp_heap_calls, give) == offsetof(struct pp_backend, free), "begin alike");

static SELDOM void calls_follow(void)
{
    for (size_t at = 0; at < sizeof own; at += sizeof(uintptr_t)) {
#define AT(calls) (*(volatile uintptr_t *)((char *)(uintptr_t) & (calls) + at))
        if (pp_wrapped_malloc || AT(named) == AT(own))
            AT(__profplug_heap) = AT(active);
#undef AT
    }
}
#else
static void calls_follow(void) {}
#endif

/* glibc's reallocarray calls realloc by name. With our own, the call is booked once, also where our realloc is not in
 * effect. */
PP_WRAPPER void *reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return realloc(block, bytes);
}

/* ---- the source ---- */

#define STATIC_IO "; I/O of vfprintf, getc_unlocked and putc_unlocked is in the row (no hooked call)"
#define NOT_MEASURED "blocks of the heap are not measured: %s%s"
static bool is_libc;

bool pp_heap_is_libc(void) { return is_libc; }

static bool is_untouched;
bool pp_heap_is_untouched(void) { return is_untouched; }

bool pp_heap_lives(uint64_t address)
{
    if (pp_heap_is_sampled)
        return true; /* what the allocator keeps in its caches is not known to be free */
    const void *shadow = recording ? shadow_at((uintptr_t)address, false) : NULL;
    return shadow && (entry_bits ? *(const uint32_t *)shadow != 0 : *(const uint8_t *)shadow != 0);
}

static void loader_find(void)
{
    uintptr_t low = getauxval(AT_BASE), end = 0;
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)low;
    const ElfW(Phdr) *part = low ? (const ElfW(Phdr) *)(low + head->e_phoff) : NULL;
    for (unsigned i = 0; low && i < head->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && part[i].p_vaddr + part[i].p_memsz > end)
            end = part[i].p_vaddr + part[i].p_memsz;
    loader.low = low;
    loader.bytes = end;
}

static bool room_is_limited(void)
{
    struct rlimit space, data;
    return !pp_forbids(PP_FORBIDDEN_LIMITS) && ((!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY) ||
                                                (!getrlimit(RLIMIT_DATA, &data) && data.rlim_cur != RLIM_INFINITY));
}

static SELDOM void heap_start(void)
{
    struct pp_header *header = pp_run.header;
    void *(*volatile effective)(size_t) = pp_malloc_named();
    bool is_static = !dlsym || !dlsym(RTLD_DEFAULT, "__libc_malloc");
#ifdef __GLIBC__
    void *(*volatile library)(size_t) = __libc_malloc;
    is_libc = effective == library;
#endif
    if (effective != pp_heap_malloc && (!pp_wrapped_malloc || effective != pp_wrapped_malloc)) {
        const char *why = "the program brings its own malloc";
        if (!is_static && pp_image_low((void *)effective) != pp_image_low((void *)getauxval(AT_PHDR)))
            why = is_libc ? "the runtime was loaded after the C library, as by dlopen, and malloc is the C library's"
                          : "a library that was loaded before the runtime brings its own malloc";
        else if (is_static && is_libc)
            why = "the executable is static and was not linked by profplug-gcc; mappings are";
        else if (is_static)
            why = "the executable is static and brings its own malloc; mappings are";
        snprintf(header->memory_note, sizeof header->memory_note, NOT_MEASURED, why, is_static ? STATIC_IO : "");
        return;
    }
    is_untouched = !pp_backend.malloc; /* else somebody has asked for a block */
    if (!BACKEND_IS_KNOWN())
        return;
    if (is_static)
        snprintf(header->memory_note, sizeof header->memory_note,
                 "the executable is static: the heap's figures contain every call of malloc and the like, "
                 "and libraries have lines of their own%s",
                 STATIC_IO);
    granule_bits = 3;
#ifdef __GLIBC__
    /* Other allocators define __libc_malloc, too, so compare the images that the functions lie in. */

    uint64_t image = is_static ? 0 : pp_image_low((void *)gnu_get_libc_version);
    is_libc = is_static ? pp_backend.malloc == library : image && pp_image_low((void *)pp_backend.malloc) == image;
    if (is_libc)
        granule_bits = GLIBC_GRANULE_BITS;
    else
        loader_find();
#endif
    by_callsite = pp_on(PP_COLLECTOR_BLOCKS) && pp_memory_fits(PP_CALLSITES_BYTES);
    if (by_callsite && !pp_run.options.blocks_exact) {
        by_callsite = false;
        pp_heapsample_start();
    }
    entry_bits = by_callsite ? WIDE_ENTRY_BITS : 0;
    leaf_bits = !pp_heap_is_sampled && room_is_limited() ? NARROW_BITS : LEAF_BYTES_BITS + granule_bits - entry_bits;
    size_t bytes = pp_heap_is_sampled ? 0 : ((size_t)1 << (ADDRESS_BITS - leaf_bits)) * sizeof *leaves;
    leaves = !bytes                  ? NULL
             : pp_memory_fits(bytes) ? pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                                     : MAP_FAILED;
    if (leaves == MAP_FAILED) {
        pp_loss(PP_LOSS_MEMORY, 1);
        snprintf(header->memory_note, sizeof header->memory_note, NOT_MEASURED,
                 "no room for their shadow's address space", "");
        return;
    }
    if (bytes)
        pp_advise(leaves, bytes, MADV_NOHUGEPAGE);
    header->metrics_measured |= pp_source_heap.metrics;
    atomic_thread_fence(memory_order_release);
    recording = true;
    active = (struct pp_backend)SLOW;
    calls_follow();
}

/* Recording has begun. glibc's functions do not call ours, so no call is nested, and the quick functions may take
 * over. */
static SELDOM void heap_birth(struct pp_thread *thread)
{
    if (recording && pp_heap_is_sampled)
        pp_heapsample_birth(thread);
    if (!recording || granule_bits != GLIBC_GRANULE_BITS || active.malloc != malloc_slow)
        return;
    if (pp_heap_is_sampled) {
        active.malloc = pp_sampled_malloc;
        active.calloc = pp_sampled_calloc;
        active.realloc = pp_sampled_realloc;
        active.free = pp_sampled_free;
    } else {
        active.malloc = by_callsite ? malloc_by_callsite : malloc_quick;
        active.free = by_callsite ? free_by_callsite : free_quick;
    }
    calls_follow();
#ifndef PP_SHARED
    pp_library_follow((const uintptr_t *)&pp_backend, (volatile uintptr_t *)&named, (uintptr_t *)&__profplug_heap);
#endif
}

static void heap_read(struct pp_thread *thread, uint64_t *values)
{
    pp_heapsample_settle(thread);
    pp_heap_sums(heap_account(thread), &values[PP_METRIC_ALLOC_BYTES]);
    values[PP_METRIC_TEMPORARY_BLOCKS] = heap_account(thread)->temporary_blocks;
}
_Static_assert(PP_METRIC_FREE_BLOCKS - PP_METRIC_ALLOC_BYTES == PP_HEAP_FREE_BLOCKS,
               "pp_heap_sums fills the heap's metrics in order");

static void heap_border(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes)
{
    if (recording)
        pp_peak_border(thread, frame, values, closes);
}

static void heap_fork_child(struct pp_thread *thread)
{
    if (thread) {
        struct pp_heap_account *account = heap_account(thread);
        account->told_bytes = account_held(account);
        account_raise(account, 0 - account->distance); /* open stages begin anew in the child */
    }
    pp_heap_calls_restart(thread);
    pp_callsites_fork_child();
}

const struct pp_metric_source pp_source_heap = {
    .name = "heap",
    .collector = PP_COLLECTOR_MEMORY,
    .metrics = 1u << PP_METRIC_ALLOC_BYTES | 1u << PP_METRIC_ALLOC_BLOCKS | 1u << PP_METRIC_FREE_BYTES |
               1u << PP_METRIC_FREE_BLOCKS | 1u << PP_METRIC_PEAK_BYTES | 1u << PP_METRIC_TEMPORARY_BLOCKS,
    .start = heap_start,
    .birth = heap_birth,
    .death = pp_heapsample_death,
    .fork_child = heap_fork_child,
    .read = heap_read,
    .border = heap_border,
};
