/* SPDX-License-Identifier: MIT */
/* The call tree against a plain model of its rule, over random calls: a path holds each stage once, and each function
 * once from the innermost stage on. Then a signal handler after each single instruction that makes a node: it makes
 * others, and returns or jumps away. Then more paths than there is room for: each function's number of calls stays
 * exact. */
#define _GNU_SOURCE
#include "probe/frame.h"
#include "probe/object.h"
#include "process/lifecycle.h"
#include "probe/calltree.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/thread.h"
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { KEYS = 9, STAGES = 3, STEPS = 200000, DEPTH = 40, PATHS = 100000 };

static uint32_t key[KEYS];
struct path { uint8_t length, at[DEPTH]; };
static struct { struct path path; uint64_t calls; } table[PATHS];
static size_t path_count;

static bool is_stage(uint8_t k) { return k < STAGES; }

/* The path after a call: if the function is on the path already, it is cut back to there. */
static struct path called(struct path p, uint8_t k)
{
    for (int i = p.length - 1; i >= 0; i--) {
        if (p.at[i] == k) {
            p.length = (uint8_t)(i + 1);
            return p;
        }
        if (!is_stage(k) && is_stage(p.at[i]))
            break;
    }
    p.at[p.length++] = k;
    return p;
}

static uint64_t *model(const struct path *p)
{
    for (size_t i = 0; i < path_count; i++)
        if (table[i].path.length == p->length && !memcmp(table[i].path.at, p->at, p->length))
            return &table[i].calls;
    table[path_count].path = *p;
    return &table[path_count++].calls;
}

static int compare(struct pp_private *p)
{
    uint64_t seen = 0;
    for (uint32_t n = 1; n < pp_tree_size(p); n++) {
        struct path path = { 0 };
        for (struct pp_node *at = pp_tree_at(p, n); at->number; at = pp_tree_at(p, at->parent)) {
            uint8_t k = 0;
            while (key[k] != (at->key & PP_KEY_MASK))
                k++;
            memmove(path.at + 1, path.at, path.length);
            path.at[0] = k;
            path.length++;
        }
        uint64_t wanted = *model(&path);
        if (pp_tree_at(p, n)->calls != wanted) {
            printf("node %u, %u deep: %llu calls, expected %llu\n", n, path.length, (unsigned long long)pp_tree_at(p, n)->calls, (unsigned long long)wanted);
            return 1;
        }
        seen += wanted;
    }
    if (seen != STEPS || path_count != pp_tree_size(p) - 1) {
        printf("%llu calls on %u paths, expected %d on %zu\n", (unsigned long long)seen, pp_tree_size(p) - 1, STEPS,
               path_count);
        return 1;
    }
    printf("%d calls on %zu paths agree\n", STEPS, path_count);
    return 0;
}

#ifdef __x86_64__
/* A call of a new function from `home` is executed step by step. At step `at` the handler calls the same function, and
 * `others` new ones. Where signals are blocked it leaves the runtime alone. */
static struct {
    uint64_t home;
    uint32_t key, next;
    int step, at, others, interrupted;
    bool jumps;
} single;
static sigjmp_buf around;

/* Not counted by it: no step of its own. */
static void single_call(uint32_t of)
{
    struct pp_thread *thread = pp_thread_self();
    thread->node = single.home;
    pp_tree_enter(thread, of)->calls++;
}

static void stepped(int number)
{
    (void)number;
    if (single.step++ != single.at || pp_tls()->held)
        return;
    single.interrupted++;
    for (int i = 0; i < single.others; i++)
        single_call(single.next++);
    single_call(single.key);
    pp_thread_self()->node = single.home;
    if (single.jumps)
        siglongjmp(around, 1);
}

static void stepping(bool on)
{
    if (on)
        __asm__ volatile("pushfq\n\torq $256, (%%rsp)\n\tpopfq" : : : "memory", "cc");
    else
        __asm__ volatile("pushfq\n\tandq $~256, (%%rsp)\n\tpopfq" : : : "memory", "cc");
}

/* The number of steps that the call took; 0: what is in the tree is wrong. */
static int single_try(struct pp_thread *thread, int at, int others, bool jumps)
{
    struct pp_private *p = pp_private(thread);
    volatile uint32_t wanted = 1, before = pp_tree_size(p);
    single.key = single.next++;
    single.step = single.interrupted = 0;
    single.at = at;
    single.others = others;
    single.jumps = jumps;
    thread->node = single.home;
    if (!sigsetjmp(around, 1)) {
        stepping(true);
        struct pp_node *n = pp_tree_enter(thread, single.key);
        stepping(false);
        n->calls++;
    } else {
        wanted--;
    }
    wanted += (uint32_t)single.interrupted;
    single_call(single.key);
    uint32_t calls = 0, nodes = 0, without = 0, of_others = 0;
    for (uint32_t i = before; i < pp_tree_size(p); i++) {
        const struct pp_node *n = pp_tree_at(p, i);
        bool own = pp_node_site_key(n) == single.key;
        without += !n->key;
        nodes += own;
        calls += own ? (uint32_t)n->calls : 0;
        of_others += n->key && !own ? (uint32_t)n->calls : 0;
        if (n->key && (n->number != i || n->parent != ((struct pp_node *)(uintptr_t)single.home)->number)) {
            printf("step %d: node %u has number %u and parent %u\n", at, i, n->number, n->parent);
            return 0;
        }
    }
    if (calls != wanted + 1 || of_others != (uint32_t)(single.interrupted * others) ||
        nodes > 1 + (uint32_t)single.interrupted || without > (uint32_t)(single.interrupted && jumps)) {
        printf("step %d: %u calls in %u nodes, expected %u; others have %u; %u without a key\n", at, calls, nodes,
               wanted + 1, of_others, without);
        return 0;
    }
    return single.step;
}

