/* SPDX-License-Identifier: MIT */
/* A few calls of everything. */
#include "expect.h"

KEEP void counted(void) { __asm__ volatile(""); }
PROFPLUG_STAGE("stage", "io") KEEP void staged(void) { counted(); }
int main(int argc, char **argv)
{
    for (int i = 0; i < 10; i++) staged();
    { PROFPLUG_SCOPE("load_files"); }
    { PROFPLUG_SCOPE("prep"); }
    { PROFPLUG_SCOPE("data"); }
    { PROFPLUG_SCOPE("io_read"); }
    { PROFPLUG_SCOPE("preprocess", "training"); }
    { PROFPLUG_SCOPE("ioread"); }
    expect("stage stage stage 10");
    if (argc > 1 && !strcmp(argv[1], "basic"))
        expect("calls_none counted");
    else
        expect("calls counted 10");
    expect("exit EXIT 0");
    return 0;
}
