# SPDX-License-Identifier: MIT
"""C++ that users write, for form.py: (name, the oldest standard, a source or several, what the report must count, more options). A loop counts
as (runs, iterations). The figures follow from each text by hand."""

TEMPLATE = """#include <profplug.h>
#include <cstdio>
PROFPLUG_STAGE("free") template <class T> static T twice(T x) { return x + x; }
PROFPLUG_STAGE("declared", "io") template <class T> T later(T x);
template <class T> T later(T x) { return x; }
template <class T> PROFPLUG_STAGE("inside") static T same(T x) { return x; }
template <class T> static int kind(T) { return 1; }
PROFPLUG_STAGE("special") template <> int kind<long>(long) { return 2; }
namespace deep {
PROFPLUG_STAGE("in a namespace") template <class A, class B> static int both(A a, B b) { return a + b; }
}
struct plain {
    PROFPLUG_STAGE("member") template <class T> T of(T x) const { return x; }
    PROFPLUG_STAGE("static member")
    template <class T> static T all(T x) { return x; }
    PROFPLUG_STAGE("constructor") template <class T> explicit plain(T x) : v(x) {}
    PROFPLUG_STAGE("operator") template <class T> int operator()(T x) { return x + v; }
    int v;
    int untouched() const { return v; }
};
template <class T> struct holder {
    PROFPLUG_STAGE("of a class template") T get() { return v; }
    PROFPLUG_STAGE("both") template <class U> U convert(U u) { return u; }
    T outside();
    template <class U> U far(U u);
    T v;
};
PROFPLUG_STAGE("out of class") template <class T> T holder<T>::outside() { return v; }
PROFPLUG_STAGE("two levels") template <class T> template <class U> U holder<T>::far(U u) { return u; }
#define MINE PROFPLUG_STAGE("through a macro", "compute")
MINE template <int N> static int number() { return N; }
int main()
{
    plain p(3);
    holder<int> h = { 4 };
    int s = twice(1) + twice(2) + static_cast<int>(twice(2L)) + later(3) + same(4) + same(5) + kind(1) + kind(2L) + deep::both(1, 2L);
    s += p.of(5) + plain::all(6) + p(7) + p.untouched() + h.get() + h.convert(8) + h.outside() + h.far(9) + number<1>() + number<2>();
    std::printf("%d\\n", s);
}
"""

SPREAD = """#include <profplug.h>
#include <cstdio>
struct base {
    base() {}
    PROFPLUG_STAGE("virtual") virtual int of(int n) { return n; }
    PROFPLUG_STAGE("pure") virtual int pure() = 0;
    PROFPLUG_STAGE("destructor") virtual ~base() {}
};
struct derived : base {
    PROFPLUG_STAGE("built") derived() : v(1) {}
    PROFPLUG_STAGE("overrides") virtual int of(int n) { return n + v; }
    virtual int pure() { return 5; }
    PROFPLUG_STAGE("plus") derived operator+(int n) const { derived d; d.v = v + n; return d; }
    PROFPLUG_STAGE("converts") operator int() const { return v; }
    PROFPLUG_STAGE("friend") friend int both(const derived &a, const derived &b) { return a.v + b.v; }
    PROFPLUG_STAGE("declared friend") friend int other(const derived &d);
    friend int bare(const derived &d);
    PROFPLUG_STAGE("static") static int all() { return 2; }
    PROFPLUG_STAGE("index") int &operator[](int) { return v; }
    int v;
};
int other(const derived &d) { return d.v; }
PROFPLUG_STAGE("after") int bare(const derived &d) { return d.v; }
PROFPLUG_STAGE("C") extern "C" int linkage(int n);
extern "C" int linkage(int n) { return n; }
extern "C" PROFPLUG_STAGE("C too") int linkage_too(int n) { return n; }
extern "C" { PROFPLUG_STAGE("C block") int block(int n) { return n; } }
static PROFPLUG_STAGE("after static") int behind(int n) { return n; }
int trailing(int n) PROFPLUG_STAGE("trailing");
int trailing(int n) { return n; }
PROFPLUG_STAGE("reference") static int &reference(int &n) { return n; }
PROFPLUG_STAGE("inline") inline int inlined(int n) { return n; }
inline PROFPLUG_STAGE("throws") int thrower(int n) { if (n) throw n; return n; }
namespace { PROFPLUG_STAGE("anonymous") int hidden(int n) { return n; } }
int main()
{
    derived d;
    base &b = d;
    int s = b.of(1) + b.pure() + static_cast<int>(d + 2) + both(d, d) + other(d) + bare(d) + derived::all() + d[0];
    s += linkage(1) + linkage_too(2) + block(3) + behind(4) + trailing(5) + reference(s) + inlined(6) + hidden(7);
    try { s += thrower(1); } catch (int n) { s += n; }
    std::printf("%d\\n", s);
}
"""

