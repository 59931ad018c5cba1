/* SPDX-License-Identifier: MIT */
/* tiny.c: code for a small image with inlined functions, a partition and a type or two. Compiled as C and as C++. */
#ifdef __cplusplus
namespace outer {
template <typename number> struct box { number held; number get(number more) { return held * more; } };
}
extern "C" int boxed(int n);
int boxed(int n) { outer::box<int> b = { n }; return b.get(n + 1); }
#endif

struct pair { long first; const char *name; };

static inline __attribute__((always_inline)) long inner(long n) { return n * 3 + 1; }
static inline __attribute__((always_inline)) long middle(long n) { return inner(n) ^ inner(n + 7); }
static __attribute__((noinline)) long kept(struct pair *p, long n)
{
    for (long i = 0; i < n; i++)
        p->first += middle(i);
    return p->first;
}

long first(long n);
long first(long n)
{
    struct pair p = { n, "pair" };
    return kept(&p, n) + middle(n);
}

long second(long n);
long second(long n)
{
    return n > 5 ? first(n - 1) + inner(n) : __builtin_expect(n == 3, 0) ? first(2) : middle(n);
}
