/* SPDX-License-Identifier: MIT */
/* known.c: constructions whose lines are reached a known number of times; see known.py. */
#define _GNU_SOURCE
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int sink;
static int numbers[1000];

#define DOUBLED(x) do { if ((x) > 5) sink += (x); else sink -= (x); } while (0)

static int inlined(int x)
{
    if (x & 1)                                     /* =300 */
        return x * 3;                              /* =150 */
    return x;                                      /* =150 */
}

__attribute__((noinline)) static int first_caller(void)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < 100; i++)                  /* =101 */
        sum += inlined(i);                         /* =100 */
    return sum;                                    /* =1 */
}

__attribute__((noinline)) static int second_caller(void)
{
    int sum = 0;
    for (int i = 0; i < 200; i++)                  /* =201 */
        sum -= inlined(i);                         /* =200 */
    return sum;                                    /* =1 */
}

__attribute__((noinline)) static void fill(int *a, int n)
{
    for (int i = 0; i < n; i++)                    /* =1001 */
        a[i] = i * 3 + 1;                          /* =1000 */
}

__attribute__((noinline)) static int conditional(const int *a, int n)
{
    int odd = 0;                                   /* =1 */
    for (int i = 0; i < n; i++) {
        if (a[i] & 1)                              /* =1000 */
            odd++;                                 /* =500 */
    }
    return odd;                                    /* =1 */
}

__attribute__((noinline)) static int nested(int n)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < n; i++)                    /* =31 */
        for (int k = 0; k < i; k++)                /* =465 */
            sum += i ^ k;                          /* =435 */
    return sum;
}

__attribute__((noinline)) static int switching(int x)
{
    switch (x) {                                   /* =40 */
    case 0:
        return 1;                                  /* =10 */
    case 1:
        sink++;                                    /* =10 */
        /* fall through */
    case 2:
        sink += 2;                                 /* =20 */
        break;                                     /* =20 */
    default:
        sink--;                                    /* =10 */
    }
    return 0;                                      /* =30 */
}

__attribute__((noinline)) static int jumping(int n)
{
    int turns = 0;                                 /* =1 */
again:
    turns++;                                       /* =25 */
    if (turns < n)                                 /* =25 */
        goto again;                                /* =24 */
    return turns;                                  /* =1 */
}

__attribute__((noinline)) static int computed(int n)
{
    static const void *const to[] = { &&add, &&subtract, &&out };
    int value = 0, step = 0;                       /* =1 */
next:
    step++;                                        /* =21 */
    goto *to[step > n ? 2 : step & 1];
add:
    value += 2;                                    /* =10 */
    goto next;
subtract:
    value -= 1;                                    /* =10 */
    goto next;
out:
    return value;                                  /* =1 */
}

__attribute__((noinline)) static int both(int a, int b)
{
    if (a > 3 && b > 5)                            /* =100 */
        return 1;                                  /* =24 */
    return a > 8 || b > 8 ? 2 : 3;                 /* =76 */
}

__attribute__((noinline)) static unsigned long factorial(unsigned n)
{
    if (n < 2)                                     /* =12 */
        return 1;                                  /* =1 */
    return n * factorial(n - 1);                   /* =11 */
}

__attribute__((noinline)) static unsigned countdown(unsigned n, unsigned sum)
{
    if (!n)                                        /* =1001 */
        return sum;                                /* =1 */
    return countdown(n - 1, sum + n);              /* =1000 */
}

#ifdef __x86_64__
__attribute__((target_clones("avx2", "default"), noinline))
#else
__attribute__((noinline))
#endif
int cloned(const int *a, int n)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < n; i++)                    /* =1001 */
        sum += a[i];                               /* =1000 */
    return sum;                                    /* =1 */
}

static jmp_buf back;

__attribute__((noinline)) static void leap(int value)
{
    if (value < 5)                                 /* =6 */
        longjmp(back, value + 1);                  /* =5 */
    sink++;                                        /* =1 */
}

__attribute__((noinline)) static int landing(void)
{
    volatile int landings = 0;                     /* =1 */
    int value = setjmp(back);
    landings++;                                    /* =6 */
    leap(value);                                   /* =6 */
    return landings;                               /* =1 */
}

__attribute__((noinline)) static int nesting(int n)
{
    __label__ away;
    void inner(int x)
    {
        if (x > 3)                                 /* =5 */
            goto away;                             /* =1 */
        sink++;                                    /* =4 */
    }
    for (int i = 0; i < n; i++)
        inner(i);                                  /* =5 */
    return 0;                                      /* =0 */
away:
    return 1;                                      /* =1 */
}

