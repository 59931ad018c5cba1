/* SPDX-License-Identifier: MIT */
/* A quarry's weighbridge: each cart is weighed, described and written down; the day's summary needs the newest cart
 * alone. Prints the stone that left the quarry and a sum over the descriptions. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cart {
    unsigned weight, stones;
    uint16_t *sizes;
    char *driver;
};

struct bridge {
    struct cart *now;
    uint64_t weight;
};

static struct cart *cart_weigh(unsigned number)
{
    struct cart *cart = malloc(sizeof *cart);
    char name[32];
    if (!cart) exit(1);
    cart->stones = 900 + number % 300;
    cart->sizes = malloc(cart->stones * sizeof *cart->sizes); /* @ */
    snprintf(name, sizeof name, "driver %u", number % 40);
    cart->driver = strdup(name);
    if (!cart->sizes || !cart->driver) exit(1);
    cart->weight = 0;
    for (unsigned i = 0; i < cart->stones; i++) {
        cart->sizes[i] = (uint16_t)(number * 31 + i * 7);
        cart->weight += cart->sizes[i] & 63;
    }
    return cart;
}

static void cart_leave(struct cart *cart)
{
    if (!cart) return;
#ifdef FIXED
    free(cart->sizes);
#endif
    free(cart->driver);
    free(cart);
}

static void bridge_pass(struct bridge *bridge, struct cart *cart)
{
    cart_leave(bridge->now);
    bridge->now = cart;
    bridge->weight += cart->weight;
}

static uint64_t stone_grade(const struct cart *cart)
{
    uint64_t grade = 0;
    for (unsigned i = 0; i < cart->stones; i += 3) grade = (grade ^ cart->sizes[i]) * 1099511628211ULL;
    return grade >> 40;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned carts = (unsigned)(70000 * scale) + 1;
    struct bridge bridge = { 0 };
    uint64_t grades = 0;
    for (unsigned i = 0; i < carts; i++) {
        bridge_pass(&bridge, cart_weigh(i));
        grades += stone_grade(bridge.now);
    }
    printf("%llu %llu\n", (unsigned long long)bridge.weight, (unsigned long long)grades);
    cart_leave(bridge.now);
    return 0;
}
