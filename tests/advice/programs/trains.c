/* SPDX-License-Identifier: MIT */
/* A railway's display: for each train that passes, its delay against the timetable, which is a file. Prints how many
 * were late and the sum of the delays. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STOPS 120

static char path[256];

struct plan {
    int count;
    struct stop { int number; double due, slack; } stop[STOPS];
};

static int plan_publish(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/trains-%ld.txt", folder ? folder : "/tmp", random() % 1000000);
    FILE *file = fopen(path, "w");
    if (!file) return 1;
    for (int i = 0; i < STOPS; i++) fprintf(file, "%d %.2f %.3f\n", i, i * 7.25 + 300, i % 9 * 0.125);
    return fclose(file);
}

static int plan_load(struct plan *plan)
{
    char line[80];
    FILE *file = fopen(path, "r"); /* @ */
    if (!file) return 1;
    plan->count = 0;
    while (plan->count < STOPS && fgets(line, sizeof line, file)) { /* @ */
        struct stop *stop = &plan->stop[plan->count++];
        char *end;
        stop->number = (int)strtol(line, &end, 10);
        stop->due = strtod(end, &end);
        stop->slack = strtod(end, &end);
    }
    fclose(file);
    return 0;
}

static double smooth(double minute, int train)
{
    double level = minute;
    for (int i = 0; i < 9000; i++) level = level * 0.997 + (double)(i * train % 13) * 0.003;
    return level;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    int trains = (int)(14000 * scale) + 1, late = 0;
    double sum = 0;
    static struct plan plan;
    if (plan_publish()) return 1;
#ifdef FIXED
    if (plan_load(&plan)) return 1;
#endif
    for (int i = 0; i < trains; i++) {
#ifndef FIXED
        if (plan_load(&plan)) return 1; /* @ */
#endif
        const struct stop *stop = &plan.stop[i * 31 % plan.count];
        double minute = stop->due + smooth(i % 17, i % 29), delay = minute - stop->due - stop->slack;
        late += delay > 1;
        sum += delay;
    }
    printf("%d %.3f\n", late, sum);
    remove(path);
    return 0;
}
