/* SPDX-License-Identifier: MIT */
/* state.c: what belongs to the program and is easily disturbed: the floating-point environment, registers that only signal handlers could
 * spoil, signals, limits, descriptors, timers, the break. Each line says one of them; with probes it must be what it is without. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <locale.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <profplug.h>

#define OUTSIDE __attribute__((no_instrument_function, noinline))
extern char **environ;
static volatile long sink;

OUTSIDE static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* ---- probes of every kind ---- */

static __attribute__((noinline)) void counted(void) { sink++; }

static __attribute__((noinline)) void framed(int rounds)
{
    for (int i = 0; i < rounds; i++)
        counted();
}

PROFPLUG_STAGE("stage") static __attribute__((noinline)) void staged(int rounds)
{
    PROFPLUG_SCOPE("scope");
    framed(rounds);
}

static __attribute__((noinline)) void looped(int rounds)
{
    PROFPLUG_LOOP("loop")
    for (int i = 0; i < rounds; i++)
        staged(3);
}

static __attribute__((noinline)) void regions(void)
{
    profplug_begin("region");
    free(malloc(1000));
    profplug_end("region");
}

static jmp_buf back;
static __attribute__((noinline)) void jumper(void) { longjmp(back, 1); }

static __attribute__((noinline)) void probes(void)
{
    for (int i = 0; i < 100; i++) {
        looped(100);
        regions();
        if (!setjmp(back))
            jumper();
    }
}

/* User time, so that samples are taken: about the first milliseconds by a timer, then by an event. */
static __attribute__((noinline)) void burn(uint64_t ms)
{
    for (uint64_t end = cpu_ns() + ms * 1000000u; cpu_ns() < end;)
        for (int i = 0; i < 100000; i++)
            sink += i;
}

/* ---- what is looked at ---- */

#define SHOW(name, value) printf("%s " name " %" PRIx64 "\n", when, (uint64_t)(value))

struct kernel_action { uint64_t handler, flags, restorer, mask; };

OUTSIDE static void signals_show(const char *when)
{
    uint64_t mask = 0, pending = 0;
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, &mask, 8);
    syscall(SYS_rt_sigpending, &pending, 8);
    SHOW("mask", mask);
    SHOW("pending", pending);
    for (int n = 1; n <= 64; n++) {
        struct kernel_action raw = { 0 };
        struct sigaction glibc = { 0 };
        long raw_status = syscall(SYS_rt_sigaction, n, 0, &raw, 8);
        int status = sigaction(n, 0, &glibc) ? errno : 0;
        printf("%s signal %d: sigaction(2) %ld %s, sigaction(3) %d %s\n", when, n, raw_status, raw.handler > 1 ? "handler" : raw.handler ? "ignored" : "default",
               status, glibc.sa_handler == SIG_DFL ? "default" : glibc.sa_handler == SIG_IGN ? "ignored" : "handler");
    }
    stack_t stack;
    sigaltstack(0, &stack);
    SHOW("alternate stack", stack.ss_flags);
}

OUTSIDE static void process_show(const char *when)
{
    for (int i = 0; i < RLIM_NLIMITS; i++) {
        struct rlimit limit = { 0, 0 };
        getrlimit((__rlimit_resource_t)i, &limit);
        printf("%s limit %d %" PRIx64 " %" PRIx64 "\n", when, i, (uint64_t)limit.rlim_cur, (uint64_t)limit.rlim_max);
    }
    mode_t mask = umask(0);
    umask(mask);
    SHOW("umask", mask);
    char *directory = getcwd(0, 0);
    printf("%s directory %s\n%s locale %s\n", when, directory, when, setlocale(LC_ALL, 0));
    free(directory);
    for (char **e = environ; *e; e++)
        if (strncmp(*e, "PROFPLUG=", 9))
            printf("%s environment %s\n", when, *e);
    SHOW("own process", getpid() == syscall(SYS_getpid));
    SHOW("nice", getpriority(PRIO_PROCESS, 0));
    struct itimerval timer;
    for (int i = 0; i < 3; i++) {
        getitimer((__itimer_which_t)i, &timer);
        printf("%s interval timer %d %ld %ld\n", when, i, timer.it_value.tv_sec, timer.it_interval.tv_sec);
    }
    void *head;
    size_t length;
    syscall(SYS_get_robust_list, 0, &head, &length);
    SHOW("robust list", head != 0);
    int fd = open("/dev/null", O_RDONLY), other = dup(fd);
    printf("%s descriptors %d %d\n", when, fd, other);
    close(other);
    close(fd);
    int low = 0;
    for (int i = 0; i < 256; i++)
        low += fcntl(i, F_GETFD) >= 0;
    SHOW("descriptors below 256", low);
}

