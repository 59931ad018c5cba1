/* SPDX-License-Identifier: MIT */
/* Many short entries of a stage that read now a little, now much; says on standard output how much that was. With an argument a system call of the program's own reads
 * that many bytes besides, outside of the stage. */
#define _GNU_SOURCE
#include "expect.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TIMES = 60000 };
static char bytes[65536];
static unsigned long long all;

PROFPLUG_STAGE("short", "data_loading") KEEP void part(int fd, unsigned i)
{
    size_t want = i % 977 == 3 ? sizeof bytes : i % 7;
    if (want) all += (unsigned long long)read(fd, bytes, want);
}
PROFPLUG_STAGE("whole", "data_loading") KEEP void whole(int fd)
{
    for (unsigned i = 0; i < TIMES; i++) part(fd, i * 2654435761u >> 8);
}
int main(int argc, char **argv)
{
    int fd = open("/dev/zero", O_RDONLY);
    if (argc > 1 && syscall(SYS_read, fd, bytes, (size_t)atoi(argv[1])) < 0) return 2;
    whole(fd);
    printf("read %llu\n", all);
    return 0;
}
