/* SPDX-License-Identifier: MIT */
/* sampler.c: where the CPU time of a thread goes. A perf event counts the thread's CPU time and raises a signal once a
 * period on average (interval.h), in user code only. The handler books a sample at the line of the program that runs,
 * or that called the library code that runs. It must not know what a module or a node is beyond its number.
 *
 * Opening an event takes 40 us. So where threads live shortly only some that are drawn begin with one (newcomer.h). The
 * others begin with a POSIX timer on their user time, which an event replaces once they have run for longer. The timer
 * stays where the kernel refuses events, or where context switches would make them too expensive (STATE_* below).
 *
 * The signal never interrupts a blocking system call: perf events exclude kernel mode, and the timers count user time.
 *
 * On glibc the signal is number 32. The C library keeps it out of sigfillset and of every mask that it sets. So threads
 * that block "all" signals are sampled, and sigwait, signalfd and pselect with full sets never see it. Debuggers pass
 * it silently. glibc itself uses it for pthread_cancel: signals that are not ours are passed on. On other C libraries
 * the sampler takes the highest free real-time signal. */
#define _GNU_SOURCE
#include "sample/sampler.h"
#include "file/datafile.h"
#include "metric/cpu.h"
#include "probe/frame.h"
#include "process/fault.h"
#include "process/program.h"
#include "sample/event.h"
#include "sample/faulting.h"
#include "sample/interval.h"
#include "sample/newcomer.h"
#include "sample/rate.h"
#include "sample/samplerow.h"
#include "sample/signalreturn.h"
#include "sample/unseen.h"
#include "stack/unwind.h"
#include "stack/walk.h"
#include "system/clock.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/privatestack.h"
#include "thread/thread.h"
#include "thread/unfinished.h"

#include <errno.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define NARROW_BYTES 768       /* room on an alternate stack for the program's own handler */
#define OPENING_MOST_NS UINT64_C(200000) /* an event that seems to take longer to open: the thread was preempted */
#define TIMER_VALUE 0x70726f66 /* sigev_value by which the handler knows our timers: "prof" */

/* Indices of pp_private.sampler, the sampler's words of a thread. */
enum {
    WORD_TABLE,  /* address of the newest table of samples */
    WORD_STATE,  /* STATE_* */
    WORD_TIMER,  /* id of the POSIX timer, in the states that have one */
    WORD_NARROW, /* 1: not sampled, because the alternate signal stack is too small */
    WORD_RANDOM, /* state of pp_interval_draw */
    WORD_EVERY,  /* how many periods each sample of this round stands for */
    WORD_LENGTH, /* the event's interval until then, in ns */
    WORD_FRAMES, /* see pp_lastwalk_begin */
    WORD_REST,   /* the interval of the first round's second sample; 0: there is none */
    WORD_STANDS, /* see pp_newcomer_weight */
    WORD_LIFE,   /* CPU time of the block's former owner; 0: it had none */
    WORD_COUNT
};
enum {
    STATE_OFF,
    STATE_TIMER,      /* a timer, to be replaced by an event at its first signal */
    STATE_PERF,       /* a perf event */
    STATE_TIMER_ONLY, /* a timer for good: there is no descriptor for an event, or a seccomp filter forbids it */
    STATE_TURNS       /* a timer while context switches are frequent */
};
_Static_assert(WORD_COUNT <= sizeof(((struct pp_private *)0)->sampler) / 8, "room in pp_private.sampler");

/* The kernel's own form: glibc's sigaction refuses signal 32. */
struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

static struct {
    int signal;
    uint64_t period_ns;
    bool on;
    bool perf; /* perf events are allowed, as far as is known */
    struct kernel_action previous;
} sampler;

static int event_of(uint32_t id)
{
    return atomic_load_explicit(&pp_numbered[id].event, memory_order_relaxed) - 1;
}

/* ---- in the handler ---- */

