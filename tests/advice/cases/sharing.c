/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* sharing.c: two turnstiles count who goes in and out of a stadium. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GATES 2

struct gate {
#ifdef FIXED
    _Alignas(64) uint64_t in;
#else
    uint64_t in;
#endif
    uint64_t out, members;
};

static struct gate gate[GATES];
static unsigned long people;

__attribute__((noinline)) static void gate_pass(struct gate *at, uint64_t ticket)
{
    at->in += ticket & 1; /* @ */
    at->out += ~ticket & 1; /* @ */
    at->members += ticket >> 3 & 1; /* @ */
}

static void *gate_run(void *given)
{
    struct gate *at = given;
    uint64_t ticket = (uint64_t)(at - gate) + 88172645463325252ULL;
    for (unsigned long i = 0; i < people; i++) {
        ticket = ticket * 6364136223846793005ULL + 1442695040888963407ULL;
        gate_pass(at, ticket >> 40);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    people = (unsigned long)(30000000 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_t thread[GATES];
    uint64_t in = 0, out = 0, members = 0;
    for (int i = 0; i < GATES; i++)
        if (pthread_create(&thread[i], NULL, gate_run, &gate[i]))
            return 1;
    for (int i = 0; i < GATES; i++) {
        pthread_join(thread[i], NULL);
        in += gate[i].in;
        out += gate[i].out;
        members += gate[i].members;
    }
    printf("%llu %llu %llu\n", (unsigned long long)in, (unsigned long long)out, (unsigned long long)members);
    return 0;
}
