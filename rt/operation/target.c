/* SPDX-License-Identifier: MIT */
/* target.c: what descriptors lead to: files by their path, sockets by protocol and address. It must not know what is
 * done on them.
 *
 * The kernel is asked once for a path or a peer, or for a descriptor whose origin no wrapper saw. That is forgotten
 * when a wrapper sees the descriptor closed or reused. Targets are found by a hash of their name. A thread that loses a
 * race makes a second target of the same name, and readers join them. */
#define _GNU_SOURCE
#include "file/datafile.h"
#include "file/memory.h"
#include "operation/count.h"
#include "operation/operation.h"
#include "operation/toll.h"
#include "system/state.h"

#include <profplug/abi/further.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define PLACES 32768u
#define MOST_TARGETS 16384u /* further files have no target; PP_OPERATION_KEY has room for more */
#define LARGE_BYTES (UINT64_C(256) << 10)
#define NAME_BYTES 1024

struct pp_descriptor *pp_descriptors;
static struct place {
    _Atomic uint64_t hash;
    _Atomic uint32_t id;
} * places;
static _Atomic uint32_t count = 1; /* next id */
static _Atomic uint32_t named;     /* files that were asked for when they were opened */
_Atomic uint32_t pp_further_files;

bool pp_targets_start(void)
{
    struct pp_descriptor *room =
        pp_descriptors ? NULL : pp_memory(PP_DESCRIPTORS * sizeof *room + PLACES * sizeof *places);
    if (room) {
        places = (struct place *)(room + PP_DESCRIPTORS);
        pp_descriptors = room;
    }
    return pp_descriptors;
}

void pp_targets_fork_child(struct pp_thread *self)
{
    (void)self;
    atomic_store_explicit(&named, 0, memory_order_relaxed); /* the child's first files have names, too */
}

static uint32_t target_record(enum pp_target_kind kind, const char *name, size_t length)
{
    uint32_t id = atomic_load_explicit(&count, memory_order_relaxed);
    do
        if (id == MOST_TARGETS)
            return 0;
    while (!atomic_compare_exchange_weak_explicit(&count, &id, id + 1, memory_order_relaxed, memory_order_relaxed));
    struct pp_target head = { .id = id, .kind = kind };
    return pp_record_add2(PP_RECORD_TARGET, &head, sizeof head, name, (uint32_t)length + 1) ? id : 0;
}

uint32_t pp_target_make(enum pp_target_kind kind, const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)kind;
    size_t length = 0;
    for (; name[length]; length++)
        hash = (hash ^ (uint8_t)name[length]) * UINT64_C(1099511628211);
    hash |= 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & (PLACES - 1), tried = 0; tried < PLACES;
         i = (i + 1) & (PLACES - 1), tried++) {
        uint64_t there = 0; /* not loaded first: then a new page would have two faults */
        if (atomic_compare_exchange_strong_explicit(&places[i].hash, &there, hash, memory_order_relaxed,
                                                    memory_order_relaxed)) {
            uint32_t id = target_record(kind, name, length);
            atomic_store_explicit(&places[i].id, id, memory_order_release); /* partner: the load below */
            return id;
        }
        if (there != hash)
            continue;
        uint32_t id = atomic_load_explicit(&places[i].id, memory_order_acquire);
        /* Another thread is about to set it, perhaps one that this handler interrupted. */
        return id ? id : target_record(kind, name, length);
    }
    return 0;
}

static const char *protocol_of(int fd, int family)
{
    const struct pp_descriptor *d = pp_descriptor_of(fd);
    int type = d ? atomic_load_explicit(&d->type, memory_order_relaxed) & PP_SOCKET_TYPE : 0;
    socklen_t size = sizeof type;
    if (!type && syscall(SYS_getsockopt, fd, SOL_SOCKET, SO_TYPE, &type, &size))
        return "socket";
    if (family == AF_UNIX)
        return "unix";
    if (family != AF_INET && family != AF_INET6)
        return "socket";
    return type == SOCK_STREAM ? "tcp" : type == SOCK_DGRAM ? "udp" : "ip";
}

