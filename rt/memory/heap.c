/* SPDX-License-Identifier: MIT */
/* heap.c: blocks and bytes that the program asks malloc and its kin for, and gives back. The functions are wrapped by
 * weak definitions that go before the C library's (or another allocator's, linked or preloaded); the next ones do the work.
 * A block, its alignment and its usable size are what they would be without us: how much was asked for is kept beside
 * the heap, in a shadow, so that a free is booked with the very bytes that the allocation was.
 *
 * In a static executable the C library's own are linked in, and go before ours: there the linker is to lead what is called by their names to ours
 * (--wrap, which profplug-gcc asks it for). Where the program brings its own malloc, or is static and linked without that, ours is not
 * the one in effect: then nothing is measured, and the header says so. */
#define _GNU_SOURCE
#include "memory/shadow.h"
#include "memory/heap.h"
#include "file/memory.h"
#include "memory/account.h"
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

#pragma weak dlsym                       /* absent in a fully static program */

#define BOOTSTRAP_BYTES 16384
#define LOWEST 4096u                     /* no block lies below */

static struct {
    void *(*malloc)(size_t);
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
} next;

static bool by_point;                    /* and where blocks are asked for, too */
static bool recording;                   /* for good: a collector that is switched off meanwhile is not read, but stays exact */

#ifdef __GLIBC__
/* Strong on purpose: a static link that draws this in draws in libc's whole malloc, whose strong names win over our weak ones.
 * Those of its names that are weak too may be ours all the same, and must then lead to the same heap. */
extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void *__libc_valloc(size_t), *__libc_pvalloc(size_t);
extern void __libc_free(void *);
#endif

/* ---- the functions behind ours ---- */

/* dlsym may itself allocate, before there is anything to allocate with: from here, never given back. */
static char bootstrap[BOOTSTRAP_BYTES] __attribute__((aligned(16)));
static _Atomic size_t bootstrap_used;
static _Atomic int resolving;            /* thread that is in resolve() */

static bool bootstrap_owns(const void *p) { return (uintptr_t)p - (uintptr_t)bootstrap < BOOTSTRAP_BYTES; }

static void *bootstrap_get(size_t size, size_t align)
{
    if (align < 16) align = 16;
    if (size > BOOTSTRAP_BYTES || align > BOOTSTRAP_BYTES) return NULL;
    size_t room = (size + align + 31) & ~(size_t)15;
    size_t at = atomic_fetch_add_explicit(&bootstrap_used, room, memory_order_relaxed);
    if (at + room > BOOTSTRAP_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    uintptr_t start = ((uintptr_t)bootstrap + at + 16 + align - 1) & ~(align - 1);
    memcpy((char *)start - 8, &size, 8);
    return (void *)start;
}

static size_t bootstrap_size(const void *p)
{
    size_t size;
    memcpy(&size, (const char *)p - 8, 8);
    return size;
}

#ifdef __GLIBC__
static int posix_memalign_over(void **result, size_t align, size_t size)
{
    if (align % sizeof(void *) || !align || align & (align - 1)) return EINVAL;
    int kept = errno;
    void *block = __libc_memalign(align, size);
    errno = kept;
    if (!block) return ENOMEM;
    *result = block;
    return 0;
}
#endif

/* What malloc and free do now. *_slow can do all; *_quick only while all is recorded, over glibc's own functions; once it is known that
 * nothing is recorded, malloc is the next one itself. Stale for a moment, as a thread may see it, none is wrong. */
static void *malloc_slow(size_t size);
static void free_slow(void *block), free_forward(void *block);
static struct {
    void *(*malloc)(size_t);
    void (*free)(void *);
} now = { malloc_slow, free_slow };

/* False while this very thread is looking the functions up. */
static bool resolve(void)
{
    int self = (int)gettid();
    if (atomic_load_explicit(&resolving, memory_order_relaxed) == self) return false;
    int kept = errno;
    atomic_store_explicit(&resolving, self, memory_order_relaxed);       /* two threads may both do it: they find the same */
    void *found = dlsym ? dlsym(RTLD_NEXT, "malloc") : NULL;
    if (found) {
        next.calloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "calloc");
        next.realloc = (void *(*)(void *, size_t))dlsym(RTLD_NEXT, "realloc");
        next.free = (void (*)(void *))dlsym(RTLD_NEXT, "free");
        next.memalign = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "memalign");
        next.aligned_alloc = (void *(*)(size_t, size_t))dlsym(RTLD_NEXT, "aligned_alloc");
        next.posix_memalign = (int (*)(void **, size_t, size_t))dlsym(RTLD_NEXT, "posix_memalign");
        next.valloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "valloc");
        next.pvalloc = (void *(*)(size_t))dlsym(RTLD_NEXT, "pvalloc");
