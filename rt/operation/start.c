/* SPDX-License-Identifier: MIT */
/* start.c: the start of the recording, and of a call. Says in the thread's block that a call has begun, for who looks
 * before it returns, or when it never does. The price is some stores: the clock is read anyway, and the callsite is
 * looked up here instead of at the end. Reads the clocks of rare calls. */
#define _GNU_SOURCE
#include "operation/count.h"
#include "operation/operation.h"
#include "operation/toll.h"
#include "stack/callsite.h"
#include "stack/unwind.h"
#include "stack/walk.h"
#include "system/clock.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/privatestack.h"
#include "thread/thread.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static void thread_settle(void *whose, void *where, void *unused)
{
    struct pp_thread *thread = whose;
    struct pp_unwind *unwind = where;
    uint64_t here = unwind->reg[PP_UNWIND_STACK];
    (void)unused;
    pp_walk_bound(unwind, thread);
    pp_unfinished_cut(thread, pp_walk_interrupted(unwind, here));
}

/* Not inline, because unwinding begins with this frame, which must exist throughout. */
__attribute__((noinline, cold)) void pp_start_settle(struct pp_thread *thread)
{
    struct pp_unwind unwind;
    sigset_t saved;
    if (!pp_unfinished_any(thread) || pp_forbids(PP_FORBIDDEN_CORE))
        return;
    int kept = errno;
    pp_signals_block(&saved);
    pp_private_stack_make(pp_private(thread));
    if (pp_unwind_here(&unwind))
        pp_on_private_stack(pp_private(thread), thread_settle, thread, &unwind, NULL);
    pp_signals_restore(&saved);
    errno = kept;
}

__attribute__((cold)) void pp_start_left(struct pp_thread *thread, const struct pp_unfinished *left)
{
    uint64_t wall_ns = left->start_ns ? pp_clock_ns() - left->start_ns : 0;
    pp_private(thread)->left_node = left->node + 1;
    pp_operation_book(NULL, &(struct pp_done){ .kind = left->kind,
                                               .target = left->target,
                                               .failed = true,
                                               .wall_ns = wall_ns,
                                               .wait_ns = wall_ns,
                                               .callsite = left->point });
    pp_private(thread)->left_node = 0;
}

/* The first place is taken: by a call that a handler interrupted, or that was left without returning. */
static __attribute__((noinline, cold)) struct pp_unfinished *place_find(struct pp_thread *thread)
{
    pp_start_settle(thread);
    for (unsigned i = 0; i < PP_UNFINISHED; i++)
        if (!thread->unfinished[i].call)
            return &thread->unfinished[i];
    return NULL;
}

void pp_start_prepare(struct pp_call *call, enum pp_operation_kind kind, const void *caller)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (PP_UNLIKELY(!thread || !*pp_fork_generation || PP_RUNTIME_AT_WORK))
        return;
    struct pp_unfinished *u = thread->unfinished;
    if (PP_UNLIKELY(*(volatile uint64_t *)&u->call) && !(u = place_find(thread)))
        return;
    pp_unfinished_take(u, call);
    const struct pp_descriptor *d = call->descriptor;
    u->point = call->callsite = call->entry ? PP_OPERATION_POINT(call->entry->key) : pp_callsite_of(caller);
    u->kind = (uint32_t)kind;
    u->node = pp_thread_node(thread)->number;
    u->target = d ? atomic_load_explicit(&d->target, memory_order_relaxed) : 0;
    call->place = u;
}

/* ---- the clocks ---- */

#define GET(word) atomic_load_explicit(&(word), memory_order_relaxed)
#define SET(word, value) atomic_store_explicit(&(word), value, memory_order_relaxed)

