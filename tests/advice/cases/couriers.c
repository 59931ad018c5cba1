/* SPDX-License-Identifier: MIT */
/* rule: serialthreads */
/* neither: roundtrips */
/* sizes: 0.5 1 3 */
/* libraries: -pthread */
/* kind: bound */
/* least: 40 */
/* couriers.c: for each order a courier asks each depot what it has. Depots are slow, and both ends read by one
 * function. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DEPOTS 5
#define GOODS 300

struct errand {
    int fd;
    uint32_t order, stock[GOODS];
};

static int ends[DEPOTS][2];

static int take(int fd, void *to, size_t bytes)
{
    size_t had = 0;
    for (ssize_t got; had < bytes; had += (size_t)got)
        if ((got = read(fd, (char *)to + had, bytes - had)) <= 0)
            return 0;
    return 1;
}

static void *depot_keep(void *of)
{
    int fd = *(int *)of;
    uint32_t order, stock[GOODS];
    while (take(fd, &order, sizeof order)) {
        struct timespec away = { 0, 9000000 };
        nanosleep(&away, NULL); /* the storeman looks at the shelves */
        for (uint32_t i = 0; i < GOODS; i++)
            stock[i] = (order * 31 + i) * 2654435761u >> 20;
        if (write(fd, stock, sizeof stock) != sizeof stock)
            break;
    }
    return NULL;
}

static void *courier_go(void *of)
{
    struct errand *errand = of;
    if (write(errand->fd, &errand->order, sizeof errand->order) != sizeof errand->order)
        return NULL;
    take(errand->fd, errand->stock, sizeof errand->stock);
    return NULL;
}

static uint32_t order_price(const struct errand *errand)
{
    uint32_t price = 7;
    for (unsigned pass = 0; pass < 900; pass++)
        for (unsigned d = 0; d < DEPOTS; d++)
            for (unsigned i = 0; i < GOODS; i++)
                price = price * 31 + (errand[d].stock[i] ^ pass);
    return price;
}

static uint32_t order_fill(uint32_t order, struct errand *errand)
{
    pthread_t courier[DEPOTS];
    for (unsigned d = 0; d < DEPOTS; d++) {
        errand[d].fd = ends[d][0];
        errand[d].order = order;
        pthread_create(&courier[d], NULL, courier_go, &errand[d]);
#ifndef FIXED
        pthread_join(courier[d], NULL); /* @ */
#endif
    }
#ifdef FIXED
    for (unsigned d = 0; d < DEPOTS; d++)
        pthread_join(courier[d], NULL);
#endif
    return order_price(errand);
}

int main(int argc, char **argv)
{
    uint32_t orders = (uint32_t)(16 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    pthread_t keeper[DEPOTS];
    struct errand errand[DEPOTS];
    for (unsigned d = 0; d < DEPOTS; d++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends[d]) || pthread_create(&keeper[d], NULL, depot_keep, &ends[d][1]))
            return 1;
    for (uint32_t i = 0; i < orders; i++)
        sum = sum * 5 + order_fill(i, errand);
    for (unsigned d = 0; d < DEPOTS; d++) {
        close(ends[d][0]);
        pthread_join(keeper[d], NULL);
    }
    printf("%u orders, %08x\n", orders, sum);
    return 0;
}