/* Where the thread was in the kernel between two samples nobody knows: each gets half of that time. */
static void unseen_book(struct pp_private *p, struct pp_sample *row, const struct pp_sample *sample)
{
    struct pp_sample *before = (struct pp_sample *)(uintptr_t)p->unseen.row;
    if (before) {
        before->unseen_ns += sample->unseen_ns / 2;
        before->called_ns += sample->called_ns / 2;
        pp_unseen_fault(before, sample->faults / 2);
    }
    row->unseen_ns += sample->unseen_ns - (before ? sample->unseen_ns / 2 : 0);
    row->called_ns += sample->called_ns - (before ? sample->called_ns / 2 : 0);
    pp_unseen_fault(row, sample->faults - (before ? sample->faults / 2 : 0));
    p->unseen.row = (uint64_t)(uintptr_t)row;
}

static void sample_book(struct pp_thread *thread, const struct pp_sample *sample)
{
    struct pp_private *p = pp_private(thread);
    uint64_t weight = sample->count;
    const struct pp_sample *before = (const struct pp_sample *)(uintptr_t)p->unseen.row;
    struct pp_sample *row = pp_samplerow_get(thread, &p->sampler[WORD_TABLE], sample, 0, weight);
    if (!row)
        return;
    row->ns += weight * sampler.period_ns;
    unseen_book(p, row, sample);
    uint64_t excess = row->excess + weight * (weight - 1);
    row->excess = excess < UINT32_MAX ? (uint32_t)excess : UINT32_MAX;
    /* partner: samples_take in the report, which takes a row once its count is not 0 */
    atomic_store_explicit((_Atomic uint64_t *)&row->count, row->count + weight, memory_order_release);
    pp_faulting_halve(thread, &p->sampler[WORD_TABLE], before, row, sample->faults);
}

/* Unwinds from the interrupted instruction to the first instrumented code, which is the sample's line, and on to the
 * calls that led there. */
static void sample_place(struct pp_thread *thread, struct pp_sample *sample, const void *context)
{
    struct pp_private *p = pp_private(thread);
    struct pp_unwind unwind;
    struct pp_walk walk = { 0 };
    if (!pp_unwind_start(&unwind, context))
        return;
    pp_walk_bound(&unwind, thread);
    pp_walk_calls(&walk, &unwind, &p->trail, &p->sampler[WORD_FRAMES]);
    sample->address = walk.address;
    sample->module = walk.module;
    sample->library = walk.library;
    if (walk.found && !walk.library && pp_unfinished_any(thread) && pp_unwind_start(&unwind, context)) {
        pp_walk_bound(&unwind, thread);
        pp_unfinished_cut(thread, pp_walk_interrupted(&unwind, unwind.reg[PP_UNWIND_STACK]));
    }
    sample->path = pp_walk_book(&walk, thread, sample->count);
}

/* ---- events and timers ---- */

/* Writes why samples are missing or coarse into the header; the first reason stays. No stdio: it runs in handlers. */
static void sampler_note(const char *text, int error)
{
    struct pp_header *header = pp_run.header;
    const char *parts[] = { text, ": ", strerrordesc_np(error) };
    size_t used = 0;
    if (!header || header->sample_note[0])
        return;
    for (unsigned i = 0; i < (error ? 3u : 1u); i++)
        for (const char *c = parts[i]; c && *c && used < sizeof header->sample_note - 1; c++)
            header->sample_note[used++] = *c;
}

static void guard_install(void);

/* A sample that represents several periods counts as that many samples, and the report gives it the variance of one
 * draw (pp_sample.excess). That is drawn from the state before the interval, so that it is independent of it. */
static uint64_t mean_draw(struct pp_private *p)
{
    p->sampler[WORD_EVERY] = pp_rate_draw(&p->rate, p->sampler[WORD_RANDOM] >> 32);
    return sampler.period_ns * p->sampler[WORD_EVERY];
}

/* The event runs on while a sample is taken. */
static void round_begin(struct pp_private *p, int fd)
{
    uint64_t length = p->sampler[WORD_REST];
    unsigned samples = length ? 1 : PP_EVENT_ROUND;
    if (!length)
        length = pp_interval_draw(&p->sampler[WORD_RANDOM], mean_draw(p), PP_EVENT_ROUND) +
                 pp_rate_sample_ns(&p->rate) * (PP_EVENT_ROUND - 1) / PP_EVENT_ROUND;
    p->sampler[WORD_REST] = 0;
    p->sampler[WORD_LENGTH] = length;
    pp_event_refresh(fd, length, samples);
}

