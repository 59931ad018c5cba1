/* SPDX-License-Identifier: MIT */
/* opener.c: opens, calls and closes libraries as its arguments say, and tells what it saw. Each argument is LETTER:WORD:WORD...
 *   o:PATH:FLAGS    dlopen: n RTLD_NOW (else lazy), g RTLD_GLOBAL, d RTLD_NODELETE, b RTLD_DEEPBIND; the next slot
 *   m:PATH          dlmopen in a new namespace; the next slot; says "full" where the linker has no more
 *   r:SLOT:N        part_run(N) of the library in the slot; R:SLOT:N:THREADS from threads
 *   s:SLOT:MS       part_spin(MS)
 *   c:SLOT          dlclose
 *   w:PATH:A:B:N    N times: copies A or B in turn to PATH (a new file), opens it, runs it twice, closes it
 *   k:PATTERN:N     opens N libraries PATTERN%d at once, runs each, closes every other
 *   T:PATTERN:N:M   N threads, each M times: opens PATTERN%d by its number, runs it, closes it
 *   x:FROM:TO       renames; u:PATH unlinks; f:PATH  opens PATH through a memfd and /proc/self/fd */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define SLOTS 4096
static void *slot[SLOTS];
static int slots;
typedef int part_function(int);

static void copy(const char *from, int fd)
{
    char buffer[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC);
    for (ssize_t n; in >= 0 && (n = read(in, buffer, sizeof buffer)) > 0; )
        if (write(fd, buffer, (size_t)n) != n)
            abort();
    close(in);
}

static part_function *function(void *library, const char *name)
{
    part_function *f = 0;
    if (library)
        *(void **)&f = dlsym(library, name);
    return f;
}

static int run(void *library, int n)
{
    part_function *f = function(library, "part_run");
    return f ? f(n) : -1;
}

static void *opened(const char *path, int flags)
{
    void *library = dlopen(path, flags);
    if (!library)
        printf("cannot open: %s\n", dlerror());
    return library;
}

struct job { int which, n, times; const char *pattern; int sum; };

static void *work(void *arg)
{
    struct job *j = arg;
    for (int i = 0; i < j->times; i++) {
        void *library = slot[j->which];
        char path[4200];
        snprintf(path, sizeof path, "%s%d.so", j->pattern ? j->pattern : "", j->which);
        if (j->pattern)
            library = opened(path, RTLD_NOW);
        j->sum += run(library, j->n);
        if (j->pattern && library)
            dlclose(library);
    }
    return 0;
}

static void threads(int count, struct job *model)
{
    static pthread_t thread[64];
    static struct job job[64];
    int sum = 0;
    for (int i = 0; i < count; i++) {
        job[i] = *model;
        if (model->pattern)
            job[i].which = i;
        pthread_create(&thread[i], 0, work, &job[i]);
    }
    for (int i = 0; i < count; i++) {
        pthread_join(thread[i], 0);
        sum += job[i].sum;
    }
    printf("threads %d sum %d\n", count, sum);
}

static void act(char *text)
{
    char *word[6] = { "", "", "", "", "", "" };
    int words = 0;
    for (char *at = text + 2; at && words < 6; words++) {
        word[words] = at;
        at = strchr(at, ':');
        if (at)
            *at++ = 0;
    }
    int number = atoi(word[0]);
    switch (*text) {
    case 'o': {
        int flags = strchr(word[1], 'n') ? RTLD_NOW : RTLD_LAZY;
        flags |= strchr(word[1], 'g') ? RTLD_GLOBAL : 0;
        flags |= strchr(word[1], 'd') ? RTLD_NODELETE : 0;
        flags |= strchr(word[1], 'b') ? RTLD_DEEPBIND : 0;
        slot[slots++] = opened(word[0], flags);
        break;
    }
    case 'm':
        slot[slots] = dlmopen(LM_ID_NEWLM, word[0], RTLD_NOW);
        printf("namespace: %s\n", slot[slots] ? "opened" : "full");
        slots++;
        break;
    case 'r': printf("slot %d run: %d\n", number, run(slot[number], atoi(word[1]))); break;
    case 'R': threads(atoi(word[2]), &(struct job){ .which = number, .n = atoi(word[1]), .times = 1 }); break;
    case 's':
        if (function(slot[number], "part_spin"))
            function(slot[number], "part_spin")(atoi(word[1]));
        break;
    case 'c': printf("slot %d close: %d\n", number, dlclose(slot[number])); break;
    case 'w':
        for (int i = 0; i < atoi(word[3]); i++) {
            char fresh[4200];
            snprintf(fresh, sizeof fresh, "%s.new", word[0]);
            int fd = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0755);
            copy(word[1 + i % 2], fd);
            close(fd);
            rename(fresh, word[0]);
            void *library = opened(word[0], RTLD_NOW);
            int first = run(library, 1), second = run(library, 2);
            printf("round %d: %d %d %d\n", i, first, second, library ? dlclose(library) : -1);
        }
        break;
    case 'k': {
        int count = atoi(word[1]), sum = 0, from = slots;
        for (int i = 0; i < count && slots < SLOTS; i++) {
            char path[4200];
            snprintf(path, sizeof path, "%s%d.so", word[0], i);
            slot[slots++] = opened(path, RTLD_NOW);
        }
        for (int i = from; i < slots; i++)
            sum += run(slot[i], i);
        for (int i = from; i < slots; i += 2)
            if (slot[i])
                dlclose(slot[i]);
        for (int i = from + 1; i < slots; i += 2)
            sum += run(slot[i], i);
        printf("%d at once: %d\n", count, sum);
        break;
    }
    case 'T': threads(atoi(word[1]), &(struct job){ .n = 1, .times = atoi(word[2]), .pattern = word[0] }); break;
    case 'x': printf("rename: %d\n", rename(word[0], word[1])); break;
    case 'u': printf("unlink: %d\n", unlink(word[0])); break;
    case 'f': {
        int fd = memfd_create("part", MFD_CLOEXEC);
        char path[64];
        copy(word[0], fd);
        snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
        slot[slots++] = opened(path, RTLD_NOW);
        close(fd);
        break;
    }
    }
}

int main(int argc, char **argv)
{
    setvbuf(stdout, 0, _IOLBF, 0);
    for (int i = 1; i < argc; i++)
        act(argv[i]);
    puts("end");
    return 7;
}
