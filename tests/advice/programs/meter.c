/* SPDX-License-Identifier: MIT */
/* An electricity meter's bill: prices each reading by the tariff that the environment names, and adds up by hours.
 * Prints the bill. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define HOURS 24u

struct reading {
    uint32_t second, watts;
};

static uint64_t watts_by_hour[HOURS], cents_by_hour[HOURS];

static struct reading reading_take(unsigned i)
{
    uint32_t seed = i * 747796405u + 2891336453u;
    seed = (seed >> ((seed >> 28) + 4) ^ seed) * 277803737u;
    struct reading reading = { i * 10 % 86400, 100 + (seed >> 22) };
    return reading;
}

static unsigned tariff_base(void)
{
    const char *named = getenv("METER_TARIFF");
    return named ? (unsigned)strtoul(named, NULL, 10) : 29;
}

static uint64_t reading_price(const struct reading *reading, unsigned base)
{
    unsigned hour = reading->second / 3600;
    uint64_t price = base * (uint64_t)reading->watts;
    if (hour >= 22 || hour < 6) price = price * 7 / 10;
    if (reading->watts > 900) price += (reading->watts - 900) * 11ULL;
    return price;
}

static void readings_bill(unsigned count)
{
#ifdef FIXED
    unsigned base = tariff_base();
#endif
    for (unsigned i = 0; i < count; i++) {
        struct reading reading = reading_take(i);
        unsigned hour = reading.second / 3600;
#ifndef FIXED
        unsigned base = tariff_base(); /* @ */
#endif
        watts_by_hour[hour] += reading.watts;
        cents_by_hour[hour] += reading_price(&reading, base);
    }
}

static uint64_t seal(uint64_t h, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned readings = (unsigned)(12000000 * scale) + 1;
    setenv("METER_TARIFF", "31", 1);
    readings_bill(readings);
    uint64_t watts = 0, cents = 0;
    for (unsigned i = 0; i < HOURS; i++) {
        watts += watts_by_hour[i];
        cents += cents_by_hour[i];
    }
    printf("%llu %llu %llu\n", (unsigned long long)watts, (unsigned long long)cents,
           (unsigned long long)seal(cents, (unsigned)(120000000 * scale)));
    return 0;
}
