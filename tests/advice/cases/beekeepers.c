/* SPDX-License-Identifier: MIT */
/* rule: smallwrites */
/* libraries: -pthread */
/* sizes: 0.3 1 */
/* does: one call */
/* says: sends */
/* beekeepers.c: weights of hives go over TCP to a collector that sums them and never answers: a head, a name and the
 * weights, each by a send of its own. The twin puts messages together. */
#include <arpa/inet.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct head {
    uint32_t kind, bytes;
};

static int listening, way;
static uint64_t sum;

static void *weights_collect(void *nothing)
{
    static unsigned char block[1 << 16];
    int from = accept(listening, NULL, NULL);
    for (ssize_t n; (n = recv(from, block, sizeof block, 0)) > 0;)
        for (ssize_t i = 0; i < n; i++)
            sum += block[i];
    close(from);
    return nothing;
}

static int piece_send(const void *piece, size_t bytes)
{
#ifdef FIXED
    static char together[1 << 15];
    static size_t used;
    if (!piece || used + bytes > sizeof together) {
        if (send(way, together, used, 0) != (ssize_t)used)
            return 1;
        used = 0;
    }
    if (piece)
        memcpy(together + used, piece, bytes);
    used += bytes;
    return 0;
#else
    return piece && send(way, piece, bytes, 0) != (ssize_t)bytes; /* @ */
#endif
}

static int hive_send(uint32_t hive)
{
    char name[24] = "hive 00000";
    float weight[16];
    for (int i = 9, left = (int)hive; i > 4; i--, left /= 10)
        name[i] = (char)('0' + left % 10);
    for (int i = 0; i < 16; i++)
        weight[i] = (float)(hive % 97 + i) * 0.5f;
    struct head head = { 7, sizeof name + sizeof weight };
    return piece_send(&head, sizeof head) || piece_send(name, sizeof name) || piece_send(weight, sizeof weight);
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(100000 * (argc > 1 ? atof(argv[1]) : 1));
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t bytes = sizeof at;
    pthread_t collector;
    int bad = 0;
    listening = socket(AF_INET, SOCK_STREAM, 0);
    way = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listening, (struct sockaddr *)&at, sizeof at) || listen(listening, 1) ||
        getsockname(listening, (struct sockaddr *)&at, &bytes) ||
        pthread_create(&collector, NULL, weights_collect, NULL) || connect(way, (struct sockaddr *)&at, sizeof at))
        return 1;
    for (unsigned i = 0; i < count; i++)
        bad |= hive_send(i % 90000);
    bad |= piece_send(NULL, 0);
    shutdown(way, SHUT_WR);
    pthread_join(collector, NULL);
    printf("%llu %d\n", (unsigned long long)sum, bad);
    return 0;
}
