/* SPDX-License-Identifier: MIT */
/* target.c: what descriptors lead to: files by their path, sockets by protocol and address. It must not know what is done on them.
 *
 * A descriptor's target is asked of the kernel once, and forgotten when the wrappers see it closed or made anew. Targets are kept by a hash of
 * their name; who loses a race for a place makes a second one of the same name, and readers join them. */
#define _GNU_SOURCE
#include "operation.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

#define PLACES 32768u
#define MOST_TARGETS 16384u              /* further files have none; PP_OPERATION_KEY has room for more */
#define NAME_BYTES 1024

struct pp_descriptor *pp_descriptors;
static struct place { _Atomic uint64_t hash; _Atomic uint32_t id; } *places;
static _Atomic uint32_t count = 1;       /* ids given out */

bool pp_targets_start(void)
{
    if (!pp_descriptors) pp_descriptors = pp_memory(PP_DESCRIPTORS * sizeof *pp_descriptors);
    if (!places) places = pp_memory(PLACES * sizeof *places);
    return pp_descriptors && places;
}

static uint32_t target_record(enum pp_target_kind kind, const char *name, size_t length)
{
    uint32_t id = atomic_load_explicit(&count, memory_order_relaxed);
    do
        if (id == MOST_TARGETS) return 0;
    while (!atomic_compare_exchange_weak_explicit(&count, &id, id + 1, memory_order_relaxed, memory_order_relaxed));
    struct pp_target head = { .id = id, .kind = kind };
    return pp_record_add2(PP_RECORD_TARGET, &head, sizeof head, name, (uint32_t)length + 1) ? id : 0;
}

uint32_t pp_target_make(enum pp_target_kind kind, const char *name)
{
    uint64_t hash = UINT64_C(14695981039346656037) ^ (uint64_t)kind;
    size_t length = 0;
    for (; name[length]; length++) hash = (hash ^ (uint8_t)name[length]) * UINT64_C(1099511628211);
    hash |= 1;
    for (uint32_t i = (uint32_t)(hash >> 32) & (PLACES - 1), tried = 0; tried < PLACES; i = (i + 1) & (PLACES - 1), tried++) {
        uint64_t there = atomic_load_explicit(&places[i].hash, memory_order_relaxed);
        if (!there && atomic_compare_exchange_strong_explicit(&places[i].hash, &there, hash, memory_order_relaxed, memory_order_relaxed)) {
            uint32_t id = target_record(kind, name, length);
            atomic_store_explicit(&places[i].id, id, memory_order_release);      /* partner: below */
            return id;
        }
        if (there != hash) continue;
        uint32_t id = atomic_load_explicit(&places[i].id, memory_order_acquire);
        return id ? id : target_record(kind, name, length);      /* somebody is about to, perhaps the thread that a handler interrupted */
    }
    return 0;
}

static const char *protocol_of(int fd, int family)
{
    int type = 0;
    socklen_t size = sizeof type;
    if (getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size)) return "socket";
    if (family == AF_UNIX) return "unix";
    if (family != AF_INET && family != AF_INET6) return "socket";
    return type == SOCK_STREAM ? "tcp" : type == SOCK_DGRAM ? "udp" : "ip";
}

