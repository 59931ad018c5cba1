// SPDX-License-Identifier: MIT
// foreigner.hpp: stands for a library of templates that the user did not write. foreigner.py puts it in a folder.
#ifndef FOREIGNER_HPP
#define FOREIGNER_HPP
#include <cstddef>

namespace foreign
{
template <class T> class row
{
    T *at;
    std::size_t count;

public:
    row(std::size_t size, T seed) : at(new T[size]), count(size)
    {
        for (std::size_t i = 0; i < size; i++)
            for (int k = 0; k < 8; k++)
                at[i] = seed = seed * 2862933555777941757u + 3037000493u;
    }
    ~row() { delete[] at; }
    row(const row &) = delete;
    row &operator=(const row &) = delete;
    T operator[](std::size_t i) const { return at[i]; }
    std::size_t size() const { return count; }
};

template <class L, class R> struct product {
    const L &left;
    const R &right;
    auto operator[](std::size_t i) const { return left[i] % 1000003 * (right[i] % 1000003); }
    std::size_t size() const { return left.size(); }
};
template <class T> product<row<T>, row<T>> operator*(const row<T> &left, const row<T> &right) { return { left, right }; }

template <class E> __attribute__((noinline)) unsigned long total(const E &e)
{
    unsigned long sum = 0;
    for (std::size_t i = 0; i < e.size(); i++)
        sum += e[i];
    return sum;
}

template <class F> void each(std::size_t count, F &&f)
{
    for (std::size_t i = 0; i < count; i++)
        f(i);
}
} // namespace foreign
#endif
