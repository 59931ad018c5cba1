// SPDX-License-Identifier: MIT
// region.cc: parallel regions of OpenMP, whose functions GCC describes within the function that they were taken from,
// with inlined functions of the program and of the library in them.
#include <cmath>
#include <cstdio>
#include <vector>

static inline double step(double x) { return std::sqrt(x) * 1.0001 + std::fabs(x) / 3; }

static inline double many(double x)
{
    for (int i = 0; i < 100; i++)
        x = step(x) + 1;
    return x;
}

template <typename number>
__attribute__((noinline)) number mean(const std::vector<number> &all)
{
    number sum = 0;
#pragma omp parallel for reduction(+ : sum) schedule(dynamic, 16)
    for (long i = 0; i < (long)all.size(); i++) {
        number x = all[(size_t)i];
        if (x > 1)
            x = (number)many((double)x);
        sum += std::abs(x);
    }
    return sum / (number)all.size();
}

int main(int argc, char **)
{
    std::vector<double> wide(1000, 2.0 * argc);
    std::vector<float> narrow(1000, 3.0f * (float)argc);
    auto twist = [&](double x) { return std::pow(std::abs(x), 2) + many(x); };
#pragma omp parallel
    {
#pragma omp for nowait
        for (size_t i = 0; i < wide.size(); i++)
            wide[i] = twist(wide[i]) / (1 + std::fabs(wide[i]));
#pragma omp single
        std::puts("one");
    }
    std::printf("%f %f\n", mean(wide), (double)mean(narrow));
    return 0;
}
