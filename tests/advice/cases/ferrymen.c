/* SPDX-License-Identifier: MIT */
/* rule: roundtrips */
/* sizes: 0.5 1 3 */
/* base: 5 */
/* libraries: -pthread */
/* most: 55 */
/* least: 20 */
/* ferrymen.c: a harbour asks four pilots in turn for depths, and draws them. Both ends read by one function, and each
 * pilot waits until it is his turn: that is no wait for an answer. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PILOTS 4
#define DEPTHS 256

static int ends[PILOTS][2];

static int take(int fd, void *to, size_t bytes)
{
    size_t had = 0;
    for (ssize_t got; had < bytes; had += (size_t)got)
        if ((got = read(fd, (char *)to + had, bytes - had)) <= 0) /* @ */
            return 0;
    return 1;
}

static void *pilot_sound(void *of)
{
    int fd = *(int *)of;
    uint32_t place, depth[DEPTHS];
    while (take(fd, &place, sizeof place)) {
        struct timespec line = { 0, 4000000 };
        nanosleep(&line, NULL); /* the lead goes down */
        for (uint32_t i = 0; i < DEPTHS; i++)
            depth[i] = (place * 17 + i) * 2654435761u >> 22;
        if (write(fd, depth, sizeof depth) != sizeof depth)
            break;
    }
    return NULL;
}

static void ask(uint32_t place)
{
    if (write(ends[place % PILOTS][0], &place, sizeof place) != sizeof place)
        exit(1);
}

int main(int argc, char **argv)
{
    uint32_t places = (uint32_t)(60 * (argc > 1 ? atof(argv[1]) : 1)), chart = 9, depth[DEPTHS];
    pthread_t pilot[PILOTS];
    for (unsigned p = 0; p < PILOTS; p++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[p]) || pthread_create(&pilot[p], NULL, pilot_sound, &ends[p][1]))
            return 1;
#ifdef FIXED
    for (uint32_t place = 0; place < PILOTS && place < places; place++)
        ask(place);
#endif
    for (uint32_t place = 0; place < places; place++) {
#ifndef FIXED
        ask(place);
#endif
        if (!take(ends[place % PILOTS][0], depth, sizeof depth))
            return 1;
#ifdef FIXED
        if (place + PILOTS < places)
            ask(place + PILOTS);
#endif
        for (uint32_t pass = 0; pass < 16000; pass++)
            for (uint32_t i = 0; i < DEPTHS; i++)
                chart = chart * 31 + (depth[i] ^ pass);
    }
    for (unsigned p = 0; p < PILOTS; p++) {
        close(ends[p][0]);
        pthread_join(pilot[p], NULL);
    }
    printf("%u places, %08x\n", places, chart);
    return 0;
}
