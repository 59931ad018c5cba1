/* SPDX-License-Identifier: MIT */
/* lifecycle.c: start, heartbeat and end of the profiled process, as recorded in the header. It must not know what
 * threads record. */
#define _GNU_SOURCE
#include "process/lifecycle.h"
#include "file/datafile.h"
#include "file/total.h"
#include "memory/heapsample.h"
#include "memory/mallinfo.h"
#include "memory/peak.h"
#include "metric/cpu.h"
#include "metric/io.h"
#include "operation/operation.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "process/options.h"
#include "process/parts.h"
#include "process/program.h"
#include "sample/sampler.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/message.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/segment.h"
#include "thread/thread.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t next_process_heartbeat_ns;

#define PROCESS_HEARTBEAT_NS UINT64_C(200000000)

uint32_t pp_own_pid;

static uint64_t realtime_ns(void)
{
    struct timespec t;
    pp_clock_read(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

void pp_header_begin(struct pp_header *header, uint32_t pid)
{
    header->pid = pp_own_pid = pid;
    header->heartbeat_ns = pp_clock_ns(); /* both clocks together: they are compared with those of an exec's files */
    header->start_realtime_ns = realtime_ns();
    header->user_ns = header->system_ns = 0;
    pp_cpu_usage(header); /* before_ns, too, for a process that is killed before it comes here again */
    /* CPU time counts from before our file was made, so the wall time must hold that, too. */
    uint64_t used_ns = header->user_ns + header->system_ns;
    header->start_ns = header->heartbeat_ns - used_ns;
    header->start_realtime_ns -= used_ns;
}

/* ---- start ---- */

/* Measures a cycle of the processor, which is what a count costs among others: by products of which each waits for the
 * one before, and takes three cycles. A loop of counts took one cycle or three, by where its code lay. A loop with one
 * product in each turn took three to five, so a turn has eight. */
static uint32_t count_ps(uint64_t reading_ns)
{
    enum { PRODUCTS = 512, CYCLES = 3 };
    uint64_t least = UINT64_MAX;
    for (int group = 0; group < 4; group++) {
        uint64_t begun = pp_clock_ns(), word = begun;
        for (unsigned i = 0; i < PRODUCTS / 8; i++) { /* written out, since -Oz unrolls no loop */
#define PRODUCT                             \
    word *= word;                           \
    __asm__ volatile("" : "+r"(word));
            PRODUCT PRODUCT PRODUCT PRODUCT PRODUCT PRODUCT PRODUCT PRODUCT
        }
        uint64_t took = pp_clock_ns() - begun;
        least = took < least ? took : least;
    }
    return least > reading_ns ? (uint32_t)((least - reading_ns) * 1000 / (PRODUCTS * CYCLES)) : 0;
}

/* A timed activation executes 730 instructions and reads the clock twice. */
#define ACTIVATION_COUNTS 240

static void calibrate(void)
{
    uint64_t least = UINT64_MAX; /* the least of eight groups, because the thread may be preempted in some */
    for (int group = 0; group < 8; group++) {
        uint64_t first = pp_clock_ns(), last = first;
        for (int i = 0; i < 8; i++)
            last = pp_clock_ns();
        least = last - first < least ? last - first : least;
    }
    /* Half of an activation's cost is reading the clock. The rest scales with the machine's speed. */
    uint64_t reading = least / 8;
    pp_costs.frame_ns = reading * 4;
    pp_run.header->frame_ns = (uint32_t)pp_costs.frame_ns;
    pp_run.header->count_ps = count_ps(reading);
    pp_costs.activation_ns = reading * 2 + ACTIVATION_COUNTS * pp_run.header->count_ps / 1000;
}

static void on_exit_status(int status, void *unused);
static void on_quick_exit(void *unused);

/* at_quick_exit needs a __dso_handle, which a shared object linked without the start files lacks. */
extern char __dso_handle __attribute__((weak, visibility("hidden")));
int __cxa_at_quick_exit(void (*handler)(void *), void *object);

static bool process_open(uint32_t pid)
{
    pp_program_find();
    if (!pp_program_path(pid))
        return false;
    if (!pp_total_open())
        return false;
    struct pp_header *h = pp_file_create();
    if (!h && errno != PP_FILE_COUNTED)
        pp_complain("%s: %s; nothing is recorded", pp_run.path,
                    errno == EEXIST ? "not a regular file" : strerrordesc_np(errno));
    if (!h)
        return false;
    pp_header_begin(h, pid);
    h->parent_pid = (uint32_t)getppid();
    h->root_pid = h->pid;
    h->level = pp_run.options.level;
    h->timing = pp_run.options.timing;
    h->collectors = pp_run.options.collectors;
    h->budget_permille = pp_run.options.budget_permille;
    h->key_count = 1;
    h->account_known = 1;
    pp_program_name(h);
    strcpy(h->clock_name, pp_clock_name());
    pp_run.header = h;
    pp_program_describe(h);
    pp_options_record(&pp_run.options);
    if (pp_file_open_to_readers())
        return true;
    pp_complain("%s: %s; nothing is recorded", pp_run.path, strerrordesc_np(errno));
    pp_run.header = 0;
    pp_file_abandon();
    return false;
}

static _Atomic uint32_t starting; /* pid of the process that is or was in pp_process_start */

void pp_process_start(bool default_off)
{
    sigset_t saved;
    int saved_errno = errno;
    uint64_t *busy = &pp_tls()->busy;
    if (*busy || atomic_load_explicit(&pp_state, memory_order_acquire) != PP_STATE_NEW)
        return;
    sigset_t inner;
    pp_signals_block(&saved); /* first, so that no probe in a signal handler sees `busy` */
    *busy = 1;
    /* It writes, since a new page that is read first has two faults. */
    uint32_t starter = atomic_fetch_add_explicit(&starting, 0, memory_order_acquire);
    uint32_t pid = (uint32_t)syscall(SYS_getpid);
    if (starter && starter != pid &&
        atomic_load_explicit(&pp_state, memory_order_acquire) == PP_STATE_NEW) {
        /* The parent was here in another thread when it forked. The child cannot finish that start. */
        pp_run.header = 0;
        atomic_store_explicit(&pp_state, PP_STATE_OFF, memory_order_release);
        pp_lock_forget();
    }
    pp_lock(&inner);
    if (atomic_load_explicit(&pp_state, memory_order_relaxed) == PP_STATE_NEW) {
        atomic_store_explicit(&starting, pid, memory_order_release);
        pp_run.page_bytes = (uint32_t)getauxval(AT_PAGESZ); /* sysconf lies in pages that nobody else reads */
        pp_outlet_remember();
        if (default_off && !pp_environment_speaks())
            pp_options_defaults(&pp_run.options), pp_run.options.level = PP_LEVEL_OFF;
        else
            pp_options_read(&pp_run.options);
        bool on = false;
        uint64_t begun_ns = 0;
        if (pp_run.options.level != PP_LEVEL_OFF) {
            begun_ns = pp_cpu_own();
            pp_cpu_start(); /* the start is part of the run, and of the profiler's cost */
            pp_clock_start();
            on = process_open(pid);
        }
        if (on) {
            pp_parts_start();
            on_exit(on_exit_status, 0);
            __cxa_at_quick_exit(on_quick_exit, &__dso_handle);
            calibrate();
            pp_run.header->self_ns += pp_cpu_own() - begun_ns;
        }
        atomic_store_explicit(&pp_state, on ? PP_STATE_ON : PP_STATE_OFF, memory_order_release);
    }
    pp_unlock(&inner);
    *busy = 0;
    errno = saved_errno;
    pp_signals_restore(&saved);
}

/* ---- while it runs ---- */

static void events_flush(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    struct pp_header *h = pp_run.header;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->events_timed, p->events_timed, memory_order_relaxed);
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->self_ns, p->self_ns + p->events_timed * pp_costs.frame_ns,
                              memory_order_relaxed);
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->calls_ns, p->calls_ns, memory_order_relaxed);
    p->events_timed = p->self_ns = p->calls_ns = 0;
    for (unsigned i = 0; i < PP_GIVEN_COUNT; i++)
        if (p->given_up[i]) {
            pp_give_up(i, p->given_up[i]);
            p->given_up[i] = 0;
        }
}

