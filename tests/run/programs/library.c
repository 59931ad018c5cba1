/* SPDX-License-Identifier: MIT */
/* A shared object with probes; NUMBER tells its twins apart. */
#include "expect.h"

#define PASTE_(a, b) a##b
#define PASTE(a, b) PASTE_(a, b)
#define TEXT_(a) #a
#define TEXT(a) TEXT_(a)

KEEP void PASTE(helper_, NUMBER)(void) { __asm__ volatile(""); }
PROFPLUG_STAGE("in_library", "compute") KEEP static void stage(void) { PASTE(helper_, NUMBER)(); }
void library_run(int n);
void library_run(int n)
{
    for (int i = 0; i < n; i++) stage();
    PROFPLUG_SCOPE("library_scope");
}