NUMBERS = """#include <profplug.h>
#include <cstdio>
template <class T> static int in_template(T n) { profplug_count("in a template", n); return profplug_gauge("gauge", n * 2), n; }
struct member {
    int v;
    member() : v((profplug_count("in a constructor", 1), 3)) { if (v) profplug_count("in a body", v); else profplug_count("never", 1); }
};
#define NAME "from a macro"
static int defaulted(int n = (profplug_count("default", 2), 5)) { return n; }
static member first;
int main()
{
    int n = 3;
    profplug_count("evaluated once", n--);
    profplug_count(NAME, n);
    profplug_count("two" " parts", 4u);
    n ? profplug_count("chosen", 1) : profplug_count("not chosen", 1);
    for (int i = 0; i < 3; profplug_count("in a step", 1), i++) n += i;
    switch (n) {
    case 5: profplug_count("in a case", 7); break;
    default: profplug_gauge("not here", 1);
    }
    member m;
    n += in_template(1) + in_template(2L) + defaulted() + m.v + first.v;
    std::printf("%d\\n", n);
}
"""

SCOPES = """#include <profplug.h>
#include <cstdio>
#include <stdexcept>
template <class T> static T in_template(T x) { PROFPLUG_SCOPE("in a template"); return x; }
template <class T> struct holder {
    T v;
    T get() { PROFPLUG_SCOPE("in a method of a template", "io"); return v; }
    holder() : v(2) { PROFPLUG_SCOPE("in a constructor"); }
    ~holder() { PROFPLUG_SCOPE("in a destructor"); v = 0; }
};
namespace deep { inline int in_namespace(int n) { PROFPLUG_SCOPE("in a namespace"); return n; } }
static int thrower(int n) try { PROFPLUG_SCOPE("thrown through"); if (n) throw std::runtime_error("x"); return n; } catch (std::exception &) { return 9; }
static int early(int n)
{
    if (n == 1) goto out;
    PROFPLUG_SCOPE("jumped over");
    n += 10;
    if (n == 12) goto out;
    { PROFPLUG_SCOPE("in a block"); n++; }
out:
    return n;
}
static int cases(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        switch (i & 3) {
        case 0: PROFPLUG_SCOPE("first case"); s += 1; break;
        case 1: PROFPLUG_SCOPE("second case"); s += 2;
        break;
        default: s += 3;
        }
    return s;
}
static int bodies(int s)
{
    { PROFPLUG_SCOPE("two"); PROFPLUG_SCOPE("on a line"); s++; }
    PROFPLUG_SCOPE(__func__);
    const char *const name = "a constant";
    PROFPLUG_SCOPE(name);
    return s + *name;
}
int main()
{
    holder<int> h;
    int s = in_template(1) + in_template(2L) + h.get() + deep::in_namespace(3) + thrower(0) + thrower(1);
    s += early(1) + early(2) + early(3) + cases(10) + bodies(3);
    std::printf("%d\\n", s);
}
"""

