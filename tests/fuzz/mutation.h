/* SPDX-License-Identifier: MIT */
/* mutation.h: damages a data file where it matters: fields of the header, the directory, heads and bodies of extents, strings; cuts it,
 * and mends parts of two files together. Every choice comes from `random`, so a seed repeats it. It must not know who reads the file. */
#ifndef MUTATION_H
#define MUTATION_H

#include <stddef.h>
#include <stdint.h>

/* Changes `bytes` (room for `capacity`) in one to six places; `other` may be null. Returns the new size. */
size_t mutation_apply(unsigned char *bytes, size_t size, size_t capacity, const unsigned char *other, size_t other_size, uint64_t *random);

/* 0 to n - 1; 0 for n 0. */
uint64_t random_below(uint64_t *random, uint64_t n);
uint64_t random_start(uint64_t seed);

#endif
