/* SPDX-License-Identifier: MIT */
/* A weather station's protocol: computes hourly figures from readings that it makes itself, and writes them as lines of
 * text. Prints the protocol's length and a sum over the figures. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define READINGS 240u

struct hour {
    double mean, least, most, spread;
};

static FILE *protocol_open(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/weather.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) return NULL;
    unlink(path);
    return fdopen(fd, "w");
}

static void readings_take(double *reading, unsigned hour)
{
    uint32_t seed = hour * 747796405u + 2891336453u;
    for (unsigned i = 0; i < READINGS; i++) {
        seed = seed * 1664525u + 1013904223u;
        reading[i] = 10 + 8 * ((hour % 24) / 24.0) + (seed >> 20) / 1024.0;
    }
}

static struct hour hour_compute(const double *reading)
{
    struct hour hour = { 0, 1e9, -1e9, 0 };
    for (unsigned i = 0; i < READINGS; i++) {
        hour.mean += reading[i] / READINGS;
        hour.least = reading[i] < hour.least ? reading[i] : hour.least;
        hour.most = reading[i] > hour.most ? reading[i] : hour.most;
    }
    for (unsigned i = 0; i < READINGS; i++) hour.spread += (reading[i] - hour.mean) * (reading[i] - hour.mean);
    hour.spread = sqrt(hour.spread / READINGS);
    return hour;
}

static int hour_write(FILE *protocol, unsigned number, const struct hour *hour)
{
    int length = fprintf(protocol, "%u %02u:00 mean %.2f from %.2f to %.2f spread %.3f\n", number / 24, number % 24,
                         hour->mean, hour->least, hour->most, hour->spread);
#ifndef FIXED
    if (fflush(protocol)) return -1; /* @ */
#endif
    return length;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned hours = (unsigned)(230000 * scale) + 1;
    FILE *protocol = protocol_open();
    if (!protocol) return 1;
    double reading[READINGS], sum = 0;
    long length = 0;
    for (unsigned i = 0; i < hours; i++) {
        readings_take(reading, i);
        struct hour hour = hour_compute(reading);
        int written = hour_write(protocol, i, &hour);
        if (written < 0) return 1;
        length += written;
        sum += hour.mean + hour.spread;
    }
    if (fclose(protocol)) return 1;
    printf("%ld %.6f\n", length, sum);
    return 0;
}
