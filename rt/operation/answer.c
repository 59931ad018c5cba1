/* SPDX-License-Identifier: MIT */
/* answer.c: what a socket waits for between calls: the answer to what was sent last, or the end of a connect that was
 * left in progress. It must not know which functions send and receive.
 *
 * A word in the descriptor holds the start time. The thread or handler that takes it away books, so each answer is
 * booked once. */
#define _GNU_SOURCE
#include "file/datafile.h"
#include "operation/operation.h"
#include "probe/stage.h"
#include "system/clock.h"
#include "system/state.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#define MOST_HISTOGRAMS 256u /* 22 KB each; further targets have sums only */
#define SLOTS 1024u
#define LONG_NS UINT64_C(200000) /* a longer answer has the next one timed */

_Atomic uint32_t pp_connects;
PP_FAR static struct pp_answers *_Atomic histograms[SLOTS]; /* by target, open addressing; entries are never removed */
static _Atomic uint32_t histogram_count;

/* Returns the target's histogram, NULL if it has none. */
static struct pp_answers *histogram_of(uint32_t target, enum pp_operation_kind kind)
{
    for (uint32_t i = (target * 2 + (kind == PP_OPERATION_SERVED)) * 2654435761u % SLOTS;; i = (i + 1) % SLOTS) {
        struct pp_answers *there = atomic_load_explicit(&histograms[i], memory_order_acquire); /* partner: below */
        struct pp_extent extent;
        if (!there) {
            if (!target || atomic_load_explicit(&histogram_count, memory_order_relaxed) >= MOST_HISTOGRAMS ||
                !pp_extent_claim(&extent, sizeof *there))
                return NULL;
            struct pp_answers *made = extent.address;
            made->target = target;
            made->kind = kind;
            if (atomic_compare_exchange_strong_explicit(&histograms[i], &there, made, memory_order_acq_rel,
                                                        memory_order_acquire)) {
                atomic_fetch_add_explicit(&histogram_count, 1, memory_order_relaxed);
                pp_extent_publish(&extent, PP_EXTENT_ANSWERS, 0);
                return made;
            }
        }
        if (there->target == target && there->kind == kind)
            return there;
    }
}

/* The first caller sets the role. The other end may be a thread of ours with another descriptor. */
static enum pp_role role_of(struct pp_descriptor *d, enum pp_role first)
{
    uint32_t role = PP_ROLE_UNKNOWN;
    return atomic_compare_exchange_strong_explicit(&d->role, &role, first, memory_order_relaxed, memory_order_relaxed)
               ? first
               : (enum pp_role)role;
}

/* ---- requests in several writes ---- */

/* By descriptor: what was sent since the last answer. One thread asks on a socket at a time; else counts may be off.
 * Small, because every program has it; what does not fit is the largest number that does. */
PP_FAR static struct request {
    uint32_t callsite;
    uint16_t segment_bytes; /* 0: not asked yet. 1: no TCP, so that no write is smaller */
    uint16_t most_bytes;
    uint8_t sends;
    bool has_nodelay;
} requests[PP_DESCRIPTORS];

static void request_send(const struct pp_descriptor *d, const void *caller, uint64_t bytes)
{
    struct request *r = &requests[d - pp_descriptors];
    r->sends += r->sends < UINT8_MAX;
    if (r->sends > 1)
        r->callsite = pp_operation_callsite(caller);
    if (bytes > r->most_bytes)
        r->most_bytes = bytes < UINT16_MAX ? (uint16_t)bytes : UINT16_MAX;
}

void pp_request_forget(const struct pp_descriptor *d) { requests[d - pp_descriptors] = (struct request){ 0 }; }

static void request_look(struct request *r)
{
    int fd = (int)(r - requests), nodelay = 0, segment = 0, kept = errno;
    socklen_t size = sizeof nodelay, segment_size = sizeof segment;
    r->segment_bytes = 1;
    if (!pp_forbids(PP_FORBIDDEN_TARGETS) && !PP_NEXT_OF(getsockopt)(fd, IPPROTO_TCP, TCP_NODELAY, &nodelay, &size) &&
        !PP_NEXT_OF(getsockopt)(fd, IPPROTO_TCP, TCP_MAXSEG, &segment, &segment_size) && segment > 0)
        r->segment_bytes = segment < UINT16_MAX ? (uint16_t)segment : UINT16_MAX;
    r->has_nodelay = nodelay;
    errno = kept;
}

static void request_answered(const struct pp_descriptor *d, enum pp_timed timed, uint64_t took_ns)
{
    struct request *r = &requests[d - pp_descriptors];
    if (r->sends > 1 && !r->segment_bytes)
        request_look(r);
    if (r->sends > 1 && r->most_bytes < r->segment_bytes)
        pp_answer_book(NULL,
                       &(struct pp_done){ .kind = PP_OPERATION_SPLIT,
                                          .target = atomic_load_explicit(&d->target, memory_order_relaxed),
                                          .sequential = r->has_nodelay,
                                          .callsite = r->callsite },
                       timed, took_ns);
    r->sends = 0;
    r->most_bytes = 0;
}

/* ---- turns ---- */

