/* SPDX-License-Identifier: MIT */
/* emitted.h: memory that emitted code, annotations and the runtime share. Nothing here is in the data file. Include
 * format.h, which includes this. */
#ifndef PROFPLUG_ABI_EMITTED_H
#define PROFPLUG_ABI_EMITTED_H

#include <stddef.h>
#include <stdint.h>

/* One per object file (with LTO one per ltrans unit), 64-aligned, in the writable section `profplug_objects`. Probes
 * read `end`, `tls` and `stages` only. The first four fields have the same offsets in every version. */
struct pp_object {
    /* offset of the end of the object's counters in a thread's counters. PP_END_UNREGISTERED at first, PP_END_OFF if
     * functions are not recorded, otherwise (last_key + 1) * 8 */
    uint64_t end;
    uint32_t stages;       /* 1: timed sites call their hook, also before registration; 0: they do not */
    uint32_t abi;          /* PP_ABI_VERSION of the plugin */
    /* runtime: offset of the thread's struct pp_tls from the thread pointer, the same in every thread. It is stored
     * before `end` and read after it. Until then it is 0, and code may read that: `end` of an unregistered object
     * exceeds every limit */
    int64_t tls;
    int32_t sites;         /* these four are addresses relative to this structure: */
    int32_t strings;       /*   struct pp_site[site_count]; string table */
    int32_t objects_start; /*   __start_profplug_objects, __stop_profplug_objects of the same linked image */
    int32_t objects_stop;
    uint32_t site_count;
    uint32_t strings_size; /* in bytes; the first byte is 0 */
    uint32_t slot_count;
    uint32_t unit;         /* string: main input file */
    uint32_t directory;    /* string: compilation directory */
    uint32_t compiler;     /* string: "GCC 12.2.0" */
    uint32_t flags;        /* PP_OBJECT_* */
    uint32_t last_key;     /* runtime: key of slot 0; 0 until registered */
    /* with PP_OBJECT_SEGMENT, relative again: the end of the object's counters in the section `profplug_home` */
    int32_t segment_end;
    int32_t segment_start;    /*   __start_profplug_home, __stop_profplug_home */
    int32_t segment_stop;
    int32_t segment_tls;      /*   offset of the image's struct pp_segment from the thread pointer */
    /* relative: __start_profplug_wrappers, __stop_profplug_wrappers. A word for each function there that is a wrapper
     * or of a header of the system: its address, relative to the word; 0: none */
    int32_t wrappers_start;
    int32_t wrappers_stop;
    uint64_t reserved[4];
};
#define PP_END_UNREGISTERED UINT64_MAX
#define PP_END_OFF (UINT64_MAX - 1)
#define PP_OBJECT_DEFAULT_OFF 1u         /* default=off: record only if PROFPLUG is set */
#define PP_OBJECT_SEGMENT 4u                /* 2: PP_OBJECT_LINES */

/* Counters of an executable on x86-64. They are in the section `profplug_home`, which the runtime takes over when it
 * starts. In a recorded run the section is written only before that. Code addresses a counter relative to the gs
 * segment. Its base is the distance from the section to the thread's own counters. So an access takes one instruction
 * and no register. While nobody has set the base it is 0, and the section itself is written. A thread inherits its
 * creator's base. So a function with which a thread may start tests `ready`, a thread-local word that is zero when the
 * thread starts. For threads of pthread_create the runtime sets both before they start. */
struct pp_segment {
    uint64_t ready;              /* 1: the base belongs to this thread, or nothing is recorded */
    uint64_t distance;           /* the segment's base, once `ready` is 1 */
};

/* The thread's words in the copy of the runtime that the process elected. They are zero when the thread starts. So
 * every probe finds limit 0 and takes its slow path once. No library needs thread-local storage of its own, which is
 * scarce for libraries that are loaded at run time. */
struct pp_tls {
    uint64_t limit;              /* how many bytes of counters `counters` has */
    uint64_t counters;           /* runtime: address of this thread's counter 0 */
    uint64_t thread;             /* runtime: address of this thread's struct pp_thread; its first field is `node` */
    /* runtime: */
    uint64_t busy;               /* not 0: the runtime is at work in this thread */
    uint64_t nested;             /* not 0: the thread is inside the program's allocator */
    uint64_t refused;            /* how often a probe found none of its numbers; the 1st, 2nd, 4th ... ask for them */
    uint64_t held;               /* how many times signals were blocked and not released */
    uint64_t mask;               /* the signal mask from before the first time */
};

/* What the plugin emits in executables on x86-64 (o is the object's pp_object, H its segment_end, K the slot, R the
 * struct pp_segment):
 *   counted   if (!R.ready) __profplug_count(&o, K); else ++*(uint64_t __seg_gs *)(H - 8 - K * 8);
 *   framed    if (!R.ready) token = __profplug_enter(&o, K | PP_SLOT_UNCOUNTED);
 *             else token = ++*(int64_t __seg_gs *)(H - 8 - K * 8) >= 0 ? __profplug_enter(&o, K) : 0;
 * A function that no thread starts with, and one whose callers all test R, does not test R. Elsewhere (T is the pp_tls
 * at thread pointer + o.tls; the site's key is o.end / 8 - 1 - K):
 *   counted   if (o.end > T.limit) { if (o.end != PP_END_OFF) __profplug_count(&o, K); }
 *             else ++*(uint64_t *)(T.counters + o.end - 8 - K * 8);
 *   framed    if (o.end > T.limit) token = o.end == PP_END_OFF ? 0 : __profplug_enter(&o, K | PP_SLOT_UNCOUNTED);
 *             else token = ++*(int64_t *)(T.counters + o.end - 8 - K * 8) >= 0 ? __profplug_enter(&o, K) : 0;
 * Everywhere:
 *   timed     token = o.stages ? __profplug_enter(&o, K) : 0;
 *   exit      if (token) __profplug_leave(token);
 *   re-entry  (after setjmp returns, at landing pads of a framed or timed function) __profplug_resync(&o, K, token);
 * A framed site has PP_FRAMED_SLOTS slots, the first of them even:
 *   0  the number of calls, minus slot 1
 *   1  the number of the next call that takes the hook. 0: every call does, and is timed
 *   2  how many calls the hook has booked in nodes
 *   3  a mean duration of timed calls
 * The number of calls is the sum of the first two. These are 16 aligned bytes, so they change together. If a site is
 * called often, the hook raises slot 1 by random steps, so that no pattern of the program coincides with them. With
 * each timed call it books the calls since the last one. So where these came from is an estimate. */
