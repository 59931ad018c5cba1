/* SPDX-License-Identifier: MIT */
/* thread.c: creation, reuse and retirement of a thread's block, and the THREADS rows. It must not know what is recorded
 * in a block.
 *
 * A block outlives its thread. The next new thread takes it over and continues to add to it. So nothing has to be
 * merged when a thread ends, and nothing is lost when a program is killed. Creation and retirement take pp_lock. No
 * probe does, except the first of a thread. */
#define _GNU_SOURCE
#include "thread/thread.h"
#include "file/datafile.h"
#include "metric/cpu.h"
#include "probe/calltree.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "probe/stage.h"
#include "process/lifecycle.h"
#include "process/parts.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/segment.h"
#include "thread/unfinished.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Only the elected copy uses its own. The dynamic linker has little static thread-local storage for libraries that are
 * opened at run time. With an offset (pp_tls_offset) in place of an access model, such a library takes none of it. */
#ifdef PP_SHARED
static __thread struct pp_words words __attribute__((tls_model("initial-exec"), aligned(64)));
#else
static __thread struct pp_words words __attribute__((aligned(64)));
#endif

void pp_tls_own(void) { pp_tls_offset = (char *)&words - (char *)__builtin_thread_pointer(); }

#define ROWS_FIRST_BYTES 4096u
#define ROWS_NEXT_BYTES 16384u
#define ROWS_LIMIT 65536u
#define COUNTERS_SPARE 64u /* keys beyond those given out that a new counter area reaches */

static struct {
    pthread_key_t key;
    bool key_made;
    _Atomic uint32_t count;
    uint32_t retired;            /* id of the retired block to take next, 0 for none */
    uint32_t reap_at;            /* number of blocks at which the runtime searches for threads that ended */
    struct pp_thread_rows *rows; /* the extent that takes the next row */
    uint32_t row_total;
    struct pp_private *initial; /* of the thread that main runs in */
} table;
PP_FAR struct pp_numbered pp_numbered[PP_THREAD_BLOCKS + 1];

static uint32_t thread_tid(void) { return (uint32_t)syscall(SYS_gettid); }

struct pp_thread *pp_thread_at(uint32_t id)
{
    return id && id <= PP_THREAD_BLOCKS ? atomic_load_explicit(&pp_numbered[id].block, memory_order_acquire) : 0;
}

uint32_t pp_thread_count(void)
{
    uint32_t n = atomic_load_explicit(&table.count, memory_order_acquire);
    return n < PP_THREAD_BLOCKS ? n : PP_THREAD_BLOCKS;
}

