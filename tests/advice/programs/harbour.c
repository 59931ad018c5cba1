/* SPDX-License-Identifier: MIT */
/* A harbour's server tells ships which berth is free: ships call by TCP, one line a question, one line an answer. The
 * ships are a forked process. Prints the questions that were answered and a sum over the berths. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define BERTHS 512u

struct call {
    int socket;
    size_t begin, end;
    char bytes[4096];
};

static uint32_t berths[BERTHS];

static int call_byte(struct call *call)
{
#ifdef FIXED
    if (call->begin == call->end) {
        ssize_t got = recv(call->socket, call->bytes, sizeof call->bytes, 0);
        if (got <= 0) return -1;
        call->begin = 0;
        call->end = (size_t)got;
    }
    return (unsigned char)call->bytes[call->begin++];
#else
    unsigned char byte;
    return recv(call->socket, &byte, 1, 0) == 1 ? byte : -1; /* @ */
#endif
}

static int call_line(struct call *call, char *line, size_t room)
{
    size_t length = 0;
    for (int byte; (byte = call_byte(call)) >= 0 && length + 1 < room; line[length++] = (char)byte)
        if (byte == '\n') {
            line[length] = '\0';
            return 1;
        }
    return 0;
}

static unsigned berth_find(unsigned length, unsigned draught)
{
    unsigned best = 0;
    uint32_t least = ~0u;
    for (unsigned i = 0; i < BERTHS; i++) {
        uint32_t cost = (berths[i] ^ length * 31) * 2654435761u + draught;
        if (cost < least) {
            least = cost;
            best = i;
        }
    }
    berths[best] += length;
    return best;
}

static void ships_call(int port, unsigned questions)
{
    struct sockaddr_in where = { .sin_family = AF_INET, .sin_port = (in_port_t)port, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    int line = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(line, (struct sockaddr *)&where, sizeof where)) _exit(1);
    FILE *answers = fdopen(dup(line), "r");
    for (unsigned i = 0; i < questions; i += 20) {
        char text[2048], answer[64];
        int length = 0;
        for (unsigned k = i; k < i + 20; k++)
            length += snprintf(text + length, sizeof text - (size_t)length, "BERTH ship-%05u length %u draught %u\n", k, 40 + k % 200, 3 + k % 9);
        if (send(line, text, (size_t)length, 0) != length) _exit(1);
        for (unsigned k = 0; k < 20; k++)
            if (!fgets(answer, sizeof answer, answers)) _exit(1);
    }
    _exit(0);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned questions = (unsigned)(1000 * scale + 1) * 20, served = 0;
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof here;
    int quay = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(quay, (struct sockaddr *)&here, sizeof here) || listen(quay, 4) || getsockname(quay, (struct sockaddr *)&here, &size)) return 1;
    pid_t ships = fork();
    if (!ships) ships_call(here.sin_port, questions);
    struct call call = { .socket = accept(quay, NULL, NULL) };
    char line[128], answers[2048];
    uint64_t sum = 0;
    int filled = 0;
    while (call_line(&call, line, sizeof line)) {
        unsigned ship, length, draught;
        if (sscanf(line, "BERTH ship-%u length %u draught %u", &ship, &length, &draught) != 3) break;
        unsigned berth = berth_find(length, draught);
        sum = sum * 31 + berth;
        filled += snprintf(answers + filled, sizeof answers - (size_t)filled, "ship-%05u berth %u\n", ship, berth);
        if (++served % 20) continue;
        if (send(call.socket, answers, (size_t)filled, 0) != filled) break;
        filled = 0;
    }
    waitpid(ships, NULL, 0);
    printf("%u %llu\n", served, (unsigned long long)sum);
    return 0;
}
