/* SPDX-License-Identifier: MIT */
/* A fleet of buses: finds for each passenger the bus with the best mark. Prints a sum over the passengers' buses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BUSES 50u

struct bus {
    uint32_t number, seats, line, delay;
    char plate[16];
    uint16_t stop[200];
};

#ifdef FIXED
#define BUS const struct bus *
#define GIVEN(bus) (&(bus))
#define OF(bus) (bus)->
#else
#define BUS struct bus
#define GIVEN(bus) (bus)
#define OF(bus) (bus).
#endif

static struct bus buses[BUSES];

static __attribute__((noinline)) uint32_t bus_mark(BUS bus, uint32_t passenger) /* @ */
{
    uint32_t mark = OF(bus) seats * 3 + OF(bus) delay;
    for (uint32_t i = 0; i < 12; i++) mark = mark * 33 + OF(bus) stop[(passenger + i * 7) % 200];
    return mark;
}

static uint32_t bus_best(uint32_t passenger)
{
    uint32_t best = 0, most = 0;
    for (uint32_t i = 0; i < BUSES; i++) {
        uint32_t mark = bus_mark(GIVEN(buses[i]), passenger); /* @ */
        if (mark > most) {
            most = mark;
            best = buses[i].number;
        }
    }
    return best;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    uint32_t passengers = (uint32_t)(300000 * scale) + 1;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < BUSES; i++) {
        buses[i] = (struct bus){ .number = i, .seats = 30 + i % 20, .line = i % 9, .delay = i * 7 % 13 };
        for (uint32_t k = 0; k < 200; k++) buses[i].stop[k] = (uint16_t)(i * 31 + k * 17);
    }
    for (uint32_t i = 0; i < passengers; i++) sum += bus_best(i);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