uint64_t pp_random(struct pp_private *p) /* xorshift64* (Vigna) */
{
    uint64_t x = p->random;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    p->random = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* ---- rows; under pp_lock ---- */

static uint32_t key_count(void) /* partner: pp_keys_take */
{
    return atomic_load_explicit((_Atomic uint32_t *)&pp_run.header->key_count, memory_order_acquire);
}

static void row_begin(struct pp_thread *thread, uint64_t now)
{
    struct pp_private *p = pp_private(thread);
    p->row = p->former && p->former->tid == p->tid ? p->former : 0;
    p->former = 0;
    if (p->row) { /* it goes on, in a destructor after ours */
        atomic_store_explicit((_Atomic uint64_t *)&p->row->end_ns, 0, memory_order_relaxed);
        return;
    }
    if (!table.rows || table.rows->count >= table.rows->capacity) {
        struct pp_extent extent;
        if (table.row_total >= ROWS_LIMIT ||
            !pp_extent_claim(&extent, table.rows ? ROWS_NEXT_BYTES : ROWS_FIRST_BYTES)) {
            thread->row = UINT32_MAX; /* not that of the block's last owner */
            if (table.rows)           /* it is counted, and its block records what it does */
                atomic_fetch_add_explicit((_Atomic uint32_t *)&table.rows->count, 1, memory_order_relaxed);
            return;
        }
        table.rows = extent.address;
        table.rows->capacity = (uint32_t)((extent.size - sizeof *table.rows) / sizeof(struct pp_thread_row));
        pp_extent_publish(&extent, PP_EXTENT_THREADS, 0);
    }
    struct pp_thread_row *row = (struct pp_thread_row *)(table.rows + 1) + table.rows->count;
    row->tid = p->tid;
    row->block = thread->id;
    row->start_ns = now;
    if (!pp_forbids(PP_FORBIDDEN_LOOKS))
        prctl(PR_GET_NAME, row->name);
    thread->row = table.row_total++;
    p->row = row;
    atomic_store_explicit((_Atomic uint32_t *)&table.rows->count, table.rows->count + 1,
                          memory_order_release); /* partner: reader */
}

void pp_thread_row_update(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    struct pp_thread_row *row = p->row;
    if (!row || pp_forbids(PP_FORBIDDEN_METRICS | PP_FORBIDDEN_LOOKS | PP_FORBIDDEN_CORE))
        return;
    pp_cpu_row(thread); /* also for others, when the process ends */
    if (p->tid == thread_tid())
        prctl(PR_GET_NAME, row->name);
}

/* By their handles, of which two may have one place: then the older one is not found. */
PP_FAR static struct pp_thread_row *_Atomic row_by_handle[1024];

static struct pp_thread_row *_Atomic *handle_place(uint64_t handle)
{
    return &row_by_handle[handle * UINT64_C(0x9e3779b97f4a7c15) >> 54];
}

void pp_thread_started(uint32_t callsite)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    struct pp_thread_row *row = thread ? pp_private(thread)->row : NULL;
    if (!row)
        return;
    row->started = callsite;
    row->handle = (uint64_t)pthread_self();
    atomic_store_explicit(handle_place(row->handle), row, memory_order_release); /* partner: below */
}

/* Another thread may have the handle by now. */
struct pp_thread_row *pp_thread_row_ended(uint64_t handle)
{
    struct pp_thread_row *row = atomic_load_explicit(handle_place(handle), memory_order_acquire);
    return row && row->handle == handle && row->end_ns ? row : NULL;
}

/* ---- blocks ---- */

static bool counters_make(struct pp_private *p, uint32_t id)
{
    struct pp_extent extent;
    uint64_t keys = (uint64_t)key_count() + COUNTERS_SPARE;
    if (p->counters_limit && keys < p->counters_limit / 8 * 2)
        keys = p->counters_limit / 8 * 2; /* so that many small objects do not make many areas */
    if (!pp_extent_claim(&extent, sizeof(struct pp_counters) + keys * 8))
        return false;
    struct pp_counters *head = extent.address;
    head->count = (extent.size - sizeof *head) / 8;
    p->counters = (uint64_t)(uintptr_t)(head + 1);
    p->counters_limit = head->count * 8;
    pp_extent_publish(&extent, PP_EXTENT_COUNTERS, id);
    return true;
}

static void fill_tls(struct pp_tls *tls, struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    tls->thread = (uint64_t)(uintptr_t)thread;
    tls->counters = p->counters;
    atomic_signal_fence(memory_order_seq_cst); /* the limit enables the inline paths, also in a signal handler */
    tls->limit = p->counters_limit;
}

void pp_thread_refill(struct pp_thread *thread)
{
    sigset_t saved;
    struct pp_private *p = pp_private(thread);
    pp_signals_block(&saved);
    if (p->counters_limit >= (uint64_t)key_count() * 8 || counters_make(p, thread->id))
        fill_tls(pp_tls(), thread);
    pp_signals_restore(&saved);
}

static struct pp_thread *block_make(void)
{
    uint32_t id = atomic_load_explicit(&table.count, memory_order_relaxed) + 1;
    struct pp_extent extent;
    if (id > PP_THREAD_BLOCKS || !pp_extent_claim(&extent, sizeof(struct pp_thread)))
        return 0;
    struct pp_thread *thread = extent.address;
    struct pp_private *p = pp_private(thread);
    thread->id = id;
    p->random = (uint64_t)(uintptr_t)thread ^ pp_run.header->start_ns ^ UINT64_C(0x9e3779b97f4a7c15) * id;
    if (!p->random)
        p->random = id;
    if (!pp_stage_make_first(thread) || !pp_tree_make(thread) || !pp_frames_make(thread) || !counters_make(p, id))
        return 0; /* its pages stay unused: memory has run out */
    atomic_store_explicit(&pp_numbered[id].block, thread, memory_order_release);
    atomic_store_explicit(&table.count, id, memory_order_release);
    pp_extent_publish(&extent, PP_EXTENT_THREAD, id);
    return thread;
}