/* The other side's turn begins, or ours, with the last byte. */
static void turn_begin(struct pp_descriptor *d, uint64_t now)
{
    atomic_store_explicit(&d->turn_ns, now, memory_order_relaxed);
}

static void turn_end(struct pp_descriptor *d, enum pp_operation_kind kind, const void *caller, uint64_t now)
{
    uint64_t since = atomic_load_explicit(&d->turn_ns, memory_order_relaxed), took = now > since ? now - since : 0;
    enum pp_timed timed = !PP_IS_COARSE(since | now) ? PP_TIMED
                          : took > pp_coarse_long_ns ? PP_TIMED_ALONE
                                                     : PP_NOT_TIMED;
    if (!since || (timed == PP_TIMED && since > now) ||
        !atomic_compare_exchange_strong_explicit(&d->turn_ns, &since, 0, memory_order_relaxed, memory_order_relaxed))
        return;
    uint32_t target = atomic_load_explicit(&d->target, memory_order_relaxed);
    uint64_t weight = pp_answer_book(caller, &(struct pp_done){ .kind = kind, .target = target }, timed, took);
    if (kind == PP_OPERATION_RESPONSE)
        request_answered(d, timed, took);
    if (!timed)
        return;
    atomic_store_explicit(&d->long_answers, took >= LONG_NS, memory_order_relaxed);
    if (!*pp_fork_generation || PP_RUNTIME_AT_WORK)
        return; /* entry_of in booking.c returns nothing in these cases, too */
    int kept = errno;
    struct pp_answers *answers = histogram_of(target, kind);
    if (answers)
        atomic_fetch_add_explicit((_Atomic uint64_t *)&answers->histogram[pp_bucket(took)], weight,
                                  memory_order_relaxed);
    errno = kept;
}

static void connect_seen(struct pp_descriptor *d, uint64_t now)
{
    if (PP_UNLIKELY(atomic_load_explicit(&d->connect_ns, memory_order_relaxed)))
        pp_connect_end(d, false, PP_IS_COARSE(now) ? pp_clock_ns() : now);
}

void pp_socket_sent(struct pp_descriptor *d, const void *caller, uint64_t now, uint64_t bytes)
{
    connect_seen(d, now);
    if (role_of(d, PP_ROLE_ASKS) == PP_ROLE_ASKS) {
        request_send(d, caller, bytes);
        turn_begin(d, now);
    } else {
        turn_end(d, PP_OPERATION_SERVED, caller, now);
    }
}

void pp_socket_received(struct pp_descriptor *d, const void *caller, uint64_t now)
{
    connect_seen(d, now);
    if (role_of(d, PP_ROLE_ANSWERS) == PP_ROLE_ANSWERS)
        turn_begin(d, now);
    else
        turn_end(d, PP_OPERATION_RESPONSE, caller, now);
}

bool pp_socket_awaits(const struct pp_descriptor *d, enum pp_operation_kind kind)
{
    uint32_t role = atomic_load_explicit(&d->role, memory_order_relaxed);
    bool sends = kind == PP_OPERATION_SEND || kind == PP_OPERATION_WRITE;
    if (role == PP_ROLE_UNKNOWN || atomic_load_explicit(&d->connect_ns, memory_order_relaxed))
        return true;
    if (sends == (role == PP_ROLE_ASKS))
        return atomic_load_explicit(&d->long_answers, memory_order_relaxed);
    uint64_t since = atomic_load_explicit(&d->turn_ns, memory_order_relaxed);
    return since && !PP_IS_COARSE(since);
}

void pp_connect_begin(struct pp_descriptor *d, const void *caller, uint64_t now)
{
    atomic_store_explicit(&d->connect_callsite, pp_operation_callsite(caller), memory_order_relaxed);
    if (!atomic_exchange_explicit(&d->connect_ns, now, memory_order_relaxed))
        atomic_fetch_add_explicit(&pp_connects, 1, memory_order_relaxed);
}

void pp_connect_end(struct pp_descriptor *d, bool failed, uint64_t now)
{
    uint64_t begun = atomic_exchange_explicit(&d->connect_ns, 0, memory_order_relaxed);
    if (!begun)
        return;
    atomic_fetch_sub_explicit(&pp_connects, 1, memory_order_relaxed);
    pp_operation_book(
        NULL, &(struct pp_done){ .kind = PP_OPERATION_ESTABLISH,
                                 .target = atomic_load_explicit(&d->target, memory_order_relaxed),
                                 .failed = failed,
                                 .wall_ns = now > begun ? now - begun : 0,
                                 .callsite = atomic_load_explicit(&d->connect_callsite, memory_order_relaxed) });
}

/* A socket that is not connected yet can also be writable or have no pending error, so ask the kernel for the peer. */
void pp_connect_look(int fd, bool failed)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    if (!d || !atomic_load_explicit(&d->connect_ns, memory_order_relaxed) || pp_forbids(PP_FORBIDDEN_TARGETS))
        return;
    int kept = errno;
    uint64_t now = pp_clock_ns();
    bool connected = !getpeername(fd, (struct sockaddr *)&peer, &size);
    if (connected || failed)
        pp_connect_end(d, !connected, now);
    errno = kept;
}