static int single_test(struct pp_thread *thread)
{
    enum { MOST_KEYS = 300000 };
    uint32_t keys = pp_keys_take(MOST_KEYS), tries = 0, interrupted = 0;
    struct sigaction action = { .sa_handler = stepped };
    sigaction(SIGTRAP, &action, NULL);
    pp_signals_leave_open(SIGTRAP); /* else the step after they are blocked ends the process */
    single.next = keys;
    thread->node = (uint64_t)(uintptr_t)pp_tree_root(pp_private(thread));
    for (int kind = 0; kind < 4; kind++)
        for (int at = 0, steps = 1; at < steps; at++, tries++) {
            struct pp_node *home = (thread->node = (uint64_t)(uintptr_t)pp_tree_root(pp_private(thread)),
                                    pp_tree_enter(thread, single.next++));
            single.home = (uint64_t)(uintptr_t)home;
            steps = single_try(thread, at, kind < 2 ? 2 : 25, kind % 2);
            interrupted += (uint32_t)single.interrupted;
            if (!steps)
                return 1;
            steps = steps > at + 1 ? steps : single.interrupted ? at + 2 : 0;
        }
    printf("%u calls interrupted at %u steps: %u nodes\n", tries, interrupted, pp_tree_size(pp_private(thread)));
    return single.next - keys > MOST_KEYS || interrupted < 400;
}
#else
static int single_test(struct pp_thread *thread) { (void)thread; return 0; }
#endif

int main(void)
{
    char folder[] = "/tmp/profplug-unit-XXXXXX";
    if (!mkdtemp(folder) || chdir(folder))
        return 1;
    setenv("PROFPLUG", "level=basic,output=tree.profplug", 1);
    pp_tls_own();
    pp_process_start(false);
    struct pp_thread *thread = pp_thread_birth();
    if (!thread)
        return 1;
    struct pp_private *p = pp_private(thread);
    uint32_t first = pp_keys_take(KEYS);
    for (uint8_t i = 0; i < KEYS; i++) {
        key[i] = first + i;
        pp_key_set_facts(key[i], is_stage(i) ? PP_SITE_STAGE | PP_SITE_TIMED : PP_SITE_FUNCTION);
    }
    /* A random walk over calls and returns. The model and the tree each remember their own way back. */
    struct path now = { 0 }, stack[DEPTH];
    uint64_t nodes[DEPTH];
    int depth = 0;
    unsigned seed = 4711;
    for (int steps = 0; steps < STEPS; ) {
        if (depth < DEPTH && (depth == 0 || rand_r(&seed) % 100 < 52)) {
            uint8_t k = (uint8_t)(rand_r(&seed) % KEYS);
            if (is_stage(k) && rand_r(&seed) % 4)
                continue;
            stack[depth] = now;
            nodes[depth++] = thread->node;
            now = called(now, k);
            ++*model(&now);
            struct pp_node *n = pp_tree_enter(thread, key[k]);
            n->calls++;
            thread->node = (uint64_t)(uintptr_t)n;
            steps++;
        } else if (depth) {
            now = stack[--depth];
            thread->node = nodes[depth];
        }
    }
    if (compare(p) || single_test(thread))
        return 1;

    /* 17 functions called in every order to a depth of 5: a million paths. */
    enum { MANY = 17 };
    uint32_t many = pp_keys_take(MANY);
    static uint64_t wanted[MANY], got[MANY];
    thread->node = (uint64_t)(uintptr_t)pp_tree_root(p);
    for (uint32_t i = 0; i < MANY * MANY * MANY * MANY * MANY; i++) {
        uint64_t back = thread->node;
        for (uint32_t rest = i, d = 0; d < 5; d++, rest /= MANY) {
            struct pp_node *n = pp_tree_enter(thread, many + rest % MANY);
            if (!n) {
                printf("no node for a call\n");
                return 1;
            }
            n->calls++;
            wanted[rest % MANY]++;
            thread->node = (uint64_t)(uintptr_t)n;
        }
        thread->node = back;
    }
    for (uint32_t n = 1; n < pp_tree_size(p); n++) {
        uint64_t k = (pp_tree_at(p, n)->key & PP_KEY_MASK) - many;
        if (k < MANY)
            got[k] += pp_tree_at(p, n)->calls;
    }
    if (memcmp(got, wanted, sizeof got) || pp_tree_size(p) > 65536 + 2 * MANY ||
        !pp_run.header->losses[PP_LOSS_NODES]) {
        printf("%u nodes: calls lost or the bound passed\n", pp_tree_size(p));
        return 1;
    }
    printf("%u nodes hold the calls of more paths\n", pp_tree_size(p));
    unlink("tree.profplug");
    rmdir(folder);
    return 0;
}
