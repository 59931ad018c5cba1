/* SPDX-License-Identifier: MIT */
/* A relay: packets come from one socket, are opened layer by layer, and their contents are checked and counted. Both
 * ends are in this process. Prints how many bytes each channel had, and a sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PACKET 60000u
#define CHANNELS 8u

struct outer {
    uint32_t length, version;
};

struct inner {
    uint32_t channel, length;
};

static uint64_t bytes_by_channel[CHANNELS];
static uint64_t sum;

static void packet_make(uint8_t *packet, unsigned number)
{
    struct outer outer = { PACKET - sizeof outer, 3 };
    struct inner inner = { number % CHANNELS, PACKET - sizeof outer - sizeof inner };
    memcpy(packet, &outer, sizeof outer);
    memcpy(packet + sizeof outer, &inner, sizeof inner);
    for (unsigned i = 64; i < PACKET; i += 32) packet[i] = (uint8_t)(i * 3 + number);
}

static void content_take(const uint8_t *content, const struct inner *inner)
{
    uint64_t h = inner->channel;
    for (unsigned i = 0; i + 8 <= inner->length; i += 32) {
        uint64_t piece;
        memcpy(&piece, content + i, 8);
        h = (h ^ piece) * 0x9e3779b97f4a7c15ULL;
    }
    sum += h >> 8;
    bytes_by_channel[inner->channel % CHANNELS] += inner->length;
}

#ifdef FIXED
static void inner_open(const uint8_t *packet)
{
    struct inner inner;
    memcpy(&inner, packet, sizeof inner);
    content_take(packet + sizeof inner, &inner);
}

static void outer_open(const uint8_t *packet)
{
    struct outer outer;
    memcpy(&outer, packet, sizeof outer);
    if (outer.version == 3) inner_open(packet + sizeof outer);
}
#else
static void inner_open(const uint8_t *packet)
{
    static uint8_t content[PACKET], checked[PACKET];
    struct inner inner;
    memcpy(&inner, packet, sizeof inner);
    memcpy(content, packet + sizeof inner, inner.length); /* @ */
    memcpy(checked, content, inner.length); /* @ */
    content_take(checked, &inner);
}

static void outer_open(const uint8_t *packet)
{
    static uint8_t payload[PACKET], body[PACKET];
    struct outer outer;
    memcpy(&outer, packet, sizeof outer);
    if (outer.version != 3) return;
    memcpy(payload, packet + sizeof outer, outer.length); /* @ */
    memcpy(body, payload, outer.length); /* @ */
    inner_open(body);
}
#endif

static int packet_receive(int fd, uint8_t *packet)
{
    return recv(fd, packet, PACKET, MSG_WAITALL) != PACKET;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned packets = (unsigned)(38000 * scale) + 1;
    static uint8_t sent[PACKET], received[PACKET];
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
    for (unsigned i = 0; i < packets; i++) {
        packet_make(sent, i);
        if (send(pair[0], sent, PACKET, 0) != PACKET || packet_receive(pair[1], received)) return 1;
        outer_open(received);
    }
    for (unsigned i = 0; i < CHANNELS; i++) printf("%llu ", (unsigned long long)bytes_by_channel[i]);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
