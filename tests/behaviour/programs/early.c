/* SPDX-License-Identifier: MIT */
/* A library without probes that was there first: its handler at fork, called last before it, calls back into the program. */
#include <pthread.h>

extern void (*volatile early_prepare)(void) __attribute__((weak));
static void prepare(void) { if (&early_prepare && early_prepare) early_prepare(); }
__attribute__((constructor(101))) static void load(void) { pthread_atfork(prepare, 0, 0); }
