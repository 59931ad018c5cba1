/* SPDX-License-Identifier: MIT */
/* rule: syncs */
/* sizes: 0.3 1 3 */
/* base: 2 */
/* directwrites.c: a counter's states go to a file that is opened so that each write waits for the disk. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef FIXED
#define WAY 0
#else
#define WAY O_DSYNC
#endif

struct state {
    uint64_t number, value;
    char room[80];
};

static void state_next(struct state *state)
{
    state->number++;
    for (int i = 0; i < 2000; i++)
        state->value = (state->value ^ (uint64_t)i) * 1099511628211ULL;
}

static int state_keep(int fd, const struct state *state)
{
    return write(fd, state, sizeof *state) == (ssize_t)sizeof *state; /* @ */
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(600 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "states-XXXXXX";
    struct state state = { 0 };
    int made = mkstemp(path), fd = made < 0 ? made : open(path, O_WRONLY | WAY), good = fd >= 0;
    for (unsigned i = 0; i < count && good; i++) {
        state_next(&state);
        good = state_keep(fd, &state);
    }
    good = good && fdatasync(fd) == 0;
    unlink(path);
    printf("%u states, %llx\n", count, (unsigned long long)state.value);
    return !good;
}
