/* SPDX-License-Identifier: MIT */
/* touch.c: see touch.h. The kernel tells by mincore which pages of a block are resident, without any privilege. A page
 * that became resident while the program had the block was touched for the first time. What the allocator touches
 * before it returns is not among them: that time is the line's that called it.
 *
 * Of a line's first blocks all pages are looked at. Later a look takes a window of 512 KB in every 128 MB, the first of
 * them at random. So it takes 0.6 us for 128 MB, and its variance is 128 MB times what was touched, at most. */
#define _GNU_SOURCE
#include "memory/touch.h"
#include "system/state.h"
#include "system/syscall.h"

#include <errno.h>

#define FIRST 32u        /* blocks of a line and thread that are looked at as a whole */
#define WHOLE (4u << 20) /* bytes that one call tells then */
#define PARTS 256u       /* a window is one of so many */
#define WINDOW (512u << 10)
#define OFTEN_BITS 38         /* the logarithm of a line's and thread's bytes, after which */
#define STEP 64u              /* one block in so many is looked at */
#define LARGEST (32ull << 30) /* nobody touches most of a larger one, and the looks would take long */

/* Pages of the windows that are resident, without those at the ends, which belong to its neighbours, too. */
static uint32_t resident(const struct pp_touch *touch, const void *block, uint64_t size)
{
    uint8_t page[WHOLE / PP_PAGE];
    uint64_t mask = pp_run.page_bytes - 1, at = ((uint64_t)(uintptr_t)block + mask) & ~mask,
             high = ((uint64_t)(uintptr_t)block + size) & ~mask, window = touch->weight > 1 ? WINDOW : WHOLE;
    uint32_t found = 0;
    int kept = errno;
    for (at += touch->part * window; touch->weight && at < high; at += (touch->weight > 1 ? PARTS : 1) * window) {
        uint64_t bytes = high - at < window ? high - at : window;
        if (syscall(SYS_mincore, at, bytes, page) != 0)
            break;
        for (uint64_t k = 0; k < bytes / (mask + 1); k++)
            found += page[k] & 1;
    }
    errno = kept;
    return found;
}

struct pp_touch pp_touch_draw(uint64_t size, uint64_t blocks, uint64_t random)
{
    bool known = size >= PP_TOUCH_LEAST && size <= LARGEST && !pp_forbids(PP_FORBIDDEN_HEAP),
         all = blocks <= FIRST && size <= LARGEST / 32;
    uint16_t step = blocks * size >> OFTEN_BITS ? STEP : 1;
    struct pp_touch touch = { .weight = known ? all ? 1 : PARTS * step : 0,
                              .part = all ? 0 : random % PARTS,
                              .process = (uint16_t)pp_run.header->pid };
    if ((uint64_t)touch.part * WINDOW >= size || (random >> 32 & (step - 1)))
        touch.weight = 0;
    return touch;
}

struct pp_touch pp_touch_begin(const void *block, uint64_t size, uint64_t blocks, uint64_t random)
{
    struct pp_touch touch = pp_touch_draw(size, blocks, random);
    touch.resident_pages = resident(&touch, block, size);
    return touch;
}

uint64_t pp_touch_end(const struct pp_touch *touch, const void *block, uint64_t size)
{
    if (!touch->weight || touch->process != (uint16_t)pp_run.header->pid || pp_forbids(PP_FORBIDDEN_HEAP))
        return 0;
    uint32_t pages = resident(touch, block, size), before = touch->resident_pages;
    return pages > before ? (uint64_t)touch->weight * (pages - before) * pp_run.page_bytes : 0;
}
