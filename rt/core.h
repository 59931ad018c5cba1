/* SPDX-License-Identifier: MIT */
/* core.h: what the runtime's core files (hook, calltree, stage, place, object, thread, lifecycle, rendezvous) say to each
 * other, beyond rt.h. It must not be included by sources of numbers or by the sampler. */
#ifndef PROFPLUG_RT_CORE_H
#define PROFPLUG_RT_CORE_H

#include "rt.h"
#include "system/clock.h"

/* ---- words of struct pp_node and struct pp_frame that are the runtime's own ---- */
#define PP_KEY_MASK UINT64_C(0xffffffff)
#define PP_NODE_STAGE 1u                 /* of pp_node_flags: a stage, loop or scope */
#define PP_NODE_OVERFLOW 2u
_Static_assert(!(PP_NODE_RECURSIVE & (PP_NODE_STAGE | PP_NODE_OVERFLOW)), "flags of a node");
static inline uint32_t *pp_node_flags(struct pp_node *n) { return &n->flags; }
static inline struct pp_node *pp_node_first(struct pp_node *n) { return (struct pp_node *)(uintptr_t)n->first; }
/* Of a stage: address of its struct pp_stage. Of a function's first node: when an activation was last timed. */
static inline uint64_t *pp_node_word(struct pp_node *n) { return &n->chain; }
static inline struct pp_stage *pp_node_stage(struct pp_node *n) { return (struct pp_stage *)(uintptr_t)n->chain; }

#define PP_FRAME_FLOATING 1u             /* profplug_begin: it has no place on the stack, and is not healed by address */
#define PP_FRAME_SAMPLED 2u              /* inexact metrics were read at its start */
#define PP_FRAME_INHERITED 4u            /* was open at a fork, in the child */
#define PP_FRAME_COUNTED 16u             /* it is surely in `active` of its node and stage, and in `function_open` */
#define PP_FRAME_EVERY_SHIFT 5           /* PP_FRAME_SAMPLED: one of so many activations is; 11 bits */
#define PP_FRAME_EVERY 0xffe0u
#define PP_FRAME_GENERATION 0xffff0000u  /* counts the uses of the slot; part of the token */
/* A framed site's calls, and the call from which on they take the hook (pace.c). A handler may count meanwhile, and set that. */
uint64_t pp_calls(const uint64_t *counter);
void pp_calls_due(uint64_t *counter, uint64_t call);
static inline uint64_t *pp_frame_index(struct pp_frame *f) { return &f->reserved[0]; }          /* of the activation, of stages */
/* Of a function's activation, in words that only stages use: the calls that it stands for; its counter, and where that stood. */
static inline uint64_t pp_frame_calls(const struct pp_frame *f) { return f->metric[0]; }
static inline bool pp_frame_called_again(const struct pp_frame *f) { return f->metric[1] && pp_calls((const uint64_t *)(uintptr_t)f->metric[1]) != f->metric[2]; }
static inline struct pp_chunk *pp_frame_chunk(struct pp_frame *f) { return (struct pp_chunk *)(uintptr_t)f->reserved[1]; }
static inline struct pp_frame *pp_frame_outer_stage(struct pp_frame *f) { return (struct pp_frame *)(uintptr_t)f->reserved[2]; }
/* The head of a FRAMES extent as the runtime sees it: struct pp_frames with its reserved words named. */
struct pp_chunk {
    uint32_t first, capacity, reserved, reserved1;
    uint64_t thread, previous, next, reserved2[3];
};
_Static_assert(sizeof(struct pp_chunk) == sizeof(struct pp_frames), "pp_chunk");

/* Adds the square of VALUE to a sum of squares of 128 bits, low word first. */
static inline void pp_squares_add(uint64_t squares[2], uint64_t value)
{
    unsigned __int128 sum = (unsigned __int128)value * value + squares[0];
    squares[0] = (uint64_t)sum;
    squares[1] += (uint64_t)(sum >> 64);
}

/* ---- process (lifecycle.c) ---- */
enum pp_state { PP_STATE_NEW, PP_STATE_ON, PP_STATE_OFF };
extern _Atomic uint32_t pp_state;
/* Decides on or off, opens the file; once per process, any thread. default_off: nobody set PROFPLUG and the program's objects
 * say that it then records nothing. */
