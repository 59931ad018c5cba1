/* SPDX-License-Identifier: MIT */
/* Ships report to a harbour by four beacons, which are threads behind sockets; one of them stands far out. Prints the
 * sum of the positions. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define BEACONS 4u

struct beacon {
    int here, there;
    long takes_ns;
    pthread_t thread;
};

static struct beacon beacons[BEACONS];

static void *beacon_answer(void *argument)
{
    struct beacon *beacon = argument;
    uint64_t word;
    while (recv(beacon->there, &word, sizeof word, MSG_WAITALL) == sizeof word) {
        struct timespec takes = { 0, beacon->takes_ns };
        nanosleep(&takes, NULL);
        word = word * 0x9e3779b97f4a7c15ULL >> 40;
        if (send(beacon->there, &word, sizeof word, 0) != sizeof word) break;
    }
    return NULL;
}

static int beacon_ask(struct beacon *beacon, uint64_t round)
{
    return send(beacon->here, &round, sizeof round, 0) != sizeof round;
}

static uint64_t beacon_hear(struct beacon *beacon)
{
    uint64_t word = 0;
    if (recv(beacon->here, &word, sizeof word, MSG_WAITALL) != sizeof word) exit(1); /* @ */
    return word;
}

static uint64_t chart_plot(uint64_t word)
{
    for (unsigned i = 0; i < 120000; i++) word = (word ^ i) * 1099511628211ULL;
    return word >> 32;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned rounds = (unsigned)(250 * scale) + 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < BEACONS; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
        beacons[i].here = pair[0];
        beacons[i].there = pair[1];
        beacons[i].takes_ns = i == 2 ? 1500000 : 50000;
        pthread_create(&beacons[i].thread, NULL, beacon_answer, &beacons[i]);
    }
    for (unsigned round = 0; round < rounds; round++) {
#ifdef FIXED
        for (unsigned i = 0; i < BEACONS; i++)
            if (beacon_ask(&beacons[i], round)) return 1;
        for (unsigned k = 0; k < BEACONS; k++) {
            static const unsigned order[BEACONS] = { 0, 1, 3, 2 };
            sum += chart_plot(beacon_hear(&beacons[order[k]]));
        }
#else
        for (unsigned i = 0; i < BEACONS; i++) {
            if (beacon_ask(&beacons[i], round)) return 1; /* @ */
            sum += chart_plot(beacon_hear(&beacons[i])); /* @ */
        }
#endif
    }
    for (unsigned i = 0; i < BEACONS; i++) {
        close(beacons[i].here);
        pthread_join(beacons[i].thread, NULL);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
