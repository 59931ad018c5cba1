/* SPDX-License-Identifier: MIT */
/* socket.c: wraps the C library's calls on sockets. It must not know what is booked where.
 *
 * What the caller's pointers lead to is read after the call has succeeded: the kernel has read it by then, so a bad
 * pointer remains the caller's error. The exception is the room for an address, which the kernel overwrites. It is read
 * before the call, on sockets that were sent to by address. */
#define _GNU_SOURCE
#include "operation/operation.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

#define WRAPPER PP_WRAPPER PP_BEFORE_ALL __attribute__((noinline))

/* Books `call`, a call of the next function that sets `result`, and the bytes `moved`. `peer` is a statement that first
 * sets the peer. */
#define MOVE(kind, fd, result, moved, peer, call)                                                               \
    do {                                                                                                        \
        if (!PP_RECORDS(PP_OPERATIONS_NETWORK)) {                                                               \
            result = (call);                                                                                    \
        } else {                                                                                                \
            struct pp_call booked_;                                                                             \
            pp_call_begin_transfer(&booked_, PP_COLLECTOR_NETWORK, PP_OPERATION_##kind, PP_CALLER, fd);         \
            result = (call);                                                                                    \
            if (result >= 0)                                                                                    \
                peer;                                                                                           \
            pp_call_end(&booked_, PP_OPERATION_##kind, PP_CALLER, result < 0 ? -1 : (int64_t)(moved), PP_HERE); \
        }                                                                                                       \
    } while (0)
#define NO_PEER (void)0

/* ---- sending ---- */

static bool is_known(int fd)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    return d && atomic_load_explicit(&d->target, memory_order_relaxed);
}

/* A socket whose calls name the peer has no address before the first call, so it is not looked up before. */
static void peer_note(struct pp_call *call, int fd, bool sent, const struct sockaddr *address, socklen_t size)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    if (sent && address && size && d && atomic_load_explicit(&d->role, memory_order_relaxed) != PP_ROLE_ANSWERS)
        pp_descriptor_set_peer(fd, address, size);
    call->descriptor = pp_descriptor_at(fd);
}

#define SEND_TO(fd, result, moved, address, size, call)                                                          \
    do {                                                                                                         \
        if (!PP_RECORDS(PP_OPERATIONS_NETWORK)) {                                                                \
            result = (call);                                                                                     \
        } else {                                                                                                 \
            struct pp_call booked_;                                                                              \
            pp_call_begin(&booked_, PP_COLLECTOR_NETWORK, PP_OPERATION_SEND, PP_CALLER, is_known(fd) ? fd : -1); \
            result = (call);                                                                                     \
            if (booked_.records)                                                                                 \
                peer_note(&booked_, fd, result >= 0, result >= 0 ? (address) : NULL, result >= 0 ? (size) : 0);  \
            pp_call_end(&booked_, PP_OPERATION_SEND, PP_CALLER, result < 0 ? -1 : (int64_t)(moved), PP_HERE);    \
        }                                                                                                        \
    } while (0)

WRAPPER ssize_t send(int fd, const void *from, size_t bytes, int flags)
{
    ssize_t n;
    MOVE(SEND, fd, n, n, NO_PEER, PP_NEXT_OF(send)(fd, from, bytes, flags));
    return n;
}

WRAPPER ssize_t sendto(int fd, const void *from, size_t bytes, int flags, const struct sockaddr *address,
                       socklen_t size)
{
    ssize_t n;
    if (address)
        SEND_TO(fd, n, n, address, size, PP_NEXT_OF(sendto)(fd, from, bytes, flags, address, size));
    else
        MOVE(SEND, fd, n, n, NO_PEER, PP_NEXT_OF(sendto)(fd, from, bytes, flags, address, size));
    return n;
}

WRAPPER ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    ssize_t n;
    SEND_TO(fd, n, n, message->msg_name, message->msg_namelen, PP_NEXT_OF(sendmsg)(fd, message, flags));
    return n;
}

