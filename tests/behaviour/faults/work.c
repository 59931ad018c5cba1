/* SPDX-License-Identifier: MIT */
/* work.c: does a round of work, then what its arguments name, then another round, and says what came out. The same source is
 * compiled with the plugin and without; nothing in what it prints may depend on that. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#ifdef __has_include
#if __has_include(<linux/seccomp.h>)
#include <linux/filter.h>
#include <linux/seccomp.h>
#endif
#endif
#ifdef PROFPLUG
#include <profplug.h>
#else
#define PROFPLUG_STAGE(...)
#define PROFPLUG_LOOP(...)
#endif

#define PLAIN __attribute__((noinline))
enum { BATCHES = 20, THREADS = 3, CALLS = 1000, CPU_MS = 12 };

static uint64_t sum;

PLAIN static uint64_t tiny(uint64_t x) { return (x ^ x >> 7) * 0x9e3779b97f4a7c15u; }

/* Call paths: each function of a level calls three of the next level's six, other ones in the second round. */
#define WAY(level, n, CALL)                                                                                                \
    PLAIN static uint64_t way##level##n(uint64_t x, int odd)                                                               \
    {                                                                                                                      \
        x = tiny(x + n);                                                                                                   \
        return odd ? CALL(1) + CALL(3) + CALL(5) : CALL(0) + CALL(2) + CALL(4);                                            \
    }
#define WAYS(level, CALL) WAY(level, 0, CALL) WAY(level, 1, CALL) WAY(level, 2, CALL) WAY(level, 3, CALL) WAY(level, 4, CALL) WAY(level, 5, CALL)
#define NONE(n) x
#define CALL7(n) way7##n(x + n, odd)
#define CALL6(n) way6##n(x + n, odd)
#define CALL5(n) way5##n(x + n, odd)
#define CALL4(n) way4##n(x + n, odd)
#define CALL3(n) way3##n(x + n, odd)
#define CALL2(n) way2##n(x + n, odd)
#define CALL1(n) way1##n(x + n, odd)
WAYS(7, NONE) WAYS(6, CALL7) WAYS(5, CALL6) WAYS(4, CALL5) WAYS(3, CALL4) WAYS(2, CALL3) WAYS(1, CALL2)

PLAIN static uint64_t calls(uint64_t x)
{
    for (int i = 0; i < CALLS; i++)
        x += tiny(x);
    return x;
}

PROFPLUG_STAGE("batch", "compute")
PLAIN static uint64_t batch(uint64_t x)
{
    char *block = malloc(100 + x % 1000);
    if (block)
        memset(block, (int)x, 100);
    x += block ? (unsigned char)block[x % 100] : 0;
    free(block);
    return calls(x);
}

static uint64_t cpu_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Time in which samples come. Its result is nothing. */
PLAIN static void burn(void)
{
    volatile uint64_t x = 1;
    for (uint64_t end = cpu_ms() + CPU_MS; cpu_ms() < end; )
        for (int i = 0; i < 10000; i++)
            x = x * 5 + 1;
}

static void *thread(void *argument)
{
    uint64_t *x = argument;
    for (int i = 0; i < 4; i++)
        *x = batch(*x);
    return 0;
}

static int with_threads = 1, with_burn = 1;

PLAIN static void round_of_work(int number)
{
    uint64_t x = (uint64_t)number;
    PROFPLUG_LOOP("batches")
    for (int i = 0; i < BATCHES; i++)
        x = batch(x);
    int odd = number & 1;
    x = odd ? CALL1(1) + CALL1(3) + CALL1(5) : CALL1(0) + CALL1(2) + CALL1(4);
    uint64_t own[THREADS] = { 1, 2, 3 };
    pthread_t id[THREADS];
    int started = 0;
    for (int i = 0; with_threads && i < THREADS; i++)
        if (!pthread_create(&id[started], 0, thread, &own[i]))
            started++;
    for (int i = 0; i < started; i++)
        pthread_join(id[i], 0);
    for (int i = 0; i < THREADS; i++)
        x += own[i];
    if (with_burn)
        burn();
    sum += x;
}

