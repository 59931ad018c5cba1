// SPDX-License-Identifier: MIT
// region.cc: lines of parallel regions of OpenMP whose work is done in inlined functions of the C++ library. It prints
// the CPU time of each marked line, by the clocks of all threads.
#include <cmath>
#include <complex>
#include <cstdio>
#include <ctime>
#include <vector>

static double now_ns()
{
    timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

int main()
{
    std::vector<double> all(200000, 2.0);
    std::vector<std::complex<double>> turned(200000, { 1.0, 0.5 });
    double powers = 0, turns = 0, sum = 0;
    for (int round = 0; round < 12; round++) {
#pragma omp parallel num_threads(2) reduction(+ : powers, turns, sum)
        {
            double begun = now_ns();
#pragma omp for nowait
            for (size_t i = 0; i < all.size(); i++)
                all[i] = std::pow(all[i], 1.5f) / (1 + std::abs(all[i])) + std::fmod(all[i], 3); // MARK power
            double between = now_ns();
#pragma omp for nowait
            for (size_t i = 0; i < turned.size(); i++)
                sum += std::norm(turned[i] * turned[i] / (turned[i] + 2.0)) * std::hypot(turned[i].real(), 1.0); // MARK turn
            powers += between - begun;
            turns += now_ns() - between;
        }
    }
    std::printf("power %.0f\nturn %.0f\n", powers, turns);
    return sum > 0 ? 0 : 1;
}