static void *work(void *argument)
{
    int *a = argument;                             /* =8 */
    for (int i = 0; i < 100000; i++)               /* =800008 */
        if (i % 3)                                 /* =800000 */
            a[i % 10]++;                           /* =533328 */
    return NULL;                                   /* =8 */
}

__attribute__((noinline)) static void threads(void)
{
    pthread_t thread[8];
    int a[8][10];
    memset(a, 0, sizeof a);                        /* =1 */
    for (int i = 0; i < 8; i++)                    /* =9 */
        pthread_create(&thread[i], NULL, work, a[i]);      /* =8 */
    for (int i = 0; i < 8; i++)                    /* =9 */
        pthread_join(thread[i], NULL);             /* =8 */
}

__attribute__((noinline)) static void forking(void)
{
    sink++;                                        /* =1 */
    pid_t child = fork();
    if (!child) {
        for (int i = 0; i < 5; i++)                /* =6 */
            sink += i;                             /* =5 */
        _exit(0);                                  /* =1 */
    }
    waitpid(child, NULL, 0);                       /* =1 */
}

__attribute__((noinline)) static void leave(int n)
{
    if (n == 3)                                    /* =4 */
        exit(7);                                   /* =1 */
    sink++;                                        /* =3 */
}

/* What continues comes to the loop's first line by a jump of that line; the rest, and the first time, does not. */
__attribute__((noinline)) static int token(const char *at, int *kind)
{
    *kind = *at == ' ' ? 1 : 2;
    return 1;
}

__attribute__((noinline)) static int scanned(const char *at, int limit)
{
    int kind, length, last = 0;
    while (1) {
        length = token(at, &kind);                 /* =90 */
        limit -= length;                           /* =90 */
        if (kind == 1) {                           /* =90 */
            at += length;                          /* =30 */
            continue;                              /* =30 */
        }
        last += kind;                              /* =60 */
        at += length;                              /* =60 */
        if (!*at) break;
    }
    return last + limit;                           /* =10 */
}

/* Two functions that call setjmp count the lines of what both have inlined in the same counters, one within a call of the other. */
static jmp_buf to_lower, to_upper;

static inline __attribute__((always_inline)) int common(int x)
{
    if (x & 1)                                     /* =800 */
        return x * 3 + 1;
    return x >> 1;
}

__attribute__((noinline)) static int lower(int x)
{
    volatile int turns = 0;
    if (setjmp(to_lower) < 2)
        x = common(x);                             /* =400 */
    if (turns++ < 1)
        longjmp(to_lower, 1);                      /* =200 */
    return x;                                      /* =200 */
}

__attribute__((noinline)) static int chosen(const int *a, int n)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < n; i++) {                  /* =1001 */
        int x = a[i] & 1 ? a[i] : -a[i];           /* =1000 */
        if (x < -100) x = -100;                    /* =1000 */
        int y = x > 50                             /* =1000 */
                    ? x * 3
                    : x + 7;
        sum ^= x > 0 && y > 200 ? y : x < -50 || y < 3 ? x : 9;    /* =1000 */
        for (int k = 0; k < (i & 3 ? 2 : 1); k++)  /* =2750 */
            sum += sum & 4 ? k : y;                /* =1750 */
    }
    return sum;                                    /* =1 */
}

__attribute__((noinline)) static int upper(int x)
{
    volatile int turns = 0;
    if (setjmp(to_upper) < 2) {
        x = common(x);                             /* =200 */
        x += lower(x);                             /* =200 */
        x = common(x);                             /* =200 */
    }
    if (turns++ < 1)
        longjmp(to_upper, 1);                      /* =100 */
    return x;                                      /* =100 */
}

int main(void)
{
    for (int i = 0; i < 100; i++)
        sink += upper(i);                          /* =100 */
    for (int i = 0; i < 10; i++)
        sink += scanned("a b c def", 100);         /* =10 */
    sink += first_caller() + second_caller();      /* =1 */
    fill(numbers, 1000);                           /* =1 */
    sink += conditional(numbers, 1000);
    sink += chosen(numbers, 1000);                 /* =1 */
    sink += nested(30) + cloned(numbers, 1000);
    for (int i = 0; i < 40; i++)                   /* =41 */
        sink += switching(i & 3);                  /* =40 */
    sink += jumping(25) + computed(20);
    for (int i = 0; i < 100; i++)
        sink += both(i / 10, i % 10);              /* =100 */
    sink += factorial(12) + countdown(1000, 0);
    sink += landing() + nesting(9);
    for (int i = 0; i < 10; i++)
        DOUBLED(i);                                /* =10 */
    for (int i = 0; i < 50; i++) sink += i;        /* =51 */
    int a = 1; int b = a + 1; sink += a + b;       /* =1 */
    threads();
    forking();
    for (int i = 0;; i++)
        leave(i);                                  /* =4 */
}
