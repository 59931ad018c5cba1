/* SPDX-License-Identifier: MIT */
/* rule: locks */
/* libraries: -pthread */
/* sizes: 0.3 1 3 */
/* lockedreads.c: two clerks take readings from a slow device each, and add them to one sum. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define CLERKS 2

static struct device {
    int question[2], answer[2];
    uint32_t number;
} device[CLERKS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t sum;
static unsigned readings;

static void *device_answer(void *argument)
{
    struct device *d = argument;
    char which;
    while (read(d->question[0], &which, 1) == 1) {
        uint32_t value = d->number++ * 2654435761u;
        usleep(1500);
        if (write(d->answer[1], &value, sizeof value) != sizeof value)
            break;
    }
    return NULL;
}

static uint32_t device_ask(struct device *d)
{
    uint32_t value = 0;
    if (write(d->question[1], "?", 1) != 1 || read(d->answer[0], &value, sizeof value) != sizeof value)
        exit(1);
    return value;
}

static void *clerk(void *argument)
{
    for (unsigned i = 0; i < readings; i++) {
#ifdef FIXED
        uint32_t value = device_ask(argument);
        pthread_mutex_lock(&lock);
        sum += value;
#else
        pthread_mutex_lock(&lock); /* @ */
        sum += device_ask(argument); /* @ */
#endif
        pthread_mutex_unlock(&lock);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t clerks[CLERKS], devices[CLERKS];
    readings = (unsigned)(200 * (argc > 1 ? atof(argv[1]) : 1));
    for (int i = 0; i < CLERKS; i++)
        if (pipe(device[i].question) || pipe(device[i].answer) ||
            pthread_create(&devices[i], NULL, device_answer, &device[i]) ||
            pthread_create(&clerks[i], NULL, clerk, &device[i]))
            return 1;
    for (int i = 0; i < CLERKS; i++) {
        pthread_join(clerks[i], NULL);
        close(device[i].question[1]);
        pthread_join(devices[i], NULL);
    }
    printf("%u readings, %llu\n", readings * CLERKS, (unsigned long long)sum);
    return 0;
}