#ifdef __GLIBC__
    } else {                             /* a static executable */
        next.calloc = __libc_calloc;
        next.realloc = __libc_realloc;
        next.free = __libc_free;
        next.memalign = next.aligned_alloc = __libc_memalign;
        next.posix_memalign = posix_memalign_over;
        next.valloc = __libc_valloc;
        next.pvalloc = __libc_pvalloc;
        found = (void *)__libc_malloc;
#endif
    }
    atomic_store_explicit((_Atomic(void *) *)&next.malloc, found, memory_order_release);   /* last: the others test it */
    if (found && !recording) {
        now.malloc = next.malloc;
        now.free = atomic_load_explicit(&bootstrap_used, memory_order_relaxed) ? free_forward : next.free;       /* no block comes from there any more */
    }
    atomic_store_explicit(&resolving, 0, memory_order_relaxed);
    errno = kept;
    return found != NULL;
}

#define RESOLVED() (PP_LIKELY(next.malloc != NULL) || resolve())

/* ---- booking ---- */

/* What the thread holds has been more than HIGH by so much. In this order: what a handler between the two gets and gives back is right, too. */
static void high_raise(uint64_t *word, uint64_t more)
{
    word_add(&word[WORD_BELOW], more);
    word_add(&word[WORD_HIGH], more);
}

static inline void words_alloc(struct pp_thread *thread, const void *block, size_t size)
{
    uint64_t *word = pp_private(thread)->heap;
    word_take(&word[WORD_BELOW], size);
    word_add(&word[WORD_ALLOC_BLOCKS], 1);
    *(volatile uint64_t *)&word[WORD_LAST] = (uint64_t)(uintptr_t)block;
}

/* True: the thread had gone above HIGH. */
static inline bool words_lower(uint64_t *word, size_t size)
{
#ifdef __x86_64__
    __asm__ goto("addq %[size], %[below]\n\tjc %l[passed]\n\tjs %l[passed]" : [below] "+m"(word[WORD_BELOW]) : [size] "er"(size) : "cc" : passed);
    return false;
passed:                                  /* BELOW was under 0 before, or is still */
    return true;
#else
    word_add(&word[WORD_BELOW], size);
    return word[WORD_BELOW] < size || (int64_t)word[WORD_BELOW] < 0;
#endif
}

/* Whether the block was temporary. */
static bool words_free(struct pp_thread *thread, const void *block, size_t size)
{
    if (PP_UNLIKELY(!thread)) return false;
    uint64_t *word = pp_private(thread)->heap;
    if (PP_UNLIKELY(words_lower(word, size))) high_raise(word, size - word[WORD_BELOW]);
    word_add(&word[WORD_FREE_BYTES], size);
    word_add(&word[WORD_FREE_BLOCKS], 1);
    if (PP_LIKELY(word[WORD_LAST] != (uint64_t)(uintptr_t)block)) return false;
    word[WORD_LAST] = 0;
    word_add(&word[WORD_TEMPORARY], 1);
    return true;
}

