/* SPDX-License-Identifier: MIT */
/* An auction hall: a clerk converts bids that come in foreign money, at a rate that a bank quotes; an auctioneer calls
 * lots. Both know the state of the hall. Prints the sums of both. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define LOTS 500u

static struct hall {
    pthread_mutex_t state;
    uint64_t bid[LOTS];
    uint64_t called;
} hall = { .state = PTHREAD_MUTEX_INITIALIZER };

static int to_bank[2], from_bank[2];
static unsigned bids, calls;

/* The bank: each quote takes a while. */
static void *bank_open(void *unused)
{
    uint32_t money;
    while (read(to_bank[0], &money, sizeof money) == sizeof money) {
        struct timespec takes = { 0, 900000 };
        nanosleep(&takes, NULL);
        money = 100 + money * 2654435761u % 57;
        if (write(from_bank[1], &money, sizeof money) != sizeof money) break;
    }
    return unused;
}

static uint32_t rate_of(uint32_t money)
{
    uint32_t rate;
    if (write(to_bank[1], &money, sizeof money) != sizeof money) return 0;
    if (read(from_bank[0], &rate, sizeof rate) != sizeof rate) return 0; /* @ */
    return rate;
}

static void *clerk_work(void *unused)
{
    for (unsigned i = 0; i < bids; i++) {
        unsigned lot = i * 7 % LOTS;
#ifdef FIXED
        uint32_t rate = rate_of(i);
        pthread_mutex_lock(&hall.state);
#else
        pthread_mutex_lock(&hall.state); /* @ */
        uint32_t rate = rate_of(i); /* @ */
#endif
        hall.bid[lot] += rate * (i % 31 + 1);
        pthread_mutex_unlock(&hall.state);
        uint64_t h = i;
        for (unsigned k = 0; k < 400000; k++) h = (h ^ k) * 1099511628211ULL;
        if (h == 42) puts("never");
    }
    return unused;
}

static void *auctioneer_work(void *unused)
{
    uint64_t h = 1;
    for (unsigned i = 0; i < calls; i++) {
        for (unsigned k = 0; k < 300000; k++) h = (h ^ k) * 1099511628211ULL;
        pthread_mutex_lock(&hall.state);
        hall.called += h >> 60;
        pthread_mutex_unlock(&hall.state);
    }
    return unused;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    pthread_t bank, clerk, auctioneer;
    uint64_t sum = 0;
    bids = (unsigned)(400 * scale) + 1;
    calls = (unsigned)(1300 * scale) + 1;
    if (pipe(to_bank) || pipe(from_bank)) return 1;
    pthread_create(&bank, NULL, bank_open, NULL);
    pthread_create(&clerk, NULL, clerk_work, NULL);
    pthread_create(&auctioneer, NULL, auctioneer_work, NULL);
    pthread_join(clerk, NULL);
    pthread_join(auctioneer, NULL);
    close(to_bank[1]);
    pthread_join(bank, NULL);
    for (unsigned i = 0; i < LOTS; i++) sum = sum * 31 + hall.bid[i];
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)hall.called);
    return 0;
}
