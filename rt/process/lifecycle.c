/* SPDX-License-Identifier: MIT */
/* lifecycle.c: the profiled process from its start to its end: what is known of it goes into the header, and the way it ends.
 * It must not know what threads record. */
#define _GNU_SOURCE
#include "process/lifecycle.h"
#include "file/datafile.h"
#include "memory/mallinfo.h"
#include "metric/cpu.h"
#include "metric/io.h"
#include "operation/blocked.h"
#include "operation/operation.h"
#include "probe/frame.h"
#include "probe/snapshot.h"
#include "probe/stage.h"
#include "process/fault.h"
#include "process/options.h"
#include "process/restart.h"
#include "sample/sampler.h"
#include "stack/modules.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/message.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/segment.h"
#include "thread/thread.h"
#ifdef __x86_64__
#include <cpuid.h>
#endif
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

static _Atomic uint64_t next_process_heartbeat_ns;

#define PROCESS_HEARTBEAT_NS UINT64_C(200000000)

static size_t file_text(const char *path, char *text, size_t room)
{
    int fd = pp_open(path, O_RDONLY | O_CLOEXEC, 0);
    size_t n = 0;
    if (fd < 0)
        return 0;
    for (ssize_t got; n < room && (got = pp_read(fd, text + n, room - n)) > 0; )
        n += (size_t)got;
    pp_close(fd);
    return n;
}

/* Copies the end of a path that is too long. */
static void copy_left(char *to, size_t room, const char *from)
{
    size_t n = strlen(from);
    strcpy(to, n < room ? from : from + n - (room - 1));
}

/* A static executable's always are the C library's: README says what that means. */
static void births_look(void)
{
    char *note = pp_run.header->memory_note;
    size_t length = strlen(note);
    if (!pp_births_are_ours() && getauxval(AT_BASE))
        snprintf(note + length, sizeof pp_run.header->memory_note - length, "%sthe program brings its own pthread_create: what a thread calls before a function of one argument "
                 "is counted for who made it, and not exactly", length ? "; " : "");
}

static uint32_t parent_of(uint32_t pid)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%u/stat", pid);
    text[file_text(path, text, sizeof text - 1)] = 0;
    const char *at = strrchr(text, ')');                 /* behind the name, which may hold anything; then a state, then the parent */
    return at && at[1] == ' ' && at[2] && at[3] == ' ' ? (uint32_t)strtoul(at + 4, 0, 10) : 0;
}

static void describe_ancestors(struct pp_header *h)
{
    uint32_t pid = h->parent_pid;
    for (size_t i = 0; i < sizeof h->ancestors / sizeof *h->ancestors && pid > 1; i++)
        h->ancestors[i] = pid = parent_of(pid);
}

/* What /proc/cpuinfo calls "model name", without the rest of it, for which the kernel looks at every processor. */
static bool processor_name(char *name, size_t room)
{
#ifdef __x86_64__
    unsigned word[12], most, unused[3];
    char text[sizeof word + 1], *from = text;
    if (!__get_cpuid(0x80000000, &most, &unused[0], &unused[1], &unused[2]) || most < 0x80000004)
        return false;
    for (unsigned i = 0; i < 3; i++)
        __cpuid(0x80000002 + i, word[4 * i], word[4 * i + 1], word[4 * i + 2], word[4 * i + 3]);
    memcpy(text, word, sizeof word);
    text[sizeof word] = 0;
    from += strspn(text, " ");
    size_t length = strlen(from);
    while (length && from[length - 1] == ' ')
        length--;
    if (!length || length >= room)
        return false;
    memcpy(name, from, length);
    return true;
#else
    (void)name, (void)room;
    return false;
#endif
}