/* Not inline: seldom once the heap has some size. A handler that comes between tells what we would have, and we take it back. */
static __attribute__((noinline)) void point_tell(struct pp_thread *thread, int64_t bytes)
{
    if (thread) {
        uint64_t *word = pp_private(thread)->heap, net = words_held(word);
        bytes = (int64_t)(net - atomic_exchange_explicit((_Atomic uint64_t *)&word[WORD_TOLD], net, memory_order_relaxed));
    }
    pp_callsites_tell(bytes, WORD_ARRAY);
}

/* After the sums. */
static inline void point_grow(struct pp_thread *thread, int64_t bytes)
{
    const uint64_t *word = thread ? pp_private(thread)->heap : NULL;
    if (PP_UNLIKELY(!word || pp_callsites_due(words_held(word) - word[WORD_TOLD]))) point_tell(thread, bytes);
}

static inline void point_alloc(struct pp_thread *thread, uint32_t point, size_t size)
{
    bool shared;
    struct pp_block *b = block_of(thread, point, &shared);
    if (PP_UNLIKELY(!b)) return;
    block_add(shared, &b->alloc_bytes, size);
    block_add(shared, &b->alloc_blocks, 1);
    point_grow(thread, (int64_t)size);
}

static inline void point_free(struct pp_thread *thread, uint32_t point, bool temporary, size_t size)
{
    bool shared;
    struct pp_block *b = block_of(thread, point, &shared);
    if (PP_UNLIKELY(!b)) return;
    block_add(shared, &b->free_bytes, size);
    block_add(shared, &b->free_blocks, 1);
    point_grow(thread, -(int64_t)size);
    if (temporary) block_add(shared, &b->temporary_blocks, 1);
}

/* `caller` is where the call of ours returns to. */
static inline void *book_alloc(void *block, size_t size, const void *caller)
{
    if (PP_UNLIKELY(!block)) return block;
    void *shadow = shadow_at((uintptr_t)block, true);
    if (PP_UNLIKELY(!shadow)) return block;              /* then its free is not counted either */
    uint32_t point = by_point ? pp_callsite_of(caller) : 0;
    struct pp_thread *thread = booking_thread();
    shadow_write(shadow, size, point);
    if (PP_LIKELY(thread)) words_alloc(thread, block, size);
    if (by_point) point_alloc(thread, point, size);
    return block;
}

static inline void book_free(const void *block, size_t size, uint32_t point)
{
    struct pp_thread *thread = booking_thread();
    bool temporary = words_free(thread, block, size);
    if (by_point) point_free(thread, point, temporary, size);
}

/* The allocator behind ours may call its own public functions, which are ours: those calls are its business. */
#define NESTED (pp_tls()->reserved[1])
#define CORE_AT_WORK (pp_tls()->reserved[0])      /* a static executable's dlsym, if the program has one, asks for blocks, to say that it found nothing */
#define PLAIN() (PP_LIKELY(!recording) || PP_UNLIKELY(NESTED || CORE_AT_WORK))
#define CALLER __builtin_return_address(0)        /* of ours: what leads to these is a jump */
/* What the dynamic linker asks another allocator for (thread-local storage) is that one's to know by who asks: AddressSanitizer takes it for a leak else. */
static struct { uintptr_t low, bytes; } loader;
#define LOADER_ASKS() PP_UNLIKELY((uintptr_t)CALLER - loader.low < loader.bytes)
#define FORWARD(call) ({ NESTED = 1; __auto_type forward_result = (call); NESTED = 0; forward_result; })

/* ---- the wrapped functions ---- */

static __attribute__((noinline)) void *malloc_slow(size_t size)
{
    if (PP_UNLIKELY(!RESOLVED())) return bootstrap_get(size, 16);
    if (PLAIN() || LOADER_ASKS()) return next.malloc(size);
    return book_alloc(FORWARD(next.malloc(size)), size, CALLER);
}


