/* SPDX-License-Identifier: MIT */
/* Threads, forks, handlers and stacks of every kind: argv[1] is the way, argv[2] the page in which all its processes count their
 * own calls, argv[3] and on are libraries. The sums over the data files are those of the page. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <linux/sched.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <threads.h>
#include <ucontext.h>
#include "page.h"

extern char **environ;
static char **arguments;
static _Atomic int bad;
static volatile sig_atomic_t stop;
#define WAY(name) if (!strcmp(way, name))
#define MUST(test) do { if (!(test)) { fprintf(stderr, "line %d: %s\n", __LINE__, #test); atomic_store(&bad, 1); } } while (0)

static void *brief(void *arg) { staged(2); framed(1); return arg; }
static void threads_run(int n, void *(*run)(void *), void *arg)
{
    pthread_t t[64];
    for (int i = 0; i < n; i++) MUST(!pthread_create(&t[i], 0, run, arg));
    for (int i = 0; i < n; i++) { void *result; pthread_join(t[i], &result); MUST(result == arg); }
}
static QUIET void child_wait(pid_t pid, int wanted)
{
    int status;
    while (waitpid(pid, &status, 0) < 0) if (errno != EINTR) { MUST(0); return; }
    if (status != wanted) fprintf(stderr, "child: status %x, expected %x\n", status, wanted);
    MUST(status == wanted);
}
static void child_make(int how)
{
    pid_t pid = fork();
    if (!pid) {
        staged(2);
        if (how % 3 == 0) exit(50);
        if (how % 3 == 1) _exit(50);
        threads_run(2, brief, &bad);
        exit(50);
    }
    MUST(pid > 0);
    child_wait(pid, 50 << 8);
}

/* ---- cancellation ---- */
static sem_t ready;
KEEP void cleanup(void *arg) { page_count(PAGE_HANDLER); for (volatile int i = 0; i < 2; i++) small(); }
static void *cancelled(void *arg)
{
    int old;
    if (arg) pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old);
    pthread_cleanup_push(cleanup, 0);
    sem_post(&ready);
    for (;;) { staged(3); framed(2); if (!arg) pthread_testcancel(); }
    pthread_cleanup_pop(0);
    return 0;
}
static void cancel(int rounds, void *asynchronous)
{
    sem_init(&ready, 0, 0);
    for (int r = 0; r < rounds; r++) {
        pthread_t t[4];
        for (int i = 0; i < 4; i++) MUST(!pthread_create(&t[i], 0, cancelled, asynchronous));
        for (int i = 0; i < 4; i++) sem_wait(&ready);
        for (volatile int i = 0; i < r * 37 % 5000; i++) { }
        for (int i = 0; i < 4; i++) pthread_cancel(t[i]);
        for (int i = 0; i < 4; i++) { void *result; pthread_join(t[i], &result); MUST(result == PTHREAD_CANCELED); }
        staged(1);
    }
}

