/* SPDX-License-Identifier: MIT */
/* A gateway: gives each request to the backend that a table of routes names. The table is text, as it comes from the
 * operators. Prints a sum over the requests of each backend. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUTES 200u
#define BACKENDS 16u

struct route {
    char prefix[32];
    unsigned backend, weight;
};

struct routes {
    unsigned count;
    struct route route[ROUTES];
};

static char text[ROUTES * 64];
static uint64_t load[BACKENDS];

static void text_make(void)
{
    size_t length = 0;
    for (unsigned i = 0; i < ROUTES; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "route /service/%u to %u weight %u\n",
                                   i * 37 % ROUTES, i % BACKENDS, i % 7 + 1);
}

static const char *word_next(const char *at, char *word, size_t size)
{
    size_t length = 0;
    while (*at == ' ' || *at == '\n') at++;
    while (*at && *at != ' ' && *at != '\n') {
        if (length + 1 < size) word[length++] = *at;
        at++;
    }
    word[length] = 0;
    return at;
}

static void routes_parse(struct routes *routes, const char *at)
{
    char word[32];
    routes->count = 0;
    for (;;) {
        at = word_next(at, word, sizeof word);
        if (strcmp(word, "route")) break;
        struct route *route = &routes->route[routes->count++];
        at = word_next(at, route->prefix, sizeof route->prefix);
        at = word_next(at, word, sizeof word);
        at = word_next(at, word, sizeof word);
        route->backend = (unsigned)strtoul(word, NULL, 10);
        at = word_next(at, word, sizeof word);
        at = word_next(at, word, sizeof word);
        route->weight = (unsigned)strtoul(word, NULL, 10);
    }
}

static const struct route *route_find(const char *path)
{
    static struct routes routes;
#ifdef FIXED
    if (!routes.count) routes_parse(&routes, text);
#else
    routes_parse(&routes, text); /* @ */
#endif
    for (unsigned i = 0; i < routes.count; i++)
        if (!strcmp(routes.route[i].prefix, path)) return &routes.route[i];
    return NULL;
}

static uint64_t request_sign(const char *path, unsigned number)
{
    uint64_t h = number;
    for (int pass = 0; pass < 600; pass++)
        for (const char *c = path; *c; c++) h = (h ^ (uint8_t)*c) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned requests = (unsigned)(28000 * scale) + 1;
    uint64_t sum = 0;
    text_make();
    for (unsigned i = 0; i < requests; i++) {
        char path[32];
        snprintf(path, sizeof path, "/service/%u", i * 2654435761u % ROUTES);
        const struct route *route = route_find(path);
        if (!route) return 1;
        load[route->backend] += request_sign(path, i) % 1000 * route->weight;
    }
    for (unsigned i = 0; i < BACKENDS; i++) sum = sum * 31 + load[i];
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