#define PP_FRAMED_SLOTS 4u
#define PP_SLOT_UNCOUNTED 0x80000000u    /* with a framed site's slot: this call is not in its counter yet */
void __profplug_count(struct pp_object *object, uint32_t slot);
/* Like __profplug_count and __profplug_enter, but called before a function's first instruction (plugin/prologue.cc).
 * They preserve all registers that may hold arguments. Do not call them from C. */
void __profplug_count_kept(void);
void __profplug_enter_kept(void);
void __profplug_enter_kept_2(void);      /* for a function with up to 2, 4, 8 words of arguments on the stack */
void __profplug_enter_kept_4(void);
void __profplug_enter_kept_8(void);
uint64_t __profplug_enter(struct pp_object *object, uint32_t slot);
void __profplug_leave(uint64_t token);
/* With copies=on called before memcpy, memset and the like. With allocators=on called after a function with the
 * attribute malloc or alloc_size. `there`: its result was not null. */
void __profplug_copied(uint64_t bytes);
void __profplug_filled(uint64_t bytes);
void __profplug_handed(uint64_t bytes, uint32_t there);
void __profplug_resync(struct pp_object *object, uint32_t slot, uint64_t token);

/* Through what an executable on x86-64 calls malloc and the like: `call *__profplug_heap(%rip)` (plugin/heapcall.cc).
 * At first these are the program's own functions of these names. */
struct pp_heap_calls {
    void *(*get)(__SIZE_TYPE__ size); /* malloc; GCC's headers forbid these names */
    void *(*get_zeroed)(__SIZE_TYPE__ count, __SIZE_TYPE__ size);
    void *(*resize)(void *block, __SIZE_TYPE__ size);
    void (*give)(void *block);
};

/* A unit compiled with -flto gets its probes at the link. If the link lacks the plugin, the unit refers to this symbol
 * of the runtime, for which the linker prints a warning. */
#define PP_LINK_MARK "__profplug_flto_link_without_fplugin"
/* Every object with probes refers to this symbol of the runtime, outside of what is loaded. Where a link lacks the
 * runtime, the linker says that it is undefined, and so what to do. */
#define PP_LINK_RUNTIME "__profplug_is_missing__link_with_profplug_gcc_or_add_lprofplug"
/* Objects compiled for a library name this symbol, so that the linker takes the shared runtime from the archive. */
#define PP_LINK_EMBEDDED "__profplug_embedded"

/* Describes a loop or scope: a static variable of the program, made by the header or by the plugin. */
struct profplug_place {
    const char *name, *category, *file, *function;   /* a null or empty category follows from the name */
    uint32_t line;
    uint32_t kind;               /* PP_SITE_LOOP or PP_SITE_SCOPE */
    uint64_t key;                /* 0 until the runtime assigns one */
    uint64_t reserved;
};
uint64_t __profplug_scope_enter(struct profplug_place *place);      /* close it by __profplug_leave(token) */

/* A local variable of a function with an annotated loop. Emitted:
 *   before the loop           __profplug_loop_enter(&place, &l);
 *   start of the condition    if (l.countdown-- == 0) __profplug_loop_next(&l);
 *                             (a do loop, and one without condition: start of the body)
 *   start of the body         ++l.bodies;
 *   at every exit             __profplug_loop_leave(&l); */
struct profplug_loop {
    uint64_t countdown;          /* how many conditions until the next timed one; UINT64_MAX: none */
    uint64_t bodies;             /* how many bodies have begun */
    uint64_t token;
    uint64_t started_ns;         /* of the iteration that is being timed; 0: none is */
    uint64_t index;              /* number of that iteration */
    uint64_t stage;              /* runtime: address of the struct pp_stage of the iterations, 0 for none */
    uint64_t booked;             /* runtime: how many bodies are booked as calls of that stage */
    uint64_t inner_ns;           /* runtime: stage_child_ns of the loop's frame when the timed iteration began */
};
void __profplug_loop_enter(struct profplug_place *place, struct profplug_loop *loop);
void __profplug_loop_next(struct profplug_loop *loop);
void __profplug_loop_leave(struct profplug_loop *loop);

/* Describes a count or a gauge: a static variable that the header makes at each use. */
enum pp_number_kind { PP_NUMBER_COUNT, PP_NUMBER_GAUGE, PP_NUMBER_KIND_COUNT };
struct profplug_number {
    const char *name;
    uint32_t kind;               /* pp_number_kind; the first use of a name decides */
    uint32_t reserved;
    uint64_t id;                 /* 0 until the runtime assigns one; UINT64_MAX: it has none left */
};
void __profplug_number(struct profplug_number *number, int64_t value);

#endif
