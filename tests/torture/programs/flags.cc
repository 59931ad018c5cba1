// SPDX-License-Identifier: MIT
// Built with every flag of flags.py: exceptions through frames, stages and threads, destructors, virtual calls, and coroutines where the
// standard has them. It knows its own numbers:
// expect: stage attempt 30
// expect: stage guarded 30
// expect: loop tries 30
// expect: function thrower(int) 30
#include <profplug.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>
#if __cplusplus >= 202002L
#include <coroutine>
#endif

static int live;

struct Counted {
    Counted() { live++; }
    Counted(const Counted &) { live++; }
    ~Counted() { live--; }
};

struct Shape {
    virtual ~Shape() = default;
    virtual int area() const = 0;
};
struct Square : Shape {
    int side;
    explicit Square(int n) : side(n) {}
    int area() const override { return side * side; }
};

__attribute__((noipa)) static int thrower(int n)
{
    Counted first;
    std::string text(n + 20, 'x');
    if (n % 3 == 0)
        throw std::runtime_error(text);
    if (n % 5 == 0)
        throw n;
    return (int) text.size();
}

PROFPLUG_STAGE("attempt") static int attempt(int n)
{
    Counted second;
    PROFPLUG_SCOPE("guarded");
    try {
        return thrower(n);
    } catch (const std::exception &error) {
        return (int) std::string(error.what()).size() + 1000;
    }
}

#if __cplusplus >= 202002L
struct Numbers {
    struct promise_type {
        int value = 0;
        Numbers get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        std::suspend_always yield_value(int x) { value = x; return {}; }
        void return_void() {}
        void unhandled_exception() { throw; }
    };
    std::coroutine_handle<promise_type> handle;
    Numbers(std::coroutine_handle<promise_type> h) : handle(h) {}
    Numbers(const Numbers &) = delete;
    ~Numbers() { handle.destroy(); }
    bool next() { handle.resume(); return !handle.done(); }
};

static Numbers numbers(int n)
{
    Counted third;
    for (int i = 0; i < n; i++) {
        if (i == 50)
            throw std::out_of_range("fifty");
        co_yield i;
    }
}

static int walk(int n)
{
    int sum = 0;
    Numbers all = numbers(n);
    try {
        while (all.next())
            sum += all.handle.promise().value;
    } catch (const std::out_of_range &) {
        sum = -sum;
    }
    return sum;
}
#else
static int walk(int n)
{
    return n < 50 ? n * (n - 1) / 2 : -1225;
}
#endif

static thread_local std::vector<int> mine;

static void fill(int n, int *sum)
{
    for (int i = 0; i < n; i++)
        mine.push_back(i);
    try {
        mine.at(n);
    } catch (const std::out_of_range &) {
        *sum = (int) mine.size();
    }
}

int main()
{
    int sum = 0, thrown = 0, filled[3];
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; i++)
        threads.emplace_back(fill, 100 + i, &filled[i]);
    for (std::thread &thread : threads)
        thread.join();
    PROFPLUG_LOOP("tries") for (int i = 1; i <= 30; i++) {
        try {
            sum += attempt(i);
        } catch (int n) {
            thrown += n;
        }
    }
    std::vector<std::unique_ptr<Shape>> shapes;
    for (int i = 0; i < 10; i++)
        shapes.push_back(std::make_unique<Square>(i));
    for (auto &shape : shapes)
        sum += shape->area();
    std::printf("%d %d %d %d %d %d\n", sum, thrown, filled[0] + filled[1] + filled[2], walk(20), walk(60), live);
    return 4;
}