/* ---- handlers ---- */
KEEP PROFPLUG_STAGE("handling", "compute") void handling(int n) { page_count(PAGE_HANDLER); for (volatile int i = 0; i < n; i++) framed(2); }
static void on_alarm(int s) { handling(2); }
static void on_nested(int s) { handling(1); if (s == SIGUSR1) raise(SIGUSR2); }
static void timer_set(long us) { MUST(!setitimer(ITIMER_REAL, &(struct itimerval){ { 0, us }, { 0, us } }, 0)); }
static volatile sig_atomic_t handler_forks;
static void on_fork(int s)
{
    if (++handler_forks == 25) timer_set(0);             /* a fork may take as long as until the next one */
    int kept = errno;
    pid_t pid = fork();
    if (!pid) { signal(SIGALRM, SIG_IGN); staged(2); _exit(51); }
    MUST(pid > 0);
    if (pid > 0) child_wait(pid, 51 << 8);
    handling(1);
    errno = kept;
}
static void handler_set(int number, void (*handler)(int), int flags)
{
    struct sigaction a = { .sa_handler = handler, .sa_flags = flags | SA_RESTART };
    MUST(!sigaction(number, &a, 0));
}
static void stack_set(size_t bytes)
{
    /* with a page before it that nobody may touch */
    char *at = mmap(0, bytes + 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    size_t room = (bytes + 4095) / 4096 * 4096;
    mprotect(at, 4096, PROT_NONE);
    MUST(!sigaltstack(&(stack_t){ .ss_sp = at + 4096 + (room - bytes), .ss_size = bytes }, 0));
}
static size_t stack_bytes;
static void *handler_thread(void *arg)
{
    stack_set(stack_bytes);
    for (int i = 0; i < 400; i++) { staged(2); if (i % 8 == 0) raise(SIGUSR1); }
    return arg;
}
/* Work in a handler that leaves little of its stack: what is sampled there has to do with the rest. */
QUIET static void burn(int s)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    long long end = t.tv_sec * 1000000000ll + t.tv_nsec + 3000000;
    do {
        for (volatile int i = 0; i < 3000; i++) { }
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    } while (t.tv_sec * 1000000000ll + t.tv_nsec < end);
}
static void on_burn(int s) { handling(1); burn(s); }
static void *burning_thread(void *arg)
{
    stack_set(stack_bytes);
    for (int i = 0; i < 12; i++) { staged(2); raise(SIGUSR1); }
    return arg;
}
static sigjmp_buf __thread home;
static void on_jump(int s) { handling(1); siglongjmp(home, 1); }
static void *jumping_thread(void *arg)
{
    stack_set(65536);
    for (volatile int i = 0; i < 300; i++)
        if (!sigsetjmp(home, 1)) { staged(1); raise(SIGUSR1); MUST(0); }
        else framed(2);
    return arg;
}

/* ---- forks of every kind ---- */
static void *forking_thread(void *arg) { for (int i = 0; i < 5; i++) { staged(2); child_make(i); } return arg; }
static void *busy_thread(void *arg) { while (!stop) { staged(2); brief(0); } return arg; }
static void *spawning_thread(void *arg)
{
    for (int i = 0; i < 10; i++) {
        pid_t pid;
        char *const a[] = { "sh", "-c", "exit 52", 0 };
        staged(1);
        MUST(!posix_spawn(&pid, "/bin/sh", 0, 0, a, environ));
        child_wait(pid, 52 << 8);
    }
    return arg;
}
static int vm_child(void *arg) { small(); framed(2); return 53; }
static void at_prepare(void) { staged(1); small(); }
static void at_parent(void) { framed(2); }
static void at_child(void) { staged(2); framed(1); }
static void *atfork_thread(void *arg) { pid_t pid = fork(); if (!pid) { staged(1); _exit(54); } child_wait(pid, 54 << 8); return arg; }
/* Met by no probe before its fork's handlers. */
static QUIET void *fresh_thread(void *arg) { pid_t pid = fork(); if (!pid) _exit(54); child_wait(pid, 54 << 8); return arg; }
void (*volatile early_prepare)(void);     /* a library's handler, registered before anything else, calls it */

/* ---- ends of threads ---- */
static pthread_key_t keys[5];
/* Its type says that no thread begins with it. It runs when the thread has given its counters back. */
KEEP void shelved(struct page *of) { MUST(of == page); page_count(PAGE_HANDLER); }
KEEP void emptied(struct page *of) { MUST(of == page); page_count(PAGE_HANDLER); for (volatile int i = 0; i < 2; i++) bad += i > 2; } /* framed */
static void key_end(void *value) { static __thread int rounds; staged(1); small(); if (rounds++ < 2) pthread_setspecific(keys[0], value); }
static void *key_thread(void *arg) { pthread_setspecific(keys[3], page); pthread_setspecific(keys[4], page); for (int i = 0; i < 3; i++) pthread_setspecific(keys[i], arg); staged(1); return arg; }
static once_flag once = ONCE_FLAG_INIT;
static tss_t tss;
static mtx_t mutex;
static void once_run(void) { small(); }
static void tss_end(void *value) { framed(1); }
static int c11_thread(void *arg)
{
    call_once(&once, once_run);
    tss_set(tss, arg);
    mtx_lock(&mutex);
    staged(1);
    mtx_unlock(&mutex);
    if ((size_t)arg & 1) thrd_exit(7);
    return 7;
}
static pthread_t before_main[4];
static void *early_thread(void *arg) { staged(4); for (int i = 0; i < 200; i++) framed(3); return arg; }
__attribute__((constructor(101))) static void first_constructor(void);
static void first_constructor(void)
{
    const char *name = getenv("CROWD_PAGE");
    if (!name) return;
    page_open(name);
    for (int i = 0; i < 4; i++) if (pthread_create(&before_main[i], 0, early_thread, &bad)) _exit(92);
}