/* The leaf of the block's address, if one is there: of a null pointer there is none. */
static inline uintptr_t quick_leaf(const void *block)
{
    uintptr_t at = (uintptr_t)block >> leaf_bits;
    return PP_LIKELY(!((uintptr_t)block >> ADDRESS_BITS)) ? atomic_load_explicit(&leaves[at], memory_order_acquire) : 0;       /* partner: leaf_make */
}

/* The block's leaf is the thread's window from here on. A handler that comes between finds it closed, and leaves it so. */
static void window_move(const void *block)
{
    struct pp_words *own = pp_words();
    uintptr_t leaf = quick_leaf(block);
    if (!leaf || !own->tls.thread || own->window.busy) return;
    own->window.busy = 1;
    atomic_signal_fence(memory_order_seq_cst);
    own->window.bytes = 0;
    atomic_signal_fence(memory_order_seq_cst);
    uintptr_t low = (uintptr_t)block >> leaf_bits << leaf_bits, end = low + (UINT64_C(1) << leaf_bits);
    own->window.low = low ? low : LOWEST;                /* a null pointer lies in none */
    own->window.shadow = leaf + (own->window.low >> GLIBC_GRANULE_BITS);
    atomic_signal_fence(memory_order_seq_cst);
    own->window.bytes = end - own->window.low;
    atomic_signal_fence(memory_order_seq_cst);
    own->window.busy = 0;
}

static __attribute__((noinline)) void *book_alloc_far(void *block, size_t size)
{
    book_alloc(block, size, NULL);
    if (size <= SHADOW_DIRECT) window_move(block);
    return block;
}

static void *malloc_quick(size_t size)
{
    void *block = next.malloc(size);
    uintptr_t at = (uintptr_t)block - PP_WORDS_HERE->window.low;
    if (PP_UNLIKELY(at >= PP_WORDS_HERE->window.bytes || size > SHADOW_DIRECT)) return book_alloc_far(block, size);
    uint8_t *shadow = (uint8_t *)PP_WORDS_HERE->window.shadow + (at >> GLIBC_GRANULE_BITS);
    words_alloc((struct pp_thread *)(uintptr_t)PP_WORDS_HERE->tls.thread, block, size);
    *shadow = (uint8_t)(size + 1);
    return block;
}

static __attribute__((noinline)) void *book_alloc_at(void *block, size_t size, const void *caller) { return book_alloc(block, size, caller); }

/* The same, with points. */
static void *malloc_by_point(size_t size)
{
    void *block = next.malloc(size);
    uintptr_t leaf = quick_leaf(block);
    struct pp_thread *thread = booking_thread();
    if (PP_UNLIKELY(!leaf || size > WIDE_DIRECT || !thread)) return book_alloc_at(block, size, CALLER);
    uint32_t point = pp_callsite_of(CALLER);
    ((uint32_t *)leaf)[(uintptr_t)block >> GLIBC_GRANULE_BITS] = point << WIDE_BITS | ((uint32_t)size + 1);
    words_alloc(thread, block, size);
    point_alloc(thread, point, size);
    return block;
}

void *pp_heap_malloc(size_t size) { return now.malloc(size); }

void *pp_heap_calloc(size_t count, size_t size)
{
    if (PP_UNLIKELY(!RESOLVED())) return size && count > SIZE_MAX / size ? NULL : bootstrap_get(count * size, 16);
    if (PLAIN() || LOADER_ASKS()) return next.calloc(count, size);
    return book_alloc(FORWARD(next.calloc(count, size)), count * size, CALLER);           /* it is null where that overflows */
}

static __attribute__((noinline)) void free_slow(void *block)
{
    if (PP_UNLIKELY(bootstrap_owns(block) || !RESOLVED())) return;
    size_t size;
    uint32_t point = 0;
    if (PLAIN() || !block) {
        next.free(block);
        return;
    }
    if (shadow_take((uintptr_t)block, &size, &point)) book_free(block, size, point);
    FORWARD((next.free(block), 0));
}

static void free_forward(void *block)
{
    if (PP_LIKELY(!bootstrap_owns(block))) next.free(block);
}