static size_t messages_bytes(const struct mmsghdr *message, int count)
{
    size_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += message[i].msg_len;
    return sum;
}

/* Several messages: the last one's peer counts. */
WRAPPER int sendmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags)
{
    int n;
    SEND_TO(fd, n, messages_bytes(messages, n), n ? messages[n - 1].msg_hdr.msg_name : NULL,
            n ? messages[n - 1].msg_hdr.msg_namelen : 0, PP_NEXT_OF(sendmmsg)(fd, messages, count, flags));
    return n;
}

/* ---- receiving: MSG_PEEK moves nothing, and what did not fit is lost ---- */

#define MOVED(n, room, flags) ((flags) & (MSG_PEEK | MSG_ERRQUEUE) ? 0 : (size_t)(n) < (room) ? (size_t)(n) : (room))

WRAPPER ssize_t recv(int fd, void *to, size_t room, int flags)
{
    ssize_t n;
    MOVE(RECEIVE, fd, n, MOVED(n, room, flags), NO_PEER, PP_NEXT_OF(recv)(fd, to, room, flags));
    return n;
}

/* The room for an address, if it matters: on a socket whose calls name the peer. */
static socklen_t address_room(int fd, const struct sockaddr *address, const socklen_t *size)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    return address && size && d && atomic_load_explicit(&d->peer_hash, memory_order_relaxed) ? *size : 0;
}
#define SET_PEER(fd, address, room, size) \
    if (room)                             \
    pp_descriptor_set_peer(fd, address, *(size) < (room) ? *(size) : (room))

WRAPPER ssize_t recvfrom(int fd, void *restrict to, size_t room, int flags, struct sockaddr *restrict address,
                         socklen_t *restrict size)
{
    ssize_t n;
    socklen_t known = PP_RECORDS(PP_OPERATIONS_NETWORK) ? address_room(fd, address, size) : 0;
    MOVE(RECEIVE, fd, n, MOVED(n, room, flags), SET_PEER(fd, address, known, size),
         PP_NEXT_OF(recvfrom)(fd, to, room, flags, address, size));
    return n;
}

static size_t message_room(const struct msghdr *message)
{
    size_t sum = 0;
    for (size_t i = 0; i < message->msg_iovlen; i++)
        sum += message->msg_iov[i].iov_len;
    return sum;
}

WRAPPER ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    ssize_t n;
    struct pp_descriptor *d = PP_RECORDS(PP_OPERATIONS_NETWORK) ? pp_descriptor_of(fd) : NULL;
    socklen_t known =
        d && atomic_load_explicit(&d->peer_hash, memory_order_relaxed) && message->msg_name ? message->msg_namelen : 0;
    MOVE(RECEIVE, fd, n, MOVED(n, flags & MSG_TRUNC ? message_room(message) : (size_t)n, flags),
         SET_PEER(fd, message->msg_name, known, &message->msg_namelen), PP_NEXT_OF(recvmsg)(fd, message, flags));
    return n;
}

WRAPPER int recvmmsg(int fd, struct mmsghdr *messages, unsigned count, int flags, struct timespec *timeout)
{
    int n;
    MOVE(RECEIVE, fd, n, flags & (MSG_PEEK | MSG_ERRQUEUE) ? 0 : messages_bytes(messages, n), NO_PEER,
         PP_NEXT_OF(recvmmsg)(fd, messages, count, flags, timeout));
    return n;
}

/* With -D_FORTIFY_SOURCE. */
ssize_t __recv_chk(int fd, void *to, size_t bytes, size_t room, int flags);
ssize_t __recvfrom_chk(int fd, void *restrict to, size_t bytes, size_t room, int flags,
                       struct sockaddr *restrict address, socklen_t *restrict size);

WRAPPER ssize_t __recv_chk(int fd, void *to, size_t bytes, size_t room, int flags)
{
    ssize_t n;
    MOVE(RECEIVE, fd, n, MOVED(n, bytes, flags), NO_PEER, PP_NEXT_OF(__recv_chk)(fd, to, bytes, room, flags));
    return n;
}

