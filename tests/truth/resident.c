/* SPDX-License-Identifier: MIT */
/* resident.c: how stages change the resident memory, compared with what the program reads in /proc/self/statm just
 * inside and just outside of them: memory that is touched, kept over several entries, only mapped, or freed, in nested
 * stages and in a fork's child. */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

#define MIB (1 << 20)

static HIDDEN_FROM_PROFILER __attribute__((noinline)) int64_t resident(void)
{
    char text[160] = "";
    int file = open("/proc/self/statm", O_RDONLY);
    if (file < 0 || read(file, text, sizeof text - 1) <= 0)
        exit(77);
    close(file);
    return strtoll(strchr(text, ' '), NULL, 10) * sysconf(_SC_PAGESIZE);
}

static char *map(size_t bytes)
{
    char *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (at == MAP_FAILED || madvise(at, bytes, MADV_NOHUGEPAGE))
        exit(1);
    return at;
}

enum { TOUCH, RESERVE, DROP, OUTER, PAGE, COUNT };
static const char *const name[COUNT] = { "touch", "reserve", "drop", "outer", "page" };
static int64_t seen[COUNT];                              /* from the inside */
static unsigned entries[COUNT];

#define INSIDE(what, statement) do { int64_t begun = resident(); statement; seen[what] += resident() - begun; entries[what]++; } while (0)

PROFPLUG_STAGE("touch") static __attribute__((noinline)) void touch(char *at, size_t bytes) { INSIDE(TOUCH, memset(at, 1, bytes)); }
PROFPLUG_STAGE("reserve") static __attribute__((noinline)) char *reserve(void) { char *at; INSIDE(RESERVE, at = map(64 * MIB)); return at; }
PROFPLUG_STAGE("drop") static __attribute__((noinline)) void drop(char *at, size_t bytes) { INSIDE(DROP, munmap(at, bytes)); }
PROFPLUG_STAGE("page") static __attribute__((noinline)) void page(char *at) { INSIDE(PAGE, memset(at, 1, 16384)); }
PROFPLUG_STAGE("outer") static __attribute__((noinline)) void outer(char *at, char *gone) { INSIDE(OUTER, (page(at), munmap(gone, 16 * MIB))); }

/* Some pages an entry: those that the boundaries, and the program's own reading, touch for the first time. A fault on a
 * file maps 16 pages. */
static void expect(const char *list, unsigned once)
{
    for (int i = 0; i < COUNT; i++)
        if (entries[i])
            printf("%s %s rss_delta_bytes %lld +-%u\n", list, name[i], (long long)seen[i], 8192 * entries[i] + once);
}

int main(void)
{
    char *at[4];
    resident();                                          /* what a first reading brings in of libc is between no two borders */
    for (int i = 0; i < 4; i++)
        touch(at[i] = map(16 * MIB), 16 * MIB);
    drop(reserve(), 64 * MIB);
    drop(at[0], 16 * MIB);
    for (int i = 0; i < 20; i++)
        page(reserve());
    outer(reserve(), at[1]);
    if (seen[TOUCH] < 60 * MIB || seen[DROP] > -15 * MIB || seen[OUTER] > -15 * MIB)
        return 1;
    expect("most", 65536);
    fflush(stdout);
    if (!fork()) {                                       /* its own, from the start */
        memset(seen, 0, sizeof seen), memset(entries, 0, sizeof entries);
        touch(map(8 * MIB), 8 * MIB);
        drop(at[2], 16 * MIB);
        expect("child_stages", 512 << 10);
        return 0;
    }
    int status;
    return wait(&status) < 0 || status != 0;
}