/* 0: the thread is sampled by a timer. */
static uint64_t interval_now(const struct pp_private *p)
{
    return p->sampler[WORD_STATE] == STATE_PERF ? p->sampler[WORD_LENGTH] : 0;
}

/* Replaces the thread's timer by a perf event. The process's first thread has an event from the start: when the first
 * event of the system is opened, the kernel patches its own code for 10 ms. The program waits for that before it
 * begins to work, not in the middle of it. */
static void event_take_over(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    if (pp_forbids(PP_FORBIDDEN_EVENTS)) {
        sampler_note("CPU timers at the kernel's tick, a seccomp filter forbids perf_event_open", 0);
        sampler.perf = false;
        errno = EPERM;
        return;
    }
    p->sampler[WORD_RANDOM] = pp_random(p) | 1;
    p->sampler[WORD_LENGTH] = pp_interval_first(&p->sampler[WORD_RANDOM], mean_draw(p), &p->sampler[WORD_REST]);
    int fd = pp_event_arm((int)p->tid, sampler.signal, p->sampler[WORD_LENGTH]);
    if (fd < 0) {
        if (errno == EMFILE || errno == ENFILE || errno == EINVAL) {
            sampler_note("some threads by CPU timers, no descriptor for an event", errno);
            p->sampler[WORD_STATE] = STATE_TIMER_ONLY;
        } else {
            sampler_note("CPU timers at the kernel's tick, perf_event_open refused", errno);
            sampler.perf = false;
        }
        return;
    }
    guard_install();
    if (p->sampler[WORD_STATE] == STATE_TIMER)
        syscall(SYS_timer_delete, (int)p->sampler[WORD_TIMER]);
    atomic_store_explicit(&pp_numbered[thread->id].event, fd + 1, memory_order_relaxed);
    p->sampler[WORD_STATE] = STATE_PERF;
    pp_run.header->sample_source = PP_SAMPLE_PERF;
}

/* What the first event made the program wait is no time of its run. It has not begun to work yet. */
static __attribute__((cold)) void first_event_take_over(struct pp_thread *thread)
{
    struct pp_header *header = pp_run.header;
    struct pp_thread_row *row = pp_private(thread)->row;
    uint64_t waited_ns = pp_cpu_own() - pp_now_ns();
    event_take_over(thread);
    waited_ns += pp_now_ns() - pp_cpu_own();
    if (!row || pp_thread_count() > 1)
        return; /* another thread began meanwhile */
    header->start_ns += waited_ns;
    header->start_realtime_ns += waited_ns;
    row->start_ns += waited_ns;
}

static void event_close(uint32_t id, int tid)
{
    int fd = atomic_exchange_explicit(&pp_numbered[id].event, 0, memory_order_relaxed) - 1;
    if (fd >= 0 && !pp_forbids(PP_FORBIDDEN_EVENTS))
        pp_event_close(fd, sampler.signal, tid);
}

/* A thread that switches context very often changes to a timer, and back to an event once switches are rarer. The
 * event is closed, because one that stands still costs 0.3 us at each switch, too. */
static void turns_begin(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    if (pp_forbids(PP_FORBIDDEN_TIMERS) ||
        pp_timer_arm((int)p->tid, sampler.signal, TIMER_VALUE, sampler.period_ns, &p->sampler[WORD_TIMER]) != 0) {
        p->rate.turns = false;
        return;
    }
    p->sampler[WORD_STATE] = STATE_TURNS;
    event_close(thread->id, (int)p->tid);
    pp_faulting_close(thread->id, sampler.signal, false);
    sampler_note("threads that switch hundreds of times a second were sampled at the kernel's ticks", 0);
}

/* Such a thread is mostly in the kernel, where no sample is taken that could notice it. */
void pp_sampler_waited(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    struct rusage asked;
    const struct rusage *usage = p->sampler[WORD_STATE] == STATE_PERF ? pp_rate_usage(&asked) : NULL;
    if (!usage || pp_forbids(PP_FORBIDDEN_EVENTS) || !pp_rate_turns(thread, usage))
        return;
    turns_begin(thread);
    if (p->sampler[WORD_STATE] != STATE_TURNS)
        return;
    pp_rate_forget(&p->rate);
    pp_rate_ticked(&p->rate, usage, 0, sampler.period_ns);
    pp_unseen_resume(thread, 0, interval_now(p));
}

