/* SPDX-License-Identifier: MIT */
/* emitted.h: what emitted code, the program's annotations and the runtime share in memory. Nothing here is in the data
 * file. Include format.h, which includes this. */
#ifndef PROFPLUG_ABI_EMITTED_H
#define PROFPLUG_ABI_EMITTED_H

#include <stddef.h>
#include <stdint.h>

/* One per object file (per ltrans unit under LTO), 64-aligned, in the writable section `profplug_objects`. `end`,
 * `tls` and `stages` are the only words that probes read. The first four keep their places in every version. */
struct pp_object {
    /* byte offset just past the object's counters in a thread's counter area. PP_END_UNREGISTERED at first,
     * PP_END_OFF when functions are not recorded, else (last_key + 1) * 8 */
    uint64_t end;
    uint32_t stages;       /* 1: timed sites call their hook (also before registration); 0: they do not */
    uint32_t abi;          /* PP_ABI_VERSION of the plugin */
    /* runtime: from the thread pointer to the thread's struct pp_tls, the same in every thread. Stored before `end`
     * is, and read after it; 0 until then, which can be read too, and no `end` of an unregistered object is within
     * reach */
    int64_t tls;
    int32_t sites;         /* these are addresses relative to the start of this structure: */
    int32_t strings;       /*   struct pp_site[site_count]; string table */
    int32_t objects_start; /*   __start_profplug_objects, __stop_profplug_objects of the same linked image */
    int32_t objects_stop;
    uint32_t site_count;
    uint32_t strings_size; /* bytes; the first is 0 */
    uint32_t slot_count;
    uint32_t unit;         /* string: main input file */
    uint32_t directory;    /* string: compilation directory */
    uint32_t compiler;     /* string: "GCC 12.2.0" */
    uint32_t flags;        /* PP_OBJECT_* */
    uint32_t last_key;     /* runtime: key of slot 0, 0 until registered */
    /* with PP_OBJECT_SEGMENT, relative again: just past the object's counters in the section `profplug_home` */
    int32_t segment_end;
    int32_t segment_start;    /*   __start_profplug_home, __stop_profplug_home */
    int32_t segment_stop;
    int32_t segment_tls;      /*   from the thread pointer to the image's struct pp_segment */
    uint64_t reserved[5];
};
#define PP_END_UNREGISTERED UINT64_MAX
#define PP_END_OFF (UINT64_MAX - 1)
#define PP_OBJECT_DEFAULT_OFF 1u         /* default=off: record only if PROFPLUG is set */
#define PP_OBJECT_SEGMENT 4u                /* 2: PP_OBJECT_LINES */

/* Counters of an executable on x86-64. Its objects have them in the section `profplug_home`, which the runtime takes
 * over when it starts. In a run that is recorded, the section is written only before the runtime's constructor. Code
 * addresses a counter there relative to the gs segment. The segment's base is the distance to the thread's own
 * counters, so each thread has its own. An access takes one instruction and no register. At distance 0, where nobody
 * has set the base, it is harmless. A thread inherits the base of its creator. So a function that a thread may begin
 * with first looks whether the thread has its own, in thread-local words of the executable that are zero at birth.
 * Threads of pthread_create have theirs by then. */
struct pp_segment {
    uint64_t ready;              /* 1: the segment's base is this thread's, or nothing is recorded */
    uint64_t distance;           /* what the base is, from `ready` on */
};

/* A thread's words, in the copy of the runtime that the process elected. They are zero at birth: with limit 0 every
 * probe takes its slow half once. No library needs thread-local storage of its own, of which one that is opened at
 * run time finds little. */
struct pp_tls {
    uint64_t limit;              /* bytes of counters that `counters` may reach */
    uint64_t counters;           /* runtime: address of this thread's counter 0 */
    uint64_t thread;             /* runtime: address of this thread's struct pp_thread; its first field is `node` */
    union {
        struct {                 /* runtime: */
            uint64_t busy;       /* the core of the runtime is at work in this thread */
            uint64_t nested;     /* the thread is inside the allocator behind ours */
            uint64_t unused;
            uint64_t held;       /* how often signals are held off */
            uint64_t mask;       /* the signal mask from before the first time */
        };
        uint64_t reserved[5];
    };
};