static void address_print(char *to, size_t room, const char *protocol, const struct sockaddr_storage *address, socklen_t size)
{
    char text[INET6_ADDRSTRLEN] = "";
    if (address->ss_family == AF_INET) {
        const struct sockaddr_in *in = (const struct sockaddr_in *)address;
        inet_ntop(AF_INET, &in->sin_addr, text, sizeof text);
        snprintf(to, room, "%s %s:%u", protocol, text, ntohs(in->sin_port));
    } else if (address->ss_family == AF_INET6) {
        const struct sockaddr_in6 *in = (const struct sockaddr_in6 *)address;
        inet_ntop(AF_INET6, &in->sin6_addr, text, sizeof text);
        snprintf(to, room, "%s [%s]:%u", protocol, text, ntohs(in->sin6_port));
    } else if (address->ss_family == AF_UNIX) {
        const struct sockaddr_un *un = (const struct sockaddr_un *)address;
        size_t length = size > offsetof(struct sockaddr_un, sun_path) ? size - offsetof(struct sockaddr_un, sun_path) : 0;
        bool abstract = length && !un->sun_path[0];
        snprintf(to, room, "%s %s%.*s", protocol, abstract ? "@" : length ? "" : "(unnamed)", (int)(length - abstract), un->sun_path + abstract);
    } else {
        snprintf(to, room, "%s (family %u)", protocol, address->ss_family);
    }
}

/* The other end; of a socket without one its own address. False: it has no address that will stay. */
static bool socket_name(int fd, char *to, size_t room)
{
    struct sockaddr_storage address = { 0 };
    socklen_t size = sizeof address;
    bool connected = !getpeername(fd, (struct sockaddr *)&address, &size);
    if (!connected) {
        size = sizeof address;
        memset(&address, 0, sizeof address);
        if (getsockname(fd, (struct sockaddr *)&address, &size)) return false;
    }
    const char *protocol = protocol_of(fd, address.ss_family);
    char own[32];
    if (!connected) snprintf(own, sizeof own, "%s from", protocol);
    address_print(to, room, connected ? protocol : own, &address, size);
    return true;
}

static uint32_t descriptor_look(int fd, enum pp_target_kind *kind)
{
    char name[NAME_BYTES], link[32];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, name, sizeof name - 1);
    *kind = PP_TARGET_UNKNOWN;
    if (length <= 0) return 0;
    name[length] = 0;
    *kind = name[0] == '/' ? PP_TARGET_FILE : !strncmp(name, "pipe:", 5) ? PP_TARGET_PIPE : !strncmp(name, "socket:", 7) ? PP_TARGET_SOCKET : PP_TARGET_OTHER;
    if (*kind == PP_TARGET_PIPE) strcpy(name, "pipe");
    if (*kind == PP_TARGET_SOCKET && !socket_name(fd, name, sizeof name)) strcpy(name, "socket");
    return pp_target_make(*kind, name);
}

struct pp_descriptor *pp_descriptor_at(int fd)
{
    if ((uint32_t)fd >= PP_DESCRIPTORS) return NULL;
    struct pp_descriptor *d = &pp_descriptors[fd];
    if (PP_LIKELY(atomic_load_explicit(&d->target, memory_order_relaxed))) return d;
    if (pp_forbids(PP_FORBIDDEN_TARGETS)) return d;
    enum pp_target_kind kind;
    int kept = errno;
    uint32_t target = descriptor_look(fd, &kind);
    if (target) {
        off_t at = kind == PP_TARGET_FILE ? syscall(SYS_lseek, fd, 0L, (long)SEEK_CUR) : -1;
        atomic_store_explicit(&d->position, at < 0 ? 0 : (uint64_t)at, memory_order_relaxed);
        atomic_store_explicit(&d->end, UINT64_MAX, memory_order_relaxed);
        atomic_store_explicit(&d->slow, 0, memory_order_relaxed);
        atomic_store_explicit(&d->kind, kind, memory_order_relaxed);
        atomic_store_explicit(&d->target, target, memory_order_relaxed);
    }
    errno = kept;
    return d;
}

uint32_t pp_descriptor_forget(int fd)
{
    return pp_descriptors && (uint32_t)fd < PP_DESCRIPTORS ? atomic_exchange_explicit(&pp_descriptors[fd].target, 0, memory_order_relaxed) : 0;
}

void pp_descriptor_move(int fd, uint64_t position)
{
    if (pp_descriptors && (uint32_t)fd < PP_DESCRIPTORS) atomic_store_explicit(&pp_descriptors[fd].position, position, memory_order_relaxed);
}
