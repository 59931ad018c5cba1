/* SPDX-License-Identifier: MIT */
/* ancestry.c: see ancestry.h. A forked process records its root. An executed one (system, posix_spawn, fork and exec)
 * records only its ancestors. Process numbers are reused, so an ancestor must also be alive when its descendant starts.
 * */
#include "read/ancestry.h"

#include <string.h>

#define KIN_ANCESTORS (sizeof((struct ancestry *)0)->ancestors / sizeof(uint32_t))

struct ancestry ancestry_make(char *path, const struct pp_header *header)
{
    struct ancestry kin = {
        .path = path,
        .pid = header->pid,
        .ancestors[0] = header->parent_pid,
        .root_pid = header->root_pid,
        .start_ns = header->start_realtime_ns,
        .refused = header->losses[PP_LOSS_DISK],
        .refused_memory = header->losses[PP_LOSS_MEMORY],
        .end_ns = header->end_ns >= header->start_ns && header->end_ns
                      ? header->start_realtime_ns + (header->end_ns - header->start_ns)
                      : UINT64_MAX,
    };
    memcpy(kin.ancestors + 1, header->ancestors, sizeof header->ancestors);
    memcpy(kin.host, header->host, sizeof kin.host);
    return kin;
}

/* The file of process `pid` when `child` started. After exec there are several: the latest. */
static size_t alive_find(const struct ancestry *all, size_t count, const struct ancestry *child, uint32_t pid)
{
    size_t found = KIN_NONE;
    for (size_t i = 0; i < count; i++)
        if (all[i].pid == pid && pid != child->pid && all[i].start_ns <= child->start_ns &&
            all[i].end_ns >= child->start_ns && !memcmp(all[i].host, child->host, sizeof child->host) &&
            (found == KIN_NONE || all[i].start_ns > all[found].start_ns))
            found = i;
    return found;
}

size_t ancestry_parent(const struct ancestry *all, size_t count, size_t of)
{
    size_t parent = KIN_NONE;
    for (size_t i = 0; i < KIN_ANCESTORS && all[of].ancestors[i] && parent == KIN_NONE; i++)
        parent = alive_find(all, count, &all[of], all[of].ancestors[i]);
    if (parent != KIN_NONE || all[of].root_pid == all[of].pid)
        return parent;
    /* its parent was forked, too, and had ended by then: use the root that it recorded, which may have ended as well */
    for (size_t i = 0; i < count; i++)
        if (i != of && all[i].pid == all[of].root_pid && all[i].start_ns <= all[of].start_ns &&
            !memcmp(all[i].host, all[of].host, sizeof all[i].host) &&
            (parent == KIN_NONE || all[i].start_ns > all[parent].start_ns))
            parent = i;
    return parent;
}

int ancestry_descends(const struct ancestry *kin, uint32_t pid)
{
    int found = kin->pid == pid || kin->root_pid == pid;
    for (size_t i = 0; i < KIN_ANCESTORS; i++)
        found |= kin->ancestors[i] == pid;
    return found;
}

size_t ancestry_root(const struct ancestry *all, size_t count, size_t of)
{
    for (size_t steps = 0; steps < count; steps++) { /* bounded: files may form a circle */
        size_t parent = ancestry_parent(all, count, of);
        if (parent == KIN_NONE)
            break;
        of = parent;
    }
    return of;
}
