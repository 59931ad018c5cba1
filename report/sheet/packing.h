/* SPDX-License-Identifier: MIT */
/* packing.h: bytes as raw deflate in base64, as a block of the page holds them. It must not know what they mean. */
#ifndef PROFPLUG_PACKING_H
#define PROFPLUG_PACKING_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Bytes that grow. Zeros are an empty one; free `byte`. */
struct bytes {
    unsigned char *byte;
    size_t count, capacity;
};
void bytes_add(struct bytes *to, const void *more, size_t count);
void bytes_number(struct bytes *to, uint64_t value); /* seven bits a byte, the lowest first */

/* Files of packed bytes, one after the other, each written piece by piece. Its tables are large: one serves a page. */
struct packing;
struct packing *packing_make(FILE *out);
void packing_add(struct packing *packing, const void *more, size_t count);
void packing_end(struct packing *packing); /* of this file; the next one may follow */
void packing_free(struct packing *packing);

void base64_write(FILE *out, const void *bytes, size_t count);

#endif