static void turns_end(struct pp_thread *thread)
{
    pp_private(thread)->sampler[WORD_STATE] = STATE_TIMER;
    event_take_over(thread);
}

/* The CPU remembers that an operand was denormal. Its flag is only read. */
static void denormals_note(struct pp_header *header, const ucontext_t *context)
{
#ifdef __x86_64__
    if (context->uc_mcontext.fpregs && context->uc_mcontext.fpregs->mxcsr & 2)
        atomic_fetch_or_explicit((_Atomic uint64_t *)&header->features_ignorable, PP_IGNORABLE_DENORMALS,
                                 memory_order_relaxed);
#else
    (void)header, (void)context;
#endif
}

/* A signal of the event of page faults. What it takes is neither the program's nor that of its next sample. */
static void fault_take(struct pp_thread *thread, void *context)
{
    struct pp_private *p = pp_private(thread);
    uint64_t start_ns = pp_now_ns(), spent_ns;
    uint64_t faults = pp_run.header && pp_on(PP_COLLECTOR_SAMPLES) ? pp_faulting_signal(thread) : 0;
    if (!faults)
        return;
    struct pp_sample sample = { 0 };
    struct pp_node *node = pp_thread_node(thread);
    sample.node = node ? node->number : 0;
    sample_place(thread, &sample, context);
    pp_faulting_book(thread, pp_samplerow_get(thread, &p->sampler[WORD_TABLE], &sample, PP_SAMPLE_FAULTS, 0), faults);
    spent_ns = pp_rate_handled(&p->rate, pp_now_ns() - start_ns) + pp_rate_raising_ns(&p->rate) / 2;
    pp_rate_spend(&p->rate, spent_ns);
    p->unseen.cpu_ns += p->unseen.cpu_ns ? spent_ns : 0;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, spent_ns, memory_order_relaxed);
}

