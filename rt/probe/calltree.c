/* SPDX-License-Identifier: MIT */
/* calltree.c: which node a call from the current node leads to. It must not know what is timed or stored in nodes.
 *
 * A path holds each function and each stage once. A call of a function that is open on the path leads back to its node,
 * so recursion, also mutual, stays in the nodes where it began. There is one exception: if the function is called again
 * inside a stage that it encloses, it gets a second node there, so that the stage's own numbers are right. Where a call
 * leads depends on the current node alone, so it can be cached: `child` caches the last call, the hash table all calls.
 * Lookups change nothing and may be interrupted anywhere. Changes run with signals blocked. */
#define _GNU_SOURCE
#include "probe/calltree.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "probe/stage.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

#define NODE_LIMIT 65536u
#define NODES_FIRST 31u /* with the head just under a page */
#define LINKS_FIRST 256u
/* Pseudo parents of links that are not edges of the tree. */
#define OVERFLOW_PARENT UINT32_MAX       /* the nodes of calls whose path found no room */
#define FUNCTION_PARENT (UINT32_MAX - 1) /* the first node of each function */

struct pp_link {
    uint32_t key, parent; /* key 0: free */
    struct pp_node *node;
};
/* The `child` of a node that has none yet: no site has its key. */
static struct pp_node sentinel;

static uint64_t slot_of(uint32_t parent, uint32_t key)
{
    return ((uint64_t)parent * UINT64_C(0x9e3779b97f4a7c15) ^ key) * UINT64_C(0xbf58476d1ce4e5b9) >> 20;
}

static struct pp_node *link_find(const struct pp_private *p, uint32_t parent, uint32_t key)
{
    for (uint64_t i = slot_of(parent, key);; i++) {
        const struct pp_link *l = &p->links[i & p->links_mask];
        if (!l->key)
            return NULL;
        if (l->key == key && l->parent == parent)
            return l->node;
    }
}

static void link_put(struct pp_link *table, uint64_t mask, struct pp_link link)
{
    uint64_t i = slot_of(link.parent, link.key);
    while (table[i & mask].key)
        i++;
    table[i & mask] = link;
}

static bool link_add(struct pp_private *p, uint32_t parent, uint32_t key, struct pp_node *node)
{
    uint64_t capacity = p->links_mask + 1;
    if ((uint64_t)p->links_used * 2 >= capacity) {
        struct pp_link *grown = capacity < 4 * NODE_LIMIT ? pp_memory(capacity * 2 * sizeof *grown) : NULL;
        if (grown) {
            for (uint64_t i = 0; i < capacity; i++)
                if (p->links[i].key)
                    link_put(grown, capacity * 2 - 1, p->links[i]);
            pp_unmap(p->links, capacity * sizeof *p->links);
            p->links = grown;
            p->links_mask = capacity * 2 - 1;
        } else if ((uint64_t)p->links_used * 8 >= capacity * 7) {
            return false;
        }
    }
    link_put(p->links, p->links_mask, (struct pp_link){ key, parent, node });
    p->links_used++;
    return true;
}

struct pp_node *pp_tree_root(struct pp_private *p) { return (struct pp_node *)(p->nodes + 1); }

static struct pp_nodes *nodes_next(const struct pp_nodes *c) { return (struct pp_nodes *)(uintptr_t)c->next; }

struct pp_node *pp_tree_at(struct pp_private *p, uint32_t number)
{
    for (struct pp_nodes *c = p->nodes; c; c = nodes_next(c))
        if (number - c->first < c->used)
            return (struct pp_node *)(c + 1) + (number - c->first);
    return NULL;
}

static bool nodes_add(struct pp_thread *thread, uint32_t wanted)
{
    struct pp_private *p = pp_private(thread);
    struct pp_extent extent;
    if (!pp_extent_claim(&extent, sizeof(struct pp_nodes) + (uint64_t)wanted * sizeof(struct pp_node)))
        return false;
    struct pp_nodes *c = extent.address;
    c->first = p->node_count;
    c->capacity = (uint32_t)((extent.size - sizeof *c) / sizeof(struct pp_node));
    pp_extent_publish(&extent, PP_EXTENT_NODES, thread->id);
    if (p->nodes_last)
        p->nodes_last->next = (uint64_t)(uintptr_t)c;
    else
        p->nodes = c;
    p->nodes_last = c;
    return true;
}

static struct pp_node *node_make(struct pp_thread *thread, uint64_t key, uint32_t parent)
{
    struct pp_private *p = pp_private(thread);
    if (p->nodes_last->used == p->nodes_last->capacity && !nodes_add(thread, p->nodes_last->capacity * 2 + 1))
        return NULL;
    struct pp_nodes *c = p->nodes_last;
    struct pp_node *n = (struct pp_node *)(c + 1) + c->used;
    n->key = key;
    n->child = (uint64_t)(uintptr_t)&sentinel;
    n->parent = parent;
    n->flags = thread->id << PP_NODE_OWNER_SHIFT;
    n->number = p->node_count++;
    n->first = (uint64_t)(uintptr_t)n;
    return n; /* readers see it from node_publish on */
}