/* ---- what happens in between ---- */

static int quietly;                      /* the end is a write and the plainest exit there is */
static int watched = -1;                 /* a file of the program's own, which nobody else may touch */

static void filter_install(unsigned action, int allow_list, const int *numbers, int count)
{
#ifdef SECCOMP_RET_ALLOW
    struct sock_filter code[160];
    int n = 0;
    code[n++] = (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0);
    for (int i = 0; i < count; i++) {
        code[n++] = (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)numbers[i], 0, 1);
        code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, allow_list ? SECCOMP_RET_ALLOW : action);
    }
    code[n++] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, allow_list ? action : SECCOMP_RET_ALLOW);
    struct sock_fprog program = { (unsigned short)n, code };
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    if (prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program, 0, 0))
        perror("seccomp"), _exit(99);
#endif
}

/* What this program itself needs after the filter: its threads, its memory, its output and its end. */
static void allow_list(unsigned action)
{
    static const int numbers[] = {
        SYS_read, SYS_write, SYS_exit, SYS_exit_group, SYS_rt_sigreturn, SYS_brk, SYS_mmap, SYS_munmap, SYS_mprotect, SYS_futex,
        SYS_clock_gettime, SYS_close, SYS_lseek, SYS_fstat, SYS_newfstatat, SYS_madvise, SYS_getrandom, SYS_gettid, SYS_rt_sigprocmask,
        SYS_clone, SYS_clone3, SYS_wait4, SYS_rseq, SYS_set_robust_list, SYS_restart_syscall, SYS_sigaltstack,
    };
    filter_install(action, 1, numbers, (int)(sizeof numbers / sizeof *numbers));
}

/* As narrow as there is: read, write, exits. */
static void allow_least(unsigned action)
{
    static const int numbers[] = { SYS_read, SYS_write, SYS_exit, SYS_exit_group };
    with_threads = 0;
    quietly = 1;
    filter_install(action, 1, numbers, (int)(sizeof numbers / sizeof *numbers));
}

static sigjmp_buf back;
static void jump(int number) { siglongjmp(back, number); }

/* A page of the program's own that no longer has a file behind it. */
static void own_bus_error(int handled)
{
    int fd = memfd_create("short", 0);
    volatile char *p = ftruncate(fd, 4096) ? 0 : mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    if (handled)
        signal(SIGBUS, jump);
    *p = 1;
    if (ftruncate(fd, 0))
        _exit(98);
    if (!handled || !sigsetjmp(back, 1))
        *p = 2;
    printf("caught its own bus error\n");
}

static void every_descriptor_taken(void)
{
    struct rlimit limit;
    char name[] = "/dev/shm/faults-XXXXXX";
    watched = mkstemp(name);
    if (watched < 0)
        watched = memfd_create("watched", 0);
    else
        unlink(name);
    getrlimit(RLIMIT_NOFILE, &limit);
    for (int fd = 3; fd < (int)limit.rlim_cur && fd < 70000; fd++)
        if (fd != watched)
            dup2(watched, fd);
}

static void limit_set(int which, const char *value)
{
    struct rlimit limit = { strtoul(value, 0, 0), strtoul(value, 0, 0) };
    setrlimit(which, &limit);
}

