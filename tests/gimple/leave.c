/* SPDX-License-Identifier: MIT */
/* leave.c: every way out of a function and back into it, in C: longjmp, __builtin_longjmp, non-local goto, tail calls out of
 * stages, exit inside frames. Counts itself as calls.c does. */
#include <profplug.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

/* keeps GCC from turning a recursion into a loop */
#define BARRIER() __asm__ volatile("")
#define KEEP __attribute__((noipa))
static long count_work, count_jumper, count_catcher, count_stage, count_last, count_chain, count_nested, count_local, count_retry, count_twice, count_forked, count_tail_loop;
static jmp_buf env;

KEEP static int work(int n) { count_work++; int s = 0; for (int i = 0; i < n; i++) s += i ^ n; return s; }
KEEP static int jumper(int depth) { count_jumper++; int r = work(depth); if (!depth) longjmp(env, 7); return r + jumper(depth - 1) + work(1); }
PROFPLUG_STAGE("jumping") static int stage(int depth) { count_stage++; return jumper(depth) + 1; }
KEEP static int catcher(int depth)
{
    count_catcher++;
    volatile int tries = 0;
    if (setjmp(env) == 7)
        tries++;
    if (tries < 3)
        return work(2) + stage(depth);
    return work(3);
}

PROFPLUG_STAGE("last") static int last(int n) { count_last++; return work(n); }
PROFPLUG_STAGE("chain") static int chain(int n) { count_chain++; work(n); if (n & 1) return last(n); if (n > 10) return work(n - 1); if (n) { int r = chain(n - 1); BARRIER(); return r; } return work(0); }
/* a tail call in the middle, ways out of all kinds behind it */
KEEP static int tail_loop(int n)
{
    count_tail_loop++;
    for (int i = 0; i < n; i++) {
        if (work(i) == 5) return last(i);
        if (i == 3 && n > 5) return chain(i);
        if (i == 4) break;
    }
    return n & 1 ? work(n) : n;
}

KEEP static int nonlocal(int n)
{
    __label__ out;
    int r = 0;
    auto void nested(int k);
    void nested(int k) { count_nested++; work(k); if (k == 0) goto out; nested(k - 1); BARRIER(); }
    count_local++;
    nested(n);
out:
    r += work(n);
    return r;
}

static void *buffer[5];
KEEP static void builtin_jumper(int n) { if (work(n) >= 0) __builtin_longjmp(buffer, 1); }
KEEP static int twice(int n)
{
    count_twice++;
    if (__builtin_setjmp(buffer) == 0) {
        builtin_jumper(n);
        return 1;
    }
    return work(n);
}

KEEP static int retry(int n)
{
    count_retry++;
    int r = 0;
    for (volatile int i = 0; i < n; i++) {
        if (setjmp(env) == 0) r += jumper(i);
        else { PROFPLUG_SCOPE("caught"); r += work(i); }
    }
    return r;
}

KEEP static int forked(int code)
{
    count_forked++;
    int status;
    pid_t child = vfork();
    if (child == 0) _exit(code);
    return waitpid(child, &status, 0) == child ? WEXITSTATUS(status) : -1;
}

int main(int argc, char **argv __attribute__((unused)))
{
    long r = 0;
    for (int i = 0; i < 5; i++)
        r += catcher(i) + twice(i) + nonlocal(i) + retry(i);
    for (int i = 0; i < 14; i++)
        r += chain(i) + tail_loop(i);
    r += forked(3);
    printf("result %ld\n", r);
#define SHOW(name, as) printf("@%s %ld\n", #as, count_##name)
    SHOW(work, work); SHOW(jumper, jumper); SHOW(catcher, catcher); SHOW(stage, stage); SHOW(last, last); SHOW(chain, chain); SHOW(local, nonlocal);
    SHOW(retry, retry); SHOW(twice, twice); SHOW(forked, forked); SHOW(tail_loop, tail_loop); SHOW(nested, nested);
    if (argc > 1) exit(work(argc) < 0);
    return 0;
}
