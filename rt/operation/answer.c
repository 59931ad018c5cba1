/* SPDX-License-Identifier: MIT */
/* answer.c: what a socket waits for between calls: the answer to what was sent last, and the end of a connect that was left in progress; see
 * operation.h. It must not know which functions send and receive.
 *
 * A word in the descriptor holds since when. Whoever takes it away books; so what several threads, or a handler, see at once is booked once. */
#define _GNU_SOURCE
#include "clock.h"
#include "core.h"
#include "operation.h"

#include <errno.h>
#include <sys/socket.h>

#define MOST_HISTOGRAMS 256u             /* 22 KB each: further targets have sums alone */
#define SLOTS 1024u

_Atomic uint32_t pp_connects;
static struct pp_answers *_Atomic histograms[SLOTS];     /* by target, open-addressed; none goes */
static _Atomic uint32_t histogram_count;

/* The target's; null: it has none. */
static struct pp_answers *histogram_of(uint32_t target)
{
    for (uint32_t i = target * 2654435761u % SLOTS; ; i = (i + 1) % SLOTS) {
        struct pp_answers *there = atomic_load_explicit(&histograms[i], memory_order_acquire);       /* partner: below */
        struct pp_extent extent;
        if (!there) {
            if (!target || atomic_load_explicit(&histogram_count, memory_order_relaxed) >= MOST_HISTOGRAMS || !pp_extent_claim(&extent, sizeof *there)) return NULL;
            struct pp_answers *made = extent.address;
            made->target = target;
            if (atomic_compare_exchange_strong_explicit(&histograms[i], &there, made, memory_order_acq_rel, memory_order_acquire)) {
                atomic_fetch_add_explicit(&histogram_count, 1, memory_order_relaxed);
                pp_extent_publish(&extent, PP_EXTENT_ANSWERS, 0);
                return made;
            }
        }
        if (there->target == target) return there;
    }
}

/* The role is kept by the first who says it: the other end may be a thread of ours with another descriptor. */
static enum pp_role role_of(struct pp_descriptor *d, enum pp_role first)
{
    uint32_t role = PP_ROLE_UNKNOWN;
    return atomic_compare_exchange_strong_explicit(&d->role, &role, first, memory_order_relaxed, memory_order_relaxed) ? first : (enum pp_role)role;
}

void pp_socket_sent(struct pp_descriptor *d, uint64_t now)
{
    if (PP_UNLIKELY(atomic_load_explicit(&d->begun_ns, memory_order_relaxed))) pp_connect_end(d, false, now);
    if (role_of(d, PP_ROLE_ASKS) == PP_ROLE_ASKS) atomic_store_explicit(&d->sent_ns, now, memory_order_relaxed);
}

void pp_socket_received(struct pp_descriptor *d, const void *caller, uint64_t now)
{
    if (PP_UNLIKELY(atomic_load_explicit(&d->begun_ns, memory_order_relaxed))) pp_connect_end(d, false, now);
    if (role_of(d, PP_ROLE_ANSWERS) != PP_ROLE_ASKS) return;
    uint64_t sent = atomic_load_explicit(&d->sent_ns, memory_order_relaxed);
    if (!sent || sent > now || !atomic_compare_exchange_strong_explicit(&d->sent_ns, &sent, 0, memory_order_relaxed, memory_order_relaxed)) return;
    uint32_t target = atomic_load_explicit(&d->target, memory_order_relaxed);
    pp_operation_book(caller, &(struct pp_done){ .kind = PP_OPERATION_RESPONSE, .target = target, .wall_ns = now - sent });
    if (!*pp_native || pp_tls()->reserved[0]) return;    /* as there */
    int kept = errno;
    struct pp_answers *answers = histogram_of(target);
    if (answers) atomic_fetch_add_explicit((_Atomic uint64_t *)&answers->histogram[pp_bucket(now - sent)], 1, memory_order_relaxed);
    errno = kept;
}

void pp_connect_begin(struct pp_descriptor *d, const void *caller, uint64_t now)
{
    atomic_store_explicit(&d->begun_point, pp_operation_point(caller), memory_order_relaxed);
    if (!atomic_exchange_explicit(&d->begun_ns, now, memory_order_relaxed)) atomic_fetch_add_explicit(&pp_connects, 1, memory_order_relaxed);
}

void pp_connect_end(struct pp_descriptor *d, bool failed, uint64_t now)
{
    uint64_t begun = atomic_exchange_explicit(&d->begun_ns, 0, memory_order_relaxed);
    if (!begun) return;
    atomic_fetch_sub_explicit(&pp_connects, 1, memory_order_relaxed);
    pp_operation_book(NULL, &(struct pp_done){ .kind = PP_OPERATION_ESTABLISH, .target = atomic_load_explicit(&d->target, memory_order_relaxed), .failed = failed,
                                               .wall_ns = now > begun ? now - begun : 0, .point = atomic_load_explicit(&d->begun_point, memory_order_relaxed) });
}

/* Writable, or without an error that waits to be told, is also what has no connection yet: the kernel is asked for the other end. */
void pp_connect_look(int fd, bool failed)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    struct sockaddr_storage peer;
    socklen_t size = sizeof peer;
    if (!d || !atomic_load_explicit(&d->begun_ns, memory_order_relaxed) || pp_forbids(PP_FORBIDDEN_TARGETS)) return;
    int kept = errno;
    uint64_t now = pp_clock_ns();
    bool connected = !getpeername(fd, (struct sockaddr *)&peer, &size);
    if (connected || failed) pp_connect_end(d, !connected, now);
    errno = kept;
}
