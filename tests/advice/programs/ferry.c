/* SPDX-License-Identifier: MIT */
/* A ferry's ticket office: three clerks sell tickets for crossings and note each sale in a log that must be on the disk
 * before the ticket is handed out. Prints the seats that were sold and a sum over the fares. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define CLERKS 3u
#define CROSSINGS 48u

struct office {
    pthread_mutex_t door;
    unsigned seats[CROSSINGS];
    uint64_t fares;
    int log;
};

struct clerk {
    pthread_t thread;
    unsigned number, sales;
};

static struct office office = { .door = PTHREAD_MUTEX_INITIALIZER };

static uint64_t fare(unsigned crossing, unsigned customer)
{
    uint64_t value = crossing * 977u + customer;
    for (unsigned i = 0; i < 60000; i++) value = (value ^ i) * 1099511628211ULL;
    return value % 900 + 100;
}

static void sale_note(const char *text, size_t length)
{
    if (write(office.log, text, length) != (ssize_t)length) exit(1);
    fsync(office.log);
}

static void sale_book(unsigned clerk, unsigned customer)
{
    char text[96];
    unsigned crossing = customer * 2654435761u % CROSSINGS;
    uint64_t price = fare(crossing, customer);
    int length = snprintf(text, sizeof text, "clerk %u customer %u crossing %u price %u\n", clerk, customer, crossing, (unsigned)price);
    pthread_mutex_lock(&office.door); /* @ */
    office.seats[crossing]++;
    office.fares += price;
#ifndef FIXED
    sale_note(text, (size_t)length); /* @ */
#endif
    pthread_mutex_unlock(&office.door);
#ifdef FIXED
    sale_note(text, (size_t)length);
#endif
}

static void *clerk_work(void *argument)
{
    struct clerk *clerk = argument;
    for (unsigned i = 0; i < clerk->sales; i++) sale_book(clerk->number, clerk->number * 100000 + i);
    return NULL;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    struct clerk clerks[CLERKS];
    char path[] = "ferry-log-XXXXXX";
    uint64_t seats = 0;
    office.log = mkstemp(path);
    if (office.log < 0) return 1;
    unlink(path);
    for (unsigned i = 0; i < CLERKS; i++) {
        clerks[i].number = i;
        clerks[i].sales = (unsigned)(300 * scale) + 1;
        pthread_create(&clerks[i].thread, NULL, clerk_work, &clerks[i]);
    }
    for (unsigned i = 0; i < CLERKS; i++) pthread_join(clerks[i].thread, NULL);
    for (unsigned i = 0; i < CROSSINGS; i++) seats = seats * 31 + office.seats[i];
    printf("%llu %llu\n", (unsigned long long)seats, (unsigned long long)office.fares);
    close(office.log);
    return 0;
}
