/* SPDX-License-Identifier: MIT */
/* touch.h: how much of a large block the program touches for the first time, each page of which is a page fault. It
 * must not know who asked for the block. */
#ifndef PP_TOUCH_H
#define PP_TOUCH_H

#include "rt.h"

#define PP_TOUCH_LEAST (128u << 10) /* smaller blocks are not looked at */

/* Of a block that was just got: which windows of it are looked at, and what of them is resident. */
struct pp_touch {
    uint16_t weight;  /* how many windows each of them stands for; 0: nobody looks */
    uint8_t part;     /* the first one's number */
    uint16_t process; /* that looked, its number's last bits: a fork's child has not touched its parent's pages */
    uint32_t resident_pages;
};
/* blocks: how many the line has asked for in this thread. */
struct pp_touch pp_touch_begin(const void *block, uint64_t size, uint64_t blocks, uint64_t random);
/* The same of one of which nothing was resident. */
struct pp_touch pp_touch_draw(uint64_t size, uint64_t blocks, uint64_t random);
/* Before it is given back, or at the end: bytes that were touched since, for all that it stands for. */
uint64_t pp_touch_end(const struct pp_touch *touch, const void *block, uint64_t size);
/* mapping.c: at the end of the run, books what was touched of memory that is mapped. */
void pp_mapping_end(void);

#endif