static void block_retire(struct pp_thread *thread) /* under pp_lock */
{
    struct pp_private *p = pp_private(thread);
    p->former = p->row;
    p->row = 0;
    pp_unfinished_clear(thread);
    p->next_free = table.retired;
    table.retired = thread->id;
    atomic_store_explicit(&p->state, PP_THREAD_RETIRED, memory_order_release);
}

/* Retires the blocks of threads that ended by a raw exit system call, without destructors. */
static void reap(void)
{
    uint32_t live = 0, count = pp_thread_count();
    if (pp_forbids(PP_FORBIDDEN_LOOKS))
        return;
    for (uint32_t id = 1; id <= count; id++) {
        struct pp_thread *thread = pp_thread_at(id);
        struct pp_private *p = pp_private(thread);
        if (atomic_load_explicit(&p->state, memory_order_relaxed) != PP_THREAD_LIVE)
            continue;
        if (syscall(SYS_tgkill, pp_run.header->pid, p->tid, 0) && errno == ESRCH) {
            if (p->row)
                p->row->end_ns = pp_now_ns();
            block_retire(thread);
        } else {
            live++;
        }
    }
    table.reap_at = live * 2 < 64 ? 64 : live * 2;
}

struct pp_thread *pp_thread_birth(void)
{
    sigset_t saved;
    struct pp_tls *own = pp_tls();
    if (own->thread)
        return (struct pp_thread *)(uintptr_t)own->thread;
    if (own->busy || !pp_run.header)
        return 0;
    /* A thread that got no block asks again after 1, 2, 4 ... further probes: each time takes system calls. */
    own->refused++;
    if (own->refused & (own->refused - 1))
        return 0;
    if (pp_forbids(PP_FORBIDDEN_CORE)) {
        pp_loss(PP_LOSS_THREADS, own->refused == 1);
        return 0;
    }
    int saved_errno = errno;
    sigset_t inner;
    uint64_t begun_ns = pp_cpu_own();
    pp_signals_block(&saved); /* first, so that no handler's probe meets the mark below */
    own->busy = 1;            /* probes in what we call from here are not recorded */
    pp_lock(&inner);
    if (!table.retired && pp_thread_count() >= table.reap_at)
        reap();
    struct pp_thread *thread = pp_thread_at(table.retired);
    if (thread) {
        table.retired = pp_private(thread)->next_free;
    } else {
        thread = block_make();
    }
    if (thread) {
        struct pp_private *p = pp_private(thread);
        uint64_t now = pp_now_ns();
        p->tid = thread_tid();
        if (p->tid == pp_run.header->pid)
            table.initial = p;
        else if (table.initial == p) /* main's thread has ended: the next owner of its block has another stack */
            table.initial = 0;
        p->stack_low = p->stack_high = 0;
        p->next_heartbeat_ns = now + PP_HEARTBEAT_NS;
        row_begin(thread, now);
        atomic_store_explicit(&p->state, PP_THREAD_LIVE,
                              memory_order_release); /* partner: pp_threads_seal, which reads the row */
    } else {
        pp_loss(PP_LOSS_THREADS, own->refused == 1);
    }
    pp_unlock(&inner);
    if (thread) {
        if (table.key_made)
            pthread_setspecific(table.key, thread);
        if (pp_private(thread)->counters_limit < (uint64_t)key_count() * 8)
            counters_make(pp_private(thread), thread->id);
        pp_parts_birth(thread);
        uint64_t now_ns = pp_cpu_own();
        pp_private(thread)->self_ns += now_ns > begun_ns ? now_ns - begun_ns : 0;
        fill_tls(own, thread);
    }
    own->busy = 0;
    errno = saved_errno;
    pp_signals_restore(&saved);
    return thread;
}

