/* SPDX-License-Identifier: MIT */
/* calltree.c: which node a call from the current node leads to. It must not know what is timed or stored in nodes.
 *
 * A path holds each function and each stage once. A call of a function that is open on the path leads back to its node,
 * so recursion, also mutual, stays in the nodes where it began. There is one exception: if the function is called again
 * inside a stage that it encloses, it gets a second node there, so that the stage's own numbers are right. Where a call
 * leads depends on the current node alone, so it can be cached: `child` caches the last call, the hash table all calls.
 *
 * A signal handler of the thread may come anywhere, make nodes, and never return. To block signals takes two system
 * calls, so only what needs memory or a stage does. Else a node's place and a link's are taken by one instruction each.
 * A handler that jumps away leaves a node without a key, or a link without a node. They stay, and everybody passes over
 * them. Two that make the same node at once make it twice, and reports add both up. */
#define _GNU_SOURCE
#include "probe/calltree.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "probe/stage.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/thread.h"
#include <errno.h>
#include <string.h>

#define NODE_LIMIT 65536u
#define NODES_FIRST 31u /* with the head just under a page */
#define LINKS_FIRST 8u  /* bits of the first table's numbers */
#define GROWS_AT 4u     /* eighths of a table */
/* Pseudo parents of links that are not edges of the tree. */
#define OVERFLOW_PARENT UINT32_MAX       /* the nodes of calls whose path found no room */
#define FUNCTION_PARENT (UINT32_MAX - 1) /* the first node of each function */

struct pp_link {
    _Atomic uint64_t edge; /* the parent's number and the key; 0: free */
    struct pp_node *_Atomic node; /* NULL: not known yet */
};
/* pp_private.links is the table's address, whose low bits say how many bits its numbers have, so that both change at
 * once. */
#define LINKS_BITS 63u
/* The `child` of a node that has none yet: no site has its key. */
static struct pp_node sentinel;

static struct pp_link *links_at(uint64_t links) { return (struct pp_link *)(uintptr_t)(links & ~(uint64_t)LINKS_BITS); }

static uint64_t links_room(uint64_t links) { return UINT64_C(1) << (links & LINKS_BITS); }

static uint64_t edge_of(uint32_t parent, uint32_t key) { return (uint64_t)parent << 32 | key; }

/* The link of that edge, or the free one where it would be. */
static struct pp_link *link_at(uint64_t links, uint64_t wanted)
{
    uint64_t mixed = (wanted >> 32) * UINT64_C(0x9e3779b97f4a7c15) ^ (uint32_t)wanted;
    for (uint64_t i = mixed * UINT64_C(0xbf58476d1ce4e5b9) >> 20;; i++) {
        struct pp_link *l = links_at(links) + (i & (links_room(links) - 1));
        uint64_t edge = atomic_load_explicit(&l->edge, memory_order_relaxed);
        if (!edge || (edge == wanted && atomic_load_explicit(&l->node, memory_order_relaxed)))
            return l;
    }
}

static struct pp_node *link_find(const struct pp_private *p, uint64_t edge)
{
    return atomic_load_explicit(&link_at(*(const volatile uint64_t *)&p->links, edge)->node, memory_order_relaxed);
}

static void link_put(uint64_t links, uint64_t edge, struct pp_node *node)
{
    struct pp_link *l;
    uint64_t seen;
    do {
        l = link_at(links, edge);
        seen = 0;
    } while (!atomic_compare_exchange_strong_explicit(&l->edge, &seen, edge, memory_order_relaxed,
                                                      memory_order_relaxed) &&
             seen != edge);
    atomic_store_explicit(&l->node, node, memory_order_relaxed);
}

/* Whether so many eighths of the table have room for both links of a node. */
static bool links_fit(const struct pp_private *p, uint64_t eighths)
{
    return ((uint64_t)p->links_used + 2) * 8 <= links_room(p->links) * eighths;
}

/* With signals blocked. The old table stays, since a lookup that this interrupted may go on in it. All old ones take
 * less together than the new one. */
static void links_grow(struct pp_private *p)
{
    struct pp_link *old = links_at(p->links);
    uint64_t room = links_room(p->links);
    uint64_t grown = room < 4 * NODE_LIMIT ? (uint64_t)(uintptr_t)pp_memory(room * 2 * sizeof *old) : 0;
    if (!grown)
        return;
    grown |= (p->links & LINKS_BITS) + 1;
    for (uint64_t i = 0; i < room; i++)
        if (old[i].node)
            link_put(grown, old[i].edge, old[i].node);
    p->links = grown;
}

/* Without room a call has no link, and gets another node when its parent has called something else meanwhile. */
static void link_add(struct pp_private *p, uint64_t edge, struct pp_node *node)
{
    if (links_fit(p, 7)) {
        link_put(p->links, edge, node);
        p->links_used++;
    }
}

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
    c->first = p->nodes_last ? p->nodes_last->first + p->nodes_last->capacity : 0; /* the last one is full */
    c->capacity = (uint32_t)((extent.size - sizeof *c) / sizeof(struct pp_node));
    pp_extent_publish(&extent, PP_EXTENT_NODES, thread->id);
    if (p->nodes_last)
        p->nodes_last->next = (uint64_t)(uintptr_t)c;
    else
        p->nodes = c;
    p->nodes_last = c;
    return true;
}