__attribute__((cold)) uint64_t pp_call_cpu_ns(void)
{
    struct timespec t;
    uint64_t begun_ns = pp_toll_begin();
    if (pp_forbids(PP_FORBIDDEN_METRICS) || pp_clock_read(CLOCK_THREAD_CPUTIME_ID, &t))
        return 0;
    pp_toll_end(begun_ns);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

#define WAITS_FIRST 32u
#define WAITS_STEP 16u
#define WAITS_MOST_STEP 512u
#define WAITS_GROWTH 64u /* in between, one in n / WAITS_GROWTH after n calls */

static struct pp_private *private_self(void)
{
    struct pp_thread *thread = pp_thread_self();
    return thread ? pp_private(thread) : NULL;
}

/* If the thread's turn ends while the clock is read, another thread runs before the call. The call would then be
 * charged with cold caches, for all calls that it stands for. So the next call is read in its place. */
void pp_wait_turn(struct pp_call *call)
{
    static _Atomic uint64_t least_ns = UINT64_MAX;
    struct pp_private *p = private_self();
    if (p)
        p->taken = INT32_MIN;
    if (!p || p->waits++ < p->waits_due)
        return;
    uint32_t step = p->waits <= WAITS_FIRST                     ? 1
                    : p->waits < WAITS_STEP * WAITS_GROWTH      ? WAITS_STEP
                    : p->waits < WAITS_MOST_STEP * WAITS_GROWTH ? p->waits / WAITS_GROWTH
                                                                : WAITS_MOST_STEP;
    uint64_t begun_ns = pp_clock_ns(), cpu_ns = pp_call_cpu_ns(), took_ns = pp_clock_ns() - begun_ns;
    p->waits_due = p->waits;
    if (took_ns < GET(least_ns))
        SET(least_ns, took_ns);
    if (took_ns >= PP_LONG_NS && took_ns / 8 >= GET(least_ns)) /* the latter: not each reading is as slow */
        return;
    call->cpu_ns = cpu_ns ? cpu_ns + GET(least_ns) : 0;
    call->cpu_for = step;
    p->waits_due += (uint32_t)((pp_random(p) >> 32) * (2 * step - 1) >> 32);
}

uint64_t pp_coarse_long_ns;

uint64_t pp_coarse_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Of the calls from a callsite, by whichever thread. In some, drawn by chance, the thread's CPU clock is read, a system
 * call. They tell how much of the others was a wait. What threads lose by a race is one call of many. */
enum sort { BELOW_LONG, LONG_WAIT, LONG_WORK, CPU, SORTS }; /* CPU: of calls below long, without what they were ready */
struct pp_drawn {
    _Atomic uint32_t caller; /* by its hash; another one with the same place takes it over */
    _Atomic uint8_t left;    /* calls until the next one that is drawn */
    _Atomic uint8_t draws;   /* so far; further ones are farther apart */
    _Atomic uint8_t shorts;  /* calls that were short in a row; such calls look no further, at one line of the cache */
    _Atomic bool preempted;  /* a drawn call may have been: for the next one the kernel is asked beforehand, too */
    struct pp_drawn_sum {
        _Atomic int32_t mean_ns; /* what a drawn call did not wait, the last ones count most; 0: none was drawn */
        _Atomic int32_t owed_ns; /* what calls that were not drawn lack of it, or have too much */
        _Atomic uint16_t others; /* calls since the last drawn one */
        _Atomic uint8_t count;   /* drawn calls, up to DRAWN_MOST */
    } sum[SORTS];                /* of calls that were not short */
};
#define DRAWN_PLACES 512u
PP_FAR static struct pp_drawn drawn[DRAWN_PLACES + 1]; /* the last one is of all callsites */

static struct pp_drawn *drawn_of(const void *caller)
{
    uint32_t hash = (uint32_t)((uintptr_t)caller * UINT64_C(0x9e3779b97f4a7c15) >> 32);
    struct pp_drawn *s = &drawn[hash % DRAWN_PLACES];
    if (PP_UNLIKELY(GET(s->caller) != hash)) {
        memset(s, 0, sizeof *s);
        SET(s->caller, hash);
    }
    return s;
}

/* Starts of threads and processes: what they start may take their CPU at once, and no two do so alike. Of others the
 * first DRAWS_FIRST calls from a callsite, then each 18th, 20th, ... 120th in the mean. */
#define DRAWS_FIRST 8u
#define DRAWS_RARE 60u
_Static_assert(4 * DRAWS_RARE <= UINT8_MAX, "pp_drawn.left");

static bool is_drawn(struct pp_call *call, const void *caller)
{
    struct pp_thread *thread = pp_thread_self();
    if (PP_UNLIKELY(!thread))
        return true;
    struct pp_drawn *s = call->drawn = drawn_of(caller);
    if (!caller)
        return true;
    if (GET(s->shorts) >= PP_SHORT_CALLS)
        return false;
    uint32_t left = GET(s->left), draws = GET(s->draws);
    if (left) {
        SET(s->left, (uint16_t)(left - 1));
        return false;
    }
    draws += draws < DRAWS_RARE;
    SET(s->draws, (uint8_t)draws);
    if (draws > DRAWS_FIRST)
        SET(s->left, (uint8_t)((pp_random(pp_private(thread)) >> 32) * (4u * draws + 1) >> 32));
    return true;
}

#define DRAWN_MOST 16
#define DRAWN_MOST_NS INT64_C(33000000)

static int32_t drawn_ns(int64_t ns)
{
    return (int32_t)(ns > DRAWN_MOST_NS ? DRAWN_MOST_NS : ns < -DRAWN_MOST_NS ? -DRAWN_MOST_NS : ns);
}

static uint64_t drawn_mean(const struct pp_drawn *s, enum sort sort)
{
    return s ? (uint64_t)GET(s->sum[sort].mean_ns) : 0;
}

/* A drawn call stands for the others since the last one: what they were given by the mean until then is corrected. It
 * counts as DRAWN_OUTLIER means at most, since the host may have taken its processor. */
#define DRAWN_OUTLIER 4
static __attribute__((noinline)) void drawn_keep(struct pp_drawn *s, enum sort sort, uint64_t used_ns)
{
    for (int i = 0; i < 2; i++, s = &drawn[DRAWN_PLACES]) { /* of the callsite, and of all */
        struct pp_drawn_sum *sum = &s->sum[sort];
        int32_t mean = GET(sum->mean_ns), off = drawn_ns((int64_t)used_ns) - mean, count = GET(sum->count);
        count += count < DRAWN_MOST;
        int64_t each = off < (DRAWN_OUTLIER - 1) * mean ? off : (DRAWN_OUTLIER - 1) * mean;
        SET(sum->owed_ns, drawn_ns(GET(sum->owed_ns) + each * GET(sum->others)));
        SET(sum->others, 0);
        SET(sum->mean_ns, (mean + off / count) | 1);
        SET(sum->count, (uint8_t)count);
    }
}

/* Returns what the thread did since this was last asked. Where two processors are at the same pipe, the kernel spins in
 * some calls that would have waited. The wall time does not tell which, but switches tell how many of those that were
 * taken to wait did. A drawn call that did not wait stands for the others. `waited`: this call did, if there are
 * switches at all. */
static unsigned switches_ask(struct pp_drawn *s, bool waited)
{
    struct pp_private *p = private_self();
    struct rusage use;
    uint64_t begun_ns = pp_toll_begin();
    if (!p || pp_forbids(PP_FORBIDDEN_METRICS) || getrusage(RUSAGE_THREAD, &use))
        return PP_CALL_WAITED;
    pp_toll_end(begun_ns);
    int64_t calls = p->taken, switches = (int64_t)((uint64_t)use.ru_nvcsw - p->voluntary_switches);
    unsigned found = (switches ? PP_CALL_WAITED : 0) |
                     (p->involuntary_switches != (uint64_t)use.ru_nivcsw ? PP_CALL_PREEMPTED : 0);
    p->voluntary_switches = (uint64_t)use.ru_nvcsw;
    p->involuntary_switches = (uint64_t)use.ru_nivcsw;
    calls -= switches - (waited && switches);
    bool tells = calls >= 0 && !(found & PP_CALL_PREEMPTED) && p->taken_from == (uintptr_t)s;
    p->taken = tells && waited ? (int32_t)calls : 0;
    if (tells && !waited) {
        SET(s->sum[BELOW_LONG].others, (uint16_t)calls);
        SET(s->sum[CPU].others, (uint16_t)calls);
    }
    return found;
}

__attribute__((cold)) void pp_call_draw(struct pp_call *call, const void *caller)
{
    if (is_drawn(call, caller)) {
        int kept = errno;
        static uint64_t least_ns = UINT64_MAX; /* what a reading takes, which is none of the call's either */
        static uint8_t readings;
        struct pp_drawn *s = call->drawn;
        /* Switches of before are none of this call's. But where it begins later, what it waits for is nearer, and it
         * takes less CPU time: 15 % less after 2.5 us. So this asks only where threads lose their CPU. */
        if (s && (!caller || GET(s->preempted)))
            SET(s->preempted, switches_ask(s, true) & PP_CALL_PREEMPTED);
        uint64_t cpu_ns = pp_call_cpu_ns();
        if (readings < DRAWS_FIRST) {
            uint64_t took_ns = -cpu_ns;
            took_ns += cpu_ns = pp_call_cpu_ns();
            least_ns = took_ns < least_ns ? took_ns : least_ns;
            readings++;
        }
        call->cpu_ns = cpu_ns + least_ns;
        errno = kept;
    }
}

/* As much as the mean drawn call, from there or anywhere, and what calls before lack: so the sum over calls is right.
 * Those that do not wait have all their time in the end. */
static __attribute__((noinline)) uint64_t drawn_used(struct pp_drawn *s, enum sort sort, uint64_t wall_ns)
{
    if (!drawn_mean(s, sort))
        s = &drawn[DRAWN_PLACES];
    struct pp_drawn_sum *sum = &s->sum[sort];
    int64_t due = (int64_t)GET(sum->mean_ns) + GET(sum->owed_ns), most = (int64_t)wall_ns,
            used = due < 1 ? 1 : due < most ? due : most; /* 0 would say that it is not known */
    SET(sum->owed_ns, drawn_ns(due - used));
    SET(sum->others, (uint16_t)(GET(sum->others) + 1));
    return (uint64_t)used;
}

__attribute__((cold)) uint64_t pp_call_waited(struct pp_call *call, uint64_t wall_ns, uint64_t *used_ns,
                                              unsigned *switches)
{
    struct pp_drawn *s = call->drawn;
    bool slow = wall_ns >= PP_SLOW_NS;
    uint64_t cpu = call->cpu_ns ? pp_call_cpu_ns() : 0, used = cpu > call->cpu_ns ? cpu - call->cpu_ns : 0;
    *used_ns = cpu ? used : UINT64_MAX;
    unsigned found = PP_CALL_WAITED;
    enum sort sort = wall_ns < PP_LONG_NS ? BELOW_LONG : LONG_WAIT;
    if (cpu && slow && s) {
        struct pp_private *p = private_self();
        bool off = wall_ns > used + PP_SLOW_NS;
        if (switches && (off || (p && p->taken > 0))) {
            unsigned asked = switches_ask(s, off);
            if (asked & PP_CALL_PREEMPTED)
                SET(s->preempted, true);
            if (off)
                found = asked;
        }
        bool waited = found & PP_CALL_WAITED; /* else it was ready to run in the rest */
        drawn_keep(s, waited ? sort : (enum sort)(sort * LONG_WORK), waited || sort == LONG_WAIT ? used : wall_ns);
        if (sort == BELOW_LONG)
            drawn_keep(s, CPU, used);
    }
    uint32_t shorts = s ? GET(s->shorts) : PP_SHORT_CALLS;
    if (s && (slow ? shorts != 0 : shorts < PP_SHORT_CALLS))
        SET(s->shorts, (uint8_t)(slow ? 0 : shorts + 1));
    call->cpu_ns = used;
    if (!cpu) {
        call->cpu_ns = used = wall_ns;
        if (slow && switches && (sort == LONG_WAIT || !drawn_mean(s, sort)))
            found = switches_ask(s, true);
        if (slow && found & PP_CALL_WAITED) {
            used = drawn_used(s, sort, wall_ns);
            call->cpu_ns = sort == BELOW_LONG ? drawn_used(s, CPU, wall_ns) : used;
            struct pp_private *p = private_self();
            if (sort == BELOW_LONG && s && p) {
                if (p->taken && p->taken_from != (uintptr_t)s)
                    p->taken = INT32_MIN;
                p->taken_from = (uintptr_t)s;
                p->taken++;
            }
        }
    }
    if (switches)
        *switches = found;
    return wall_ns > used ? wall_ns - used : 0;
}

__attribute__((cold)) void pp_call_begin_clocks(struct pp_call *call, const void *caller)
{
    pp_call_draw(call, caller);
    call->start_ns = pp_clock_ns();
    pp_start_say(call, call->start_ns);
}

__attribute__((cold)) void pp_call_begin_seldom(struct pp_call *call, enum pp_collector collector,
                                                enum pp_operation_kind kind, const void *caller)
{
    pp_call_clear(call, pp_on(collector));
    if (PP_UNLIKELY(!call->records))
        return;
    pp_start_prepare(call, kind, caller);
    pp_call_begin_clocks(call, caller);
}

__attribute__((cold)) uint64_t pp_call_returned(const struct pp_call *call)
{
    pp_start_over(call);
    return pp_clock_ns() - call->start_ns;
}

/* The CPU time of a long call whose thread was preempted. It had no more than the thread since its last sample, less
 * what was booked of calls. If that is little it worked as long as the drawn ones. If none of those was long, it is
 * short. */
static uint64_t preempted_ns(const struct pp_call *call, uint64_t wall_ns)
{
    struct pp_private *p = pp_private((struct pp_thread *)(uintptr_t)pp_tls()->thread);
    uint64_t most = pp_call_cpu_ns() + p->unseen.called_ns - p->unseen.cpu_ns - p->busy.waited_ns;
    if ((int64_t)(most * 2 - wall_ns) > 0)
        return most;
    most = drawn_mean(call->drawn, wall_ns < PP_LONG_NS ? BELOW_LONG : LONG_WORK);
    return most ? most : PP_SLOW_NS;
}

/* While it was ready to run and had no CPU it neither worked nor waited. That is left out as far as it is known. */
__attribute__((cold)) void pp_call_take(struct pp_call *call, uint64_t *wall_ns, uint64_t *wait_ns)
{
    uint64_t used;
    unsigned switches;
    *wall_ns = pp_call_returned(call);
    *wait_ns = 0;
    if (PP_LIKELY(*wall_ns < PP_SLOW_NS && !call->cpu_ns && call->drawn && GET(call->drawn->shorts) >= PP_SHORT_CALLS))
        return; /* as pp_call_waited says, too */
    int kept = errno;
    *wait_ns = pp_call_waited(call, *wall_ns, &used, &switches);
    if (!(switches & PP_CALL_WAITED)) {
        if (used == UINT64_MAX && switches)
            used = preempted_ns(call, *wall_ns);
        if (*wall_ns > used)
            *wall_ns = used;
        *wait_ns = 0;
    }
    errno = kept;
}

/* Assignments, as in pp_call_clear. */
static void seldom_book(const struct pp_call *call, struct pp_done *done, const void *caller, bool failed,
                        uint32_t target)
{
    done->target = target;
    done->failed = failed;
    done->sequential = done->preempted = done->works = false;
    done->bytes = done->cpu_ns = 0;
    done->cpu_for = 0;
    done->callsite = call->callsite;
    pp_operation_book(caller, done);
}

void pp_call_end_on(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed, uint32_t target)
{
    struct pp_done done;
    if (PP_UNLIKELY(!call->records))
        return;
    done.kind = kind;
    pp_call_take(call, &done.wall_ns, &done.wait_ns);
    seldom_book(call, &done, caller, failed, target);
}

void pp_call_open(struct pp_call *call, const void *caller, int fd, int folder, const char *path)
{
    struct pp_done done;
    if (PP_UNLIKELY(!call->records))
        return;
    done.kind = PP_OPERATION_OPEN;
    pp_call_take(call, &done.wall_ns, &done.wait_ns);
    struct pp_descriptor *d = fd >= 0 ? pp_descriptor_opened(fd, folder, path, done.wait_ns >= PP_LONG_NS) : NULL;
    seldom_book(call, &done, caller, fd < 0, d ? GET(d->target) : 0);
}

/* ---- of the recording ---- */

static bool streams_are_ours;

__attribute__((cold)) void pp_operations_start(void)
{
    uint32_t on = (pp_on(PP_COLLECTOR_IO) && pp_transfers_are_ours() ? PP_OPERATIONS_IO : 0) |
                  (pp_on(PP_COLLECTOR_WAITS) && pp_waits_are_ours() ? PP_OPERATIONS_WAITS : 0) |
                  (pp_on(PP_COLLECTOR_NETWORK) && pp_transfers_are_ours() ? PP_OPERATIONS_NETWORK : 0);
    if (!on)
        return;
    struct timespec tick;
    pp_coarse_long_ns = PP_COARSE_LONG_TICKS * (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) || tick.tv_nsec <= 0
                                                    ? UINT64_C(10000000)
                                                    : (uint64_t)tick.tv_nsec);
    streams_are_ours = pp_streams_are_ours();
    (void)pp_sockets_are_ours(); /* in a program with a send of its own, other calls are still wrapped */
    (void)pp_threads_are_ours();
    (void)pp_rwlocks_are_ours();
    (void)pp_works_are_ours();
#ifdef __GLIBC__
    (void)pp_scans_are_ours();
#endif
    pp_next_start();
    if (pp_targets_start()) {
        pp_operations_on = on;
        return;
    }
    char *note = pp_run.header->memory_note;
    size_t length = strlen(note);
    pp_loss(PP_LOSS_MEMORY, 1);
    snprintf(note + length, sizeof pp_run.header->memory_note - length,
             "%sI/O, the network and waits are not recorded: no room for their lines and files",
             length ? "; " : "");
}

__attribute__((cold)) void pp_operations_last(void)
{
    if (pp_operations_on & PP_OPERATIONS_IO && streams_are_ours && pp_run.header->io_known)
        pp_run.header->io_write_bytes += pp_streams_left();
}