/* The destructor of our key, when the thread ends. If a later destructor meets a probe, the thread gets a block again,
 * and this runs again. */
static void thread_death(void *value)
{
    struct pp_thread *thread = value;
    struct pp_private *p = pp_private(thread);
    int saved_errno = errno;
    sigset_t saved;
    if (atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))
        return;
    pp_signals_block(&saved);
    pp_unfinished_cut(thread, 0); /* it was cancelled, or left a call by longjmp or pthread_exit */
    pp_tls()->busy = 1;
    uint64_t now = pp_now_ns(), begun_ns = pp_cpu_own();
    pp_parts_death(thread);
    pp_cpu_delay(thread);
    p->self_ns += pp_cpu_own() - begun_ns;
    pp_heartbeat(thread, now);
    if (p->row)
        p->row->end_ns = now;
    thread->node = (uint64_t)(uintptr_t)pp_tree_root(p);
    memset(pp_words(), 0, sizeof(struct pp_words));
    pp_segment_close();
    if (pp_forbids(PP_FORBIDDEN_CORE)) /* its block belongs to nobody from now on */
        return;
    pp_tls()->busy = 1;
    sigset_t inner;
    pp_lock(&inner);
    block_retire(thread);
    pp_unlock(&inner);
    pp_tls()->busy = 0;
    pp_signals_restore(&saved);
    errno = saved_errno;
}

struct pp_thread *pp_thread_self(void) { return (struct pp_thread *)(uintptr_t)pp_tls()->thread; }

void pp_threads_start(void)
{
    table.key_made = !pthread_key_create(&table.key, thread_death);
    table.reap_at = 64;
}

void pp_threads_seal(void)
{
    pp_objects_settle(false);
    for (uint32_t id = 1; id <= pp_thread_count(); id++) {
        struct pp_thread *thread = pp_thread_at(id);
        if (!thread || atomic_load_explicit(&pp_private(thread)->state, memory_order_acquire) != PP_THREAD_LIVE)
            continue;
        pp_thread_row_update(thread);
        pp_cpu_delay(thread);
    }
}

/* ---- fork: in the child, where only the thread that forked lives, with signals blocked and pp_lock held ---- */

struct adoption {
    struct pp_thread *thread;
    bool good;
};

/* Another thread's block may be half written at the fork. It is reset, in the first extents that it had. That thread
 * went on in the parent until the block was copied. So what it refers to may not be there: all that is left there. */
static void adopt(const struct pp_mapped *m, void *context)
{
    struct adoption *a = context;
    struct pp_private *p = pp_private(a->thread);
    if (m->thread != a->thread->id)
        return;
    switch (m->kind) {
    case PP_EXTENT_NODES:
        if (!p->nodes)
            a->good = pp_tree_adopt(a->thread, m->extent.address) && a->good;
        else
            pp_extent_withdraw(m);
        break;
    case PP_EXTENT_STAGES:
        if (!p->stages)
            pp_stage_adopt(a->thread, m->extent.address);
        else
            pp_extent_withdraw(m);
        break;
    case PP_EXTENT_FRAMES:
        if (!p->frames)
            pp_frames_adopt(a->thread, m->extent.address);
        else
            pp_extent_withdraw(m);
        break;
    case PP_EXTENT_TALLIES: /* their stages are not the same any more */
    case PP_EXTENT_SAMPLES:
    case PP_EXTENT_PATHS:
    case PP_EXTENT_BLOCKS:
    case PP_EXTENT_OPERATIONS:
    case PP_EXTENT_BLOCKED:
    case PP_EXTENT_TIMELINE: pp_extent_withdraw(m); break;
    case PP_EXTENT_COUNTERS: {
        struct pp_counters *head = m->extent.address;
        p->counters = (uint64_t)(uintptr_t)(head + 1);
        p->counters_limit = head->count * 8;
        break;
    }
    default: break;
    }
}