OUTSIDE static void show(const char *when)
{
    signals_show(when);
    process_show(when);
}

/* ---- floating point ---- */

OUTSIDE static void float_set(int mode, int excepts)
{
    feclearexcept(FE_ALL_EXCEPT);
    fesetround(mode);
    feraiseexcept(excepts);
}

OUTSIDE static void float_show(const char *when)
{
    uint32_t csr;
    uint16_t control, status;
    __asm__ volatile("stmxcsr %0\n\tfnstcw %1\n\tfnstsw %2" : "=m"(csr), "=m"(control), "=m"(status));
    printf("%s mxcsr %x, x87 control %x, status %x, rounding %x, exceptions %x\n", when, csr, control, status, fegetround(), fetestexcept(FE_ALL_EXCEPT));
}

static void floats(void)
{
    static const int modes[] = { FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO };
    char when[64];
    for (int m = 0; m < 4; m++)
        for (int e = 0; e < 2; e++) {
            float_set(modes[m], e ? FE_DIVBYZERO | FE_OVERFLOW : 0);
            probes();
            snprintf(when, sizeof when, "probes under rounding %d, exceptions %d:", m, e);
            float_show(when);
        }
    float_set(FE_TONEAREST, 0);
    uint32_t flush = 0x9fc0;             /* flush to zero, denormals are zero: as -ffast-math sets them */
    __asm__ volatile("ldmxcsr %0" : : "m"(flush));
    probes();
    float_show("probes under flush to zero");
    fesetenv(FE_DFL_ENV);
    uint16_t control = 0x27f;            /* double precision of the x87 */
    __asm__ volatile("fldcw %0" : : "m"(control));
    probes();
    burn(30);
    feclearexcept(FE_ALL_EXCEPT);
    probes();
    float_show("x87 at double precision");
    fesetenv(FE_DFL_ENV);
    feclearexcept(FE_ALL_EXCEPT);
    feenableexcept(FE_ALL_EXCEPT);       /* any exception that we raised would be SIGFPE */
    probes();
    feclearexcept(FE_ALL_EXCEPT);
    printf("traps enabled: %x\n", fegetexcept());
    fesetenv(FE_DFL_ENV);
}

/* Registers across samples: nothing but a handler can run here. The vector registers' upper halves, the x87 stack, the direction flag. */
OUTSIDE static void registers(void)
{
    if (!__builtin_cpu_supports("avx2"))
        return;
    uint64_t in[4] = { 0x0123456789abcdef, 0xfedcba9876543210, 0x1111222233334444, 0x5555666677778888 }, out[4], bad = 0, backwards = 0;
    double x = 1.25, y;
    for (uint64_t end = cpu_ns() + 150000000; cpu_ns() < end;) {
        uint64_t flags;
        long rounds = 300000;
        __asm__ volatile("vmovdqu %4, %%ymm15\n\tvmovdqu %4, %%ymm3\n\tfldl %5\n\tstd\n"
                         "1:\tdecq %3\n\tjnz 1b\n\t"
                         "pushfq\n\tpopq %2\n\tcld\n\tfstpl %1\n\tvpand %%ymm3, %%ymm15, %%ymm15\n\tvmovdqu %%ymm15, %0\n\tvzeroupper"
                         : "=m"(out), "=m"(y), "=&r"(flags), "+&r"(rounds) : "m"(in), "m"(x) : "xmm15", "xmm3", "cc", "memory");
        bad += memcmp(in, out, sizeof in) || x != y;
        backwards += !(flags & 0x400);
    }
    printf("registers spoilt %" PRIu64 ", direction lost %" PRIu64 "\n", bad, backwards);
}