/* Prints an address. True: it names a peer, by path or port. `host`: without the port. */
static bool address_print(char *to, size_t room, const struct sockaddr_storage *address, socklen_t size, bool host)
{
    char text[INET6_ADDRSTRLEN] = "";
    unsigned port = 0;
    bool six = address->ss_family == AF_INET6;
    *to = 0;
    if (address->ss_family == AF_INET && size >= sizeof(struct sockaddr_in)) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
        port = ntohs(in->sin_port);
    } else if (six && size >= offsetof(struct sockaddr_in6, sin6_scope_id)) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof text);
        port = ntohs(in->sin6_port);
    } else if (address->ss_family == AF_UNIX) {
        const struct sockaddr_un *un = (const struct sockaddr_un *)address;
        size_t length =
            size > offsetof(struct sockaddr_un, sun_path) ? size - offsetof(struct sockaddr_un, sun_path) : 0;
        bool abstract = length && !un->sun_path[0];
        if (length > sizeof un->sun_path)
            length = sizeof un->sun_path;
        if (length)
            snprintf(to, room, "%s%.*s", abstract ? "@" : "", (int)(length - abstract), un->sun_path + abstract);
        return length;
    } else {
        snprintf(to, room, "(family %u)", address->ss_family);
        return true;
    }
    if (host)
        snprintf(to, room, "%s", text);
    else
        snprintf(to, room, six ? "[%s]:%u" : "%s:%u", text, port);
    return port;
}

/* Prints protocol and peer: "tcp 10.0.0.3:80", "unix /run/there". For an accepted socket, or without a peer: "tcp
 * at 10.0.0.1:80 from 10.0.0.7", "udp at 0.0.0.0:53". A client's port is left out, because it differs each time. False:
 * it is not connected, or not any more. */
static bool socket_name(int fd, enum pp_role role, char *to, size_t room)
{
    struct sockaddr_storage peer = { 0 }, own = { 0 };
    socklen_t peer_size = sizeof peer, own_size = sizeof own;
    char there[INET6_ADDRSTRLEN + sizeof(struct sockaddr_un)] = "",
                                                here[INET6_ADDRSTRLEN + sizeof(struct sockaddr_un)] = "";
    bool connected = !getpeername(fd, (struct sockaddr *)&peer, &peer_size),
         has_own = !getsockname(fd, (struct sockaddr *)&own, &own_size);
    const char *protocol = protocol_of(fd, connected ? peer.ss_family : own.ss_family);
    bool there_known = connected && address_print(there, sizeof there, &peer, peer_size, role == PP_ROLE_ANSWERS);
    bool here_known = has_own && address_print(here, sizeof here, &own, own_size, false);
    if (there_known && role != PP_ROLE_ANSWERS)
        snprintf(to, room, "%s %s", protocol, there);
    else if (here_known)
        snprintf(to, room, "%s at %s%s%s", protocol, here, *there ? " from " : "", there);
    else
        snprintf(to, room, "%s (unnamed)", protocol);
    return connected;
}

/* What has a path and no position is a FIFO; or a device, which is taken for a file. */
static bool is_fifo(const char *path, off_t at)
{
    return at < 0 && strncmp(path, "/dev/", 5) != 0;
}

/* *lasts: the name does not change while the descriptor is open. */
static uint32_t descriptor_look(int fd, enum pp_role role, enum pp_target_kind *kind, char name[NAME_BYTES],
                                bool *lasts, off_t *at)
{
    char link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, name, NAME_BYTES - 1L);
    *kind = PP_TARGET_UNKNOWN;
    *lasts = true;
    *at = 0;
    if (length <= 0)
        return 0;
    name[length] = 0;
    *kind = name[0] == '/'                 ? PP_TARGET_FILE
            : !strncmp(name, "pipe:", 5)   ? PP_TARGET_PIPE
            : !strncmp(name, "socket:", 7) ? PP_TARGET_SOCKET
                                           : PP_TARGET_OTHER;
    if (*kind == PP_TARGET_PIPE)
        strcpy(name, "pipe");
    if (*kind == PP_TARGET_FILE && is_fifo(name, *at = syscall(SYS_lseek, fd, 0L, (long)SEEK_CUR)))
        *kind = PP_TARGET_PIPE;
    if (*kind == PP_TARGET_SOCKET)
        *lasts = socket_name(fd, role, name, NAME_BYTES);
    return pp_target_make(*kind, name);
}