/* The rest of free_quick: what it need not save registers for. */
static __attribute__((noinline)) void free_last(void *block, struct pp_thread *thread)
{
    uint64_t *word = pp_private(thread)->heap;
    word[WORD_LAST] = 0;
    word_add(&word[WORD_TEMPORARY], 1);
    next.free(block);
}

static __attribute__((noinline)) void free_high(void *block, struct pp_thread *thread, size_t size)
{
    uint64_t *word = pp_private(thread)->heap;
    high_raise(word, size - word[WORD_BELOW]);
    word_add(&word[WORD_FREE_BYTES], size);
    word_add(&word[WORD_FREE_BLOCKS], 1);
    if (word[WORD_LAST] == (uint64_t)(uintptr_t)block) return free_last(block, thread);
    next.free(block);
}

/* Of a block that the shadow's entry is known of. */
static inline void free_at(void *block, uint8_t *shadow, uint32_t size, struct pp_thread *thread)
{
    uint64_t *word = pp_private(thread)->heap;
    *shadow = 0;
    if (PP_UNLIKELY(words_lower(word, size))) return free_high(block, thread, size);
    word_add(&word[WORD_FREE_BYTES], size);
    word_add(&word[WORD_FREE_BLOCKS], 1);
    if (PP_UNLIKELY(word[WORD_LAST] == (uint64_t)(uintptr_t)block)) return free_last(block, thread);
    next.free(block);
}

/* Out of the window: a block of another thread's, or one of more than one leaf full. */
static __attribute__((noinline)) void free_far(void *block)
{
    uintptr_t leaf = quick_leaf(block);
    struct pp_thread *thread = booking_thread();
    if (PP_UNLIKELY(!leaf || !thread)) return free_slow(block);
    uint8_t *shadow = (uint8_t *)leaf + ((uintptr_t)block >> GLIBC_GRANULE_BITS);
    uint32_t size = *shadow - 1u;
    if (PP_UNLIKELY(size > SHADOW_DIRECT)) return free_slow(block);
    if (!pp_words()->window.bytes) window_move(block);     /* the thread has only given back until now */
    free_at(block, shadow, size, thread);
}

static void free_quick(void *block)
{
    uintptr_t at = (uintptr_t)block - PP_WORDS_HERE->window.low;
    if (PP_UNLIKELY(at >= PP_WORDS_HERE->window.bytes)) return free_far(block);
    uint8_t *shadow = (uint8_t *)PP_WORDS_HERE->window.shadow + (at >> GLIBC_GRANULE_BITS);
    uint32_t size = *shadow - 1u;
    if (PP_UNLIKELY(size > SHADOW_DIRECT)) return free_slow(block);
    free_at(block, shadow, size, (struct pp_thread *)(uintptr_t)PP_WORDS_HERE->tls.thread);
}

static void free_by_point(void *block)
{
    uintptr_t leaf = quick_leaf(block);
    if (PP_UNLIKELY(!leaf)) return free_slow(block);
    uint32_t *entry = (uint32_t *)leaf + ((uintptr_t)block >> GLIBC_GRANULE_BITS), size = (*entry & WIDE_LONG) - 1;
    struct pp_thread *thread = booking_thread();
    if (PP_UNLIKELY(size > WIDE_DIRECT || !thread)) return free_slow(block);
    uint32_t point = *entry >> WIDE_BITS;
    *entry = 0;
    bool temporary = words_free(thread, block, size);
    point_free(thread, point, temporary, size);
    next.free(block);
}

void pp_heap_free(void *block) { now.free(block); }

