/* SPDX-License-Identifier: MIT */
/* resources.c: blocks and bytes allocated and freed, bytes and operations read and written, stage by stage, as constructed. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

static void *kept[1000];
static void *volatile box;      /* keeps the pairs of malloc and free in the program */

PROFPLUG_STAGE("keep", "memory") static __attribute__((noinline)) void keep(void)
{
    for (int i = 0; i < 1000; i++)
        kept[i] = malloc((size_t)(i % 10 + 1) * 100);
}

PROFPLUG_STAGE("drop", "memory") static __attribute__((noinline)) void drop(void)
{
    for (int i = 0; i < 1000; i++)
        free(kept[i]);
}

PROFPLUG_STAGE("churn", "memory") static __attribute__((noinline)) void churn(void)
{
    for (int i = 0; i < 5000; i++) {
        box = malloc(1000);
        free(box);
    }
}

PROFPLUG_STAGE("kin", "memory") static __attribute__((noinline)) void kin(void)
{
    void *aligned;
    box = calloc(30, 70);                   /* 2,100 */
    free(box);
    box = aligned_alloc(64, 6400);          /* 6,400 */
    free(box);
    if (posix_memalign(&aligned, 256, 512)) /* 512 */
        abort();
    free(aligned);
    box = strdup("twenty characters...");   /* 21, inside libc */
    free(box);
    box = malloc(10);                       /* 10 */
    free(box);
}

PROFPLUG_STAGE("file_write", "io") static __attribute__((noinline)) void file_write(const char *path)
{
    static const char block[1000];
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (int i = 0; i < 300; i++)
        if (write(fd, block, sizeof block) != sizeof block)
            abort();
    close(fd);
}

PROFPLUG_STAGE("file_read", "io") static __attribute__((noinline)) void file_read(const char *path)
{
    char block[4];
    int fd = open(path, O_RDONLY);
    while (read(fd, block, sizeof block) > 0)
        ;
    close(fd);
}

PROFPLUG_STAGE("nothing", "compute") static __attribute__((noinline)) void nothing(void)
{
    BURN(1000);
}

PROFPLUG_STAGE("all", "custom") static __attribute__((noinline)) void all(const char *path)
{
    keep();
    drop();
    churn();
    kin();
    file_write(path);
    file_read(path);
    nothing();
}

int main(int argc, char **argv)
{
    if (argc < 2)
        return 2;
    all(argv[1]);
    static const struct { const char *stage; unsigned blocks, bytes, freed_blocks, freed_bytes, peak, temporary; } heap[] = {
        { "keep", 1000, 550000, 0, 0, 550000, 0 }, { "drop", 0, 0, 1000, 550000, 0, 1 },
        { "churn", 5000, 5000000, 5000, 5000000, 1000, 5000 }, { "kin", 5, 9043, 5, 9043, 6400, 5 }, { "nothing", 0, 0, 0, 0, 0, 0 },
        { "file_read", 0, 0, 0, 0, 0, 0 }, { "all", 6005, 5559043, 6005, 5559043, 550000, 5006 } };
    for (size_t i = 0; i < sizeof heap / sizeof *heap; i++) {
        expect_exact("stages", heap[i].stage, "alloc_blocks", heap[i].blocks);
        expect_exact("stages", heap[i].stage, "alloc_bytes", heap[i].bytes);
        expect_exact("stages", heap[i].stage, "free_blocks", heap[i].freed_blocks);
        expect_exact("stages", heap[i].stage, "free_bytes", heap[i].freed_bytes);
        expect_exact("stages", heap[i].stage, "peak_bytes", heap[i].peak);
        expect_exact("stages", heap[i].stage, "temporary_blocks", heap[i].temporary);
    }
    expect_exact("stages", "file_write", "write_bytes", 300000);
    expect_exact("stages", "file_write", "writes", 300);
    expect_exact("stages", "file_write", "read_bytes", 0);
    expect_exact("stages", "file_read", "read_bytes", 300000);
    expect_exact("stages", "file_read", "reads", 75001);
    expect_exact("stages", "file_read", "write_bytes", 0);
    expect_exact("stages", "nothing", "reads", 0);
    expect_exact("stages", "all", "write_bytes", 300000);
    expect_exact("stages", "all", "read_bytes", 300000);
    return 0;
}