static void descriptor_set(struct pp_descriptor *d, enum pp_target_kind kind, uint32_t target, uint64_t position)
{
    atomic_store_explicit(&d->position, position, memory_order_relaxed);
    atomic_store_explicit(&d->end, UINT64_MAX, memory_order_relaxed);
    atomic_store_explicit(&d->slow, 0, memory_order_relaxed);
    atomic_store_explicit(&d->missed, 0, memory_order_relaxed);
    atomic_store_explicit(&d->kind, kind, memory_order_relaxed);
    atomic_store_explicit(&d->target, target, memory_order_relaxed);
}

/* `name` is set if the target is returned, which is 0 if it is not known. */
static uint32_t descriptor_ask(struct pp_descriptor *d, char name[NAME_BYTES], bool *lasts)
{
    int fd = (int)(d - pp_descriptors), kept = errno;
    enum pp_target_kind kind;
    off_t at;
    if (pp_forbids(PP_FORBIDDEN_TARGETS))
        return 0;
    uint64_t begun_ns = pp_toll_begin();
    enum pp_role role = (enum pp_role)atomic_load_explicit(&d->role, memory_order_relaxed);
    uint32_t target = descriptor_look(fd, role, &kind, name, lasts, &at);
    if (target)
        descriptor_set(d, kind, target, at < 0 ? 0 : (uint64_t)at);
    pp_toll_end(begun_ns);
    errno = kept;
    return target;
}

/* The same where nobody asks for the name. */
static __attribute__((noinline)) uint32_t descriptor_target(struct pp_descriptor *d)
{
    char name[NAME_BYTES];
    bool lasts;
    return descriptor_ask(d, name, &lasts);
}

void pp_descriptor_weigh(struct pp_descriptor *d, uint64_t wall_ns)
{
    uint64_t end = atomic_load_explicit(&d->end, memory_order_relaxed) + 1; /* 0: nothing was moved */
    if (end > LARGE_BYTES || wall_ns >= PP_LONG_NS)
        descriptor_target(d);
}

/* ---- what the kernel said before ---- */

/* By a hash of what tells it: the rest of the hash, then the target and its kind. Target 0: it was not always the
 * same. */
#define RECALLED_BITS 9
#define RECALLED_WAY_BITS 2
#define KIND_BITS 3
#define ANSWER_BITS 17
_Static_assert(MOST_TARGETS << KIND_BITS <= 1u << ANSWER_BITS && PP_TARGET_KIND_COUNT <= 1 << KIND_BITS, "room");
PP_FAR static _Atomic uint64_t recalled[1 << (RECALLED_BITS + RECALLED_WAY_BITS)];
/* One in so many is asked again, because a path or address can come to lead elsewhere. */
#define ASKED_AGAIN 256u
#define MOST_MISSED 8u

_Atomic uint32_t pp_folder_changes;