void *pp_heap_realloc(void *block, size_t size)
{
    if (!block) return pp_heap_malloc(size);
    if (PP_UNLIKELY(bootstrap_owns(block))) {
        size_t old = bootstrap_size(block);
        void *copy = pp_heap_malloc(size);
        return copy ? memcpy(copy, block, old < size ? old : size) : NULL;
    }
    if (PP_UNLIKELY(!RESOLVED())) return NULL;
    if (PLAIN()) return next.realloc(block, size);
    size_t old;
    uint32_t point = 0;
    bool ours = shadow_take((uintptr_t)block, &old, &point);     /* before: once it is moved, its place may be another thread's */
    void *result = FORWARD(next.realloc(block, size));
    if (!result && size) {               /* refused: the block stands as it was */
        void *shadow = ours ? shadow_at((uintptr_t)block, false) : NULL;
        if (shadow) shadow_write(shadow, old, point);
        return NULL;
    }
    if (ours) book_free(block, old, point);
    return book_alloc(result, size, CALLER);
}

void *pp_heap_memalign(size_t align, size_t size)
{
    if (PP_UNLIKELY(!RESOLVED())) return bootstrap_get(size, align);
    if (PP_UNLIKELY(!next.memalign)) { errno = ENOMEM; return NULL; }
    if (PLAIN()) return next.memalign(align, size);
    return book_alloc(FORWARD(next.memalign(align, size)), size, CALLER);
}

void *pp_heap_aligned_alloc(size_t align, size_t size)
{
    if (PP_UNLIKELY(!RESOLVED())) return bootstrap_get(size, align);
    if (PP_UNLIKELY(!next.aligned_alloc)) { errno = ENOMEM; return NULL; }
    if (PLAIN()) return next.aligned_alloc(align, size);
    return book_alloc(FORWARD(next.aligned_alloc(align, size)), size, CALLER);
}

int pp_heap_posix_memalign(void **result, size_t align, size_t size)
{
    if (PP_UNLIKELY(!RESOLVED())) {
        void *block = bootstrap_get(size, align);
        if (block) *result = block;
        return block ? 0 : ENOMEM;
    }
    if (PP_UNLIKELY(!next.posix_memalign)) return ENOMEM;
    if (PLAIN()) return next.posix_memalign(result, align, size);
    int status = FORWARD(next.posix_memalign(result, align, size));
    if (status == 0) book_alloc(*result, size, CALLER);
    return status;
}

void *pp_heap_valloc(size_t size)
{
    if (PP_UNLIKELY(!RESOLVED() || !next.valloc)) { errno = ENOMEM; return NULL; }
    return PLAIN() ? next.valloc(size) : book_alloc(FORWARD(next.valloc(size)), size, CALLER);
}

void *pp_heap_pvalloc(size_t size)
{
    if (PP_UNLIKELY(!RESOLVED() || !next.pvalloc)) { errno = ENOMEM; return NULL; }
    return PLAIN() ? next.pvalloc(size) : book_alloc(FORWARD(next.pvalloc(size)), size, CALLER);
}

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

/* glibc's calls realloc by name: were it left alone, a program without ours in effect would be none the wiser; with it, the
 * call is counted once, here. */
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

#define STATIC_IO "; of I/O, what vfprintf, getc_unlocked and putc_unlocked cause is in the row (no hooked call)"
static bool is_libc;

bool pp_heap_is_libc(void) { return is_libc; }

bool pp_heap_lives(uint64_t address)
{
    const void *shadow = recording ? shadow_at((uintptr_t)address, false) : NULL;
    return shadow && (entry_bits ? *(const uint32_t *)shadow != 0 : *(const uint8_t *)shadow != 0);
}

static void loader_find(void)
{
    uintptr_t low = getauxval(AT_BASE), end = 0;         /* 0: there is none */
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)low;
    const ElfW(Phdr) *part = low ? (const ElfW(Phdr) *)(low + head->e_phoff) : NULL;
    for (unsigned i = 0; low && i < head->e_phnum; i++)
        if (part[i].p_type == PT_LOAD && part[i].p_vaddr + part[i].p_memsz > end) end = part[i].p_vaddr + part[i].p_memsz;
    loader.low = low;
    loader.bytes = end;
}