static void sample_take(void *of, void *why, void *context)
{
    struct pp_thread *thread = of;
    const siginfo_t *info = why;
    struct pp_private *p = pp_private(thread);
    int kept = errno, fd = event_of(thread->id);
    if (info->si_code != SI_TIMER && info->si_fd != fd && pp_faulting_owns(thread, info->si_fd)) {
        fault_take(thread, context);
        errno = kept;
        return;
    }
    struct pp_header *header = pp_run.header;
    bool perf = info->si_code != SI_TIMER, paused = info->si_code == POLL_HUP;
    bool taken = header && pp_on(PP_COLLECTOR_SAMPLES);
    uint64_t start_ns = pp_now_ns(), weight = 1;
    uint32_t faults = 0;
    struct rusage asked;
    const struct rusage *usage = pp_rate_usage(&asked);
    if (perf) {
        pp_rate_forget(&p->rate);
        weight = p->sampler[WORD_EVERY] > 1 ? p->sampler[WORD_EVERY] : 1;
    } else if (taken) {
        weight = pp_rate_ticked(&p->rate, usage, 1 + (uint64_t)(info->si_overrun > 0 ? info->si_overrun : 0),
                                sampler.period_ns);
        pp_frames_ticked(thread);
    }
    struct pp_sample sample = { 0 };
    sample.count = pp_newcomer_weight(thread, &p->sampler[WORD_STANDS], weight, sampler.period_ns);
    if (taken && sample.count) {
        uint64_t stands = p->sampler[WORD_STANDS];
        if (sample.count > 1 && (perf || p->sampler[WORD_STATE] == STATE_TURNS))
            pp_give_up(PP_GIVEN_SAMPLES, sample.count - 1);
        faults = pp_unseen_faults(thread, usage);
        sample.faults = faults * (uint32_t)stands;
        sample.unseen_ns = pp_unseen_take(thread, weight * sampler.period_ns, &sample.called_ns) * (int64_t)stands;
        sample.called_ns *= stands;
        struct pp_node *node = pp_thread_node(thread);
        sample.node = node ? node->number : 0;
        sample_place(thread, &sample, context);
        sample_book(thread, &sample);
        denormals_note(header, context);
        if (p->row)
            p->row->samples += sample.count;
        atomic_fetch_add_explicit((_Atomic uint64_t *)&header->events_sampled, sample.count, memory_order_relaxed);
        if (!perf)
            pp_rate_by_ticks(header, sample.count);
        if (!atomic_fetch_add_explicit((_Atomic uint64_t *)&header->sample_signals, 1, memory_order_relaxed))
            pp_program_processor(header);
    } else if (!taken) {
        pp_rate_forget(&p->rate);
        pp_unseen_forget(thread);
    }
    bool turns = sampler.perf && (!perf || paused) && pp_rate_turns(thread, usage);
    if (!perf && sampler.perf && p->sampler[WORD_STATE] == STATE_TIMER) {
        if (turns)
            p->sampler[WORD_STATE] = STATE_TURNS;
        else if (p->sampler[WORD_STANDS])
            event_take_over(thread);
    } else if (!perf && sampler.perf && p->sampler[WORD_STATE] == STATE_TURNS && !turns) {
        turns_end(thread);
    }
    if (turns && p->sampler[WORD_STATE] == STATE_PERF)
        turns_begin(thread);
    uint64_t end_ns = pp_now_ns(), spent_ns = end_ns - start_ns;
    if (perf || p->sampler[WORD_STATE] != STATE_PERF)
        spent_ns = pp_rate_handled(&p->rate, spent_ns);
    else if (spent_ns > OPENING_MOST_NS) /* this handler opened an event, which is no part of usual ones */
        spent_ns = OPENING_MOST_NS;
    if (paused && p->sampler[WORD_STATE] == STATE_PERF) {
        fd = event_of(thread->id);
        if (fd >= 0)
            round_begin(p, fd);
        uint64_t arming_ns = end_ns;
        end_ns = pp_now_ns();
        spent_ns += pp_rate_armed(&p->rate, end_ns - arming_ns);
    }
    if (taken && weight && p->sampler[WORD_STATE] == STATE_PERF)
        spent_ns += pp_faulting_turn(thread, sampler.signal, faults);
    uint64_t raising_ns = p->sampler[WORD_STATE] == STATE_PERF ? pp_rate_raising_ns(&p->rate) : 0;
    pp_unseen_resume(thread, spent_ns + raising_ns, interval_now(p)); /* the next sample's, not the program's */
    if (taken) {
        if (perf)
            spent_ns += pp_rate_raising_ns(&p->rate);
        atomic_store_explicit((_Atomic uint64_t *)&header->heartbeat_ns, end_ns, memory_order_relaxed);
        atomic_fetch_add_explicit((_Atomic uint64_t *)&header->self_ns, spent_ns, memory_order_relaxed);
        if (perf) /* timers fire at the kernel's tick, which is too rare to exceed the budget */
            pp_rate_note(thread, weight, sampler.period_ns, spent_ns);
    }
    /* The file may have been lost by a fault in this very handler. */
    if (PP_UNLIKELY(atomic_load_explicit(&pp_file_is_lost, memory_order_acquire)))
        pp_fault_leave(context);
    errno = kept;
}

/* Runs with all signals blocked but SIGBUS, which reports lost pages of the data file. So no handler of the program
 * runs on our private stack, or leaves by longjmp while our signal is blocked. */
static void handle(int number, siginfo_t *info, void *context)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    bool perf = info->si_code == POLL_IN || info->si_code == POLL_HUP;
    bool timer = info->si_code == SI_TIMER && info->si_value.sival_int == TIMER_VALUE;
    if (!perf && !timer) {
        if (sampler.previous.handler != (void *)SIG_DFL && sampler.previous.handler != (void *)SIG_IGN) {
            /* The previous handler gets the mask that it would have had, because that of pthread_cancel does not
             * return. */
            sigset_t mask = ((ucontext_t *)context)->uc_sigmask;
            *(uint64_t *)(void *)&mask |= sampler.previous.mask | UINT64_C(1) << (number - 1);
            pp_signals_restore(&mask);
            sampler.previous.handler(number, info, context);
        }
        return;
    }
    if (!thread || pp_private(thread)->sampler[WORD_STATE] == STATE_OFF)
        return;
    bool outer = pp_private(thread)->timed;
    pp_private(thread)->timed = true;
    pp_on_private_stack(pp_private(thread), sample_take, thread, info, context);
    pp_private(thread)->timed = outer;
}

