/* SPDX-License-Identifier: MIT */
/* Built with every flag of flags.py: threads, jumps over frames, recursion, stack made at run time. It knows its own numbers:
 * expect: stage produce 12
 * expect: stage part 12
 * expect: stage region 3
 * expect: loop batches 40
 * expect: function leaf 4120
 * expect: function thrower 10 */
#include <profplug.h>
#include <alloca.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static volatile int sink;
static jmp_buf back;

/* noipa: each call of the source is one of the program. */
__attribute__((noipa)) static int leaf(int x)
{
    return x * 3 + sink;
}

__attribute__((noipa)) static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__attribute__((noipa)) static void thrower(int n)
{
    char text[n + 1], *more = alloca(n + 16);
    memset(text, n, n + 1);
    memcpy(more, text, n + 1);
    sink += more[n] - n;
    longjmp(back, n);
}

PROFPLUG_STAGE("produce", "compute") static int produce(int n)
{
    int sum = 0;
    PROFPLUG_SCOPE("part");
    for (int i = 0; i < 10; i++)
        sum += leaf(i + n);
    return sum;
}

static void *work(void *rounds)
{
    long sum = 0;
    for (long i = 0; i < (long)rounds; i++)
        sum += leaf((int)i);
    return (void *)sum;
}

__attribute__((constructor)) static void early(void)
{
    sink = 0;
}

int main(void)
{
    pthread_t thread[4];
    volatile long sum = 0;
    for (int i = 0; i < 4; i++)
        if (pthread_create(&thread[i], NULL, work, (void *)1000L))
            return 2;
    for (int i = 0; i < 4; i++) {
        void *result;
        pthread_join(thread[i], &result);
        sum += (long)result;
    }
    volatile int jumps = 0;
    for (volatile int i = 1; i <= 10; i++) {
        int came = setjmp(back);
        if (!came)
            thrower(i);
        jumps += came;
    }
    PROFPLUG_LOOP("batches") for (int i = 0; i < 40; i++) {
        if (i % 3)
            continue;
        if (i > 34)
            sum++;
        else
            sum += produce(i);
    }
    for (int i = 0; i < 3; i++) {
        profplug_begin("region");
        sum ^= i;
        profplug_end("region");
    }
    printf("%ld %d %d\n", sum, jumps, fibonacci(10));
    return 3;
}