void pp_heartbeat(struct pp_thread *thread, uint64_t now)
{
    struct pp_private *p = pp_private(thread);
    struct pp_header *h = pp_run.header;
    int saved_errno = errno;
    p->next_heartbeat_ns = now + PP_HEARTBEAT_NS;
    _Atomic uint64_t *latest = (_Atomic uint64_t *)&h->heartbeat_ns;
    if (now >
        atomic_load_explicit(latest, memory_order_relaxed)) /* relaxed: the time of any recent heartbeat will do */
        atomic_store_explicit(latest, now, memory_order_relaxed);
    events_flush(thread);
    pp_thread_row_update(thread);
    if (pp_on(PP_COLLECTOR_SAMPLES))
        pp_sampler_check(thread);
    uint64_t due = atomic_load_explicit(&next_process_heartbeat_ns, memory_order_relaxed);
    if (now > due &&
        atomic_compare_exchange_strong_explicit(&next_process_heartbeat_ns, &due, now + PROCESS_HEARTBEAT_NS,
                                                memory_order_relaxed, memory_order_relaxed)) {
        /* one thread at a time */
        if (due) /* not a short process */
            pp_objects_settle(true);
        pp_cpu_usage(h), pp_program_processor(h);
    }
    errno = saved_errno;
}

/* ---- the end ---- */