/* ---- arming ---- */

static long kernel_action(int number, const struct kernel_action *set, struct kernel_action *old)
{
    return syscall(SYS_rt_sigaction, number, set, old, sizeof(uint64_t));
}

/* Handles SIGIO, which the kernel sends in place of our signal when it cannot queue one (RLIMIT_SIGPENDING counts all
 * processes of a user). Its default action would end the program. So the event is acknowledged and the lost sample
 * counted. A SIGIO that somebody else sent has its default action. */
static void handle_unqueued(int number, siginfo_t *info, void *context)
{
    if (info->si_code != SI_KERNEL) {
        struct kernel_action none = { .handler = (void *)SIG_DFL };
        kernel_action(number, &none, NULL);
        syscall(SYS_tgkill, syscall(SYS_getpid), syscall(SYS_gettid), number);
        return;
    }
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    int fd = thread ? event_of(thread->id) : -1;
    if (fd >= 0)
        pp_event_acknowledge(fd);
    pp_loss(PP_LOSS_SAMPLES, 1);
    sampler_note("samples lost, their signals could not be queued (RLIMIT_SIGPENDING)", 0);
}

static void guard_install(void)
{
    struct kernel_action now,
        mine = { handle_unqueued, SA_SIGINFO | SA_RESTART | SA_ONSTACK | PP_RESTORER_FLAG, PP_RESTORER, 0 };
    if (kernel_action(SIGIO, NULL, &now) == 0 && now.handler == (void *)SIG_DFL)
        kernel_action(SIGIO, &mine, NULL);
}

static bool handler_install(void)
{
    struct kernel_action now, mine = { handle, SA_SIGINFO | SA_RESTART | SA_ONSTACK | PP_RESTORER_FLAG, PP_RESTORER,
                                       ~(UINT64_C(1) << (SIGBUS - 1)) };
    if (pp_forbids(PP_FORBIDDEN_TIMERS))
        return true; /* it was installed before the seccomp filter */
    if (kernel_action(sampler.signal, NULL, &now) != 0)
        return false;
    if (now.handler == handle)
        return true;
    sampler.previous =
        now; /* glibc installs its own at the first pthread_cancel: it gets the signals that are not ours */
    if (kernel_action(sampler.signal, &mine, NULL) != 0)
        return false;
    /* Signals that went to the other handler were not acknowledged, so their events may be paused. */
    if (now.handler != (void *)SIG_DFL)
        for (uint32_t id = 1, count = pp_thread_count(); id <= count; id++) {
            int fd = event_of(id);
            if (fd >= 0 && pp_event_owned(fd, sampler.signal, 0))
                pp_event_resume(fd);
        }
    return true;
}

void pp_sampler_start(void)
{
    struct pp_header *header = pp_run.header;
    if (pp_under_valgrind()) {
        sampler_note("no samples under Valgrind, whose time is not the program's", 0);
        return;
    }
    sampler.period_ns = 1000000000u / (pp_run.options.sample_hz ? pp_run.options.sample_hz : 1);
    struct kernel_action now;
#ifdef __GLIBC__
    sampler.signal = 32;
#else
    for (sampler.signal = 64; sampler.signal > 40; sampler.signal--)
        if (kernel_action(sampler.signal, NULL, &now) == 0 && now.handler == (void *)SIG_DFL)
            break;
#endif
    if (kernel_action(sampler.signal, NULL, &now) != 0 || !handler_install()) {
        sampler_note("no samples, the kernel refused the signal's handler", errno);
        return;
    }
    sampler.on = sampler.perf = true;
    header->sample_source = PP_SAMPLE_TIMER;
    header->sample_period_ns = (uint32_t)sampler.period_ns;
    header->features_ignorable |= PP_IGNORABLE_OFF;
}

