/* SPDX-License-Identifier: MIT */
// throw.cc: exceptions through functions, stages, scopes and loops; constructors, destructors, virtual calls, lambdas, coroutines.
// Counts itself as calls.c does.
#include <profplug.h>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <vector>
#if __cplusplus >= 202002L
#include <coroutine>
#endif

#define KEEP __attribute__((noipa))
static long count_work, count_thrower, count_stage, count_catcher, count_rethrow, count_cleans, count_never, count_guard, count_virtual, count_static, count_maker;

KEEP static int work(int n) { count_work++; int s = 0; for (int i = 0; i < n; i++) s += i ^ n; return s; }
struct guard {
    int n;
    KEEP explicit guard(int n) : n(n) { count_guard++; }
    KEEP ~guard() { work(n); }
};
KEEP static int thrower(int depth) { count_thrower++; guard g(depth); if (!depth) throw std::runtime_error("here"); return thrower(depth - 1) + work(1); }
PROFPLUG_STAGE("throwing") static int stage(int depth) { count_stage++; PROFPLUG_SCOPE("scope"); return thrower(depth) + 1; }
KEEP static int cleans(int depth) { count_cleans++; std::string s(100, 'x'); guard g(1); return stage(depth) + (int)s.size(); }
KEEP static int rethrow(int depth)
{
    count_rethrow++;
    try { return cleans(depth); } catch (std::logic_error &) { return 1; } catch (...) { work(2); throw; }
}
KEEP static int catcher(int depth)
{
    count_catcher++;
    try { return rethrow(depth); } catch (std::exception &e) { return (int)e.what()[0] + work(3); }
}
KEEP static int never(int n) noexcept { count_never++; return work(n); }
struct base { virtual ~base() = default; virtual int act(int) = 0; };
struct derived : base { KEEP int act(int n) override { count_virtual++; return work(n); } };
struct other { virtual ~other() = default; virtual int touch() { return 1; } int pad = 0; };
struct both : other, derived { KEEP int act(int n) override { count_virtual++; return n; } };   // reached through a thunk
template <class T> KEEP T maker(T t) { count_maker++; std::vector<T> v(3, t); return v[0] + v[2]; }
static int made = (count_static++, work(4));

#if __cplusplus >= 202002L
struct generator {
    struct promise_type {
        int value = 0;
        generator get_return_object() { return { std::coroutine_handle<promise_type>::from_promise(*this) }; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int v) { value = v; return {}; }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    std::coroutine_handle<promise_type> handle;
};
static generator counted(int n) { for (int i = 0; i < n; i++) { work(i); co_yield i; } throw std::logic_error("end"); }
#endif

int main()
{
    int r = made;
    for (int i = 0; i < 6; i++)
        r += catcher(i) + never(i);
    PROFPLUG_LOOP("loop") for (int i = 0; i < 4; i++) try { r += stage(i); } catch (...) { r += work(i); continue; }
    derived d;
    both b;
    base *p[] = { &d, static_cast<derived *>(&b) };
    for (base *q : p)
        r += q->act(3);
    r += maker(1) + maker(2) + (int)maker(2.5);
    auto lambda = [&](int n) { return n ? work(n) : throw 3; };
    try { r += lambda(1) + lambda(0); } catch (int e) { r += e; }
#if __cplusplus >= 202002L
    generator g = counted(3);
    try { for (;;) { g.handle.resume(); r += g.handle.promise().value; } } catch (std::logic_error &) { r += 1000; }
    g.handle.destroy();
#endif
    std::printf("result %d\n", r);
#define SHOW(name, as) std::printf("@%s %ld\n", as, count_##name)
    SHOW(work, "work(int)"); SHOW(thrower, "thrower(int)"); SHOW(stage, "stage(int)"); SHOW(catcher, "catcher(int)"); SHOW(rethrow, "rethrow(int)");
    SHOW(cleans, "cleans(int)"); SHOW(never, "never(int)"); SHOW(guard, "guard::guard(int)"); SHOW(guard, "guard::~guard()");
    SHOW(maker, "*maker");
    return 0;
}