/* Registers that calls may change, but that this function visibly does not: GCC keeps the caller's values in them
 * (-fipa-ra). */
static __attribute__((noinline, noclone)) long added(const long *p)
{
    long sum = 0;
    while (*p)
        sum += *p++;
    return sum;
}

static __attribute__((noinline, noclone)) long around(const long *p, long a, long b, long c, long d, long e)
{
    long sum = added(p);
    return sum ^ a * 3 ^ b * 5 ^ c * 7 ^ d * 9 ^ e * 11;
}

static void kept_registers(void)
{
    static const long terms[] = { 5, 7, 11, 13, 0 };
    long bad = 0;
    for (long i = 1; i < 200000; i++)
        bad += around(terms, i, i + 1, i + 2, i + 3, i + 4) != (36 ^ i * 3 ^ (i + 1) * 5 ^ (i + 2) * 7 ^ (i + 3) * 9 ^ (i + 4) * 11);
    printf("registers spoilt across calls %ld\n", bad);
}

/* ---- the program's own use of what we could be in the way of ---- */

static volatile sig_atomic_t caught[65];
static void catcher(int n) { caught[n]++; }

/* Each signal that a program can have: caught as often as it was raised. */
static void own_signals(void)
{
    int ok = 0, wrong = 0;
    for (int n = 1; n <= 64; n++) {
        struct sigaction mine = { .sa_handler = catcher }, was;
        if (sigaction(n, &mine, &was))
            continue;
        probes();
        for (int i = 0; i < 3; i++)
            raise(n);
        if (caught[n] == 3)
            ok++;
        else
            wrong++;
        sigaction(n, &was, 0);
    }
    printf("own handlers: %d signals, %d wrong\n", ok, wrong);
    fflush(stdout);
    /* A signal whose action is the default ends the program. */
    for (int n = 1; n <= 64; n++) {
        pid_t child = fork();
        if (!child) {
            setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
            burn(3);
            raise(n);
            _exit(0);
        }
        int status = 0;
        waitpid(child, &status, WUNTRACED);
        if (WIFSTOPPED(status)) {
            kill(child, SIGKILL);
            waitpid(child, 0, 0);
        }
        printf("raised %d: status %x\n", n, status & ~0x80);
    }
}

static void waiting_signals(void)
{
    sigset_t all, old, pending;
    sigfillset(&all);
    sigprocmask(SIG_SETMASK, &all, &old);
    int got[65] = { 0 }, sum = 0;
    for (int i = 0; i < 200; i++) {
        int n = SIGRTMIN + i % (SIGRTMAX - SIGRTMIN + 1), seen;
        burn(1);
        raise(n);
        if (!sigwait(&all, &seen) && seen == n)
            got[n]++;
        siginfo_t info;
        raise(SIGUSR1);
        if (sigwaitinfo(&all, &info) == SIGUSR1 && info.si_pid == getpid())
            got[0]++;
        sum += sigtimedwait(&all, &info, &(struct timespec){ 0, 10000 }) < 0 && errno == EAGAIN;
    }
    int held = 0;
    for (int n = 1; n <= 64; n++)
        held += got[n];
    printf("sigwait %d, sigwaitinfo %d, sigtimedwait %d\n", held, got[0], sum);
    int fd = signalfd(-1, &all, SFD_NONBLOCK | SFD_CLOEXEC), empty = 0, taken = 0;
    for (int i = 0; i < 100; i++) {
        struct signalfd_siginfo info;
        burn(1);
        empty += read(fd, &info, sizeof info) < 0 && errno == EAGAIN;
        raise(SIGUSR2);
        taken += read(fd, &info, sizeof info) == sizeof info && info.ssi_signo == SIGUSR2;
    }
    close(fd);
    sigpending(&pending);
    printf("signalfd empty %d, taken %d, pending empty %d\n", empty, taken, sigisemptyset(&pending));
    sigprocmask(SIG_SETMASK, &old, 0);
}

static void profiling_timer(int n) { caught[n]++; }

