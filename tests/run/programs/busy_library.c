/* SPDX-License-Identifier: MIT */
/* A library in which the probes take most of the time: its functions do next to nothing, and call nothing outside. */
#include "expect.h"

static volatile unsigned word;

KEEP void leaf(unsigned n) { for (unsigned i = 0; i < n; i++) word += i; }
void busy_run(int times);
void busy_run(int times) { for (int i = 0; i < times; i++) leaf(2); }
