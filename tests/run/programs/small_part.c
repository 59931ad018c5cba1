/* SPDX-License-Identifier: MIT */
/* Makes a program carry probes and a copy of the runtime. */
void small_part(void);
void small_part(void) { __asm__ volatile(""); }