static uint64_t hash_add(uint64_t hash, const void *from, size_t bytes)
{
    uint64_t word;
    for (const char *at = from; bytes; at += sizeof word) {
        if (PP_LIKELY(bytes >= sizeof word)) {
            memcpy(&word, at, sizeof word);
            bytes -= sizeof word;
        } else {
            for (word = 0; bytes; bytes--)
                word = word << 8 | (uint8_t)at[bytes - 1];
        }
        hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

/* One of a few places: the one that has it, else a free one, else any. Two names that evict each other would be
 * asked for at each call. Multiplied once more, because names that differ in one late byte have like low bits. */
static _Atomic uint64_t *recall_place(uint64_t hash)
{
    uint64_t group = hash * UINT64_C(0x9e3779b97f4a7c15) >> (64 - RECALLED_BITS);
    _Atomic uint64_t *from = &recalled[group << RECALLED_WAY_BITS];
    _Atomic uint64_t *found = &from[hash >> ANSWER_BITS & ((1 << RECALLED_WAY_BITS) - 1)];
    for (unsigned i = 0; i < 1 << RECALLED_WAY_BITS; i++) {
        uint64_t there = atomic_load_explicit(&from[i], memory_order_relaxed);
        if (!((there ^ hash) >> ANSWER_BITS))
            return &from[i];
        if (!there)
            found = &from[i];
    }
    return found;
}

/* 0: it was never asked. */
static uint64_t recall(uint64_t hash)
{
    uint64_t there = atomic_load_explicit(recall_place(hash), memory_order_relaxed);
    return (there ^ hash) >> ANSWER_BITS ? 0 : there;
}

static uint32_t recalled_target(uint64_t word)
{
    return (uint32_t)word >> KIND_BITS & ((1u << (ANSWER_BITS - KIND_BITS)) - 1);
}

static void recall_keep(uint64_t hash, enum pp_target_kind kind, uint32_t target)
{
    atomic_store_explicit(recall_place(hash),
                          hash >> ANSWER_BITS << ANSWER_BITS | target << KIND_BITS | (uint32_t)kind,
                          memory_order_relaxed);
}

static bool asks_again(void)
{
    struct pp_thread *thread = pp_thread_self();
    return !thread || pp_random(pp_private(thread)) >> 32 < (UINT64_C(1) << 32) / ASKED_AGAIN;
}

/* A program that uses a closed descriptor again and again must not pay for a question each time. One in so many is
 * asked still: it may have been opened by a call that is not wrapped. */
static bool is_missing(struct pp_descriptor *d)
{
    if (PP_LIKELY(atomic_fetch_add_explicit(&d->missed, 1, memory_order_relaxed) < MOST_MISSED))
        return false;
    atomic_store_explicit(&d->missed, MOST_MISSED, memory_order_relaxed);
    return !asks_again();
}

struct pp_descriptor *pp_descriptor_at(int fd)
{
    if ((uint32_t)fd >= PP_DESCRIPTORS)
        return NULL;
    struct pp_descriptor *d = &pp_descriptors[fd];
    if (PP_UNLIKELY(!atomic_load_explicit(&d->target, memory_order_relaxed)) && !is_missing(d))
        descriptor_target(d);
    return d;
}

/* Whether a path without links and dots leads to that file. */
static bool leads_to(const char *path, const char *name)
{
    while (path[0] == '.' && path[1] == '/')
        path += 2;
    size_t length = strlen(path), whole = strlen(name);
    return *path == '/' ? !strcmp(path, name)
                        : whole > length && name[whole - length - 1] == '/' && !strcmp(name + whole - length, path);
}

/* A name takes a system call, and rows of three kinds of operations. A program that opens thousands of small files
 * once each pays that for the first ones only. False: this one is to have a name. `hash` 0: whether it is opened again
 * cannot be told. */
static bool is_further(struct pp_descriptor *d, uint64_t hash, uint64_t there)
{
    if (there || atomic_fetch_add_explicit(&named, 1, memory_order_relaxed) < PP_NAMED_FILES)
        return false;
    uint32_t target = atomic_load_explicit(&pp_further_files, memory_order_relaxed);
    if (!target) { /* two threads may make two, and readers join them */
        if (!(target = pp_target_make(PP_TARGET_FILE, PP_FURTHER_FILES)))
            return false;
        atomic_store_explicit(&pp_further_files, target, memory_order_relaxed);
    }
    if (hash && !atomic_load_explicit(recall_place(hash), memory_order_relaxed))
        recall_keep(hash, PP_TARGET_FILE, target);
    descriptor_set(d, PP_TARGET_FILE, target, 0);
    return true;
}

/* `hash` 0: what it was made of is not known. `path` NULL: it is no file. */
static void descriptor_learn(struct pp_descriptor *d, uint64_t hash, const char *path, bool waited)
{
    char name[NAME_BYTES];
    bool lasts;
    uint64_t there = recall(hash); /* nothing is kept for 0 */
    uint32_t before = recalled_target(there);
    if (path && !waited && is_further(d, hash, there))
        return;
    bool further = before == atomic_load_explicit(&pp_further_files, memory_order_relaxed);
    if (further && atomic_load_explicit(&count, memory_order_relaxed) < PP_REOPENED_FILES)
        there = before = 0; /* opened for the second time */
    if (before && (further || !asks_again())) {
        descriptor_set(d, (enum pp_target_kind)(there & ((1u << KIND_BITS) - 1)), before, 0);
        return;
    }
    uint32_t target = descriptor_ask(d, name, &lasts);
    bool holds = target && lasts && (!path || leads_to(path, name));
    if (hash && (before || (holds && !there)))
        recall_keep(hash, (enum pp_target_kind)atomic_load_explicit(&d->kind, memory_order_relaxed),
                    holds && (!before || before == target) ? target : 0);
}

/* 0: nothing tells the path's folder from others. One that is used often is asked for, at one use in so many. */
static uint64_t path_hash(int folder, const char *path)
{
    uint64_t from = 1;
    if (*path != '/') {
        struct pp_descriptor *d = pp_descriptor_of(folder);
        from = 2 + (uint64_t)atomic_load_explicit(&pp_folder_changes, memory_order_relaxed);
        if (d) {
            uint32_t target = atomic_load_explicit(&d->target, memory_order_relaxed);
            if (!target || target == atomic_load_explicit(&pp_further_files, memory_order_relaxed))
                target = asks_again() ? descriptor_target(d) : 0;
            from = (uint64_t)target << 32;
        } else if (folder != AT_FDCWD) {
            from = 0;
        }
    }
    return from ? hash_add(from, path, strlen(path)) : 0;
}

struct pp_descriptor *pp_descriptor_opened(int fd, int folder, const char *path, bool waited)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    int kept = errno;
    pp_descriptor_forget(fd);
    if (d)
        descriptor_learn(d, path ? path_hash(folder, path) : 0, path, waited);
    errno = kept;
    return d;
}

/* The peer's port is no part of the target. */
static uint64_t peer_hash(uint32_t listener, const struct sockaddr *peer, uint32_t size)
{
    uint64_t from = (uint64_t)listener << 32 | peer->sa_family;
    if (peer->sa_family == AF_INET && size >= sizeof(struct sockaddr_in))
        return hash_add(from, &((const struct sockaddr_in *)peer)->sin_addr, sizeof(struct in_addr));
    if (peer->sa_family == AF_INET6 && size >= sizeof(struct sockaddr_in6))
        return hash_add(from, &((const struct sockaddr_in6 *)peer)->sin6_addr, sizeof(struct in6_addr));
    return peer->sa_family == AF_UNIX && size <= sizeof peer->sa_family ? from : 0;
}

void pp_descriptor_accepted(int fd, uint32_t listener, const struct sockaddr *peer, uint32_t size)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    pp_descriptor_forget(fd);
    if (!d)
        return;
    atomic_store_explicit(&d->role, PP_ROLE_ANSWERS, memory_order_relaxed);
    uint64_t hash = listener && size >= sizeof peer->sa_family ? peer_hash(listener, peer, size) : 0;
    if (hash) /* else it is looked up where it is used */
        descriptor_learn(d, hash, NULL, false);
}

