/* SPDX-License-Identifier: MIT */
/* ledger.c: a library with probes, for marker.c to load. */
static volatile long sum;
static __attribute__((noinline)) void work(int rounds) { for (int i = 0; i < rounds; i++) sum += i; }
void marker_library(void) { work(100); }
