/* SPDX-License-Identifier: MIT */
/* kernel.c DIRECTORY MILLISECONDS: each line below spends its time in the kernel, or in the program's own code, for about so long. It prints for each
 * the line, what the thread's CPU clock says of all its calls together, and whether the time is the kernel's. Only one line runs at a time. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MOST (64u << 20)
#define FILES 300
static char buffer[1 << 16], *fresh, path[4096], missing[4096], folder[4000];
static int disk, pair[2], pipes[2], zero, null_fd;
static volatile long sink;
static volatile unsigned work;
static FILE *stream;

static uint64_t cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void fail(const char *what)
{
    perror(what);
    exit(1);
}

/* One line a function: what it calls is part of that line where it is in a library or in the kernel. */
#define DEFINE(name, statement)                                                   \
    __attribute__((noinline)) static int name(long n)                             \
    {                                                                             \
        for (long i = 0; i < n; i++) { statement; } return __LINE__;              \
    }
DEFINE(line_compute, for (int k = 0; k < 1000; k++) work += work * 3 + 1)
DEFINE(line_pread, sink += pread(disk, buffer, 4096, (i & 255) * 4096))
DEFINE(line_pread_big, sink += pread(disk, buffer, sizeof buffer, 0))
DEFINE(line_pwrite, sink += pwrite(disk, buffer, 4096, (i & 255) * 4096))
DEFINE(line_zero, sink += read(zero, buffer, sizeof buffer))
DEFINE(line_null, sink += write(null_fd, buffer, 64))
DEFINE(line_open, sink += close(open(path, O_RDONLY)))
DEFINE(line_send, sink += send(pair[0], buffer, 512, 0); sink += recv(pair[1], buffer, 512, 0))
DEFINE(line_pipe, sink += write(pipes[1], buffer, 4096); sink += read(pipes[0], buffer, 4096))
DEFINE(line_touch, fresh[(i * 4096) % MOST] = 1; if (i % (MOST / 4096) == MOST / 4096 - 1) madvise(fresh, MOST, MADV_DONTNEED))
DEFINE(line_fread, rewind(stream); while (fread(buffer, 1, 1000, stream) > 0) sink++)
DEFINE(line_stat, struct stat s; sink += stat(path, &s))
DEFINE(line_map, void *p = mmap(NULL, 1 << 16, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); sink += munmap(p, 1 << 16))
DEFINE(line_ioctl, int bytes; sink += ioctl(pipes[0], FIONREAD, &bytes))
/* Most of its time is the C library's own: it sorts. */
DEFINE(line_scan, struct dirent **entry; int found = scandir(folder, &entry, NULL, versionsort); sink += found; while (found > 0) free(entry[--found]); free(entry))
DEFINE(line_exec, sink += execl(missing, missing, (char *)NULL))

static const struct {
    const char *name;
    int (*line)(long n);
    int kernel; /* 1: most of its time is the kernel's, 2: some */
} lines[] = {
    { "compute", line_compute, 0 }, { "pread", line_pread, 1 },   { "pread_big", line_pread_big, 1 }, { "pwrite", line_pwrite, 1 },
    { "zero", line_zero, 1 },       { "null", line_null, 1 },     { "open", line_open, 1 },           { "send", line_send, 1 },
    { "pipe", line_pipe, 1 },       { "touch", line_touch, 1 },   { "fread", line_fread, 1 },         { "stat", line_stat, 1 },
    { "map", line_map, 1 },         { "ioctl", line_ioctl, 1 },   { "exec", line_exec, 1 },
    { "scan", line_scan, 2 },
};

int main(int count, char **argument)
{
    if (count < 3)
        return 2;
    uint64_t most_ns = strtoull(argument[2], NULL, 10) * 1000000u;
    snprintf(path, sizeof path, "%s/data", argument[1]);
    snprintf(missing, sizeof missing, "%s/missing", argument[1]);
    snprintf(folder, sizeof folder, "%s/folder", argument[1]);
    mkdir(folder, 0700);
    for (int i = 0; i < FILES; i++) {
        char name[4096];
        snprintf(name, sizeof name, "%s/file-%d", folder, i * 7919 % FILES);
        close(open(name, O_CREAT | O_WRONLY, 0600));
    }
    disk = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    zero = open("/dev/zero", O_RDONLY);
    null_fd = open("/dev/null", O_WRONLY);
    fresh = mmap(NULL, MOST, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (disk < 0 || zero < 0 || null_fd < 0 || fresh == MAP_FAILED || ftruncate(disk, 1 << 20) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair) ||
        pipe(pipes) || !(stream = fopen(path, "r")))
        fail(path);
    madvise(fresh, MOST, MADV_NOHUGEPAGE);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        uint64_t spent_ns = 0;
        int line = 0;
        for (long n = 1; spent_ns < most_ns;) {
            uint64_t begun_ns = cpu_now(), took_ns;
            line = lines[i].line(n);
            took_ns = cpu_now() - begun_ns;
            spent_ns += took_ns;
            if (took_ns < most_ns / 16)
                n *= 2;
        }
        printf("%s %d %llu %d\n", lines[i].name, line, (unsigned long long)spent_ns, lines[i].kernel);
    }
    return 0;
}