static void describe_program(struct pp_header *h)
{
    static char text[32768];
    size_t n = file_text("/proc/self/cmdline", text, sizeof text - 1);
    text[n] = 0;
    for (size_t i = 0; i < n; i += strlen(text + i) + 1)
        pp_record_add(PP_RECORD_ARGUMENT, text + i, (uint32_t)strlen(text + i) + 1);
    if (processor_name(h->cpu_model, sizeof h->cpu_model))
        return;
    n = file_text("/proc/cpuinfo", text, 8192);
    text[n] = 0;
    static const char *const fields[] = { "model name", "Processor", "cpu model", "uarch" };
    for (size_t i = 0; i < sizeof fields / sizeof *fields && !h->cpu_model[0]; i++) {
        char *at = strstr(text, fields[i]), *end;
        if (!at || !(at = strchr(at, ':')) || !(end = strchr(at, '\n')))
            continue;
        for (at++; *at == ' '; at++) { }
        size_t length = (size_t)(end - at) < sizeof h->cpu_model - 1 ? (size_t)(end - at) : sizeof h->cpu_model - 1;
        memcpy(h->cpu_model, at, length);
    }
}

static uint64_t realtime_ns(void)
{
    struct timespec t;
    pp_clock_read(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

struct place_names { char program[512], host[65], directory[1024]; };

static void names_find(struct place_names *n)
{
    struct utsname u;
    ssize_t got = readlink("/proc/self/exe", n->program, sizeof n->program - 1);
    n->program[got > 0 ? got : 0] = 0;
    if (!uname(&u))
        memcpy(n->host, u.nodename, sizeof n->host);
    if (!getcwd(n->directory, sizeof n->directory))
        strcpy(n->directory, ".");                       /* it was removed under us */
    const char *named;
    if (pp_started_by_loader(&named) &&
        snprintf(n->program, sizeof n->program, "%s%s%s", *named == '/' ? "" : n->directory, *named == '/' ? "" : "/", named) < 0)
        n->program[0] = 0;
}
static struct place_names names;

static bool path_make(uint32_t pid)
{
    const char *slash = strrchr(names.program, '/');
    if (pp_output_expand(pp_run.options.output, slash ? slash + 1 : names.program, pid, names.host, names.directory, pp_run.path, sizeof pp_run.path - 16))
        return true;
    pp_complain("output=%s: the path is too long; nothing is recorded", pp_run.options.output);
    return false;
}

/* ---- fork ---- */

static volatile uint32_t *native;

static void native_start(void)
{
    void *page = pp_map(0, pp_run.page_bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    if (madvise(page, pp_run.page_bytes, MADV_WIPEONFORK)) {
        pp_unmap(page, pp_run.page_bytes);
        return;
    }
    native = page;
    *native = 1;
    pp_fork_generation = native;
}

static uint32_t own_pid;                 /* as in the header, which may be gone */
static struct { sigset_t saved; struct pp_child *child; bool prepared; } forking;

/* Handlers of others, registered before ours, run while the lock is held and the block is as it goes to the child; in the child even
 * while all is still its parent's. What they call is not recorded, and counted as a loss. */
static void fork_window(bool open)
{
    pp_tls()->limit = 0;                                 /* no inline half: filled again at the first probe after it */
    pp_tls()->reserved[0] = open;
    pp_segment_pause(open);
}

static void fork_prepare(void)
{
    sigset_t saved;
    if (!pp_run.header || pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_FORKS) || (uint32_t)getpid() != own_pid)
        return;
    int saved_errno = errno;                             /* the child begins with it, too */
    pp_file_trouble();
    bool lost = atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed);
    errno = saved_errno;
    if (lost)
        return;
    pp_lock(&saved);
    forking.saved = saved;
    fork_window(true);
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    forking.child = pp_file_fork_prepare((uint32_t)sizeof pp_run.path, self ? self->id : 0);
    errno = saved_errno;
    forking.prepared = true;
}

static void fork_parent(void)
{
    if (!forking.prepared)
        return;
    forking.prepared = false;
    fork_window(false);
    pp_file_fork_done();
    pp_unlock(&forking.saved);
}

static void frames_restart(struct pp_thread *thread, uint64_t now)
{
    struct pp_private *p = pp_private(thread);
    for (struct pp_frame *f = p->top; f; f = pp_frame_below(f)) {
        if (!f->start_ns)
            continue;
        f->start_ns = now;
        f->child_ns = f->stage_child_ns = 0;
        f->flags |= PP_FRAME_INHERITED;
        if (*pp_node_flags((struct pp_node *)(uintptr_t)f->node) & PP_NODE_STAGE) {
            struct pp_stage *s = pp_node_stage((struct pp_node *)(uintptr_t)f->node);
            *pp_frame_index(f) = 0;
            f->flags &= ~PP_FRAME_SAMPLED;
            pp_stage_open(thread, f, s);
        }
    }
}

static void fork_child(void)
{
    if (!forking.prepared)
        return;
    forking.prepared = false;
    int saved_errno = errno;
    uint32_t pid = (uint32_t)getpid();
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    pp_clock_fork_child();
    pp_cpu_fork_child();
    bool named = path_make(pid);
    if (!named)
        pp_run.path[0] = 0;
    pp_file_fork_child(forking.child);
    struct pp_header *h = pp_run.header;
    uint64_t now = pp_clock_ns();
    memmove(h->ancestors + 1, h->ancestors, sizeof h->ancestors - sizeof *h->ancestors);
    h->ancestors[0] = h->parent_pid;
    h->parent_pid = h->pid;
    h->pid = own_pid = pid;
    h->start_ns = h->heartbeat_ns = now;
    h->start_realtime_ns = realtime_ns();
    h->end_ns = h->user_ns = h->system_ns = h->self_ns = h->events_timed = h->events_sampled = 0;
    h->exit_kind = PP_EXIT_UNKNOWN;
    h->exit_status = 0;
    h->arena_known = 0;
    memset(h->losses, 0, sizeof h->losses);
    memset(h->given_up, 0, sizeof h->given_up);
    memset(h->given_up_ns, 0, sizeof h->given_up_ns);
    pp_snapshots_fork_child();
    pp_threads_fork_child();
    pp_extents_restart(self);
    pp_threads_row_child();
    if (self) {
        pp_private(self)->events_timed = pp_private(self)->self_ns = 0;
        memset(pp_private(self)->given_up, 0, sizeof pp_private(self)->given_up);
        pp_private(self)->next_heartbeat_ns = now + PP_HEARTBEAT_NS;
    }
    pp_sources_fork_child(self);
    if (pp_on(PP_COLLECTOR_SAMPLES))
        pp_sampler_fork_child(self);
    if (self)
        frames_restart(self, now);
    if (!pp_file_fork_named(pid) && named)
        pp_complain("%s: cannot be written for a forked process, which is not recorded", pp_run.path);
    static uint32_t generation = 1;
    *(native ? native : &pp_fork_generation_static) = ++generation;
    fork_window(false);
    pp_file_fork_done();
    pp_unlock(&forking.saved);
    errno = saved_errno;
}

/* ---- start ---- */

/* What a count takes among nothing but counts, each of another function. */
static uint32_t count_ps(uint64_t reading_ns)
{
    enum { COUNTS = 1024 };
    volatile uint64_t word[16] = { 0 };
    uint64_t least = UINT64_MAX;
    for (int group = 0; group < 8; group++) {
        uint64_t begun = pp_clock_ns();
        for (unsigned i = 0; i < COUNTS; i++)
            word[i % 16]++;
        uint64_t took = pp_clock_ns() - begun;
        least = took < least ? took : least;
    }
    return least > reading_ns ? (uint32_t)((least - reading_ns) * 1000 / COUNTS) : 0;
}

static void calibrate(void)
{
    uint64_t least = UINT64_MAX;                         /* of eight groups, one is not taken off its CPU: else a whole run's cost is seen through that */
    for (int group = 0; group < 8; group++) {
        uint64_t first = pp_clock_ns(), last = first;
        for (int i = 0; i < 8; i++)
            last = pp_clock_ns();
        least = last - first < least ? last - first : least;
    }
    /* Of an activation half is clock readings; what else there is runs as fast as the machine does. */
    uint64_t reading = least / 8;
    pp_costs.frame_ns = reading * 4;
    pp_run.header->frame_ns = (uint32_t)pp_costs.frame_ns;
    pp_run.header->count_ps = count_ps(reading);
}

static void on_exit_status(int status, void *unused);
static void on_quick_exit(void *unused);

/* What pthread_atfork and at_quick_exit are, which must have a __dso_handle: a shared object linked without the start files has none. */
extern char __dso_handle __attribute__((weak, visibility("hidden")));
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);
int __cxa_at_quick_exit(void (*handler)(void *), void *object);

