/* SPDX-License-Identifier: MIT */
/* An assembler's second pass: replaces names in instructions, which it makes itself, by their addresses. Prints sums
 * over the uses of names and over the code. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAMES 700u
#define SLOTS 2048u

struct symbol {
    struct symbol *next;
    char name[24];
    uint32_t address, uses;
};

static struct symbol symbols[NAMES];

#ifdef FIXED
static struct symbol *slots[SLOTS];
#else
static struct symbol *all;
#endif

#ifdef FIXED
static struct symbol **list_of(const char *name)
{
    uint32_t h = 2166136261u;
    while (*name) h = (h ^ (uint8_t)*name++) * 16777619u;
    return &slots[(h ^ h >> 16) % SLOTS];
}
#else
static struct symbol **list_of(const char *name)
{
    (void)name;
    return &all;
}
#endif

static void symbols_define(void)
{
    for (unsigned i = 0; i < NAMES; i++) {
        struct symbol *symbol = &symbols[i];
        snprintf(symbol->name, sizeof symbol->name, "label_%u_%s", i * 7919 % NAMES, i % 3 ? "loop" : "end");
        symbol->address = i * 24;
        struct symbol **list = list_of(symbol->name);
        symbol->next = *list;
        *list = symbol;
    }
}

static struct symbol *symbol_find(const char *name)
{
    for (struct symbol *symbol = *list_of(name); symbol; symbol = symbol->next) /* @ */
        if (!strcmp(symbol->name, name)) return symbol; /* @ */
    return NULL;
}

static uint64_t instruction_encode(unsigned number, uint32_t address)
{
    uint64_t code = (uint64_t)(number & 63) << 58 | address;
    for (int i = 0; i < 500; i++) code = (code ^ code >> 31) * 0x7fb5d329728ea185ULL;
    return code;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned instructions = (unsigned)(340000 * scale) + 1;
    uint64_t sum = 0, uses = 0;
    symbols_define();
    for (unsigned i = 0; i < instructions; i++) {
        char operand[24];
        strcpy(operand, symbols[i * 2654435761u % NAMES].name);
        struct symbol *symbol = symbol_find(operand);
        if (!symbol) return 1;
        symbol->uses++;
        sum ^= instruction_encode(i, symbol->address);
    }
    for (unsigned i = 0; i < NAMES; i++) uses = uses * 31 + symbols[i].uses;
    printf("%llu %llu\n", (unsigned long long)uses, (unsigned long long)sum);
    return 0;
}