/* ---- libraries that go while threads that were in them live on ---- */
static pthread_barrier_t barrier;
static void *outliving_thread(void *arg)
{
    void (*run)(int) = (void (*)(int))arg;
    run(10);
    staged(1);
    pthread_barrier_wait(&barrier);                      /* main closes the library */
    pthread_barrier_wait(&barrier);
    staged(2);
    return 0;
}
static void libraries(int rounds)
{
    for (int r = 0; r < rounds; r++)
        for (int l = 3; arguments[l]; l++) {
            pthread_t t[4];
            void *library = dlopen(arguments[l], RTLD_NOW);
            MUST(library);
            void *run = library ? dlsym(library, "library_work") : 0;
            MUST(run);
            pthread_barrier_init(&barrier, 0, 5);
            for (int i = 0; i < 4; i++) MUST(!pthread_create(&t[i], 0, outliving_thread, run));
            pthread_barrier_wait(&barrier);
            dlclose(library);
            pthread_barrier_wait(&barrier);
            for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
        }
}

/* ---- fibers ---- */
enum { FIBERS = 16, HOPS = 60, CARRIERS = 4 };
static struct fiber { ucontext_t context, *carrier; int hops; _Atomic int busy; } fibers[FIBERS];
static __thread ucontext_t carrier_context;
static KEEP ucontext_t *carrier_here(void) { return &carrier_context; }     /* anew each time: the fiber moves */
static KEEP int fiber_inner(struct fiber *f, int n)
{
    page_count(PAGE_FRAMED + 4);
    int sum = 0;
    for (volatile int i = 0; i < 2; i++) { sum += framed(1); swapcontext(&f->context, f->carrier); }
    return sum + n;
}
static void fiber_body(int low)
{
    struct fiber *f = &fibers[low];
    for (; f->hops < HOPS; f->hops++) { staged(1); fiber_inner(f, 1); small(); }
    f->hops = HOPS + 1;
    for (;;) swapcontext(&f->context, f->carrier);
}
static void *carrier(void *arg)
{
    size_t own = (size_t)arg;
    int moving = own >= 100;
    for (int done = 0; !done;) {
        done = 1;
        for (size_t i = 0; i < FIBERS; i++) {
            struct fiber *f = &fibers[i];
            if (!moving && i % CARRIERS != own % CARRIERS) continue;
            if (f->hops > HOPS) continue;
            done = 0;
            if (atomic_exchange(&f->busy, 1)) continue;
            if (f->hops <= HOPS) { f->carrier = carrier_here(); swapcontext(f->carrier, &f->context); framed(1); }
            atomic_store(&f->busy, 0);
        }
    }
    return 0;
}
static void fibers_run(size_t base)
{
    pthread_t t[CARRIERS];
    for (int i = 0; i < FIBERS; i++) {
        getcontext(&fibers[i].context);
        fibers[i].context.uc_stack.ss_sp = malloc(65536);
        fibers[i].context.uc_stack.ss_size = 65536;
        makecontext(&fibers[i].context, (void (*)(void))fiber_body, 1, i);
    }
    for (size_t i = 0; i < CARRIERS; i++) MUST(!pthread_create(&t[i], 0, carrier, (void *)(base + i)));
    for (int i = 0; i < CARRIERS; i++) pthread_join(t[i], 0);
}