static bool process_open(void)
{
    names_find(&names);
    if (!path_make((uint32_t)getpid()))
        return false;
    struct pp_header *h = pp_file_create();
    if (!h) {
        pp_complain("%s: %s; nothing is recorded", pp_run.path, strerrordesc_np(errno));
        return false;
    }
    struct rusage usage;
    h->pid = own_pid = (uint32_t)getpid();
    h->parent_pid = (uint32_t)getppid();
    h->root_pid = h->pid;
    h->level = pp_run.options.level;
    h->timing = pp_run.options.timing;
    h->collectors = pp_run.options.collectors;
    h->budget_permille = pp_run.options.budget_permille;
    h->key_count = 1;
    h->start_realtime_ns = realtime_ns();
    h->start_ns = h->heartbeat_ns = pp_clock_ns();
    if (!getrusage(RUSAGE_SELF, &usage))
        h->peak_rss_bytes = (uint64_t)usage.ru_maxrss * 1024;
    copy_left(h->program, sizeof h->program, names.program);
    copy_left(h->directory_path, sizeof h->directory_path, names.directory);
    memcpy(h->host, names.host, sizeof h->host - 1);
    strcpy(h->clock_name, pp_clock_name());
    pp_run.header = h;
    describe_ancestors(h);
    describe_program(h);
    pp_options_record(&pp_run.options);
    if (pp_file_open_to_readers())
        return true;
    pp_complain("%s: %s; nothing is recorded", pp_run.path, strerrordesc_np(errno));
    pp_run.header = 0;
    pp_file_abandon();
    return false;
}

