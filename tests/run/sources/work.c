/* SPDX-License-Identifier: MIT */
/* work.c: does a known piece of work of each kind and says what its data file must hold. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

static FILE *say;                        /* its own descriptor: it must survive close_all */
static volatile uint64_t sink;
static void *volatile keep;
#define STAGE(name) __attribute__((noinline, profile_stage(name)))
/* A function in a section of its own: where its code lies is known without a symbolizer. */
#define PLACED(name) __attribute__((noinline, section("code_" #name)))
#define SAY_PLACE(name)                                                                                           \
    do {                                                                                                          \
        extern const char __start_code_##name[], __stop_code_##name[];                                            \
        fprintf(say, "place %s %lx %lx\n", #name, (unsigned long)__start_code_##name, (unsigned long)__stop_code_##name); \
    } while (0)

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static void say_cpu(const char *name, uint64_t since) { fprintf(say, "cpu %s %lu\n", name, cpu_ns() - since); }

PLACED(spin) static void spin(uint64_t ns)
{
    for (uint64_t begin = cpu_ns(); cpu_ns() - begin < ns;)
        for (unsigned i = 0; i < 200000; i++) sink += i * i;
}
PLACED(copy) static void copy(uint64_t ns)
{
    static char from[1 << 18], to[1 << 18];
    void *(*volatile call)(void *, const void *, size_t) = memcpy;
    for (uint64_t begin = cpu_ns(); cpu_ns() - begin < ns;)
        for (unsigned i = 0; i < 20; i++) {
            call(to, from, sizeof to);
            sink += (uint64_t)to[i];
        }
}

/* ---- heap ---- */
STAGE("heap") static void heap(void)
{
    void *a[100];
    uint64_t bytes = 0;
    for (unsigned i = 0; i < 100; i++) { keep = a[i] = malloc(i * 11); bytes += i * 11; }
    for (unsigned i = 0; i < 100; i++) { keep = a[i] = realloc(a[i], i * 7 + 1); }
    for (unsigned i = 0; i < 50; i++) free(a[i]);
    keep = a[0] = calloc(3, 1000);
    keep = a[1] = strdup("nine char");
    if (posix_memalign(&a[2], 256, 999)) abort();
    free(a[0]); free(a[1]); free(a[2]);
    uint64_t second = 0, half = 0;
    for (unsigned i = 0; i < 100; i++) { second += i * 7 + 1; if (i < 50) half += i * 7 + 1; }
    /* a realloc books a block given back and one got */
    fprintf(say, "metric heap alloc_bytes %lu\nmetric heap alloc_blocks 203\n", bytes + second + 3000 + 10 + 999);
    fprintf(say, "metric heap free_bytes %lu\nmetric heap free_blocks 153\n", bytes + half + 3000 + 10 + 999);
}

/* ---- io ---- */
STAGE("io") static void io(void)
{
    char buffer[5000];
    int zero = open("/dev/zero", O_RDONLY), null = open("/dev/null", O_WRONLY);
    for (unsigned i = 0; i < 300; i++) sink += (uint64_t)read(zero, buffer, 1000 + i);
    for (unsigned i = 0; i < 200; i++) sink += (uint64_t)write(null, buffer, 2000 + i);
    sink += (uint64_t)pread(zero, buffer, 77, 0);
    close(zero);
    close(null);
}

static void everything(void)
{
    heap();
    io();
    fprintf(say, "metric io read_bytes %u\nmetric io reads 301\n", 300 * 1000 + 299 * 150 + 77);
    fprintf(say, "metric io write_bytes %u\nmetric io writes 200\n", 200 * 2000 + 199 * 100);
    uint64_t t = cpu_ns();
    spin(300000000); say_cpu("spin", t); t = cpu_ns();
    copy(300000000); say_cpu("copy", t);
    SAY_PLACE(spin); SAY_PLACE(copy);
}

/* ---- all signals blocked, and taken by a thread that waits for them ---- */
STAGE("blocked") static void *blocked(void *unused)
{
    uint64_t t = cpu_ns();
    spin(300000000); say_cpu("spin", t);
    return unused;
}
static void *waiter(void *set)
{
    int number = 0;
    sigwait(set, &number);
    fprintf(say, "same signal %d %d\n", number, SIGUSR1);
    return NULL;
}
STAGE("main_thread") static void signals(void)
{
    sigset_t all;
    pthread_t a, b;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, NULL);
    pthread_create(&b, NULL, waiter, &all);
    pthread_create(&a, NULL, blocked, NULL);
    pthread_join(a, NULL);
    pthread_kill(b, SIGUSR1);
    pthread_join(b, NULL);
    SAY_PLACE(spin);
}

/* ---- a library that comes, goes and comes again at another place ---- */
PLACED(call) static void call_library(void (*busy)(unsigned))
{
    for (unsigned i = 0; i < 12; i++) { busy(20); sink++; }
}
STAGE("loading") static void loading(const char *path)
{
    uint64_t t = cpu_ns();
    for (unsigned round = 0; round < 3; round++) {
        void *library = dlopen(path, RTLD_NOW);
        if (!library) { fprintf(say, "skip %s\n", dlerror()); return; }
        /* what lies in its place from now on keeps the next one from coming back there */
        if (round == 1) sink += (uint64_t)mmap(NULL, 1 << 16, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        void (*busy)(unsigned) = (void (*)(unsigned))dlsym(library, "busy");
        call_library(busy);
        dlclose(library);
    }
    say_cpu("call", t);
    SAY_PLACE(call);
}

/* ---- every descriptor closed, as daemons do ---- */
STAGE("tick") static void tick(void) { spin(25000000); }
static void closing(void)
{
    spin(60000000);
    for (int fd = 3; fd < 5000; fd++)
        if (fd != fileno(say)) close(fd);
    int mine = open("/dev/null", O_WRONLY);
    uint64_t t = cpu_ns();
    for (unsigned i = 0; i < 12; i++) tick();
    say_cpu("spin", t - 60000000);
    for (unsigned i = 0; i < 5; i++) io();
    fprintf(say, "same write %d 3\n", (int)write(mine, "abc", 3));
    fprintf(say, "metric io reads 1505\nmetric io writes 1000\n");
    SAY_PLACE(spin);
}

int main(int count, char **argument)
{
    const char *what = count > 1 ? argument[1] : "";
    say = stdout;
    setvbuf(say, malloc(1 << 16), _IOFBF, 1 << 16);
    if (!strcmp(what, "everything")) everything();
    else if (!strcmp(what, "signals")) signals();
    else if (!strcmp(what, "loading")) loading(argument[2]);
    else if (!strcmp(what, "closing")) closing();
    else return 2;
    if (strcmp(what, "closing")) {
        FILE *maps = fopen("/proc/self/maps", "r");
        char line[600];
        while (maps && fgets(line, sizeof line, maps)) fprintf(say, "map %s", line);
        if (maps) fclose(maps);
    }
    fflush(say);
    return 0;
}
