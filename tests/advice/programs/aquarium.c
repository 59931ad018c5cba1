/* SPDX-License-Identifier: MIT */
/* An aquarium: keepers feed fish and tell a slow display over a socket what they did. The tanks' table has a lock.
 * Prints how often each tank was fed. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define KEEPERS 4u
#define TANKS 16u

static struct {
    pthread_mutex_t lock;
    unsigned fed[TANKS];
    unsigned grams;
} tanks = { .lock = PTHREAD_MUTEX_INITIALIZER };

struct keeper {
    pthread_t thread;
    unsigned number, rounds;
    int display, far;
    uint64_t work;
};

static void *display_run(void *context)
{
    struct keeper *keeper = context;
    char message[32];
    while (read(keeper->far, message, sizeof message) == (ssize_t)sizeof message) {
        struct timespec slow = { 0, 1500000 };
        nanosleep(&slow, NULL);
        if (write(keeper->far, "k", 1) != 1) break;
    }
    return NULL;
}

static void display_tell(const struct keeper *keeper, unsigned tank)
{
    char message[32] = "fed", answer;
    message[8] = (char)('a' + tank);
    if (write(keeper->display, message, sizeof message) != (ssize_t)sizeof message) exit(1);
    if (read(keeper->display, &answer, 1) != 1) exit(1); /* @ */
}

static uint64_t food_mix(unsigned seed)
{
    uint64_t food = seed * 2654435761u + 1;
    for (unsigned i = 0; i < 60000; i++) food = (food ^ i) * 1099511628211u;
    return food;
}

static void *keeper_run(void *context)
{
    struct keeper *keeper = context;
    for (unsigned round = 0; round < keeper->rounds; round++) {
        unsigned tank = (keeper->number * 5 + round * 3) % TANKS;
        keeper->work += food_mix(round) >> 60;
        pthread_mutex_lock(&tanks.lock); /* @ */
        tanks.fed[tank]++;
        tanks.grams += 3 + tank % 4;
#ifdef FIXED
        pthread_mutex_unlock(&tanks.lock);
        display_tell(keeper, tank);
#else
        display_tell(keeper, tank); /* @ */
        pthread_mutex_unlock(&tanks.lock);
#endif
    }
    return NULL;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    struct keeper keeper[KEEPERS] = { 0 };
    pthread_t display[KEEPERS];
    for (unsigned i = 0; i < KEEPERS; i++) {
        int pair[2];
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
        keeper[i] = (struct keeper){ .number = i, .rounds = (unsigned)(120 * scale) + 1, .display = pair[0], .far = pair[1] };
        if (pthread_create(&display[i], NULL, display_run, &keeper[i])) return 1;
        if (pthread_create(&keeper[i].thread, NULL, keeper_run, &keeper[i])) return 1;
    }
    uint64_t work = 0;
    for (unsigned i = 0; i < KEEPERS; i++) {
        pthread_join(keeper[i].thread, NULL);
        close(keeper[i].display);
        pthread_join(display[i], NULL);
        work += keeper[i].work;
    }
    for (unsigned i = 0; i < TANKS; i++) printf("%u ", tanks.fed[i]);
    printf("%u %llu\n", tanks.grams, (unsigned long long)work);
    return 0;
}