WRAPPER ssize_t __recvfrom_chk(int fd, void *restrict to, size_t bytes, size_t room, int flags,
                               struct sockaddr *restrict address, socklen_t *restrict size)
{
    ssize_t n;
    socklen_t known = PP_RECORDS(PP_OPERATIONS_NETWORK) ? address_room(fd, address, size) : 0;
    MOVE(RECEIVE, fd, n, MOVED(n, bytes, flags), SET_PEER(fd, address, known, size),
         PP_NEXT_OF(__recvfrom_chk)(fd, to, bytes, room, flags, address, size));
    return n;
}

/* ---- connections ---- */

/* Results that only a protocol returns, which has read the address. Another error may come from someone who has not,
 * such as a seccomp filter. */
static bool is_read(int error)
{
    return !error || error == EINPROGRESS || error == EINTR || error == EAGAIN || error == ECONNREFUSED ||
           error == ETIMEDOUT || error == ENETUNREACH || error == EHOSTUNREACH || error == ENOENT;
}

static void connected(struct pp_call *call, const void *caller, int fd, int error, const struct sockaddr *address,
                      socklen_t size)
{
    struct pp_done done = { .kind = PP_OPERATION_CONNECT,
                            .sequential = error == EINPROGRESS || error == EINTR,
                            .failed = error && error != EINPROGRESS,
                            .callsite = call->callsite };
    struct pp_descriptor *d = pp_descriptor_of(fd);
    pp_call_take(call, &done.wall_ns, &done.wait_ns);
    uint64_t now = call->start_ns + done.wall_ns;
    if (d && atomic_load_explicit(&d->connect_ns, memory_order_relaxed) && error != EALREADY) {
        /* Another connect while one was in progress. */
        done.target = atomic_load_explicit(&d->target, memory_order_relaxed);
        pp_connect_end(d, error && error != EISCONN, now);
    } else if (d && is_read(error)) {
        uint16_t type = atomic_load_explicit(&d->type, memory_order_relaxed);
        pp_descriptor_forget(fd);
        atomic_store_explicit(&d->type, type, memory_order_relaxed);
        if (address->sa_family == AF_UNSPEC) {
            d = NULL; /* the socket has no peer now */
        } else {
            done.target = pp_descriptor_set_peer(fd, address, size);
            atomic_store_explicit(&d->peer_hash, 0, memory_order_relaxed); /* no call names the peer from now on */
            atomic_store_explicit(&d->role, PP_ROLE_ASKS, memory_order_relaxed);
        }
        if (done.sequential && d)
            pp_connect_begin(d, caller, now);
    } else if (d) {
        done.target = atomic_load_explicit(&d->target, memory_order_relaxed);
    }
    pp_operation_book(caller, &done);
    if (done.failed && !done.sequential && is_read(error))
        pp_descriptor_forget(fd);
}

WRAPPER int connect(int fd, const struct sockaddr *address, socklen_t size)
{
    struct pp_call call;
    if (!PP_RECORDS(PP_OPERATIONS_NETWORK))
        return PP_NEXT_OF(connect)(fd, address, size);
    pp_call_begin_seldom(&call, PP_COLLECTOR_NETWORK, PP_OPERATION_CONNECT, PP_CALLER);
    int result = PP_NEXT_OF(connect)(fd, address, size), kept = errno;
    if (call.records)
        connected(&call, PP_CALLER, fd, result ? kept : 0, address, size);
    errno = kept;
    return result;
}

/* Booked on the listening socket. A caller who does not ask for the peer has the kernel tell us, since a later call
 * would ask it once more. `flags` below 0: accept. */