void pp_process_start(bool default_off);
void pp_file_lose(void);                 /* sets pp_file_is_lost */
void pp_fault_start(void);
void pp_lock_break(void);
void pp_signals_leave_open(int number);  /* of those that pp_signals_block blocks */
void pp_signals_forget(uint64_t *mask);  /* a slow half is left in its middle: what it would have restored goes into *mask */
void pp_outlet_remember(void);            /* standard error as it is now: nothing is said into another file at its number */
void pp_lock_forget(void);               /* in a fork's child: who held the lock is not in this process */
bool pp_environment_speaks(void);        /* PROFPLUG or a configuration is set, or the program has default options */
/* exec: the file ends here, or, if that failed, goes on after all. */
void pp_process_replaced(void);
void pp_process_resume(void);
void pp_heartbeat(struct pp_thread *thread, uint64_t now_ns);
/* What the runtime costs, roughly; taken at start. */
struct pp_costs { uint64_t frame_ns, read_ns; };      /* a timed activation; metrics of a stage */
extern struct pp_costs pp_costs;
/* How long must go by for something that costs so much, to stay within the budget. */
static inline uint64_t pp_budget_ns(uint64_t cost_ns)
{
    uint64_t permille = pp_run.header->budget_permille;
    return cost_ns * 1000 / (permille ? permille : 1);
}
/* A number around `step`, so that what comes every so often cannot keep step with the program. */
static inline uint64_t pp_draw(struct pp_private *p, uint64_t step) { return step / 2 + pp_random(p) % (step + 1); }
#define PP_HEARTBEAT_NS UINT64_C(20000000)

/* ---- options (options.c) ---- */
void pp_options_read(struct pp_options *options);
/* Sets one key=value; false: unknown key or value, `where` names its source in the line that is printed. */
bool pp_options_set(struct pp_options *options, const char *key, const char *value, const char *where);
void pp_options_defaults(struct pp_options *options);
void pp_options_string(struct pp_options *options, const char *text, const char *where);
bool pp_options_json(struct pp_options *options, const char *text, const char *where);
void pp_options_record(const struct pp_options *options);
/* Expands %e %p %h %q{VAR} %% into path; relative ones get the directory before them. False: it does not fit. */
bool pp_output_expand(const char *pattern, const char *program, uint32_t pid, const char *host, const char *directory, char *path, uint32_t size);

/* ---- threads (thread.c) ---- */
void pp_threads_start(void);
void pp_tls_own(void);                   /* this copy is elected: its thread-local words are those of the process */
/* Gives this thread the block's counters, covering every key given out. */
void pp_thread_refill(struct pp_thread *thread);
struct pp_thread *pp_thread_birth(void);
void pp_thread_begin(void);              /* before its first function, where that is known (threadstart.c) */
bool pp_births_are_ours(void);           /* named, it draws threadstart.c into every program */
/* In a fork's child: first the blocks of the threads that it lacks become new ones; when the rows are empty, its own thread's row. */
void pp_threads_fork_child(void);
void pp_threads_row_child(void);
void pp_thread_row_update(struct pp_thread *thread);     /* of any live thread: CPU time */
void pp_threads_seal(void);
/* Whether both addresses lie on the thread's own stack. */
bool pp_thread_on_stack(struct pp_private *p, uint64_t a, uint64_t b);

/* ---- objects and keys (object.c) ---- */
void pp_object_register(struct pp_object *object);
/* Just past memory that an object's counters of lines may be wasted on. */
uint64_t pp_object_waste(const struct pp_object *object);
/* What is known of a key: enum pp_site_kind, and one of the two. */
#define PP_SITE_TIMED 0x80u
#define PP_SITE_COUNTED 0x40u            /* its counter is a count, or of a framed site a part of it */
#define PP_SITE_FRAMED 0x20u
#define PP_SITE_KIND_MASK 0x3fu
uint8_t pp_key_facts(uint32_t key);
/* Gives out `count` keys in a row, returns the first; 0: none left. Under pp_lock. */
uint32_t pp_keys_take(uint32_t count);
void pp_key_set_facts(uint32_t key, uint8_t facts);

