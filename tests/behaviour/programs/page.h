/* SPDX-License-Identifier: MIT */
/* page.h: what a test program itself knows of its calls, in a page that outlives it: one row per thread, counted after the
 * probe of the function, so that a data file may be one call ahead in each thread that was stopped, and never behind. */
#ifndef PAGE_H
#define PAGE_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>
#include <profplug.h>

#define QUIET __attribute__((no_instrument_function))
#define KEEP __attribute__((noinline, noclone, noipa))

enum { PAGE_SMALL, PAGE_FRAMED, PAGE_STAGE, PAGE_HANDLER, PAGE_TRIPS, PAGE_COLUMNS, PAGE_ROWS = 256 };
struct page { _Atomic uint64_t rows, reserved[7], count[PAGE_ROWS][8]; };
static struct page *page;
static __thread unsigned page_row;

QUIET static inline void page_open(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT, 0666);
    if (fd < 0 || ftruncate(fd, sizeof *page) || (page = mmap(0, sizeof *page, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0)) == MAP_FAILED)
        _exit(98);
    close(fd);
}

/* Without the C library, so that it serves in every place: a handler, a child of vfork. */
QUIET static inline void page_count(int column)
{
    if (!page_row)
        page_row = (unsigned)(atomic_fetch_add(&page->rows, 1) % (PAGE_ROWS - 1)) + 1;
    atomic_fetch_add(&page->count[page_row][column], 1);
}

KEEP void small(void) { page_count(PAGE_SMALL); }
KEEP int framed(int n)
{
    page_count(PAGE_FRAMED);
    for (volatile int i = 0; i < n; i++) small();
    return n;
}
PROFPLUG_STAGE("staged", "compute") KEEP int staged(int n)
{
    page_count(PAGE_STAGE);
    int sum = 0;
    for (volatile int i = 0; i < n; i++) sum += framed(3);
    return sum;
}

#endif