void pp_sampler_confine(uint32_t forbidden)
{
    if (!sampler.on || !(forbidden & (PP_FORBIDDEN_EVENTS | PP_FORBIDDEN_TIMERS | PP_FORBIDDEN_SIGNALS)))
        return;
    bool silent = forbidden & PP_FORBIDDEN_SIGNALS; /* no handler could return: no sample may be raised */
    if (forbidden & PP_FORBIDDEN_EVENTS)
        sampler.perf = false;
    sampler_note("from its seccomp filter on by CPU timers at the kernel's tick, new threads perhaps not at all", 0);
    for (uint32_t id = 1; id <= pp_thread_count(); id++) {
        struct pp_thread *thread = pp_thread_at(id);
        struct pp_private *p = thread ? pp_private(thread) : NULL;
        if (!p || atomic_load_explicit(&p->state, memory_order_acquire) != PP_THREAD_LIVE ||
            !(forbidden & (PP_FORBIDDEN_EVENTS | PP_FORBIDDEN_SIGNALS)))
            continue;
        pp_faulting_close(id, sampler.signal, false);
        if (p->sampler[WORD_STATE] == STATE_PERF) {
            bool armed =
                !silent && !pp_forbids(PP_FORBIDDEN_TIMERS) &&
                pp_timer_arm((int)p->tid, sampler.signal, TIMER_VALUE, sampler.period_ns, &p->sampler[WORD_TIMER]) == 0;
            p->sampler[WORD_STATE] = armed ? STATE_TIMER_ONLY : STATE_OFF;
            event_close(id, (int)p->tid);
        } else if (p->sampler[WORD_STATE] != STATE_OFF) {
            event_close(id, (int)p->tid);
            if (silent && !pp_forbids(PP_FORBIDDEN_TIMERS))
                syscall(SYS_timer_delete, (int)p->sampler[WORD_TIMER]);
            p->sampler[WORD_STATE] = silent ? STATE_OFF : STATE_TIMER_ONLY;
        }
    }
}

/* Does the alternate signal stack lack room for two signal frames, and for the program's handler between them? */
static bool stack_is_narrow(void)
{
    stack_t stack;
    uint64_t frame_bytes = getauxval(AT_MINSIGSTKSZ);
    return !pp_forbids(PP_FORBIDDEN_TIMERS) && !syscall(SYS_sigaltstack, NULL, &stack) &&
           !(stack.ss_flags & SS_DISABLE) && stack.ss_size < 2 * (frame_bytes ? frame_bytes : 2048) + NARROW_BYTES;
}

void pp_sampler_birth(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    int kept = errno;
    p->sampler[WORD_STATE] = STATE_OFF;
    p->sampler[WORD_STANDS] = 1;
    pp_rate_begin(&p->rate);
    pp_rate_turns_begin(thread, p->tid != pp_run.header->pid);
    event_close(thread->id, 0); /* left by an earlier owner of the block that ended without running its destructors */
    pp_faulting_begin(thread, sampler.signal);
    if (!sampler.on || pp_forbids(PP_FORBIDDEN_SIGNALS) || !handler_install())
        goto out;
    p->sampler[WORD_NARROW] = stack_is_narrow();
    if (p->sampler[WORD_NARROW]) {
        sampler_note("threads without samples, whose signal stack has no room for two", 0);
        goto out;
    }
    pp_private_stack_make(p);
    static atomic_flag first_has_come = ATOMIC_FLAG_INIT;
    if (!atomic_flag_test_and_set(&first_has_come)) {
        first_event_take_over(thread);
        if (p->sampler[WORD_STATE] == STATE_PERF)
            goto out;
        p->sampler[WORD_STATE] = STATE_OFF;
    }
    if (sampler.perf && p->tid != pp_run.header->pid &&
        (p->sampler[WORD_STANDS] = pp_newcomer_draw(p->sampler[WORD_LIFE], pp_random(p) >> 32))) {
        event_take_over(thread);
        if (p->sampler[WORD_STATE] == STATE_PERF)
            goto out;
        p->sampler[WORD_STANDS] = 1;
    }
    errno = EPERM;
    if (!pp_forbids(PP_FORBIDDEN_TIMERS) &&
        pp_timer_arm((int)p->tid, sampler.signal, TIMER_VALUE, sampler.period_ns, &p->sampler[WORD_TIMER]) == 0) {
        p->sampler[WORD_STATE] = STATE_TIMER;
    } else {
        int error = errno;
        event_take_over(thread);
        if (p->sampler[WORD_STATE] != STATE_PERF) {
            p->sampler[WORD_STATE] = STATE_OFF;
            sampler_note("threads without samples, the kernel refused a CPU timer", error);
        }
    }
out:
    struct rusage asked;
    if (p->sampler[WORD_STATE] != STATE_OFF) {
        pp_unseen_begin(thread, pp_rate_usage(&asked), interval_now(p));
        pp_frames_ticked(thread); /* what it loses counts from now: its first tick in user code may be far */
    }
    errno = kept;
}