/* ---- counters of the executable (segment.c): struct pp_home in format.h ---- */
/* Keys for all of them, once; of an object of it, the key of slot 0. 0: none are left. Under pp_lock. */
uint32_t pp_home_key(const struct pp_object *object);
/* Gives the thread its own, or, where nothing is recorded (thread null), room that nobody reads: from then on code counts by itself. */
void pp_home_open(const struct pp_object *object, struct pp_thread *thread);
/* The same for a new thread, before its first function; for one that begins before the runtime is on, whose counts the thread at the end gets (or null: they are lost). */
void pp_home_begin(struct pp_thread *thread);
void pp_home_lend(void);
void pp_home_settle(struct pp_thread *thread);
/* The same where nothing is recorded: room that nobody reads. Only once an object of the executable has come to pp_home_open so. */
bool pp_home_is_wasted(void);
void pp_home_waste(void);
/* The thread ends. */
void pp_home_close(void);
/* While a fork is under way nothing may be counted; then the function that forked counts on. */
void pp_home_pause(bool pause);
/* Where this thread counts at the slot; null where it does not yet. */
uint64_t *pp_home_counter(const struct pp_object *object, uint32_t slot);
/* Its calls are not recorded: a framed site need not come to its hook again. */
void pp_home_quiet(const struct pp_object *object, uint32_t slot, bool uncounted);

/* ---- places (region.c) ---- */
uint32_t pp_place_key(struct profplug_place *place);

/* ---- call tree (calltree.c) ---- */
bool pp_tree_adopt(struct pp_thread *thread, struct pp_nodes *chunk);       /* a block anew, in the first chunk that it had */
bool pp_tree_make(struct pp_thread *thread);             /* the root and the first chunks of a new block */
struct pp_node *pp_tree_enter(struct pp_thread *thread, uint32_t key);      /* the child of the current node; null: no memory */
struct pp_node *pp_tree_at(struct pp_private *p, uint32_t number);
struct pp_node *pp_tree_root(struct pp_private *p);

/* ---- which calls of functions are timed (pace.c) ---- */
/* A framed site's call came to the hook and stands for `calls`; frame null: it is not timed. Decides which one comes next. */
void pp_pace(struct pp_thread *thread, uint64_t *counter, uint64_t calls, struct pp_frame *frame);
uint64_t pp_pace_mean(const struct pp_frame *frame, uint64_t wall_ns);    /* what its function's last timed calls took; of the first, WALL_NS */
void pp_pace_note(const struct pp_frame *frame, uint64_t wall_ns);        /* a function's timed call has ended */

/* ---- stages (stage.c) ---- */
bool pp_stage_make_first(struct pp_thread *thread);
void pp_stage_adopt(struct pp_thread *thread, struct pp_stages *chunk);
/* The record of (key, parent stage), made if need be. Null: no room. */
struct pp_stage *pp_stage_get(struct pp_thread *thread, uint32_t key, uint32_t kind, uint32_t parent);
void pp_stage_open(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage);
void pp_stage_close(struct pp_thread *thread, struct pp_frame *frame, struct pp_stage *stage, uint64_t start_ns, uint64_t wall_ns);
void pp_stage_time(struct pp_stage *stage, uint64_t wall_ns, uint64_t index, uint64_t start_ns);
uint64_t pp_stage_mean(const struct pp_stage *stage);    /* in whole nanoseconds, 1 at least */
uint32_t pp_bucket(uint64_t value);
void pp_sources_start(void);
void pp_sources_birth(struct pp_thread *thread);
void pp_sources_death(struct pp_thread *thread);
void pp_sources_fork_child(struct pp_thread *thread);

/* ---- numbers of the program's own (number.c) ---- */
/* Books a value at the thread's innermost stage. Exact also where a handler books amid it. */
void pp_number_add(struct pp_thread *thread, struct profplug_number *number, int64_t value);
/* So many at that time, which is since the run began. */
void pp_windows_add(struct pp_windows *windows, uint64_t at_ns, uint64_t count);