static _Atomic uint32_t starting;        /* the process that is, or was, in what follows */

void pp_process_start(bool default_off)
{
    sigset_t saved;
    int saved_errno = errno;
    uint64_t *busy = &pp_tls()->reserved[0];
    if (*busy || atomic_load_explicit(&pp_state, memory_order_acquire) != PP_STATE_NEW)
        return;
    sigset_t inner;
    pp_signals_block(&saved);                            /* first, so that no handler's probe meets the mark */
    *busy = 1;
    uint32_t starter = atomic_load_explicit(&starting, memory_order_acquire);
    if (starter && starter != (uint32_t)getpid() && atomic_load_explicit(&pp_state, memory_order_acquire) == PP_STATE_NEW) {
        /* A fork's child, whose parent was at just this in another thread: half a start cannot be gone on with. */
        pp_run.header = 0;
        atomic_store_explicit(&pp_state, PP_STATE_OFF, memory_order_release);
        pp_lock_forget();
    }
    pp_lock(&inner);
    if (atomic_load_explicit(&pp_state, memory_order_relaxed) == PP_STATE_NEW) {
        atomic_store_explicit(&starting, (uint32_t)getpid(), memory_order_release);
        pp_run.page_bytes = (uint32_t)sysconf(_SC_PAGESIZE);
        pp_outlet_remember();
        if (default_off && !pp_environment_speaks())
            pp_options_defaults(&pp_run.options), pp_run.options.level = PP_LEVEL_OFF;
        else
            pp_options_read(&pp_run.options);
        bool on = false;
        uint64_t begun_ns = 0;
        if (pp_run.options.level != PP_LEVEL_OFF) {
            begun_ns = pp_cpu_own();
            pp_cpu_start();                              /* all of it is the run's, and the profiler's own */
            pp_clock_start();
            on = process_open();
        }
        if (on) {
            native_start();
            pp_fault_start();
            pp_threads_start();
            pp_sources_start();
            pp_operations_start();
            births_look();
            if (pp_on(PP_COLLECTOR_SAMPLES))
                pp_sampler_start();
            __register_atfork(fork_prepare, fork_parent, fork_child, &__dso_handle);
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
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->self_ns, p->self_ns + p->events_timed * pp_costs.frame_ns, memory_order_relaxed);
    p->events_timed = p->self_ns = 0;
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
    if (now > atomic_load_explicit(latest, memory_order_relaxed))    /* a number alone: threads a moment apart may each store theirs */
        atomic_store_explicit(latest, now, memory_order_relaxed);
    events_flush(thread);
    pp_thread_row_update(thread);
    if (pp_on(PP_COLLECTOR_SAMPLES))
        pp_sampler_check(thread);
    uint64_t due = atomic_load_explicit(&next_process_heartbeat_ns, memory_order_relaxed);
    if (now > due && atomic_compare_exchange_strong_explicit(&next_process_heartbeat_ns, &due, now + PROCESS_HEARTBEAT_NS, memory_order_relaxed,
                                                             memory_order_relaxed))
        pp_cpu_usage(h);                                 /* one thread at a time */
    errno = saved_errno;
}

/* ---- the end ---- */

/* Whether this process's file is there to be ended. */
static bool is_this_process(void)
{
    if (!pp_run.header || (pp_forbids(PP_FORBIDDEN_CORE) ? !*pp_fork_generation : (uint32_t)syscall(SYS_getpid) != own_pid))
        return false;                                    /* such as a vfork's child */
    static bool said;
    const char *trouble = pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_FILE | PP_FORBIDDEN_LOOKS) ? 0 : pp_file_trouble();
    if (trouble && !said)
        pp_complain("%s: %s", pp_run.path, trouble);
    said = said || trouble;
    return !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed);
}

