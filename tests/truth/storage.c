/* SPDX-License-Identifier: MIT */
/* storage.c FILE: reads a file in stages: as it was written, in the page cache; dropped from it; again; half of it
 * dropped; mapped and dropped; past the cache. For each it prints what the kernel says of this thread, asked just
 * inside of the stage. Exits with 77 if the file's pages cannot be dropped, or come from no storage. */
#define _GNU_SOURCE
#include <profplug.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MIB (1 << 20)
enum { FILE_MIB = 8 };
static char *block;
static const char *path;

static long fetched(void)
{
    char text[4096] = "";
    int fd = open("/proc/thread-self/io", O_RDONLY);
    if (fd < 0 || read(fd, text, sizeof text - 1) <= 0)
        exit(77);
    close(fd);
    return atol(strstr(text, "\nread_bytes: ") + 13);
}
static void drop(int fd, off_t from) { posix_fadvise(fd, from, 0, POSIX_FADV_DONTNEED); }
static void whole(int fd)
{
    for (int i = 0; i < FILE_MIB; i++)
        if (pread(fd, block, MIB, (off_t)i * MIB) != MIB)
            exit(1);
}
#define INSIDE(name, what) do { long from_ = fetched(); what; printf("%s %ld\n", name, fetched() - from_); } while (0)

PROFPLUG_STAGE("written") static __attribute__((noinline)) void written(int fd) { INSIDE("written", whole(fd)); }
PROFPLUG_STAGE("dropped") static __attribute__((noinline)) void dropped(int fd) { INSIDE("dropped", whole(fd)); }
PROFPLUG_STAGE("again") static __attribute__((noinline)) void again(int fd) { INSIDE("again", whole(fd)); }
PROFPLUG_STAGE("half") static __attribute__((noinline)) void half(int fd) { INSIDE("half", whole(fd)); }
PROFPLUG_STAGE("mapped") static __attribute__((noinline)) void mapped(const volatile char *at) { INSIDE("mapped", for (int i = 0; i < FILE_MIB * MIB; i += 4096) block[0] += at[i]); }
PROFPLUG_STAGE("direct") static __attribute__((noinline)) void direct(int fd) { INSIDE("direct", whole(fd)); }

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(path = argv[1], O_RDWR | O_CREAT | O_TRUNC, 0666) : -1, past;
    if (fd < 0 || posix_memalign((void **)&block, 4096, MIB))
        return 2;
    for (int i = 0; i < FILE_MIB; i++)
        if (write(fd, memset(block, i + 1, MIB), MIB) != MIB)
            return 3;
    if (fsync(fd))
        return 77;
    drop(fd, 0);
    long from = fetched();
    whole(fd);
    if (fetched() - from < FILE_MIB * MIB)
        return 77;
    written(fd);
    drop(fd, 0);
    dropped(fd);
    again(fd);
    drop(fd, FILE_MIB / 2 * MIB);
    half(fd);
    drop(fd, 0);
    void *at = mmap(NULL, FILE_MIB * MIB, PROT_READ, MAP_SHARED, fd, 0);
    mapped(at);
    past = open(path, O_RDONLY | O_DIRECT);
    if (past >= 0)
        direct(past);
    unlink(path);
    return 0;
}
