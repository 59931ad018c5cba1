/* SPDX-License-Identifier: MIT */
/* habit.h: the same small jobs done well and done badly. Which one a stage uses is the plan's business. */
#ifndef HABIT_H
#define HABIT_H

#include <stddef.h>
struct batch;
struct image;

unsigned char *read_whole(const char *path, size_t *size);          /* the caller frees; null after a line on standard error */
unsigned char *read_bit_by_bit(const char *path, size_t *size);     /* the same with a system call for every 4 bytes */
void soften(struct image *image);                                   /* blurs each row a little, in one scratch row */
void soften_churning(struct image *image);                          /* the same with a temporary image for every row */
void tone(struct image *image);                                     /* a tone curve, by a table */
void tone_slowly(struct image *image);                              /* the same with pow and a division per value */
const struct image *reference_once(const char *folder);             /* the reference picture, decoded at first use */
const struct image *reference_again(const char *folder);            /* decoded at each use */
void pause_politely(void);
void rebuild_index(const struct batch *batch);

#endif
