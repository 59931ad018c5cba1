/* SPDX-License-Identifier: MIT */
/* A library with probes and a runtime of its own; it counts in the program's page. */
#include <profplug.h>
#define KEEP __attribute__((noinline, noclone, noipa))
static int sum;
KEEP void library_small(void) { __asm__ volatile(""); }
PROFPLUG_STAGE("library_stage", "compute") KEEP int library_stage(int n) { for (volatile int i = 0; i < n; i++) library_small(); return n; }
void library_work(int n);
void library_work(int n) { for (int i = 0; i < n; i++) sum += library_stage(3); }
