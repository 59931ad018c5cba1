/* SPDX-License-Identifier: MIT */
/* journal.c compute|sleep ENTRIES LOAD FILE: one thread loads, another writes each entry in small pieces, and both meet
 * after each entry. Whether the small writes matter depends on how long loading takes. */
#include "work.h"
#include <fcntl.h>
#include <unistd.h>

static pthread_barrier_t barrier;
static int entries, file;
static double units;

PROFPLUG_STAGE("load") static void load(void) { work(units); }

PROFPLUG_STAGE("journal") static void journal(void)
{
    for (int i = 0; i < 4000; i++)
        if (write(file, "entry", 5) != 5)
            exit(3);
}

static void *writer(void *unused)
{
    for (int i = 0; i < entries; i++) {
        journal();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_choose(argv[1]);
    entries = atoi(argv[2]);
    units = atof(argv[3]);
    file = open(argv[4], O_WRONLY | O_CREAT | O_TRUNC, 0600);
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, writer, NULL);
    PROFPLUG_LOOP("entries")
    for (int i = 0; i < entries; i++) {
        load();
        pthread_barrier_wait(&barrier);
    }
    pthread_join(thread, NULL);
    return 0;
}