LOOPS = """#include <profplug.h>
#include <cstdio>
#include <map>
#include <utility>
#include <initializer_list>
template <class T> static int kinds(T n)
{
    int s = 0;
    if constexpr (sizeof(T) == 4) {
        PROFPLUG_LOOP("four bytes") for (T i = 0; i < n; i++) s += i;
    } else {
        PROFPLUG_LOOP("other") for (T i = 0; i < n; i++) s += 2;
    }
    return s;
}
template <int... N> static int pack() { int s = 0; PROFPLUG_LOOP("a pack") for (int n : { N... }) s += n; return s; }
template <class F> static int generic(F f) { int s = 0; PROFPLUG_LOOP("a call") for (int i = 0; i < 2; i++) s += f(i); return s; }
struct range { int *begin() { return v; } int *end() { return v + 3; } int v[3]; };
static int (*const initialised)(int) = [](int n) { PROFPLUG_SCOPE("of an initialiser"); PROFPLUG_LOOP("its loop") for (int i = 0; i < 4; i++) n += i; return n; };
static int once() { static int v = [](int k) { PROFPLUG_SCOPE("once"); profplug_count("counted once", 3); return k; }(std::printf("once\\n")); return v; }
int main()
{
    std::map<int, int> map{ { 1, 2 }, { 3, 4 } };
    int s = once() + once() + initialised(2) + kinds(3) + kinds(2L) + pack<1, 2, 3>() + generic([](auto x) { PROFPLUG_SCOPE("generic"); return x; });
    PROFPLUG_LOOP("a list") for (int x : { 1, 2, 3, 4 }) s += x;
    PROFPLUG_LOOP("bindings") for (auto &[key, value] : map) s += key * value;
    PROFPLUG_LOOP("rvalue") for (int x : range{ { 1, 2, 3 } }) s += x;
    switch (map.size()) {
    case 2:
        PROFPLUG_LOOP("in a case") for (int i = 0; i < 2; i++) s++;
        break;
    default:
        PROFPLUG_LOOP("in another case") for (int i = 0; i < 3; i++) s++;
    }
    int tries = 0;
again:
    PROFPLUG_LOOP("after a label") for (int i = 0; i < 2; i++) if (tries++ < 3) goto again;
    PROFPLUG_LOOP("with switch") for (int i = 0; i < 4; i++) switch (i) { case 1: continue; case 2: s += 2; break; default: s++; }
    PROFPLUG_LOOP("under try") for (int i = 0; i < 3; i++) try { if (i == 1) throw i; s++; } catch (int) { s += 2; }
    PROFPLUG_LOOP("initialised if") for (int i = 0; i < 3; i++) if (int k = i * 2; k > 1) s += k;
    PROFPLUG_LOOP("empty body") for (int i = 0; i < 3; i++);
    PROFPLUG_LOOP("comma") for (int i = 0, j = 9; i < j; i++, j--) s++;
    [&] { PROFPLUG_LOOP("in a lambda") while (s < 1000) s *= 2; }();
#pragma profplug loop("spelled")
    for (int i = 0; i < 3; i++) s++;
    std::printf("%d\\n", s);
}
"""

LAMBDAS = """#include <profplug.h>
#include <cstdio>
int main()
{
    int s = 0;
    auto attribute = [&](int n) PROFPLUG_STAGE("lambda") { s += n; return n; };
    auto changing = [s](int n) mutable PROFPLUG_STAGE("mutable") { return s += n; };
    auto counts = [](int n) { profplug_count("in a lambda", n); profplug_begin("by hand"); profplug_end("by hand"); return n; };
    s += attribute(1) + attribute(2) + changing(3) + counts(4);
    std::printf("%d\\n", s);
}
"""

CONSTANT_11 = """#include <profplug.h>
#include <cstdio>
PROFPLUG_STAGE("stage") constexpr int squared(int n) { return n * n; }
PROFPLUG_STAGE("template") template <class T> constexpr T doubled(T n) { return n + n; }
constexpr int counted(int n) { return profplug_count("count", n), profplug_gauge("gauge", n), n + 1; }
constexpr int by_hand(int n) { return profplug_begin("hand"), profplug_end("hand"), profplug_snapshot("s"), n; }
static_assert(squared(3) == 9 && doubled(4) == 8 && counted(3) == 4 && by_hand(2) == 2, "constant");
static int array[squared(2)];
int main(int count, char **)
{
    constexpr int here = counted(6) + by_hand(1);
    std::printf("%d\\n", squared(count) + squared(count + 1) + doubled(count) + counted(count + 4) + by_hand(count) + here + static_cast<int>(sizeof array));
}
"""

