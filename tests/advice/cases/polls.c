/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* polls.c: a scanner thread puts its finds on a list; the main thread takes them off, and looks at its control pipe. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct find {
    uint32_t place, value;
};

static struct scanner {
    pthread_mutex_t lock;
    struct find find[64];
    uint32_t put, taken;
    int control[2];
    uint32_t wanted;
} scanner = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint32_t place_scan(uint32_t place)
{
    uint32_t value = place;
    for (uint32_t i = 0; i < 300000; i++)
        value = value * 22695477 + (value >> 11);
    return value;
}

static void *scanner_run(void *of)
{
    struct scanner *s = of;
    for (uint32_t next = 0;; next++) {
        char go;
        if (read(s->control[0], &go, 1) != 1 || go == 'q')
            break;
        struct find f = { next, place_scan(next) };
        pthread_mutex_lock(&s->lock);
        s->find[s->put++ % 64] = f;
        pthread_mutex_unlock(&s->lock);
#ifdef FIXED
        if (write(s->wanted, "f", 1) != 1)
            break;
#endif
    }
    return NULL;
}

static uint32_t find_take(struct scanner *s, int control)
{
    struct pollfd watched = { control, POLLIN, 0 };
    for (;;) {
        uint32_t value = 0, found;
        pthread_mutex_lock(&s->lock);
        found = s->taken < s->put;
        if (found)
            value = s->find[s->taken++ % 64].value;
        pthread_mutex_unlock(&s->lock);
        if (found)
            return value;
        char what;
        if (poll(&watched, 1, 4) > 0 && read(control, &what, 1) == 1 && what == 'x') /* @ */
            return 0;
    }
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(150 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    int control[2];
    pthread_t thread;
    if (pipe(control) || pipe(scanner.control))
        return 1;
    scanner.wanted = (uint32_t)control[1];
    pthread_create(&thread, NULL, scanner_run, &scanner);
    for (uint32_t i = 0; i < count; i++) {
        if (write(scanner.control[1], "g", 1) != 1)
            return 1;
        sum ^= find_take(&scanner, control[0]);
    }
    if (write(scanner.control[1], "q", 1) != 1)
        return 1;
    pthread_join(thread, NULL);
    printf("%u places, %08x\n", count, sum);
    return 0;
}