void pp_descriptor_made(int fd, enum pp_target_kind kind, const char *name)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    pp_descriptor_forget(fd);
    if (d)
        descriptor_set(d, kind, pp_target_make(kind, name), 0);
}

struct pp_descriptor *pp_descriptor_of(int fd)
{
    return pp_descriptors && (uint32_t)fd < PP_DESCRIPTORS ? &pp_descriptors[fd] : NULL;
}

uint32_t pp_descriptor_forget(int fd)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    uint32_t role;
    if (!d || (!((role = atomic_load_explicit(&d->role, memory_order_relaxed)) |
                 atomic_load_explicit(&d->target, memory_order_relaxed)) &&
               !atomic_load_explicit(&d->type, memory_order_relaxed)))
        return 0;
    if (role) /* else nobody has asked on it */
        pp_request_forget(d);
    atomic_store_explicit(&d->role, PP_ROLE_UNKNOWN, memory_order_relaxed);
    atomic_store_explicit(&d->kind, PP_TARGET_UNKNOWN, memory_order_relaxed);
    atomic_store_explicit(&d->type, 0, memory_order_relaxed);
    atomic_store_explicit(&d->turn_ns, 0, memory_order_relaxed);
    atomic_store_explicit(&d->peer_hash, 0, memory_order_relaxed);
    /* Seldom exchanged: that waits for all stores before it. */
    if (atomic_load_explicit(&d->connect_ns, memory_order_relaxed) &&
        atomic_exchange_explicit(&d->connect_ns, 0, memory_order_relaxed))
        atomic_fetch_sub_explicit(&pp_connects, 1, memory_order_relaxed);
    uint32_t target = atomic_load_explicit(&d->target, memory_order_relaxed);
    atomic_store_explicit(&d->target, 0, memory_order_relaxed);
    return target;
}