static void block_renew(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    struct adoption a = { thread, true };
    p->nodes = p->nodes_last = 0;
    p->stages = p->stages_last = 0;
    p->frames = 0;
    p->events_timed = p->self_ns = p->calls_ns = 0;
    memset(p->given_up, 0, sizeof p->given_up);
    p->segment = p->operations = p->known_calls = p->trail = p->private_stack = 0;
    p->heap.sums = (struct pp_sums){ 0, 0 };
    p->stall = p->busy = (struct pp_blocked_state){ 0 };
    p->unseen.row = p->faulting.row = 0;
    memset(p->recent, 0, sizeof p->recent);
    memset(p->sampler, 0, sizeof p->sampler);
    memset(p->timeline, 0, sizeof p->timeline);
    pp_extent_each(adopt, &a);
    if (a.good && p->nodes && p->stages && p->frames)
        block_retire(thread);
    else
        atomic_store(&p->state, PP_THREAD_NONE); /* never used again */
}

void pp_threads_fork_child(void)
{
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    table.retired = 0;
    pp_tls()->refused = 0; /* in the parent: the child may have room */
    for (uint32_t id = pp_thread_count(); id; id--) {
        struct pp_thread *thread = pp_thread_at(id);
        if (!thread)
            continue;
        pp_private(thread)->row = pp_private(thread)->former = 0;
        if (thread != self)
            block_renew(thread);
    }
}

void pp_threads_row_child(void)
{
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    table.row_total = 0;
    if (self) {
        pp_private(self)->tid = thread_tid();
        row_begin(self, pp_now_ns());
    }
}

/* ---- stack bounds ---- */

/* The mapping that holds `address`, or the initial thread's stack if that is 0, which may grow down to the mapping
 * below. Uses system calls alone, because pthread_getattr_np would call malloc. */
static bool mapping_find(uint64_t address, uint64_t *low, uint64_t *high)
{
    /* /proc/self/maps is empty once the initial thread has ended. */
    int fd = pp_forbids(PP_FORBIDDEN_LOOKS) ? -1 : pp_open("/proc/thread-self/maps", O_RDONLY | O_CLOEXEC, 0);
    if (fd < 0)
        return false;
    char buffer[4096];
    size_t have = 0;
    uint64_t previous_end = 0;
    bool found = false;
    for (;;) {
        ssize_t got = pp_read(fd, buffer + have, sizeof buffer - 1 - have);
        if (got <= 0)
            break;
        have += (size_t)got;
        buffer[have] = 0;
        char *line = buffer, *end;
        while (!found && (end = memchr(line, '\n', (size_t)(buffer + have - line)))) {
            uint64_t v[2] = { 0, 0 };
            char *s = line;
            for (int i = 0; i < 2; i++, s++)
                for (; *s != '-' && *s != ' ' && s < end; s++)
                    v[i] = v[i] << 4 | (uint64_t)(*s <= '9' ? *s - '0' : *s - 'a' + 10);
            bool grows = end - line > 7 && !memcmp(end - 7, "[stack]", 7);
            if (address ? v[0] <= address && address < v[1] : grows) {
                *low = grows ? previous_end : v[0];
                *high = v[1];
                found = true;
            }
            previous_end = v[1];
            line = end + 1;
        }
        if (found)
            break;
        have = (size_t)(buffer + have - line);
        memmove(buffer, line, have);
        if (have == sizeof buffer - 1)
            break;
    }
    pp_close(fd);
    return found;
}

bool pp_thread_on_stack(struct pp_private *p, uint64_t a, uint64_t b)
{
    if (PP_UNLIKELY(!p->stack_low)) {
        int saved_errno = errno;
        uint64_t anchor =
            (uint64_t)(uintptr_t)__builtin_thread_pointer(); /* at the top of a thread's stack, by glibc's layout */
        if (p == table.initial)
            anchor = 0;
        if (!mapping_find(anchor, &p->stack_low, &p->stack_high)) {
            p->stack_low = 1;
            p->stack_high = 1;
        }
        errno = saved_errno;
    }
    return a >= p->stack_low && a < p->stack_high && b >= p->stack_low && b < p->stack_high;
}
