/* SPDX-License-Identifier: MIT */
/* Every way to end: argv[1] is the way, argv[2] the page in which the program counts its own calls. What it prints is the same
 * with and without profiling. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include "page.h"

extern char **environ;
static volatile sig_atomic_t stop;
static char **arguments;
static int threads_up;

static void *worker(void *arg) { __atomic_add_fetch(&threads_up, 1, __ATOMIC_RELAXED); while (!stop) staged(2); return arg; }
static void *ender(void *arg) { staged(3); exit(13); }
static void *last(void *arg) { usleep(20000); for (int i = 0; i < 50; i++) staged(2); puts("last thread"); return arg; }

static void *sleeper(void *arg) { staged(1); pause(); return arg; }

static void threads_start(int n)
{
    pthread_t t;
    pthread_attr_t a;
    pthread_attr_init(&a);
    pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
    for (int i = 0; i < n; i++) if (pthread_create(&t, &a, worker, 0)) _exit(97);
    while (__atomic_load_n(&threads_up, __ATOMIC_RELAXED) < n) usleep(100);
}

KEEP void handled(void) { page_count(PAGE_HANDLER); for (volatile int i = 0; i < 3; i++) small(); }
static void handler_exit(int s) { handled(); _exit(21); }
static void handler_again(int s) { handled(); signal(s, SIG_DFL); raise(s); }
static void handler_return(int s) { handled(); }
static void quick_first(void) { staged(1); if (write(1, "quick first\n", 12) < 0) _exit(96); }
static void quick_second(void) { staged(1); if (write(1, "quick second\n", 13) < 0) _exit(96); }
static void at_first(void) { staged(1); puts("at first"); }
static void at_exiting(void) { staged(1); puts("at exiting"); exit(31); }
KEEP int deeper(int n) { volatile char room[512]; room[n % 512] = 1; small(); int r = deeper(n + 1) + room[0]; __asm__ volatile("" : "+r"(r)); return r; }

static void on_signal(int number, void (*handler)(int), int flags)
{
    struct sigaction a = { .sa_handler = handler, .sa_flags = flags };
    sigaction(number, &a, 0);
}

#define WAY(name) if (!strcmp(way, name))
PROFPLUG_STAGE("ending", "compute") KEEP int ending(const char *way)
{
    volatile int zero = 0;
    WAY("return") return 3;
    WAY("exit") exit(4);
    WAY("_exit") _exit(5);
    WAY("_Exit") _Exit(6);
    WAY("exit-wide") exit(0x1234);
    WAY("quick_exit") { at_quick_exit(quick_second); at_quick_exit(quick_first); quick_exit(8); }
    WAY("abort") abort();
    WAY("abort-handled") { on_signal(SIGABRT, handler_return, 0); abort(); }
    WAY("abort-exit") { on_signal(SIGABRT, handler_exit, 0); abort(); }
    WAY("segv") *(volatile int *)8 = 1;
    WAY("segv-exit") { on_signal(SIGSEGV, handler_exit, 0); *(volatile int *)8 = 1; }
    WAY("segv-again") { on_signal(SIGSEGV, handler_again, 0); *(volatile int *)8 = 1; }
    WAY("bus") {
        char name[] = "/tmp/profplug-bus-XXXXXX";
        int fd = mkstemp(name);
        unlink(name);
        if (ftruncate(fd, 4096)) _exit(95);
        volatile char *p = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
        if (ftruncate(fd, 0)) _exit(95);
        *p = 1;
    }
    WAY("fpe") return 7 / zero;
    WAY("term") raise(SIGTERM);
    WAY("term-exit") { on_signal(SIGTERM, handler_exit, 0); kill(getpid(), SIGTERM); pause(); }
    WAY("term-handled") { on_signal(SIGTERM, handler_return, 0); raise(SIGTERM); return 22; }
    WAY("kill") raise(SIGKILL);
    WAY("hup-threads") { threads_start(4); usleep(3000); kill(getpid(), SIGHUP); pause(); }
    WAY("execve") { char *const a[] = { "sh", "-c", "echo executed; exit 14", 0 }; execve("/bin/sh", a, environ); }
    WAY("fexecve") { char *const a[] = { "sh", "-c", "echo executed; exit 15", 0 }; fexecve(open("/bin/sh", O_RDONLY | O_CLOEXEC), a, environ); }
    WAY("execl-threads") { threads_start(4); execl("/bin/sh", "sh", "-c", "echo executed; exit 16", (char *)0); }
    WAY("exec-fails") { execl("/no/such/program", "x", (char *)0); printf("%s\n", strerror(errno)); staged(1); return 17; }
    WAY("spawn") {
        pid_t pid;
        int status;
        char *const a[] = { "sh", "-c", "echo spawned; exit 18", 0 };
        if (posix_spawn(&pid, "/bin/sh", 0, 0, a, environ)) _exit(94);
        waitpid(pid, &status, 0);
        return WEXITSTATUS(status);
    }
    WAY("pthread_exit") { pthread_t t; for (int i = 0; i < 3; i++) pthread_create(&t, 0, last, 0); pthread_exit(0); }
    WAY("pthread_exit-alone") { atexit(at_first); pthread_exit(0); }
    WAY("pthread_exit-kill") { threads_start(4); pthread_t t; pthread_create(&t, 0, last, 0); if (!fork()) { pid_t p = getppid(); usleep(60000); kill(p, SIGKILL); _exit(0); } pthread_exit(0); }
    WAY("thread-exits") { threads_start(3); atexit(at_first); pthread_t t; pthread_create(&t, 0, ender, 0); pthread_join(t, 0); }
    WAY("atexit-exits") { atexit(at_first); atexit(at_exiting); return 30; }
    WAY("detached") { threads_start(6); atexit(at_first); return 32; }
    WAY("_exit-threads") { threads_start(6); _exit(33); }
    WAY("overflow") { struct rlimit r = { 1 << 20, 1 << 20 }; setrlimit(RLIMIT_STACK, &r); return deeper(0); }
    WAY("exit_group") syscall(SYS_exit_group, 34);
    WAY("exit_thread") syscall(SYS_exit, 35);
    WAY("abort-core") { struct rlimit r = { 0, 0 }; getrlimit(RLIMIT_CORE, &r); r.rlim_cur = r.rlim_max; setrlimit(RLIMIT_CORE, &r); abort(); }
    WAY("segv-nocore") { struct rlimit r = { 0, 0 }; setrlimit(RLIMIT_CORE, &r); *(volatile int *)8 = 1; }
    WAY("asleep") { staged(1); pause(); }
    WAY("asleep-leaderless") { pthread_t t; pthread_create(&t, 0, sleeper, 0); pthread_exit(0); }
    WAY("forever") for (;;) staged(20);
    WAY("forever-threads") { threads_start(3); for (;;) staged(20); }
    WAY("loop") for (;;) { PROFPLUG_LOOP("trips") for (long i = 0; i < 100000; i++) { page_count(PAGE_TRIPS); small(); } }
    return 93;
}

int main(int argc, char **argv)
{
    arguments = argv;
    page_open(argv[2]);
    printf("way %s\n", argv[1]);                         /* buffered: what is lost by an end is lost by it in every build */
    for (int i = 0; i < 20; i++) staged(5);
    return ending(argv[1]);
}