/* NULL: the chunk is full. Readers pass over a node without a key. */
static struct pp_node *node_take(struct pp_private *p)
{
    struct pp_nodes *c = p->nodes_last;
    _Atomic uint32_t *taken = (_Atomic uint32_t *)&c->used;
    uint32_t used = atomic_load_explicit(taken, memory_order_relaxed);
    do
        if (used == c->capacity)
            return NULL;
    while (!atomic_compare_exchange_weak_explicit(taken, &used, used + 1, memory_order_relaxed, memory_order_relaxed));
    struct pp_node *n = (struct pp_node *)(c + 1) + used;
    n->number = c->first + used;
    return n;
}

/* `quick`: a chunk is not added. */
static struct pp_node *node_make(struct pp_thread *thread, uint32_t parent, bool quick)
{
    struct pp_private *p = pp_private(thread);
    struct pp_node *n = node_take(p);
    if (!n && !quick && nodes_add(thread, p->nodes_last->capacity * 2 + 1))
        n = node_take(p);
    if (n) {
        n->child = (uint64_t)(uintptr_t)&sentinel;
        n->parent = parent;
        n->flags = thread->id << PP_NODE_OWNER_SHIFT;
        n->first = (uint64_t)(uintptr_t)n;
    }
    return n;
}

static bool root_make(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    struct pp_link *links = pp_memory(sizeof *links << LINKS_FIRST);
    p->links = (uint64_t)(uintptr_t)links | LINKS_FIRST;
    p->links_used = 0;
    struct pp_node *root = links ? node_make(thread, 0, false) : NULL;
    if (!root)
        return false;
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

/* `quick`: signals are not blocked. NULL: there is no memory, or it has to be made with signals blocked. */
static struct pp_node *node_find_or_make(struct pp_thread *thread, struct pp_node *from, uint32_t key, bool quick)
{
    struct pp_private *p = pp_private(thread);
    uint8_t facts = pp_key_facts(key);
    bool is_stage = facts & PP_SITE_TIMED;
    uint64_t edge = edge_of(from->number, key), flags = 0;
    struct pp_node *n = node_on_path(p, from, key, is_stage);
    if (!n && (pp_tree_size(p) >= NODE_LIMIT || *pp_node_flags(from) & PP_NODE_OVERFLOW)) {
        from = pp_tree_root(p);
        flags = PP_NODE_OVERFLOW;
        edge = edge_of(OVERFLOW_PARENT, key);
        n = link_find(p, edge);
        if (n || !quick)
            pp_loss(PP_LOSS_NODES, 1);
        if (n)
            return n;
    }
    if (quick && (!links_fit(p, GROWS_AT) || (!n && (flags || is_stage))))
        return NULL;
    if (!n) {
        struct pp_stage *stage =
            is_stage ? pp_stage_get(thread, key, facts & PP_SITE_KIND_MASK, from->stage) : NULL;
        n = node_make(thread, from->number, quick);
        if (!n)
            return NULL;
        n->stage = from->stage;
        if (stage) { /* else, if it is one: its calls are counted, its times are lost, and that is counted as a loss */
            flags |= PP_NODE_STAGE;
            n->stage = stage->number;
            n->stage_or_timed_ns = (uint64_t)(uintptr_t)stage;
        }
        *pp_node_flags(n) |= (uint32_t)flags;
        struct pp_node *first = link_find(p, edge_of(FUNCTION_PARENT, key));
        if (first)
            n->first = (uint64_t)(uintptr_t)first;
        else
            link_add(p, edge_of(FUNCTION_PARENT, key), n);
        atomic_store_explicit((_Atomic uint64_t *)&n->key, pp_node_key_word(key, flags & PP_NODE_OVERFLOW),
                              memory_order_release); /* partner: nodes_merge in report/merge/merge.c */
    }
    link_add(p, edge, n);
    return n;
}

static struct pp_node *node_make_blocked(struct pp_thread *thread, struct pp_node *from, uint32_t key)
{
    int saved_errno = errno;
    sigset_t saved;
    uint64_t *busy = &pp_tls()->busy, outer = *busy;
    pp_signals_block(&saved);
    *busy = 1;
    if (!links_fit(pp_private(thread), GROWS_AT))
        links_grow(pp_private(thread));
    struct pp_node *n = node_find_or_make(thread, from, key, false);
    *busy = outer;
    pp_signals_restore(&saved);
    errno = saved_errno;
    return n;
}

struct pp_node *pp_tree_enter(struct pp_thread *thread, uint32_t key)
{
    struct pp_private *p = pp_private(thread);
    struct pp_node *from = pp_thread_node(thread);
    struct pp_node *n = (struct pp_node *)(uintptr_t)from->child;
    if (PP_LIKELY(pp_node_site_key(n) == key))
        return n;
    n = link_find(p, edge_of(from->number, key));
    if (PP_UNLIKELY(!n)) {
        if (pp_tls()->busy && pp_forbids(PP_FORBIDDEN_CORE))
            return NULL; /* signals cannot be blocked, and this handler interrupted the making of a node */
        n = node_find_or_make(thread, from, key, true);
        if (!n)
            n = node_make_blocked(thread, from, key);
        if (!n)
            return NULL;
    }
    from->child = (uint64_t)(uintptr_t)n;
    return n;
}