/* What the plugin emits in executables on x86-64 (o is the object's pp_object, H its segment_end, K the slot, R the
 * struct pp_segment):
 *   counted   if (!R.ready) __profplug_count(&o, K); else ++*(uint64_t __seg_gs *)(H - 8 - K * 8);
 *   framed    if (!R.ready) token = __profplug_enter(&o, K | PP_SLOT_UNCOUNTED);
 *             else token = ++*(int64_t __seg_gs *)(H - 8 - K * 8) >= 0 ? __profplug_enter(&o, K) : 0;
 * (a function that no thread begins with, or that only others call which have looked, does not look at R) and
 * elsewhere (o is the object's pp_object, K the slot, T the pp_tls at thread pointer + o.tls; the site's key is o.end
 * / 8 - 1 - K):
 *   counted   if (o.end > T.limit) { if (o.end != PP_END_OFF) __profplug_count(&o, K); }
 *             else ++*(uint64_t *)(T.counters + o.end - 8 - K * 8);
 *   framed    if (o.end > T.limit) token = o.end == PP_END_OFF ? 0 : __profplug_enter(&o, K | PP_SLOT_UNCOUNTED);
 *             else token = ++*(int64_t *)(T.counters + o.end - 8 - K * 8) >= 0 ? __profplug_enter(&o, K) : 0;
 * and everywhere
 *   timed     token = o.stages ? __profplug_enter(&o, K) : 0;
 *   exit      if (token) __profplug_leave(token);
 *   re-entry  (after setjmp returns, at landing pads of a framed or timed function) __profplug_resync(&o, K, token);
 * A framed site has PP_FRAMED_SLOTS slots, from an even one on: how many calls there were, less the next word's; the
 * call from which on they take the hook; what of them the hook has booked in nodes; and a mean of how long timed ones
 * took. So calls are the sum of the first two, which lie in 16 aligned bytes and change together. While the second is
 * 0 each call takes the hook, and is timed; the hook spaces out those of sites that are called often, in steps that no
 * pattern of the program can follow, and books with each the calls since the last: an estimate of where they came
 * from. */
#define PP_FRAMED_SLOTS 4u
#define PP_SLOT_UNCOUNTED 0x80000000u    /* with a framed site's slot: its call is not in its counter yet */
void __profplug_count(struct pp_object *object, uint32_t slot);
/* As __profplug_count and __profplug_enter, but called before a function's first instruction (plugin/prologue.cc):
 * they keep all registers that may hold arguments. Do not call them from C. */
void __profplug_count_kept(void);
void __profplug_enter_kept(void);
void __profplug_enter_kept_2(void);      /* for a function with up to 2, 4, 8 words of arguments on the stack */
void __profplug_enter_kept_4(void);
void __profplug_enter_kept_8(void);
uint64_t __profplug_enter(struct pp_object *object, uint32_t slot);
void __profplug_leave(uint64_t token);
/* With copies=on, before a call of memcpy, memset and the like. With allocators=on, after a call of a function with
 * the attribute malloc or alloc_size; `there`: its result was not null. */
void __profplug_copied(uint64_t bytes);
void __profplug_filled(uint64_t bytes);
void __profplug_handed(uint64_t bytes, uint32_t there);
void __profplug_resync(struct pp_object *object, uint32_t slot, uint64_t token);

/* A unit compiled with -flto gets its probes at the link. If the link lacks the plugin, the unit refers to this
 * symbol of the runtime, for which the linker prints a warning. */
#define PP_LINK_MARK "__profplug_flto_link_without_fplugin"
/* Objects compiled for a library name this symbol, so that the linker takes the shared runtime from the archive. */
#define PP_LINK_EMBEDDED "__profplug_embedded"

/* A loop or scope: a static variable of the instrumented program, made by the header or by the plugin. */
struct profplug_place {
    const char *name, *category, *file, *function;   /* category may be null or empty: taken from the name */
    uint32_t line;
    uint32_t kind;               /* PP_SITE_LOOP or PP_SITE_SCOPE */
    uint64_t key;                /* 0 until the runtime gives one */
    uint64_t reserved;
};
uint64_t __profplug_scope_enter(struct profplug_place *place);      /* then __profplug_leave(token) */

/* A local variable of a function with an annotated loop. Emitted:
 *   before the loop           __profplug_loop_enter(&place, &l);
 *   start of the condition    if (l.countdown-- == 0) __profplug_loop_next(&l);     (no condition, or do: start of the
 *   body)
 *   start of the body         ++l.bodies;
 *   every way out             __profplug_loop_leave(&l); */
struct profplug_loop {
    uint64_t countdown;          /* conditions until the next measured one; UINT64_MAX when off */
    uint64_t bodies;             /* bodies begun */
    uint64_t token;
    uint64_t started_ns;         /* of the iteration being measured, 0 for none */
    uint64_t index;              /* of the iteration being measured */
    uint64_t reserved[3];
};
void __profplug_loop_enter(struct profplug_place *place, struct profplug_loop *loop);
void __profplug_loop_next(struct profplug_loop *loop);
void __profplug_loop_leave(struct profplug_loop *loop);

/* A count or a gauge of the program's: a static variable that the header makes at each use. */
enum pp_number_kind { PP_NUMBER_COUNT, PP_NUMBER_GAUGE, PP_NUMBER_KIND_COUNT };
struct profplug_number {
    const char *name;
    uint32_t kind;               /* pp_number_kind; the first use of a name decides */
    uint32_t reserved;
    uint64_t id;                 /* 0 until the runtime gives one, UINT64_MAX if it has none to give */
};
void __profplug_number(struct profplug_number *number, int64_t value);

#endif