CONSTANT_14 = """#include <profplug.h>
#include <initializer_list>
#include <cstdio>
constexpr int scoped(int n) { PROFPLUG_SCOPE("scope"); return n * n; }
constexpr int summed(int n)
{
    int s = 0;
    PROFPLUG_LOOP("loop") for (int i = 0; i < n; i++) {
        PROFPLUG_SCOPE("in the loop", "io");
        if (i == 5) return -1;
        s += i;
    }
    return s;
}
constexpr int counting(int n)
{
    profplug_count("items", n--);
    profplug_begin("by hand");
    profplug_gauge("gauge", n);
    profplug_end("by hand");
    profplug_snapshot("s");
    return n;
}
template <class T> constexpr T any(T n) { PROFPLUG_SCOPE("in a template"); T s = 0; PROFPLUG_LOOP("while") while (n-- > 0) s += n; PROFPLUG_LOOP("do") do s++; while (s < 2); return s; }
struct point {
    int x, y;
    PROFPLUG_STAGE("constructor") constexpr point(int n) : x(n), y(0) { PROFPLUG_LOOP("fills") for (int i = 0; i < n; i++) y += 2; }
    constexpr int sum() const { PROFPLUG_SCOPE("method"); int s = 0; PROFPLUG_LOOP("range") for (int v : { x, y, 1 }) s += v; return s; }
};
constexpr int spelled(int n)
{
#pragma profplug loop("spelled")
    for (int i = 0; i < 2; i++) n++;
    return n;
}
PROFPLUG_STAGE("stage") constexpr int staged(int n) { PROFPLUG_LOOP("of a stage") for (int i = 0; i < 2; i++) n++; return n; }
static_assert(scoped(3) == 9 && summed(4) == 6 && summed(8) == -1 && counting(3) == 2 && any(3) == 4 && any(0L) == 2 && point(2).sum() == 7 && staged(1) == 3 && spelled(1) == 3, "constant");
static constexpr int constant = summed(3);
static int array[scoped(2)];
int main(int count, char **)
{
    int s = constant + scoped(count) + summed(count + 3) + summed(count + 7) + counting(count + 1) + any(count + 1) + any(count + 1L);
    point p(count + 1);
    std::printf("%d\\n", s + p.sum() + staged(count) + spelled(count) + static_cast<int>(sizeof array));
}
"""

CONSTANT_17 = """#include <profplug.h>
#include <cstdio>
constexpr auto lambda = [](int n) { PROFPLUG_SCOPE("lambda"); int s = 0; PROFPLUG_LOOP("its loop") for (int i = 0; i < n; i++) s += i; return s; };
constexpr auto generic = [](auto n) constexpr { profplug_count("generic", n); PROFPLUG_LOOP("generic loop") for (; n < 9; n++) if (n == 7) break; return n; };
static_assert(lambda(4) == 6 && generic(2) == 7);
template <int N> constexpr int chosen(int n)
{
    if constexpr (N > 1) { PROFPLUG_SCOPE("many"); PROFPLUG_LOOP("of many") for (int i = 0; i < N; i++) n++; return n; }
    else { PROFPLUG_SCOPE("few"); return n; }
}
static_assert(chosen<3>(1) == 4 && chosen<1>(1) == 1);
int main(int count, char **)
{
    constexpr int fixed = lambda(5);
    std::printf("%d\\n", fixed + lambda(count + 2) + generic(count) + static_cast<int>(generic(count + 1L)) + chosen<2>(count) + chosen<1>(count));
}
"""