static bool room_is_limited(void)
{
    struct rlimit space, data;
    return !pp_forbids(PP_FORBIDDEN_LIMITS) && ((!getrlimit(RLIMIT_AS, &space) && space.rlim_cur != RLIM_INFINITY) || (!getrlimit(RLIMIT_DATA, &data) && data.rlim_cur != RLIM_INFINITY));
}

static void heap_start(void)
{
    struct pp_header *header = pp_run.header;
    void *(*volatile effective)(size_t) = pp_malloc_named();
    bool is_static = !dlsym || !dlsym(RTLD_DEFAULT, "__libc_malloc");
#ifdef __GLIBC__
    void *(*volatile library)(size_t) = __libc_malloc;
    is_libc = effective == library;                      /* in a static executable */
#endif
    if (effective != pp_heap_malloc && (!pp_wrapped_malloc || effective != pp_wrapped_malloc)) {
        snprintf(header->memory_note, sizeof header->memory_note, "%s%s",
                 is_static ? is_libc ? "the executable is static, and not linked by profplug-gcc: blocks of the heap are not measured, mappings are"
                                     : "the executable is static, and brings its own malloc: blocks of the heap are not measured, mappings are"
                           : "blocks of the heap are not measured: the program brings its own malloc", is_static ? STATIC_IO : "");
        return;
    }
    if (!RESOLVED()) return;
    if (is_static)
        snprintf(header->memory_note, sizeof header->memory_note,
                 "the executable is static: the heap's figures are of every call of malloc and its kin, those in libraries at lines of their own%s", STATIC_IO);
    granule_bits = 3;
#ifdef __GLIBC__
    /* Other allocators define __libc_malloc too: ask where the function lies. */
    uint64_t image = is_static ? 0 : pp_image_low((void *)gnu_get_libc_version);
    is_libc = is_static ? next.malloc == library : image && pp_image_low((void *)next.malloc) == image;
    if (is_libc)
        granule_bits = GLIBC_GRANULE_BITS;
    else
        loader_find();
#endif
    by_point = pp_on(PP_COLLECTOR_BLOCKS) && pp_callsites_start();
    entry_bits = by_point ? WIDE_ENTRY_BITS : 0;
    leaf_bits = room_is_limited() ? NARROW_BITS : LEAF_BYTES_BITS + granule_bits - entry_bits;
    size_t bytes = ((size_t)1 << (ADDRESS_BITS - leaf_bits)) * sizeof *leaves;
    leaves = pp_memory_fits(bytes) ? pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) : MAP_FAILED;
    if (leaves == MAP_FAILED) {
        pp_loss(PP_LOSS_MEMORY, 1);
        snprintf(header->memory_note, sizeof header->memory_note, "blocks of the heap are not measured: no room for their shadow's address space");
        return;
    }
    madvise(leaves, bytes, MADV_NOHUGEPAGE);
    header->metrics_measured |= pp_source_heap.metrics;
    atomic_thread_fence(memory_order_release);
    recording = true;
    now.malloc = malloc_slow;
    now.free = free_slow;
}

/* The start is over. glibc's functions do not call ours: there is nothing to heed any more. */
static void heap_birth(struct pp_thread *thread)
{
    (void)thread;
    if (!recording || granule_bits != GLIBC_GRANULE_BITS || now.malloc != malloc_slow) return;
    now.malloc = by_point ? malloc_by_point : malloc_quick;
    now.free = by_point ? free_by_point : free_quick;
}

_Static_assert(WORD_ARRAY == PP_HEAP_ARRAY, "rt.h");
void pp_heap_sums(const uint64_t *word, uint64_t sums[4])
{
    sums[0] = words_held(word) + word[WORD_FREE_BYTES];
    sums[1] = word[WORD_ALLOC_BLOCKS];
    sums[2] = word[WORD_FREE_BYTES];
    sums[3] = word[WORD_FREE_BLOCKS];
}