static void act(const char *what)
{
    const char *colon = strchr(what, ':'), *value = colon ? colon + 1 : "";
    size_t n = colon ? (size_t)(colon - what) : strlen(what);
#define IS(name) (n == sizeof name - 1 && !strncmp(what, name, n))
    if (IS("close-all")) close_range(3, ~0u, 0);
    else if (IS("close-each")) { for (int fd = 3; fd < 70000; fd++) close(fd); }
    else if (IS("close-standard")) { close(0); close(1); close(2); quietly = 2; }
    else if (IS("take-all")) every_descriptor_taken();
    else if (IS("chroot")) { if (chroot(value)) perror("chroot"); }
    else if (IS("chdir")) { if (chdir(value)) perror("chdir"); }
    else if (IS("drop")) { if (setgid(65534) || setuid(65534)) perror("setuid"); }
    else if (IS("clearenv")) clearenv();
    else if (IS("cut")) { if (truncate(strchr(value, ':') + 1, atol(value))) { /* a plain run has none */ } }
    else if (IS("unlink")) unlink(value);
    else if (IS("rename")) { char to[4096]; snprintf(to, sizeof to, "%s.moved", value); rename(value, to); }
    else if (IS("shell")) { if (system(value)) { /* its status is nobody's */ } }
    else if (IS("strict")) { with_threads = with_burn = 0; quietly = 1; prctl(PR_SET_SECCOMP, SECCOMP_MODE_STRICT); }
    else if (IS("strict-syscall")) { with_threads = with_burn = 0; quietly = 1; syscall(SYS_seccomp, SECCOMP_SET_MODE_STRICT, 0, 0); }
    else if (IS("no-counter")) { with_burn = 0; prctl(PR_SET_TSC, PR_TSC_SIGSEGV); }
    else if (IS("filter-kill")) allow_list(SECCOMP_RET_KILL_PROCESS);
    else if (IS("filter-eperm")) allow_list(SECCOMP_RET_ERRNO | EPERM);
    else if (IS("filter-trap")) allow_list(SECCOMP_RET_TRAP);
    else if (IS("least-kill")) allow_least(SECCOMP_RET_KILL_PROCESS);
    else if (IS("least-eperm")) allow_least(SECCOMP_RET_ERRNO | EPERM);
    else if (IS("mlockall")) mlockall(MCL_CURRENT | MCL_FUTURE);
    else if (IS("undumpable")) prctl(PR_SET_DUMPABLE, 0);
    else if (IS("rename-self")) prctl(PR_SET_NAME, "another-name");
    else if (IS("fsize")) limit_set(RLIMIT_FSIZE, value);
    else if (IS("nofile")) limit_set(RLIMIT_NOFILE, value);
    else if (IS("data")) limit_set(RLIMIT_DATA, value);
    else if (IS("nproc")) limit_set(RLIMIT_NPROC, value);
    else if (IS("own-sigbus")) own_bus_error(0);
    else if (IS("own-sigbus-handled")) own_bus_error(1);
    else if (IS("raise")) raise(atoi(value));
    else if (IS("ignore")) signal(atoi(value), SIG_IGN);
    else if (IS("no-threads")) with_threads = 0;
    else if (IS("block-all")) { sigset_t all; sigfillset(&all); sigprocmask(SIG_BLOCK, &all, 0); }
    else if (IS("forks")) {
        int count = atoi(value), good = 0, status;
        for (int i = 0; i < count; i++) {
            pid_t pid = fork();
            if (!pid) {
                round_of_work(i);
                _exit(i % 50);
            }
        }
        while (wait(&status) > 0)
            good += WIFEXITED(status);
        printf("%d children ended\n", good);
    } else if (IS("forks-after")) {
        /* nothing now: used to name the case */
    } else {
        fprintf(stderr, "no such act: %s\n", what);
        _exit(97);
    }
}

int main(int argc, char **argv)
{
    with_burn = !getenv("TROUBLE_QUICK");
    round_of_work(0);
    for (int i = 1; i < argc; i++)
        act(argv[i]);
    round_of_work(1);
    char text[64];
    int length = snprintf(text, sizeof text, "sum %llx\n", (unsigned long long)sum);
    if (watched >= 0) {
        char byte;
        length += snprintf(text + length, sizeof text - (size_t)length, "watched %ld\n", (long)pread(watched, &byte, 1, 0));
    }
    if (quietly == 1) {
        if (write(1, text, (size_t)length) < 0)
            return 1;
        syscall(SYS_exit, 7);
    }
    fputs(text, stdout);
    return 7;
}