int main(int argc, char **argv)
{
    const char *way = argv[1];
    arguments = argv;
    if (!page) page_open(argv[2]);
    printf("way %s\n", way);
    fflush(stdout);
    staged(5);
    WAY("churn") for (int r = 0; r < 625; r++) { threads_run(8, brief, &bad); if (r % 60 == 59) child_make(r); }
    WAY("cancel") cancel(20, 0);
    WAY("cancel-async") cancel(20, &bad);
    WAY("alternate") {
        handler_set(SIGUSR1, on_nested, SA_ONSTACK);
        handler_set(SIGUSR2, on_nested, SA_ONSTACK);
        handler_set(SIGALRM, on_alarm, SA_ONSTACK);
        stack_bytes = 65536;
        stack_set(stack_bytes);
        timer_set(500);
        threads_run(6, handler_thread, &bad);
        timer_set(0);
    }
    /* The second: no room for two signals where the processor has large vectors; where it has not, a small stack like the first. */
    if (!strcmp(way, "small-stack") || !strcmp(way, "narrow-stack")) {
        handler_set(SIGUSR1, on_burn, SA_ONSTACK);
        stack_bytes = argc > 3 ? (size_t)atol(argv[3]) : 8192;
        threads_run(4, burning_thread, &bad);
    }
    WAY("jumps") { handler_set(SIGUSR1, on_jump, SA_ONSTACK); threads_run(6, jumping_thread, &bad); }
    WAY("fork-thread") {
        pthread_t t[3];
        for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, busy_thread, 0);
        threads_run(4, forking_thread, &bad);
        stop = 1;
        for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    }
    WAY("fork-handler") { handler_set(SIGALRM, on_fork, 0); timer_set(2000); while (handler_forks < 25) { for (int k = 0; k < 20; k++) staged(3); threads_run(2, brief, &bad); } }
    WAY("vfork") for (int i = 0; i < 50; i++) {
        pid_t pid = vfork();
        if (!pid) { small(); framed(2); if (i & 1) _exit(55); execl("/bin/sh", "sh", "-c", "exit 55", (char *)0); _exit(1); }
        child_wait(pid, 55 << 8);
    }
    WAY("spawn") threads_run(8, spawning_thread, &bad);
    WAY("clone-memory") for (int i = 0; i < 50; i++) {
        static char stack[65536] __attribute__((aligned(64)));
        int status;
        pid_t pid = clone(vm_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, 0);
        MUST(pid > 0 && waitpid(pid, &status, 0) == pid && status == 53 << 8);
    }
    WAY("clone") for (int i = 0; i < 50; i++) {
        struct clone_args a = { .exit_signal = SIGCHLD };
        pid_t pid = i & 1 ? (pid_t)syscall(SYS_clone3, &a, sizeof a) : (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
        if (!pid) _exit(56);
        child_wait(pid, 56 << 8);
        staged(2);
    }
    WAY("atfork") {
        pthread_atfork(at_prepare, at_parent, at_child);
        for (int i = 0; i < 20; i++) { threads_run(3, atfork_thread, &bad); atfork_thread(0); threads_run(1, fresh_thread, &bad); }
    }
    WAY("atfork-early") { early_prepare = at_prepare; for (int i = 0; i < 30; i++) { threads_run(3, fresh_thread, &bad); atfork_thread(0); } }
    WAY("keys") { pthread_key_create(&keys[3], (void (*)(void *))(void *)shelved); pthread_key_create(&keys[4], (void (*)(void *))(void *)emptied); for (int i = 0; i < 3; i++) pthread_key_create(&keys[i], key_end); for (int i = 0; i < 100; i++) threads_run(8, key_thread, &bad); }
    WAY("c11") {
        thrd_t t[8];
        tss_create(&tss, tss_end);
        mtx_init(&mutex, mtx_plain);
        for (int r = 0; r < 50; r++) {
            for (size_t i = 0; i < 8; i++) MUST(thrd_create(&t[i], c11_thread, (void *)(i + 1)) == thrd_success);
            for (int i = 0; i < 8; i++) { int result; thrd_join(t[i], &result); MUST(result == 7); }
        }
    }
    WAY("constructors") for (int i = 0; i < 4; i++) pthread_join(before_main[i], 0);
    WAY("libraries") libraries(8);
    WAY("fibers") fibers_run(0);
    WAY("fibers-moving") fibers_run(100);
    return bad ? 90 : 60;
}
