/* SPDX-License-Identifier: MIT */
/* fork.c: the handlers around fork. The child gets a data file of its own and starts from zero. It must not know what
 * the parts restart. */
#define _GNU_SOURCE
#include "process/fork.h"
#include "file/datafile.h"
#include "metric/cpu.h"
#include "process/lifecycle.h"
#include "process/parts.h"
#include "process/program.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/message.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/segment.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The word that pp_fork_generation points to, in a page that the kernel wipes in a child. NULL: it cannot. */
static volatile uint32_t *native;

void pp_generation_start(void)
{
    void *page = pp_map(NULL, pp_run.page_bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    if (pp_advise(page, pp_run.page_bytes, MADV_WIPEONFORK)) {
        pp_unmap(page, pp_run.page_bytes);
        return;
    }
    native = page;
    *native = 1;
    pp_fork_generation = native;
}

/* A child's path is its parent's but for the process number, wherever that stands in it, and a number that makes it
 * unique. */
enum { PATH_MORE = 64 };

static struct {
    sigset_t saved;
    uint64_t cpu_ns;
    bool prepared;
} forking;

/* Other libraries' handlers that were registered before ours run while we hold the lock, and in the child while
 * everything is still its parent's. What they call is not recorded, and counted as a loss. */
static void fork_window(bool open)
{
    pp_tls()->limit = 0; /* so that inline probes take the hook, which fills it again after the fork */
    pp_tls()->busy = open;
    pp_segment_pause(open);
}

static void fork_prepare(void)
{
    sigset_t saved;
    if (!pp_run.header || pp_forbids(PP_FORBIDDEN_CORE | PP_FORBIDDEN_FORKS) || (uint32_t)getpid() != pp_own_pid)
        return;
    int saved_errno = errno; /* the child inherits it */
    pp_file_trouble();
    bool lost = atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed);
    errno = saved_errno;
    if (lost)
        return;
    pp_lock(&saved);
    forking.saved = saved;
    fork_window(true);
    uint64_t begun_ns = pp_cpu_own();
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    pp_file_fork_prepare((uint32_t)strlen(pp_run.path) + PATH_MORE, self ? self->id : 0);
    forking.prepared = true;
    forking.cpu_ns = pp_cpu_own();
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, forking.cpu_ns - begun_ns,
                              memory_order_relaxed);
    errno = saved_errno;
}

static void fork_parent(void)
{
    if (!forking.prepared)
        return;
    forking.prepared = false;
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    int saved_errno = errno;
    if (self)
        pp_private(self)->fork_ns = pp_cpu_own() - forking.cpu_ns;
    errno = saved_errno;
    fork_window(false);
    pp_file_fork_done();
    pp_unlock(&forking.saved);
}

/* The header and the file become the child's own. False: it has no path. */
static bool file_restart(uint32_t pid)
{
    bool named = pp_program_path(pid);
    if (!named)
        pp_run.path[0] = 0;
    pp_file_fork_child();
    struct pp_header *h = pp_run.header;
    memmove(h->ancestors + 1, h->ancestors, sizeof h->ancestors - sizeof *h->ancestors);
    h->ancestors[0] = h->parent_pid;
    h->parent_pid = h->pid;
    pp_header_begin(h, pid);
    h->end_ns = h->user_ns = h->system_ns = h->peak_rss_bytes = h->self_ns = h->events_timed = h->events_sampled = 0;
    h->sample_signals = h->before_ns = h->calls_ns = h->switches = 0;
    h->heap_calls = h->moves = h->draws = h->draws_ns = 0;
    h->exit_kind = PP_EXIT_UNKNOWN;
    h->exit_status = 0;
    h->arena_known = 0;
    memset(h->losses, 0, sizeof h->losses);
    memset(h->given_up, 0, sizeof h->given_up);
    memset(h->given_up_ns, 0, sizeof h->given_up_ns);
    return named;
}

static void fork_child(void)
{
    if (!forking.prepared)
        return;
    forking.prepared = false;
    int saved_errno = errno;
    uint32_t pid = (uint32_t)getpid();
    struct pp_thread *self = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    pp_clock_fork_child(); /* the header's times are read from it */
    pp_cpu_fork_child();
    bool named = file_restart(pid), first;
    pp_parts_fork_child(self);
    if (!pp_file_fork_named(pid, &first) && first && named)
        pp_complain("%s: %s; a forked process is not recorded", pp_run.path,
                    strerrordesc_np(errno));
    static uint32_t generation = 1;
    *(native ? native : &pp_fork_generation_static) = ++generation;
    fork_window(false);
    pp_file_fork_done();
    pp_run.header->self_ns += pp_cpu_own(); /* all that it has done so far, but for the C library's part */
    pp_unlock(&forking.saved);
    errno = saved_errno;
}

/* pthread_atfork needs a __dso_handle, which a shared object linked without the start files lacks. */
extern char __dso_handle __attribute__((weak, visibility("hidden")));
int __register_atfork(void (*prepare)(void), void (*parent)(void), void (*child)(void), void *object);

void pp_fork_start(void) { __register_atfork(fork_prepare, fork_parent, fork_child, &__dso_handle); }