static void node_publish(struct pp_private *p)
{
    struct pp_nodes *c = p->nodes_last;
    atomic_store_explicit((_Atomic uint32_t *)&c->used, c->used + 1,
                          memory_order_release); /* partner: nodes_take in report/read/extent.c */
}

static bool root_make(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    p->links = pp_memory(LINKS_FIRST * sizeof *p->links);
    p->links_mask = LINKS_FIRST - 1;
    p->links_used = 0;
    struct pp_node *root = p->links ? node_make(thread, 0, 0) : NULL;
    if (!root)
        return false;
    node_publish(p);
    thread->node = (uint64_t)(uintptr_t)root;
    return true;
}

bool pp_tree_make(struct pp_thread *thread) { return nodes_add(thread, NODES_FIRST) && root_make(thread); }

bool pp_tree_adopt(struct pp_thread *thread, struct pp_nodes *chunk)
{
    struct pp_private *p = pp_private(thread);
    memset(chunk + 1, 0, chunk->capacity * sizeof(struct pp_node));
    chunk->used = 0;
    chunk->next = 0;
    p->nodes = p->nodes_last = chunk;
    p->node_count = 0;
    return root_make(thread);
}

/* The node of `key` on the path that ends at `from`, or null. A function is looked for up to the innermost stage. */
static struct pp_node *node_on_path(struct pp_private *p, struct pp_node *from, uint32_t key, bool is_stage)
{
    for (struct pp_node *n = from;; n = pp_tree_at(p, n->parent)) {
        if (!n || !n->number || *pp_node_flags(n) & PP_NODE_OVERFLOW)
            return NULL;
        if (pp_node_site_key(n) == key)
            return n;
        if (!is_stage && *pp_node_flags(n) & PP_NODE_STAGE)
            return NULL;
    }
}

static struct pp_node *node_new(struct pp_thread *thread, struct pp_node *from, uint32_t key, uint8_t facts,
                                bool overflow)
{
    struct pp_private *p = pp_private(thread);
    bool is_stage = facts & PP_SITE_TIMED;
    uint32_t parent_stage = overflow ? 0 : from->stage;
    struct pp_stage *stage = is_stage ? pp_stage_get(thread, key, facts & PP_SITE_KIND_MASK, parent_stage) : NULL;
    if (!stage)
        is_stage = false; /* no room: its calls are counted, its times are lost, and that is counted as a loss */
    struct pp_node *n = node_make(thread, pp_node_key_word(key, overflow), overflow ? 0 : from->number);
    if (!n)
        return NULL;
    n->stage = is_stage ? stage->number : parent_stage;
    *pp_node_flags(n) |= (is_stage ? PP_NODE_STAGE : 0) | (overflow ? PP_NODE_OVERFLOW : 0);
    if (is_stage)
        n->stage_or_timed_ns = (uint64_t)(uintptr_t)stage;
    struct pp_node *first = link_find(p, FUNCTION_PARENT, key);
    if (first)
        n->first = (uint64_t)(uintptr_t)first;
    else
        link_add(p, FUNCTION_PARENT, key, n);
    node_publish(p);
    return n;
}

static struct pp_node *node_find_or_make(struct pp_thread *thread, struct pp_node *from, uint32_t key)
{
    struct pp_private *p = pp_private(thread);
    uint8_t facts = pp_key_facts(key);
    struct pp_node *n = node_on_path(p, from, key, facts & PP_SITE_TIMED);
    bool overflow = !n && (p->node_count >= NODE_LIMIT || *pp_node_flags(from) & PP_NODE_OVERFLOW);
    if (overflow) {
        pp_loss(PP_LOSS_NODES, 1);
        n = link_find(p, OVERFLOW_PARENT, key);
        if (n)
            return n;
    }
    if (!n)
        n = node_new(thread, from, key, facts, overflow);
    if (!n && !overflow && (n = link_find(p, OVERFLOW_PARENT, key)))
        return n;
    if (n)
        link_add(p, overflow ? OVERFLOW_PARENT : from->number, key, n);
    return n;
}

struct pp_node *pp_tree_enter(struct pp_thread *thread, uint32_t key)
{
    struct pp_private *p = pp_private(thread);
    struct pp_node *from = pp_thread_node(thread);
    struct pp_node *n = (struct pp_node *)(uintptr_t)from->child;
    if (PP_LIKELY(pp_node_site_key(n) == key))
        return n;
    n = link_find(p, from->number, key);
    if (PP_UNLIKELY(!n)) {
        int saved_errno = errno;
        sigset_t saved;
        uint64_t *busy = &pp_tls()->busy, outer = *busy;
        if (outer && pp_forbids(PP_FORBIDDEN_CORE))
            return NULL; /* signals cannot be blocked, and this handler interrupted the making of a node */
        uint64_t begun_ns = pp_once_begin();
        pp_signals_block(&saved);
        *busy = 1;
        n = node_find_or_make(thread, from, key);
        *busy = outer;
        pp_signals_restore(&saved);
        pp_once_end(begun_ns);
        errno = saved_errno;
        if (!n)
            return NULL;
    }
    from->child = (uint64_t)(uintptr_t)n;
    return n;
}
