/* SPDX-License-Identifier: MIT */
/* simulation.h: what the program's loop or run would take if a stage took less time, as `profplug causal` found. */
#ifndef PROFPLUG_MODEL_SIMULATION_H
#define PROFPLUG_MODEL_SIMULATION_H

#include <stddef.h>

#define SIMULATION_POINTS 8u

struct simulation_stage {
    const char *name;
    size_t point_count;
    /* of the stage's time, ascending, and what goes with it of the loop's or run's: in percent, at least and at most */
    double percent[SIMULATION_POINTS], low[SIMULATION_POINTS], high[SIMULATION_POINTS];
};

struct simulation {
    const char *progress; /* the loop or stage that was measured; NULL: the run */
    struct simulation_stage *stage;
    size_t stage_count;
};
#endif
