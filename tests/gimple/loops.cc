/* SPDX-License-Identifier: MIT */
// loops.cc: the loop pragma in C++. `@loop NAME RUNS BODIES [CONDITIONS]` says what the checker must find; the numbers follow from the text.
#include <profplug.h>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

struct counter {
    int n;
    explicit counter(int n) : n(n) {}
    ~counter() { n = 0; }
    explicit operator bool() const { return n > 0; }
};
template <class V> static int sum(const V &v)
{
    int s = 0;
    PROFPLUG_LOOP("range", "io") for (auto x : v) s += x;
    return s;
}
static std::vector<int> make(int n) { return std::vector<int>(n, 2); }
static int thrower(int n)
{
    PROFPLUG_LOOP("throws") for (int i = 0;; ++i) {
        counter t(i);
        PROFPLUG_SCOPE("scope");
        if (i == n) throw std::runtime_error("x");
    }
}
struct holder {
    PROFPLUG_STAGE("method") int method(int n)
    {
        int s = 0;
        auto lambda = [&](int k) { PROFPLUG_LOOP("lambda") while (k-- > 0) s += k; };
        lambda(n);
        return s;
    }
    template <int N> int many()
    {
        int r = 0;
        PROFPLUG_LOOP("template") for (int i = 0; i < N; i++) r += i;
        PROFPLUG_LOOP("template do") do { if (r & 1) continue; } while (++r < 20);
        return r;
    }
};
static int down(int start)
{
    static int k = -1;
    if (k < 0) k = start;
    return k--;
}
[[gnu::profile_stage("other spelling")]] static int spelled() { return 1; }
static int refuse() { throw std::runtime_error("y"); }

int main()
{
    std::vector<int> v{ 1, 2, 3 };
    int i, s = sum(v) + sum(std::string("ab")) + spelled();
    PROFPLUG_LOOP("temporary") for (int x : make(5)) { s += x; if (x == 9) break; }
    for (i = 0; i < 3; i++) try { thrower(i); } catch (std::exception &e) { s += e.what()[0]; }
    holder h;
    s += h.method(6) + h.many<4>() + h.many<5>();
    PROFPLUG_LOOP("declares") while (int k = down(4)) s += k;
    PROFPLUG_LOOP("declares class") for (int k = 3; counter c = counter(k); k--) s += c.n;
    try { PROFPLUG_LOOP("refused") while (int k = refuse()) s += k; } catch (std::exception &e) { s += e.what()[0]; }
    try { PROFPLUG_LOOP("refused for") for (; int k = refuse();) s += k; } catch (std::exception &e) { s += e.what()[0]; }
    PROFPLUG_LOOP("breaks") while (true) { int k = s; if (k) break; s++; }
    if (s) PROFPLUG_LOOP("under if") for (i = 0; i < 2; i++) s++; else s--;
    PROFPLUG_LOOP("outer") for (i = 0; i < 3; i++) PROFPLUG_LOOP("nested") for (int j = 0; j < i; j++) s += j;
    std::printf("result %d\n", s);
    std::puts("@loop range 2 5\n@loop temporary 1 5\n@loop throws 3 6\n@scope scope 6\n@loop lambda 1 6\n@loop template 2 9\n@loop template_do 2 24\n"
              "@loop declares 1 4\n@loop declares_class 1 3\n@loop refused 1 0 1\n@loop refused_for 1 0 1\n@loop breaks 1 1\n@loop under_if 1 2\n@loop outer 1 3\n@loop nested 3 3\n@holder::method(int) 1");
    return 0;
}