/* Whether this process has a file, and may end it. `looks`: whether the file is still there is asked, too. */
static bool is_this_process(bool looks)
{
    if (!pp_run.header ||
        (pp_forbids(PP_FORBIDDEN_CORE) ? !*pp_fork_generation : (uint32_t)syscall(SYS_getpid) != pp_own_pid))
        return false; /* a vfork's child, for one */
    static bool said;
    const char *trouble =
        !looks || pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_FILE | PP_FORBIDDEN_LOOKS) ? 0 : pp_file_trouble();
    if (trouble && !said)
        pp_complain("%s: was %s while the program ran; what was recorded is lost", pp_run.path, trouble);
    said = said || trouble;
    return !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed);
}

/* A process that used less is not asked for what takes longer than it is worth. */
#define SHORT_NS 2000000u

/* Not `last`: the program's destructors run, and then this once more. What only asks the kernel waits until then. */
static void seal(bool last)
{
    struct pp_header *h = pp_run.header;
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    sigset_t saved;
    uint64_t begun_ns = pp_cpu_own();
    pp_signals_block(&saved);
    if (thread) {
        pp_start_settle(thread);
        pp_frames_close_all(thread);
        events_flush(thread);
    }
    pp_segment_settle(thread);
    if (last) {
        if (pp_on(PP_COLLECTOR_SAMPLES))
            pp_sampler_stop();
        pp_threads_seal();
        pp_cpu_usage(h);
        pp_io_usage(h);
    }
    if (h->user_ns + h->system_ns >= SHORT_NS)
        pp_program_processor(h);
    pp_heapsample_end();
    pp_mapping_end();
    h->heap_calls = pp_heap_calls();
    h->heartbeat_ns = pp_clock_ns();
    h->end_ns = h->heartbeat_ns;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->self_ns, pp_cpu_own() - begun_ns, memory_order_relaxed);
    pp_signals_restore(&saved);
}

static void process_end(enum pp_exit_kind kind, int status, bool last)
{
    int saved_errno = errno;
    if (is_this_process(last)) {
        pp_run.header->exit_kind = kind;
        pp_run.header->exit_status = status;
        pp_cpu_usage(pp_run.header);
        pp_mallinfo_ask(pp_run.header);
        seal(last);
    }
    errno = saved_errno;
}

/* A program may try many places until one has what it executes. Asking takes ten times as long as an exec that fails,
 * and an answer is good for so long, and for this part of the run. */
#define ASKED_NS 1000000u
#define ASKED_PART 64u

/* Open frames stay open, because a failed exec returns into them. */
enum pp_replaced pp_process_replaced(uint64_t now_ns)
{
    static uint64_t asked_ns;
    int saved_errno = errno;
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    struct pp_header *h = pp_run.header;
    uint64_t since_ns = now_ns - asked_ns;
    bool again = h && since_ns < ASKED_NS && since_ns < (now_ns - h->start_ns) / ASKED_PART;
    bool ends = is_this_process(!again);
    if (ends && !again) {
        if (thread)
            events_flush(thread);
        pp_threads_seal();
        pp_cpu_usage(h);
        pp_io_usage(h);
        asked_ns = now_ns = pp_clock_ns();
    }
    if (ends) {
        h->exit_kind = PP_EXIT_EXEC;
        h->heartbeat_ns = h->end_ns = now_ns;
    }
    errno = saved_errno;
    return !ends ? PP_REPLACED_NOT : again ? PP_REPLACED_AGAIN : PP_REPLACED_ASKED;
}

void pp_process_resume(enum pp_replaced how)
{
    if (how == PP_REPLACED_NOT)
        return;
    pp_run.header->exit_kind = PP_EXIT_UNKNOWN;
    pp_run.header->end_ns = 0;
}

/* Where a library's constructor began the run, destructors come first: the loader's handler of exits came later. */
static bool destructors_ran;

static void on_exit_status(int status, void *unused)
{
    process_end(PP_EXIT_EXIT, status & 0xff, destructors_ran);
    if (destructors_ran && is_this_process(false))
        pp_operations_last();
}

static void on_quick_exit(void *unused)
{
    process_end(PP_EXIT_UNKNOWN, 0, true); /* handlers do not get to know the status */
}

/* The last function of ours, but for that: the program's destructors have run. */
__attribute__((destructor(101))) static void process_unload(void)
{
    destructors_ran = true;
    if (is_this_process(true) && pp_run.header->exit_kind == PP_EXIT_EXIT) {
        seal(true);
        pp_operations_last();
    }
}

PP_WRAPPER __attribute__((noreturn)) void _exit(int status)
{
    process_end(PP_EXIT_EXIT, status & 0xff, true);
    for (;;)
        syscall(SYS_exit_group, status);
}

PP_WRAPPER __attribute__((noreturn)) void _Exit(int status) { _exit(status); }