CONSTANT_20 = """#include <profplug.h>
#include <cstdio>
consteval int immediate(int n) { PROFPLUG_SCOPE("never at run time"); PROFPLUG_LOOP("nor this") for (int i = 0; i < 2; i++) n++; profplug_count("neither", n); return n; }
PROFPLUG_STAGE("immediate stage") consteval int staged(int n) { return n; }
static_assert(immediate(1) == 3 && staged(2) == 2);
constexpr int tried(int n) { try { PROFPLUG_SCOPE("under try"); PROFPLUG_LOOP("tried") for (int i = 0; i < n; i++); } catch (...) { return 0; } return n; }
static_assert(tried(3) == 3);
constinit int initial = tried(4);
PROFPLUG_STAGE("concept") template <class T> requires (sizeof(T) > 1) constexpr T limited(T n) { return n; }
PROFPLUG_STAGE("abbreviated") static auto abbreviated(auto n) { PROFPLUG_SCOPE("in it"); return n; }
int main(int count, char **)
{
    auto listed = []<class T>(T n) { PROFPLUG_LOOP("listed") for (T i = 0; i < n; i++); return n; };
    std::printf("%d\\n", immediate(5) + staged(6) + tried(count + 1) + initial + limited(count) + abbreviated(count) + listed(count + 1));
}
"""

GUIDED = """#include <profplug.h>
#include <cstdio>
template <class T> struct box {
    PROFPLUG_STAGE("box") box(T t) : v(t) {}
    PROFPLUG_STAGE("converting") template <class U> box(U u, int n) : v(u + n) {}
    PROFPLUG_STAGE("get") [[nodiscard]] auto get() const noexcept -> T { return v; }
    T v;
};
template <class U> box(U, int) -> box<U>;
struct final_one {
    virtual ~final_one() = default;
    PROFPLUG_STAGE("base") virtual int of(int n) const { return n; }
};
struct deriving final : final_one { PROFPLUG_STAGE("override") int of(int n) const override { return n + 1; } };
PROFPLUG_STAGE("standard attribute") [[nodiscard]] static int must(int n) { return n; }
PROFPLUG_STAGE("variadic") template <class... T> static int all(T... t) { return (0 + ... + t); }
PROFPLUG_STAGE("default") template <class T = int, int N = (3 > 2)> static T given(T t = T(N)) { return t; }
PROFPLUG_STAGE("template of templates") template <template <class> class B, class T> static T inner(const B<T> &b) { return b.v; }
PROFPLUG_STAGE("deduced") template <class T> static auto deduced(T t) -> decltype(t + 1) { return t + 1; }
int main()
{
    box b(3);
    box c(4L, 5);
    deriving d;
    const final_one &f = d;
    std::printf("%d\\n", b.get() + static_cast<int>(c.get()) + f.of(1) + f.final_one::of(2) + must(3) + all(1, 2, 3) + all() + given() + inner(b) + deduced(1));
}
"""

BEFORE = """#include <profplug.h>
#include <cstdio>
#define HEAD template <class T>
#define EMPTY
template <class T> struct box { T v; };
PROFPLUG_STAGE("returns a class") template <class T> struct box<T> made() { box<T> b = { 3 > 2 }; return b; }
PROFPLUG_STAGE("before a directive")
#if __cplusplus > 3
template <class T> T chosen(T n) { return n; }
#else
template <class T> T chosen(T n);
#endif
PROFPLUG_STAGE("through a macro") HEAD T behind(T n) { return n; }
PROFPLUG_STAGE("behind an empty macro") EMPTY template <class T> T empty(T n) { return n; }
PROFPLUG_STAGE("template of templates") template <template <class> class A, class B> B nested(const A<A<B> > &a) { return a.v.v; }
struct S {
    PROFPLUG_STAGE("in a class")
#ifdef NEVER
    static
#endif
    int of() { return 1; }
    PROFPLUG_STAGE("behind a comment") /* {
# in a comment; */ template <class T>
    T commented(T n) { return n; }
};
int main()
{
    box<box<int> > b = { { 4 } };
    S s;
    std::printf("%d\\n", made<int>().v + chosen(1) + behind(2) + empty(3) + nested(b) + s.of() + s.commented(5));
}
"""

HEADER = """#include <profplug.h>
inline int shared(int n)
{
    PROFPLUG_SCOPE("shared");
    PROFPLUG_LOOP("shared loop") for (int i = 0; i < 2; i++) n++;
    profplug_count("shared count", 1);
    return n;
}
PROFPLUG_STAGE("template in a header") template <class T> T generic(T n) { PROFPLUG_SCOPE("its scope"); return n; }
int other(int n);
"""

