/* SPDX-License-Identifier: MIT */
/* kinds.cc: what only C++ has; see kinds.c. */
#include <atomic>
#include <memory>
#include <vector>

struct shape { virtual double area () const = 0; virtual ~shape () {} };
struct square final : shape { double side; double area () const override { return side * side; } };
std::atomic<long> hits;

void all (const std::vector<shape *> &v, double *to) { for (auto p : v) *to++ = p->area (); } // virtual_call shape
void all_twin (const std::vector<square *> &v, double *to) { for (auto p : v) *to++ = p->area (); }
void count (int n) { for (int i = 0; i < n; i++) hits++; } // atomic
template <class T> T total (const T *a, int n) { T s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } // accumulation s
double doubles (const double *a, int n) { return total (a, n); }
long longs (const long *a, int n) { return total (a, n); }