static int accepted(int fd, struct sockaddr *address, socklen_t *size, int flags, const void *caller)
{
    struct pp_call call;
    struct sockaddr_storage own;
    socklen_t own_size = sizeof own;
    bool asks = PP_RECORDS(PP_OPERATIONS_NETWORK) && !address && !size;
    if (asks) {
        address = (struct sockaddr *)&own;
        size = &own_size;
    }
    call.records = false;
    if (PP_RECORDS(PP_OPERATIONS_NETWORK))
        pp_call_begin_seldom(&call, PP_COLLECTOR_NETWORK, PP_OPERATION_ACCEPT, caller);
    int result = flags < 0 ? PP_NEXT_OF(accept)(fd, address, size) : PP_NEXT_OF(accept4)(fd, address, size, flags);
    if (!call.records)
        return result;
    int kept = errno;
    uint32_t listener = pp_descriptor_target(fd);
    pp_call_end_on(&call, PP_OPERATION_ACCEPT, caller, result < 0, listener);
    if (result >= 0)
        pp_descriptor_accepted(result, listener, address, address && size ? *size : 0);
    if (flags > 0)
        pp_descriptor_set_nonblocking(result, flags & SOCK_NONBLOCK);
    errno = kept;
    return result;
}

WRAPPER int accept(int fd, struct sockaddr *restrict address, socklen_t *restrict size)
{
    return accepted(fd, address, size, -1, PP_CALLER);
}

WRAPPER int accept4(int fd, struct sockaddr *restrict address, socklen_t *restrict size, int flags)
{
    if (flags < 0) /* of which the kernel knows none */
        return PP_NEXT_OF(accept4)(fd, address, size, flags);
    return accepted(fd, address, size, flags, PP_CALLER);
}

/* After a connect in progress the program asks with this how it ended. */
WRAPPER int getsockopt(int fd, int level, int name, void *restrict value, socklen_t *restrict size)
{
    int result = PP_NEXT_OF(getsockopt)(fd, level, name, value, size);
    if (PP_RECORDS(PP_OPERATIONS_NETWORK) && level == SOL_SOCKET && name == SO_ERROR && !result &&
        *size >= sizeof(int) && atomic_load_explicit(&pp_connects, memory_order_relaxed))
        pp_connect_look(fd, *(const int *)value != 0);
    return result;
}

/* ---- new descriptors: the number may still be known as an old target that was closed without a wrapper ---- */

WRAPPER int socket(int family, int type, int protocol)
{
    int result = PP_NEXT_OF(socket)(family, type, protocol);
    if (PP_RECORDS(~0u) && result >= 0) {
        pp_descriptor_forget(result);
        struct pp_descriptor *d = pp_descriptor_of(result);
        if (d)
            atomic_store_explicit(&d->type, (uint16_t)(type & PP_SOCKET_TYPE), memory_order_relaxed);
        pp_descriptor_set_nonblocking(result, type & SOCK_NONBLOCK);
    }
    return result;
}

#define PAIRS_NAMED 9 /* by one digit; each may have two histograms */

WRAPPER int socketpair(int family, int type, int protocol, int pair[2])
{
    static _Atomic unsigned pairs;
    int result = PP_NEXT_OF(socketpair)(family, type, protocol, pair);
    if (result || !PP_RECORDS(~0u))
        return result;
    bool names = family == AF_UNIX && PP_RECORDS(PP_OPERATIONS_NETWORK);
    char name[] = "unix pair 1";
    unsigned number = atomic_fetch_add_explicit(&pairs, names, memory_order_relaxed);
    name[sizeof name - 2] += (char)number;
    for (int i = 0; i < 2; i++)
        if (names)
            pp_descriptor_made(pair[i], PP_TARGET_SOCKET, number < PAIRS_NAMED ? name : "unix (unnamed)");
        else
            pp_descriptor_forget(pair[i]);
    for (int i = 0; i < 2; i++)
        pp_descriptor_set_nonblocking(pair[i], type & SOCK_NONBLOCK);
    return result;
}

__attribute__((alias("send"), visibility("hidden"))) ssize_t pp_send_here(int fd, const void *from, size_t bytes,
                                                                          int flags);

bool pp_sockets_are_ours(void)
{
    ssize_t (*volatile effective)(int, const void *, size_t, int) = send;
    return effective == pp_send_here;
}