PRAGMAS = ["-Wno-unknown-pragmas"]
CASES = [
    ("template", "c++98", TEMPLATE,
     {"free": 3, "declared": 1, "inside": 2, "special": 1, "in a namespace": 1, "member": 1, "static member": 1, "constructor": 1, "operator": 1,
      "of a class template": 1, "both": 1, "out of class": 1, "two levels": 1, "through a macro": 2}),
    ("before", "c++98", BEFORE,
     {"returns a class": 1, "before a directive": 1, "through a macro": 1, "behind an empty macro": 1, "template of templates": 1, "in a class": 1,
      "behind a comment": 1}),
    ("spread", "c++98", SPREAD,
     {"overrides": 1, "built": 2, "plus": 1, "converts": 1, "friend": 1, "declared friend": 1, "static": 1, "index": 1, "after": 1, "C": 1, "C too": 1,
      "C block": 1, "after static": 1, "trailing": 1, "reference": 1, "inline": 1, "throws": 1, "anonymous": 1, "destructor": 2}),
    ("numbers", "c++98", NUMBERS,
     {"in a template": 3, "gauge": 6, "in a constructor": 2, "in a body": 6, "default": 2, "evaluated once": 3, "from a macro": 2, "two parts": 4,
      "chosen": 1, "in a step": 3, "in a case": 7}),
    ("scopes", "c++98", SCOPES,
     {"in a template": 2, "in a method of a template": 1, "in a constructor": 1, "in a destructor": 1, "in a namespace": 1, "thrown through": 2,
      "jumped over": 2, "in a block": 1, "first case": 3, "second case": 3, "two": 1, "on a line": 1, "bodies": 1, "a constant": 1}),
    ("loops", "c++17", LOOPS,
     {"four bytes": (1, 3), "other": (1, 2), "a pack": (1, 3), "a call": (1, 2), "generic": 2, "of an initialiser": 1, "its loop": (1, 4), "once": 1,
      "counted once": 3, "a list": (1, 4), "bindings": (1, 2), "rvalue": (1, 3), "in a case": (1, 2), "after a label": (4, 5), "with switch": (1, 4),
      "under try": (1, 3), "initialised if": (1, 3), "empty body": (1, 3), "comma": (1, 5), "in a lambda": (1, 4), "spelled": (1, 3)}, PRAGMAS),
    ("lambdas", "c++11", LAMBDAS, {"lambda": 2, "mutable": 1, "in a lambda": 4, "by hand": 1}),
    ("constant", "c++11", CONSTANT_11, {"stage": 2, "template": 1, "count": 5, "gauge": 5, "hand": 1}),
    ("constant body", "c++14", CONSTANT_14,
     {"scope": 1, "loop": (2, 10), "in the loop": 10, "items": 2, "by hand": 1, "gauge": 1, "in a template": 2, "while": (2, 4), "do": (2, 2), "constructor": 1,
      "fills": (1, 2), "method": 1, "range": (1, 3), "stage": 1, "of a stage": (1, 2), "spelled": (1, 2)}, PRAGMAS),
    ("constant lambda", "c++17", CONSTANT_17,
     {"lambda": 1, "its loop": (1, 3), "generic": 3, "generic loop": (2, 13), "many": 1, "of many": (1, 2), "few": 1}),
    ("immediate", "c++20", CONSTANT_20, {"under try": 1, "tried": (1, 2), "concept": 1, "abbreviated": 1, "in it": 1, "listed": (1, 2)}),
    ("guided", "c++17", GUIDED,
     {"box": 1, "converting": 1, "get": 2, "base": 1, "override": 1, "standard attribute": 1, "variadic": 2, "default": 1, "template of templates": 1,
      "deduced": 1}),
    ("header", "c++98",
     {"shared.h": HEADER, "a.cc": '#include "shared.h"\n#include <cstdio>\nint main() { std::printf("%d\\n", shared(1) + other(2) + generic(3)); }\n',
      "b.cc": '#include "shared.h"\nint other(int n) { return shared(n) + generic(n) + shared(n); }\n'},
     {"shared": 3, "shared loop": (3, 6), "shared count": 3, "template in a header": 2, "its scope": 2}),
]