static void own_timers(void)
{
    struct sigaction mine = { .sa_handler = profiling_timer, .sa_flags = SA_RESTART }, was;
    static const int signal_of[] = { SIGALRM, SIGVTALRM, SIGPROF };
    for (int i = 0; i < 3; i++) {
        caught[signal_of[i]] = 0;
        sigaction(signal_of[i], &mine, &was);
        setitimer((__itimer_which_t)i, &(struct itimerval){ { 0, 10000 }, { 0, 10000 } }, 0);
        burn(200);
        setitimer((__itimer_which_t)i, &(struct itimerval){ { 0, 0 }, { 0, 0 } }, 0);
        sigaction(signal_of[i], &was, 0);
        printf("interval timer %d came %s\n", i, caught[signal_of[i]] >= 10 ? "often" : "rarely");
    }
    timer_t timer[4];
    bool made[4];                        /* not where the filter refuses them */
    for (int i = 0; i < 4; i++) {
        struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMIN + i };
        caught[SIGRTMIN + i] = 0;
        sigaction(SIGRTMIN + i, &mine, 0);
        made[i] = !timer_create(i % 2 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID, &event, &timer[i]);
        if (made[i]) timer_settime(timer[i], 0, &(struct itimerspec){ { 0, 10000000 }, { 0, 10000000 } }, 0);
    }
    burn(200);
    for (int i = 0; i < 4; i++) {
        if (made[i]) timer_delete(timer[i]);
        printf("timer %d came %s\n", i, caught[SIGRTMIN + i] >= 10 ? "often" : "rarely");
        signal(SIGRTMIN + i, SIG_DFL);
    }
    signal(SIGALRM, catcher);
    caught[SIGALRM] = 0;
    alarm(1);
    unsigned left = sleep(3);
    printf("alarm: sleep %s, %d signal\n", left > 0 && left < 3 ? "cut short" : "wrong", (int)caught[SIGALRM]);
    signal(SIGALRM, SIG_DFL);
}

/* A program with a heap of its own upon the break, and one that maps where it wants. */
static void own_memory(void)
{
    char *first = sbrk(0);
    int moved = 0;
    for (int i = 0; i < 1000; i++) {
        char *at = sbrk(4096);
        moved += at != first + 4096L * i;
        if (at != (void *)-1)
            memset(at, i, 4096);
        staged(3);
    }
    printf("break moved by others %d\n", moved);
    char *room = mmap(0, 64 << 20, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    int taken = 0;
    munmap(room, 64 << 20);
    for (int i = 0; i < 64; i++) {
        /* Of what was unmapped just now nothing may be given to us while no probe ran. */
        char *at = mmap(room + ((long)i << 20), 1 << 20, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
        taken += at != room + ((long)i << 20);
    }
    for (int i = 0; i < 64; i++)
        memset(room + ((long)i << 20), i, 1 << 20);
    probes();
    int spoilt = 0;
    for (int i = 0; i < 64; i++)
        for (int j = 0; j < 1 << 20; j += 4096)
            spoilt += room[((long)i << 20) + j] != (char)i;
    printf("fixed mappings refused %d, spoilt %d\n", taken, spoilt);
}

static void *thread_of_own(void *mask_out)
{
    probes();
    burn(20);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, 0, mask_out, 8);
    return 0;
}

int main(void)
{
    setvbuf(stdout, 0, _IOFBF, 1 << 16);
    show("at first:");
    probes();
    show("after probes:");
    burn(100);
    show("after samples:");
    sigset_t some;
    sigemptyset(&some);
    sigaddset(&some, SIGUSR1);
    sigaddset(&some, SIGRTMIN + 3);
    sigprocmask(SIG_BLOCK, &some, 0);
    probes();
    burn(30);
    pthread_t thread;
    uint64_t mask = 0;
    pthread_create(&thread, 0, thread_of_own, &mask);
    pthread_join(thread, 0);
    printf("a thread's mask %" PRIx64 "\n", mask);
    signals_show("with a mask:");
    sigprocmask(SIG_UNBLOCK, &some, 0);
    floats();
    registers();
    kept_registers();
    fflush(stdout);
    own_signals();
    waiting_signals();
    own_timers();
    own_memory();
    show("at last:");
    return 0;
}
