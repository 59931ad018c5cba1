/* SPDX-License-Identifier: MIT */
/* row.c compute|sleep RUNS FIRST SECOND: two stages one after the other, in one thread and without a loop of a name. */
#include "work.h"

PROFPLUG_STAGE("first") static void first(double units) { work(units); }
PROFPLUG_STAGE("second") static void second(double units) { work(units); }

int main(int argc, char **argv)
{
    work_choose(argv[1]);
    for (int i = 0; i < atoi(argv[2]); i++) {
        first(atof(argv[3]));
        second(atof(argv[4]));
    }
    return 0;
}