/* ---- growth (growth.c) ---- */
/* Entry number `index` of a stage has ended. Of each group a few are enough, so that the cost is bounded whatever an entry takes. */
void pp_growth_note(struct pp_growth *growth, uint64_t index);
static inline bool pp_growth_due(const struct pp_growth *growth, uint64_t index)
{
    return growth->shift < 2 || !(index & ((UINT64_C(1) << growth->shift >> 2) - 1));
}

/* ---- how the allocator stands (mallinfo.c) ---- */
void pp_arena_ask(struct pp_header *header);     /* at the end; wherever that comes */

/* ---- snapshots (snapshot.c) ---- */
/* Any thread, also in a signal's handler. */
void pp_snapshot_take(const char *label);
void pp_snapshots_fork_child(void);

/* ---- frames (frame.c) ---- */
bool pp_frames_make(struct pp_thread *thread);
void pp_frames_adopt(struct pp_thread *thread, struct pp_frames *chunk);
struct pp_frame *pp_frame_push(struct pp_thread *thread, struct pp_node *node, struct pp_node *outer, uint64_t stack_address, uint32_t flags);
void pp_frames_heal(struct pp_thread *thread, uint64_t stack_address);      /* pops frames whose functions are gone */
/* Closes what lies deeper than stack_address on this stack, down to `keep` (null: as far as it goes). */
void pp_frames_cut(struct pp_thread *thread, struct pp_frame *keep, uint64_t stack_address);
/* Regions begun by name in functions that have returned since go on where the thread is now. */
void pp_frames_rehome(struct pp_thread *thread);
void pp_frame_leave(struct pp_thread *thread, struct pp_frame *frame);
void pp_frames_close_all(struct pp_thread *thread);
struct pp_frame *pp_frame_below(struct pp_frame *frame);
static inline uint64_t pp_frame_token(const struct pp_frame *f)
{
    return (uint64_t)(uintptr_t)f | (uint64_t)(f->flags >> 16) << 48 | 1;
}
/* The open frame of a token, if it is this thread's. */
struct pp_frame *pp_frame_of(struct pp_thread *thread, uint64_t token);

/* ---- several copies of the runtime in one process (copies.c) ---- */
/* The slow halves, as one copy offers them to all. `stack` is the caller's stack pointer. */
#define PP_INTERFACE_VERSION 8u
struct pp_interface {
    uint32_t version, size;
    void (*count)(struct pp_object *object, uint32_t slot);
    uint64_t (*hits)(struct pp_object *object);
    uint64_t (*enter)(struct pp_object *object, uint32_t slot, uint64_t stack);
    void (*leave)(uint64_t token, uint64_t stack);
    void (*resync)(struct pp_object *object, uint32_t slot, uint64_t token, uint64_t stack);
    uint64_t (*scope_enter)(struct profplug_place *place, uint64_t stack);
    void (*loop_enter)(struct profplug_place *place, struct profplug_loop *loop, uint64_t stack);
    void (*loop_next)(struct profplug_loop *loop);
    void (*loop_leave)(struct profplug_loop *loop, uint64_t stack);
    void (*begin)(const char *name, uint64_t stack);
    void (*end)(const char *name);
    void (*number)(struct profplug_number *number, int64_t value, uint64_t stack);
    void (*snapshot)(const char *label, uint64_t stack);
    void (*start)(bool default_off);
    void (*copied)(uint64_t bytes, const void *caller);        /* PP_FILLED with them: filled */
    void (*handed)(uint64_t bytes, const void *caller);
};
extern const struct pp_interface pp_interface;           /* this copy's (hook.c) */
extern const struct pp_interface *_Atomic pp_owner;      /* the elected copy's; a table that elects at the first call */
const struct pp_interface *pp_elect(void);
const char *pp_spare_load(void);         /* embedded.c: the shared runtime that the archive carries; null, or what stands against it */
static inline const struct pp_interface *pp_elected(void)
{
    const struct pp_interface *owner = atomic_load_explicit(&pp_owner, memory_order_acquire);
    return PP_LIKELY(owner) ? owner : pp_elect();
}
#endif