void pp_sampler_check(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    int kept = errno;
    if (p->sampler[WORD_STATE] != STATE_OFF && !pp_forbids(PP_FORBIDDEN_EVENTS | PP_FORBIDDEN_TIMERS)) {
        handler_install();
        if (p->sampler[WORD_STATE] == STATE_PERF &&
            !pp_event_owned(event_of(thread->id), sampler.signal, 0)) {
            sigset_t saved;
            pp_signals_block(&saved); /* the program closed it, with all descriptors that it did not know */
            atomic_store_explicit(&pp_numbered[thread->id].event, 0, memory_order_relaxed);
            p->sampler[WORD_STATE] = STATE_OFF;
            event_take_over(thread); /* not by way of a timer: on a busy machine the kernel's ticks may miss a thread */
            if (p->sampler[WORD_STATE] != STATE_PERF)
                pp_sampler_birth(thread);
            pp_signals_restore(&saved);
        }
    }
    errno = kept;
}

/* The kernel tells how many periods a thread was in user code since its last sample, but for a part of one. */
static void unseen_end(struct pp_thread *thread)
{
    uint64_t period_ns = sampler.period_ns; /* 0: nothing samples, as under valgrind */
    struct rusage asked;
    const struct rusage *usage = period_ns ? pp_rate_usage(&asked) : NULL;
    if (period_ns)
        pp_unseen_end(thread, usage, (1 + pp_rate_ticked(&pp_private(thread)->rate, usage, 0, period_ns)) * period_ns,
                      pp_private(thread)->sampler[WORD_STANDS]);
}

void pp_sampler_death(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    int kept = errno;
    uint64_t state = p->sampler[WORD_STATE];
    p->sampler[WORD_STATE] = STATE_OFF; /* a pending signal is ignored from here on */
    pp_faulting_close(thread->id, sampler.signal, false);
    if (state == STATE_PERF || state == STATE_TURNS)
        event_close(thread->id, (int)p->tid);
    if ((state == STATE_TIMER || state == STATE_TIMER_ONLY || state == STATE_TURNS) && !pp_forbids(PP_FORBIDDEN_TIMERS))
        syscall(SYS_timer_delete, (int)p->sampler[WORD_TIMER]);
    unseen_end(thread);
    p->sampler[WORD_LIFE] = pp_cpu_own();
    errno = kept;
}

void pp_sampler_stack(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    int kept = errno;
    bool narrow = stack_is_narrow();
    if (narrow && p->sampler[WORD_STATE] != STATE_OFF)
        pp_sampler_death(thread);
    if (narrow || p->sampler[WORD_NARROW])
        pp_sampler_birth(thread); /* which looks at the stack again */
    errno = kept;
}

void pp_sampler_fork_child(struct pp_thread *thread)
{
    int kept = errno;
    for (uint32_t id = 0, count = pp_thread_count(); id <= count; id++) {
        int fd = atomic_exchange_explicit(&pp_numbered[id].event, 0, memory_order_relaxed) - 1;
        if (fd >= 0 && pp_event_owned(fd, sampler.signal, 0))
            pp_close(fd); /* not pp_event_close: that would stop the event, which is the parent's */
        pp_faulting_close(id, sampler.signal, true);
    }
    errno = kept;
    if (thread)
        pp_sampler_birth(thread);
}

void pp_sampler_stop(void)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (thread)
        unseen_end(thread);
}