uint32_t pp_descriptor_target(int fd)
{
    struct pp_descriptor *d = pp_descriptor_at(fd);
    return d ? atomic_load_explicit(&d->target, memory_order_relaxed) : 0;
}

uint32_t pp_descriptor_set_peer(int fd, const struct sockaddr *address, uint32_t size)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    struct sockaddr_storage copy = { 0 };
    char name[NAME_BYTES], there[INET6_ADDRSTRLEN + sizeof(struct sockaddr_un)];
    if (!d || size < sizeof address->sa_family || pp_forbids(PP_FORBIDDEN_TARGETS))
        return 0;
    int kept = errno;
    uint32_t known = size < sizeof copy ? size : sizeof copy;
    memcpy(&copy, address, known);
    const struct sockaddr_un *un = (const struct sockaddr_un *)&copy;
    if (un->sun_family == AF_UNIX && un->sun_path[0]) /* what follows the path's end says nothing */
        known = (uint32_t)(sizeof un->sun_family + strnlen(un->sun_path, known - sizeof un->sun_family));
    uint32_t type = atomic_load_explicit(&d->type, memory_order_relaxed) & PP_SOCKET_TYPE;
    uint64_t whole = hash_add(type, &copy, known);
    uint32_t hash = (uint32_t)(whole >> 32) | 1, target = atomic_load_explicit(&d->target, memory_order_relaxed);
    if (!target || atomic_load_explicit(&d->peer_hash, memory_order_relaxed) != hash) {
        if (!type || !(target = recalled_target(recall(whole)))) {
            uint64_t begun_ns = pp_toll_begin();
            const char *protocol = protocol_of(fd, copy.ss_family);
            pp_toll_end(begun_ns);
            address_print(there, sizeof there, &copy, size, false);
            snprintf(name, sizeof name, "%s %s", protocol, there);
            target = pp_target_make(PP_TARGET_SOCKET, name);
            if (type)
                recall_keep(whole, PP_TARGET_SOCKET, target);
        }
        atomic_store_explicit(&d->kind, PP_TARGET_SOCKET, memory_order_relaxed);
        atomic_store_explicit(&d->peer_hash, hash, memory_order_relaxed);
        atomic_store_explicit(&d->target, target, memory_order_relaxed);
    }
    errno = kept;
    return target;
}

void pp_descriptor_set_nonblocking(int fd, bool nonblocking)
{
    struct pp_descriptor *d = pp_descriptor_of(fd);
    if (!d)
        return;
    uint32_t type = atomic_load_explicit(&d->type, memory_order_relaxed) & PP_SOCKET_TYPE;
    atomic_store_explicit(&d->type, (uint16_t)(nonblocking ? type | PP_NONBLOCKING : type), memory_order_relaxed);
}

void pp_descriptor_move(int fd, uint64_t position)
{
    if (pp_descriptors && (uint32_t)fd < PP_DESCRIPTORS)
        atomic_store_explicit(&pp_descriptors[fd].position, position, memory_order_relaxed);
}
