/* SPDX-License-Identifier: MIT */
/* program.h: what the files of the specimen program call in each other. It exists to be disassembled, not to be useful. */
#ifndef PROGRAM_H
#define PROGRAM_H
#include <stddef.h>
#include <stdint.h>

struct entry { char *key; int value; uint32_t hash; struct entry *next; };
struct store { struct entry **bucket; size_t buckets, count; };

uint32_t first_in_text(const char *text);
void store_open(struct store *store);
int *store_at(struct store *store, const char *key);
int store_remove(struct store *store, const char *key);
size_t store_sum(const struct store *store, long *sum);
void store_close(struct store *store);
void sort(int *item, size_t count);
double matrix_run(size_t size, uint32_t seed);
void blur(unsigned char *pixel, int width, int height, int radius);
long evaluate(const char *expression, struct store *variables);
size_t words(const char *text, struct store *store);
uint64_t rotate_sum(const uint64_t *item, size_t count);
#endif