static void seal(void)
{
    struct pp_header *h = pp_run.header;
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    sigset_t saved;
    pp_signals_block(&saved);
    if (thread) {
        pp_frames_close_all(thread);
        events_flush(thread);
    }
    pp_segment_settle(thread);
    if (pp_on(PP_COLLECTOR_SAMPLES))
        pp_sampler_stop();
    pp_threads_seal();
    pp_cpu_usage(h);
    pp_io_usage(h);
    h->heartbeat_ns = pp_clock_ns();
    h->end_ns = h->heartbeat_ns;
    pp_signals_restore(&saved);
}

static void process_end(enum pp_exit_kind kind, int status)
{
    int saved_errno = errno;
    if (is_this_process()) {
        pp_run.header->exit_kind = kind;
        pp_run.header->exit_status = status;
        pp_cpu_usage(pp_run.header);
        pp_mallinfo_ask(pp_run.header);
        seal();
    }
    errno = saved_errno;
}

/* Open frames stay as they are: what a failed exec returns to is still in them. */
void pp_process_replaced(void)
{
    int saved_errno = errno;
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (is_this_process()) {
        struct pp_header *h = pp_run.header;
        if (thread)
            events_flush(thread);
        pp_threads_seal();
        pp_cpu_usage(h);
        pp_io_usage(h);
        h->exit_kind = PP_EXIT_EXEC;
        h->heartbeat_ns = h->end_ns = pp_clock_ns();
    }
    errno = saved_errno;
}

void pp_process_resume(void)
{
    if (!is_this_process())
        return;
    pp_run.header->exit_kind = PP_EXIT_UNKNOWN;
    pp_run.header->end_ns = 0;
}

static void on_exit_status(int status, void *unused)
{
    process_end(PP_EXIT_EXIT, status & 0xff);
}

static void on_quick_exit(void *unused)
{
    process_end(PP_EXIT_UNKNOWN, 0);                     /* its status is not told to handlers */
}

/* Last of all: destructors of the program have run. */
__attribute__((destructor(101))) static void process_unload(void)
{
    if (is_this_process() && pp_run.header->exit_kind == PP_EXIT_EXIT) {
        seal();
        pp_operations_last();
    }
}

PP_WRAPPER __attribute__((noreturn)) void _exit(int status)
{
    process_end(PP_EXIT_EXIT, status & 0xff);
    for (;;)
        syscall(SYS_exit_group, status);
}

PP_WRAPPER __attribute__((noreturn)) void _Exit(int status)
{
    _exit(status);
}
