/* SPDX-License-Identifier: MIT */
/* opening.c: books calls that open, accept and close. Programs do that by the thousand, so while it is short, only some
 * of the calls are timed. The row of an open is known when it has returned: how many calls from a place are
 * not timed is decided by the row of the last one that was (booking.c). It must not know what a descriptor leads to. */
#define _GNU_SOURCE
#include "operation/count.h"
#include "operation/operation.h"
#include "operation/table.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"

#include <errno.h>

void pp_call_begin_paced(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                         const void *caller)
{
    pp_call_clear(call, pp_on(collector));
    if (PP_UNLIKELY(!call->records))
        return;
    enum pp_pass pass = pp_call_passes(call, caller);
    if (pass == PP_PASS_FILE)
        return;
    pp_start_prepare(call, kind, caller);
    if (pass) { /* on a socket it may wait for the other end */
        call->coarse_ns = pp_coarse_ns();
        pp_start_say(call, call->coarse_ns);
    } else {
        pp_call_begin_clocks(call, caller);
    }
}

static void timed_book(struct pp_call *call, const void *caller, uint64_t word, const struct pp_done *done)
{
    struct pp_thread *thread;
    struct pp_operation *o = pp_table_row(caller, done, &thread);
    if (PP_UNLIKELY(!o))
        return;
    if (PP_UNLIKELY(!thread || !PP_OPERATION_POINT(o->key))) { /* a row by stage or kind belongs to many calls */
        pp_operation_book(caller, done);
        return;
    }
    call->entry = o;
    call->thread = thread;
    o->descriptor = word;
    if (call->start_ns)
        pp_call_book(call, done);
    else
        pp_call_book_long(call, done->kind, done->failed ? -1 : 0, PP_HERE, done->wall_ns);
    if (call->drawn)
        pp_call_pass_next(call, o->due - o->untimed, pp_count_on_file(o), o->wall_ns / (o->timed + o->stood));
}

/* A row none of whose calls was timed takes the mean of the last row from there, which may be off by as much. */
static void untimed_book(struct pp_call *call, const void *caller, struct pp_done *done)
{
    struct pp_thread *thread;
    struct pp_operation *o = pp_table_row(caller, done, &thread);
    if (PP_UNLIKELY(!o))
        return;
    if (PP_LIKELY(o->timed)) {
        word_add(thread, &o->untimed, 1);
        word_add(thread, &o->errors, done->failed);
        return;
    }
    done->wall_ns = pp_call_passed_ns(call);
    o->spread += done->wall_ns * done->wall_ns >> 10;
    pp_operation_book(caller, done);
}

static void book(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed, uint64_t word,
                 struct pp_done *done)
{
    done->kind = kind;
    done->failed = failed;
    done->target = (uint32_t)word;
    done->callsite = call->callsite;
    if (call->start_ns || PP_UNLIKELY(done->wall_ns))
        timed_book(call, caller, word, done);
    else
        untimed_book(call, caller, done);
}

/* What it took, as far as it is known before it is booked. */
static void taken(struct pp_call *call, struct pp_done *done)
{
    if (call->start_ns) {
        pp_call_take(call, &done->wall_ns, &done->wait_ns);
    } else if (call->coarse_ns) {
        pp_start_over(call);
        uint64_t now = pp_coarse_ns();
        if (PP_UNLIKELY(now - call->coarse_ns > pp_coarse_long_ns))
            done->wall_ns = done->wait_ns = now - call->coarse_ns;
    }
}

void pp_call_open(struct pp_call *call, const void *caller, int fd, int folder, const char *path)
{
    if (PP_UNLIKELY(!call->records))
        return;
    struct pp_done done = { 0 };
    int kept = errno;
    taken(call, &done);
    struct pp_descriptor *d = fd >= 0 ? pp_descriptor_opened(fd, folder, path, done.wait_ns >= PP_LONG_NS) : NULL;
    book(call, PP_OPERATION_OPEN, caller, fd < 0, d ? pp_descriptor_word(d) : 0, &done);
    errno = kept;
}

void pp_call_end_paced(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed,
                       uint64_t word)
{
    if (PP_UNLIKELY(!call->records))
        return;
    struct pp_done done = { 0 };
    int kept = errno;
    taken(call, &done);
    book(call, kind, caller, failed, word, &done);
    errno = kept;
}
