/* SPDX-License-Identifier: MIT */
/* known.cc: constructions of C++ whose lines are reached a known number of times; see known.py. */
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

static volatile int sink;
static int open_guards;

template <typename T> T twice(T x)
{
    if (x > 3)                                     /* =200 */
        return x + x;                              /* =192 */
    return x;                                      /* =8 */
}

struct guard {
    guard()
    {
        ++open_guards;                             /* =70 */
    }
    ~guard()
    {
        --open_guards;                             /* =70 */
    }
};

__attribute__((noinline)) static int thrower(int n)
{
    guard g;
    if (n % 7 == 0)                                /* =70 */
        throw std::runtime_error("seven");         /* =10 */
    return n;                                      /* =60 */
}

struct base {
    virtual ~base() {}
    virtual int value(int x)
    {
        return x;                                  /* =5 */
    }
};

struct derived : base {
    int value(int x) override
    {
        return x * 2;                              /* =15 */
    }
};

__attribute__((noinline)) static int catching(int n)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < n; i++) {                  /* =71 */
        try {
            sum += thrower(i);                     /* =70 */
            sink++;                                /* =60 */
        } catch (const std::exception &) {
            sum--;                                 /* =10 */
        }
    }
    return sum;                                    /* =1 */
}

__attribute__((noinline)) static int passing(int n)
{
    guard *never = nullptr;                        /* =6 */
    if (n == 3)                                    /* =6 */
        throw 42;                                  /* =2 */
    sink += never != nullptr;                      /* =4 */
    return n;                                      /* =4 */
}

__attribute__((noinline)) static void outer(int n)
{
    std::string text(40, 'x');                     /* =6 */
    sink += passing(n);                            /* =6 */
    sink += (int) text.size();                     /* =4 */
}

__attribute__((noinline)) static int filtered()
{
    int caught = 0;                                /* =1 */
    for (int i = 0; i < 6; i++) {
        try {
            outer(i % 4 == 3 || i == 5 ? 3 : i);   /* =6 */
        } catch (int code) {
            caught += code == 42;                  /* =2 */
        }
    }
    return caught;                                 /* =1 */
}

__attribute__((noinline)) static int choosing(base *a, base *b)
{
    int sum = 0;                                   /* =1 */
    for (int i = 0; i < 20; i++)                   /* =21 */
        sum += (i % 4 ? b : a)->value(i);          /* =20 */
    return sum;                                    /* =1 */
}

__attribute__((noinline)) static long folding()
{
    std::vector<int> numbers;
    for (int i = 0; i < 100; i++)                  /* =101 */
        numbers.push_back(i);                      /* =100 */
    long sum = 0;                                  /* =1 */
    for (int x : numbers)
        sum += twice(x);                           /* =100 */
    for (int x : numbers)
        sum += (long) twice((double) x);           /* =100 */
    auto square = [](long x) {
        return x * x;                              /* =10 */
    };
    for (int i = 0; i < 10; i++)                   /* =11 */
        sum += square(i);                          /* =10 */
    return sum;                                    /* =1 */
}

struct late {
    ~late()
    {
        sink++;                                    /* =1 */
    }
} static_object;

int main()
{
    sink += catching(70) + filtered();             /* =1 */
    base plain;
    derived doubled;
    sink += choosing(&plain, &doubled);            /* =1 */
    sink += (int) folding();                       /* =1 */
    if (open_guards)                               /* =1 */
        return 1;                                  /* =0 */
    exit(7);                                       /* =1 */
}