static void heap_read(struct pp_thread *thread, uint64_t *values)
{
    pp_heap_sums(pp_private(thread)->heap, &values[PP_METRIC_ALLOC_BYTES]);
    values[PP_METRIC_TEMPORARY_BLOCKS] = pp_private(thread)->heap[WORD_TEMPORARY];
}
_Static_assert(PP_METRIC_FREE_BLOCKS - PP_METRIC_ALLOC_BYTES == 3, "order of the heap's metrics");

static int64_t higher(uint64_t a, uint64_t b) { return (int64_t)a > (int64_t)b ? (int64_t)a : (int64_t)b; }

/* HIGH begins anew where a stage opens, and what it was is kept in that one's frame: then the most that was held while a stage was open is the largest of
 * HIGH and of what the frames keep that were opened later. */
static void heap_border(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes)
{
    uint64_t *word = pp_private(thread)->heap, *kept = &frame->metric[PP_METRIC_PEAK_BYTES];
    if (!recording) return;
    if ((int64_t)word[WORD_BELOW] < 0) high_raise(word, 0 - word[WORD_BELOW]);
    if (!closes) {
        *kept = word[WORD_HIGH];
        high_raise(word, 0 - word[WORD_BELOW]);
        return;
    }
    uint64_t entered = frame->metric[PP_METRIC_ALLOC_BYTES] - frame->metric[PP_METRIC_FREE_BYTES];
    int64_t most = (int64_t)word[WORD_HIGH];
    struct pp_frame *later = NULL;
    struct pp_frame *top = pp_private(thread)->stage_top;
    if (top == (struct pp_frame *)(uintptr_t)frame->reserved[2]) top = frame;        /* taken off already, as the last one: recursions are deep */
    for (struct pp_frame *f = top; f && f != frame; f = (struct pp_frame *)(uintptr_t)f->reserved[2]) {
        for (struct pp_frame *o; (o = (struct pp_frame *)(uintptr_t)f->reserved[2]) && o != frame && !o->start_ns; ) f->reserved[2] = o->reserved[2];        /* ended: passed once */
        if ((struct pp_frame *)(uintptr_t)f->reserved[2] != frame) continue;
        for (f = top; f != frame; f = (struct pp_frame *)(uintptr_t)f->reserved[2])
            if (f->start_ns) {           /* others have left what they kept to the next */
                most = higher((uint64_t)most, f->metric[PP_METRIC_PEAK_BYTES]);
                later = f;
            }
        break;
    }
    if (later) {                         /* it was not the last one: what it keeps is of the time before the next, too */
        later->metric[PP_METRIC_PEAK_BYTES] = (uint64_t)higher(*kept, later->metric[PP_METRIC_PEAK_BYTES]);
    } else {
        int64_t high = higher(*kept, word[WORD_HIGH]);
        high_raise(word, (uint64_t)high - word[WORD_HIGH]);
    }
    values[PP_METRIC_PEAK_BYTES] = (uint64_t)higher((uint64_t)most - entered, 0);
}

static void heap_fork_child(struct pp_thread *thread)
{
    uint64_t *word = thread ? pp_private(thread)->heap : NULL;
    if (word) {
        word[WORD_TOLD] = words_held(word);
        high_raise(word, 0 - word[WORD_BELOW]);          /* the stages that are open open anew */
    }
    pp_callsites_fork_child();
}

const struct pp_metric_source pp_source_heap = {
    .name = "heap", .collector = PP_COLLECTOR_MEMORY,
    .metrics = 1u << PP_METRIC_ALLOC_BYTES | 1u << PP_METRIC_ALLOC_BLOCKS | 1u << PP_METRIC_FREE_BYTES | 1u << PP_METRIC_FREE_BLOCKS |
               1u << PP_METRIC_PEAK_BYTES | 1u << PP_METRIC_TEMPORARY_BLOCKS,
    .start = heap_start, .birth = heap_birth, .fork_child = heap_fork_child, .read = heap_read, .border = heap_border,
};
