/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* shows: memmove( first++ */
/* copies.c: a queue of events, worked off in order. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct event {
    uint64_t at, kind;
    char note[48];
};
struct queue {
    struct event *event;
    size_t count, capacity, first;
};

static void queue_add(struct queue *q, uint64_t at, uint64_t kind)
{
    if (q->first + q->count == q->capacity) {
        if (q->first)
            memmove(q->event, q->event + q->first, q->count * sizeof *q->event);
        else
            q->event = realloc(q->event, (q->capacity = 2 * q->capacity + 64) * sizeof *q->event);
        q->first = 0;
    }
    struct event *e = &q->event[q->first + q->count++];
    e->at = at;
    e->kind = kind;
    memcpy(e->note, "event", 6);
}

static struct event queue_take(struct queue *q)
{
    struct event e = q->event[q->first];
    q->count--;
#ifndef FIXED
    memmove(q->event, q->event + 1, q->count * sizeof *q->event); /* @ */
#else
    q->first++;
#endif
    return e;
}

static uint64_t event_handle(const struct event *e)
{
    uint64_t value = e->at;
    for (int i = 0; i < 400; i++)
        value = (value ^ value >> 7) * 0x9e3779b97f4a7c15u + e->kind;
    return value;
}

int main(int argc, char **argv)
{
    size_t events = (size_t)(120000 * (argc > 1 ? atof(argv[1]) : 1));
    struct queue q = { 0 };
    uint64_t sum = 0;
    for (size_t i = 0; i < 1000; i++)
        queue_add(&q, i, i % 3);
    for (size_t i = 0; i < events; i++) {
        struct event e = queue_take(&q);
        sum += event_handle(&e);
        queue_add(&q, e.at + 17, sum % 3);
    }
    printf("%zu left, %lx\n", q.count, (unsigned long)sum);
    free(q.event);
    return 0;
}
