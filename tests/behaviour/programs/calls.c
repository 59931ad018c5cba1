/* SPDX-License-Identifier: MIT */
/* calls.c FOLDER: how the C library's calls end in rare cases, one line each on standard output: what they return and set, which clean-ups ran. Files in FOLDER are
 * written by several threads, by handlers and across forks; the last lines say how long each is. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

#define SAY(...) do { printf(__VA_ARGS__); fflush(stdout); } while (0)
#define ENDS(what, call) do { errno = 0; long r_ = (long)(call); int e_ = errno; SAY(what ": %ld %s\n", r_, e_ ? strerrorname_np(e_) : "-"); } while (0)

static struct timespec in_ms(long ms)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    t.tv_sec--; /* ms may be below 0 */
    t.tv_nsec += 1000000000 + ms * 1000000;
    return (struct timespec){ t.tv_sec + t.tv_nsec / 1000000000, t.tv_nsec % 1000000000 };
}

/* ---- locks of every kind ---- */

static pthread_mutex_t mutex;
static pthread_rwlock_t rwlock = PTHREAD_RWLOCK_INITIALIZER;
static void *dies_holding(void *unused)
{
    pthread_mutex_lock(&mutex);
    return unused;
}
static void *tries(void *unused)
{
    struct timespec end = in_ms(20), wrong = { .tv_nsec = 2000000000 };
    ENDS(" other trylock", pthread_mutex_trylock(&mutex));
    ENDS(" other timedlock", pthread_mutex_timedlock(&mutex, &end));
    ENDS(" other timedlock, no time", pthread_mutex_timedlock(&mutex, &wrong));
    ENDS(" other unlock", pthread_mutex_unlock(&mutex) == EPERM);
    return unused;
}
static void *tries_rwlock(void *unused)
{
    struct timespec end = in_ms(20);
    ENDS(" other rdlock", pthread_rwlock_timedrdlock(&rwlock, &end));
    end = in_ms(20);
    ENDS(" other wrlock", pthread_rwlock_timedwrlock(&rwlock, &end));
    return unused;
}
static void in_thread(void *(*what)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, what, NULL);
    pthread_join(thread, NULL);
}
static void *pauses(void *unused) { for (;;) pause(); return unused; }
static void locks(void)
{
    static const struct { const char *name; int type, robust, protocol; } kind[] = {
        { "recursive", PTHREAD_MUTEX_RECURSIVE, 0, 0 }, { "errorcheck", PTHREAD_MUTEX_ERRORCHECK, 0, 0 }, { "robust", PTHREAD_MUTEX_ERRORCHECK, 1, 0 },
        { "inheriting", PTHREAD_MUTEX_ERRORCHECK, 0, PTHREAD_PRIO_INHERIT }, { "robust, inheriting, recursive", PTHREAD_MUTEX_RECURSIVE, 1, PTHREAD_PRIO_INHERIT } };
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        pthread_mutexattr_t a;
        struct timespec end = in_ms(20);
        pthread_mutexattr_init(&a);
        pthread_mutexattr_settype(&a, kind[i].type);
        pthread_mutexattr_setrobust(&a, kind[i].robust ? PTHREAD_MUTEX_ROBUST : PTHREAD_MUTEX_STALLED);
        pthread_mutexattr_setprotocol(&a, kind[i].protocol);
        pthread_mutex_init(&mutex, &a);
        SAY("%s\n", kind[i].name);
        ENDS(" lock", pthread_mutex_lock(&mutex));
        ENDS(" again", pthread_mutex_lock(&mutex));
        ENDS(" timed", pthread_mutex_timedlock(&mutex, &end));
        end = in_ms(20);
        ENDS(" clock", pthread_mutex_clocklock(&mutex, CLOCK_REALTIME, &end));
        ENDS(" clock of another kind", pthread_mutex_clocklock(&mutex, CLOCK_PROCESS_CPUTIME_ID, &end));
        in_thread(tries);
        for (int n = 0; n < 5; n++)
            ENDS(" unlock", pthread_mutex_unlock(&mutex));
        if (kind[i].robust) {
            in_thread(dies_holding);
            ENDS(" owner died", pthread_mutex_lock(&mutex));
            ENDS(" consistent", pthread_mutex_consistent(&mutex));
            ENDS(" unlock", pthread_mutex_unlock(&mutex));
            in_thread(dies_holding);
            ENDS(" owner died", pthread_mutex_timedlock(&mutex, &end));
            ENDS(" unlock", pthread_mutex_unlock(&mutex));
            ENDS(" not recoverable", pthread_mutex_lock(&mutex));
        }
    }
    SAY("rwlock\n");
    ENDS(" wrlock", pthread_rwlock_wrlock(&rwlock));
    ENDS(" wrlock again", pthread_rwlock_wrlock(&rwlock));
    ENDS(" rdlock over it", pthread_rwlock_rdlock(&rwlock));
    in_thread(tries_rwlock);
    ENDS(" unlock", pthread_rwlock_unlock(&rwlock));
    ENDS(" rdlock", pthread_rwlock_rdlock(&rwlock));
    ENDS(" rdlock again", pthread_rwlock_rdlock(&rwlock));
    sem_t semaphore;
    struct timespec wrong = { .tv_nsec = 2000000000 }, past = in_ms(-10);
    sem_init(&semaphore, 0, 1);
    ENDS("sem_timedwait free", sem_timedwait(&semaphore, &wrong));
    ENDS("sem_timedwait no time", sem_timedwait(&semaphore, &wrong));
    ENDS("sem_timedwait late", sem_timedwait(&semaphore, &past));
    ENDS("sem_clockwait late", sem_clockwait(&semaphore, CLOCK_REALTIME, &past));
    ENDS("sem_clockwait no time", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &wrong));
    ENDS("sem_clockwait by another clock", sem_clockwait(&semaphore, CLOCK_PROCESS_CPUTIME_ID, &past));
    sem_post(&semaphore);
    ENDS("sem_clockwait free", sem_clockwait(&semaphore, CLOCK_REALTIME, &past));
    sem_post(&semaphore);
    ENDS("sem_clockwait free, no time", sem_clockwait(&semaphore, CLOCK_MONOTONIC, &wrong));
    ENDS("join self", pthread_join(pthread_self(), NULL));
    ENDS("clockjoin self", pthread_clockjoin_np(pthread_self(), NULL, CLOCK_MONOTONIC, &past));
    ENDS("clockjoin self, by another clock", pthread_clockjoin_np(pthread_self(), NULL, CLOCK_PROCESS_CPUTIME_ID, &past));
    pthread_t idle_thread;
    pthread_create(&idle_thread, NULL, pauses, NULL);
    ENDS("clockjoin late", pthread_clockjoin_np(idle_thread, NULL, CLOCK_MONOTONIC, &(struct timespec){ 1, 0 }));
    ENDS("clockjoin by another clock", pthread_clockjoin_np(idle_thread, NULL, CLOCK_PROCESS_CPUTIME_ID, &past));
    pthread_cancel(idle_thread);
    void *ended;
    ENDS("clockjoin", pthread_clockjoin_np(idle_thread, &ended, CLOCK_REALTIME, NULL));
    SAY("it was cancelled %d\n", ended == PTHREAD_CANCELED);
    mtx_t plain;
    mtx_init(&plain, mtx_recursive);
    ENDS("mtx_lock", mtx_lock(&plain));
    ENDS("mtx_lock again", mtx_lock(&plain));
    ENDS("close", close(-1));
    ENDS("thrd_sleep", thrd_sleep(&(struct timespec){ 0, -1 }, NULL));
    ENDS("clock_nanosleep", clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &past, NULL));
}

/* ---- interrupted ---- */

static volatile sig_atomic_t rings;
static int alarm_pipe[2];
static void ring(int number)
{
    int kept = errno;
    rings++;
    if (write(alarm_pipe[1], "!", 1) != 1) /* from the handler */
        _exit(9);
    errno = kept + 0 * number;
}
static void soon(void) { setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 15000 }, NULL); }
#define INTERRUPTED(what, call) do { soon(); ENDS(what, call); } while (0)
static void *late_writer(void *fd)
{
    nanosleep(&(struct timespec){ 0, 60000000 }, NULL);
    if (write(*(int *)fd, "late", 4) != 4)
        _exit(8);
    return NULL;
}
static void interrupts(void)
{
    int empty[2], full[2], pair[2], epoll = epoll_create1(0), listener = socket(AF_UNIX, SOCK_STREAM, 0), one = open("lock", O_RDWR | O_CREAT, 0666), lock_pipe[2];
    char bytes[65536] = "", c;
    sem_t semaphore;
    sigset_t set;
    struct sockaddr_un path = { .sun_family = AF_UNIX, .sun_path = "listens" };
    struct flock whole = { .l_type = F_WRLCK };
    struct timespec left, end;
    pthread_t thread;
    if (pipe(empty) || pipe(full) || pipe(alarm_pipe) || pipe(lock_pipe) || socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        exit(3);
    while (fcntl(full[1], F_SETFL, O_NONBLOCK), write(full[1], bytes, sizeof bytes) > 0) { }
    fcntl(full[1], F_SETFL, 0);
    sem_init(&semaphore, 0, 0);
    unlink(path.sun_path);
    bind(listener, (struct sockaddr *)&path, sizeof path), listen(listener, 1);
    pid_t holder = fork();
    if (!holder) {                       /* holds both locks of the file */
        flock(open("lock", O_RDWR), LOCK_EX), fcntl(one, F_SETLK, &whole);
        if (write(lock_pipe[1], "x", 1) != 1)
            _exit(1);
        pause();
        _exit(0);
    }
    if (read(lock_pipe[0], &c, 1) != 1)
        exit(4);
    sigaction(SIGALRM, &(struct sigaction){ .sa_handler = ring }, NULL);
    INTERRUPTED("read", read(empty[0], bytes, 10));
    INTERRUPTED("readv", pread(empty[0], bytes, 10, 0));
    INTERRUPTED("write", write(full[1], bytes, 10));
    INTERRUPTED("recv", recv(pair[0], bytes, 10, 0));
    INTERRUPTED("accept", accept(listener, NULL, NULL));
    INTERRUPTED("poll", poll(&(struct pollfd){ empty[0], POLLIN, 0 }, 1, 5000));
    INTERRUPTED("select", select(0, NULL, NULL, NULL, &(struct timeval){ 5, 0 }));
    INTERRUPTED("epoll_wait", epoll_wait(epoll, (struct epoll_event[1]){ { 0, { 0 } } }, 1, 5000));
    INTERRUPTED("nanosleep", nanosleep(&(struct timespec){ 5, 0 }, &left));
    SAY("left %d\n", left.tv_sec == 4);
    INTERRUPTED("clock_nanosleep", clock_nanosleep(CLOCK_MONOTONIC, 0, &(struct timespec){ 5, 0 }, NULL));
    INTERRUPTED("sleep", sleep(5) > 3);
    INTERRUPTED("usleep", usleep(900000));
    INTERRUPTED("sem_wait", sem_wait(&semaphore));
    end = in_ms(5000);
    INTERRUPTED("sem_timedwait", sem_timedwait(&semaphore, &end));
    end = in_ms(5000);
    INTERRUPTED("sem_clockwait", sem_clockwait(&semaphore, CLOCK_REALTIME, &end));
    INTERRUPTED("flock", flock(one, LOCK_EX));
    INTERRUPTED("fcntl", fcntl(one, F_SETLKW, &whole));
    INTERRUPTED("waitpid", waitpid(-1, NULL, 0));
    INTERRUPTED("pause", pause());
    sigemptyset(&set);
    INTERRUPTED("sigsuspend", sigsuspend(&set));
    sigaddset(&set, SIGUSR1);
    INTERRUPTED("sigtimedwait", sigtimedwait(&set, NULL, &(struct timespec){ 5, 0 }));
    sigaction(SIGALRM, &(struct sigaction){ .sa_handler = ring, .sa_flags = SA_RESTART }, NULL);
    pthread_create(&thread, NULL, late_writer, &empty[1]);
    INTERRUPTED("read goes on", read(empty[0], bytes, 10));
    pthread_join(thread, NULL);
    pthread_create(&thread, NULL, late_writer, &pair[1]);
    INTERRUPTED("recv goes on", recv(pair[0], bytes, 10, 0));
    pthread_join(thread, NULL);
    INTERRUPTED("poll does not", poll(NULL, 0, 5000));
    SAY("rings %d, written %ld\n", (int)rings, (long)read(alarm_pipe[0], bytes, sizeof bytes));
    kill(holder, SIGTERM);
    wait(NULL);
}

/* ---- cancelled ---- */

static int nothing[2], quiet[2], queue;
static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t all_here;
static pthread_t idle;
static int cleaned, after;
static void clean(void *unlocks)
{
    cleaned++;
    if (unlocks)
        pthread_mutex_unlock(&held);
}
static void *idles(void *unused) { for (;;) sleep(1); return unused; }
static void waits_in(int way)
{
    char bytes[10];
    sem_t semaphore;
    sigset_t set;
    struct timespec end = in_ms(20000);
    FILE *f;
    sem_init(&semaphore, 0, 0);
    sigemptyset(&set), sigaddset(&set, SIGUSR1);
    switch (way) {
    case 0: (void)!read(nothing[0], bytes, 10); break;
    case 1: recv(quiet[0], bytes, 10, 0); break;
    case 2: recvmsg(quiet[0], &(struct msghdr){ .msg_iov = &(struct iovec){ bytes, 10 }, .msg_iovlen = 1 }, 0); break;
    case 3: accept(queue, NULL, NULL); break;
    case 4: nanosleep(&(struct timespec){ 20, 0 }, NULL); break;
    case 5: sleep(20); break;
    case 6: poll(NULL, 0, 20000); break;
    case 7: select(0, NULL, NULL, NULL, &(struct timeval){ 20, 0 }); break;
    case 8: sem_wait(&semaphore); break;
    case 9: sem_timedwait(&semaphore, &end); break;
    case 10: pthread_join(idle, NULL); break;
    case 11: pthread_mutex_lock(&held); pthread_cleanup_push(clean, &held); pthread_cond_wait(&never, &held); pthread_cleanup_pop(1); break;
    case 12: pthread_mutex_lock(&held); pthread_cleanup_push(clean, &held); pthread_cond_timedwait(&never, &held, &end); pthread_cleanup_pop(1); break;
    case 13: pthread_mutex_lock(&held); pthread_cleanup_push(clean, &held); end.tv_sec = 1 << 30; pthread_cond_clockwait(&never, &held, CLOCK_MONOTONIC, &end); pthread_cleanup_pop(1); break;
    case 14: sigwait(&set, &(int){ 0 }); break;
    case 15: pause(); break;
    case 16: f = fdopen(nothing[0], "r"); fgets(bytes, 10, f); break;
    case 17: thrd_sleep(&(struct timespec){ 20, 0 }, NULL); break;
    case 18: epoll_wait(epoll_create1(0), (struct epoll_event[1]){ { 0, { 0 } } }, 1, 20000); break;
    case 19: usleep(900000), usleep(900000), usleep(900000); break;
    case 20: clock_nanosleep(CLOCK_MONOTONIC, 0, &end, NULL); break;
    case 21: waitid(P_PID, (id_t)getppid(), &(siginfo_t){ 0 }, WEXITED), sleep(20); break;
    case 22: sem_clockwait(&semaphore, CLOCK_REALTIME, &end); break;
    case 23: pthread_clockjoin_np(idle, NULL, CLOCK_REALTIME, &end); break;
    }
}
static void *cancelled(void *way)
{
    pthread_cleanup_push(clean, NULL);
    pthread_barrier_wait(&all_here);
    waits_in((int)(long)way);
    after++;
    pthread_cleanup_pop(0);
    return NULL;
}
/* Told before it calls: what is there to be read stays there. */
static void *told_before(void *fd)
{
    char c;
    pthread_cleanup_push(clean, NULL);
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, NULL);
    pthread_barrier_wait(&all_here);
    pthread_barrier_wait(&all_here);
    pthread_mutex_lock(&held);           /* no point of cancellation */
    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_mutex_unlock(&held);
    if (fd)
        (void)!read(*(int *)fd, &c, 1);
    else
        pthread_mutex_lock(&held);
    after++;
    pthread_cleanup_pop(0);
    return NULL;
}
static void cancels(void)
{
    pthread_t thread;
    void *left;
    char bytes[10];
    if (pipe(nothing) || socketpair(AF_UNIX, SOCK_STREAM, 0, quiet))
        exit(5);
    queue = socket(AF_UNIX, SOCK_STREAM, 0);
    struct sockaddr_un path = { .sun_family = AF_UNIX, .sun_path = "queue" };
    unlink(path.sun_path);
    bind(queue, (struct sockaddr *)&path, sizeof path), listen(queue, 1);
    pthread_barrier_init(&all_here, NULL, 2);
    pthread_create(&idle, NULL, idles, NULL);
    for (long way = 0; way <= 23; way++) {
        pthread_create(&thread, NULL, cancelled, (void *)way);
        pthread_barrier_wait(&all_here);
        usleep(5000);
        pthread_cancel(thread);
        pthread_join(thread, &left);
        SAY("cancelled in %ld: %d, cleaned %d, after it %d, lock free %d\n", way, left == PTHREAD_CANCELED, cleaned, after, pthread_mutex_trylock(&held) == 0);
        pthread_mutex_unlock(&held);
    }
    if (pipe(nothing) || write(nothing[1], "abc", 3) != 3)
        exit(6);
    for (int way = 0; way < 2; way++) {
        pthread_create(&thread, NULL, told_before, way ? NULL : &nothing[0]);
        pthread_barrier_wait(&all_here);
        pthread_cancel(thread);
        pthread_barrier_wait(&all_here);
        pthread_join(thread, &left);
        SAY("told before: %d, cleaned %d, after it %d\n", left == PTHREAD_CANCELED, cleaned, after);
    }
    SAY("still there: %ld\n", (long)read(nothing[0], bytes, 10));
    pthread_cancel(idle);
    pthread_join(idle, NULL);
}

/* ---- files that several write ---- */

enum { WRITERS = 4, LINES = 3000 };
static FILE *common;
static void *writes_common(void *number)
{
    for (int i = 0; i < LINES; i++)
        if (i % 3 == 0)
            fprintf(common, "%ld %06d %.2f\n", (long)number, i, 0.25); /* common, printed */
        else if (i % 3 == 1)
            fputs("a line of one thread\n", common); /* common, put */
        else
            fwrite("and a block\n", 12, 1, common); /* common, written */
    return NULL;
}
static int log_fd;
static void writes_log(int number)
{
    if (write(log_fd, number == SIGPROF ? "tick\n" : "?\n", 5) != 5) /* log */
        _exit(7);
}
static long length(const char *name)
{
    struct stat s;
    return stat(name, &s) ? -1 : (long)s.st_size;
}
static void files(void)
{
    pthread_t thread[WRITERS];
    common = fopen("common", "w");
    for (long i = 0; i < WRITERS; i++)
        pthread_create(&thread[i], NULL, writes_common, (void *)i);
    for (int i = 0; i < WRITERS; i++)
        pthread_join(thread[i], NULL);
    fclose(common);
    SAY("common %ld\n", length("common"));

    FILE *mixed = fopen("mixed", "w");
    log_fd = open("log", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0666);
    signal(SIGPROF, writes_log);
    for (int i = 0; i < 20000; i++) {
        fprintf(mixed, "%d\n", i); /* mixed */
        if (i % 100 == 0)
            raise(SIGPROF);
        free(malloc((size_t)i));
    }
    signal(SIGPROF, SIG_DFL);
    fclose(mixed);
    SAY("mixed %ld log %ld\n", length("mixed"), length("log"));

    FILE *shared = fopen("shared", "w");
    fputs("buffered before the fork\n", shared); /* shared */
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (!child) {
            fprintf(shared, "child %d\n", i); /* shared, child */
            if (write(fileno(shared), "direct\n", 7) != 7) /* shared, direct */
                exit(1);
            exit(0);
        }
        waitpid(child, NULL, 0);
    }
    fputs("parent\n", shared); /* shared, parent */
    fclose(shared);
    SAY("shared %ld\n", length("shared"));
}

/* ---- what is wrong, or next to nothing, and answered all the same ---- */

static void odd_items(FILE *f, const char *name)
{
    char bytes[64] = "";
    volatile size_t none = 0, some = 5, huge = (size_t)1 << 63;      /* volatile: for the compiler a size of 0 needs no call */
    SAY("%s: items of none %zu %zu %zu %zu", name, fread(bytes, none, some, f), fwrite(bytes, none, some, f), fread_unlocked(bytes, none, some, f), fwrite_unlocked(bytes, none, some, f));
    SAY(", none of some %zu %zu", fread(bytes, some, none, f), fwrite(bytes, some, none, f));
    SAY(", of too much %zu %zu", fread(bytes, huge, 2, f), fwrite(bytes, huge, 2, f));
    SAY(", whole ones %zu at %ld\n", fread(bytes, 7, some, f), ftell(f));
}
/* Cancelled amid a text that does not fit, or a word that does not end: the stream's lock is free. */
static FILE *narrow;
static void *prints_much(void *unused)
{
    fprintf(narrow, "x"); /* makes room */
    fprintf(narrow, "%200000s", "");
    return unused;
}
static void *scans_much(void *word)
{
    (void)!fscanf(narrow, "%199999s", (char *)word);
    return word;
}
static void odd_cancelled(bool prints)
{
    static char word[200000], text[2000];
    int pair[2], waits;
    pthread_t thread;
    void *left;
    if (pipe(pair))
        exit(8);
    narrow = prints ? fdopen(pair[1], "w") : fdopen(pair[0], "r");
    if (!prints) {
        memset(text, 'x', sizeof text), text[0] = '\n';
        (void)!write(pair[1], text, sizeof text);
        fgetc(narrow); /* fills the buffer */
    }
    pthread_create(&thread, NULL, prints ? prints_much : scans_much, word);
    for (int i = 0; i < 2000 && (ioctl(pair[0], FIONREAD, &waits) || (prints && waits < 65536)); i++)
        usleep(1000);
    usleep(20000);
    pthread_cancel(thread);
    pthread_join(thread, &left);
    SAY("cancelled in %s: %d", prints ? "fprintf" : "fscanf", left == PTHREAD_CANCELED);
    waits = ftrylockfile(narrow);
    SAY(", lock free %d\n", waits == 0);
    if (!waits) {
        funlockfile(narrow);
        __fpurge(narrow); /* nobody reads it */
        fclose(narrow);
    }
    close(pair[!prints ? 1 : 0]);
}
static void odd_places(void)
{
    int fd = open("shared", O_RDWR), pair[2];
    off_t *nowhere = (off_t *)8;
    if (pipe(pair))
        exit(9);
    ENDS("sendfile from nowhere", sendfile(pair[1], fd, nowhere, 10));
    ENDS("copy_file_range from nowhere", copy_file_range(fd, nowhere, fd, NULL, 10, 0));
    ENDS("copy_file_range to nowhere", copy_file_range(fd, NULL, fd, nowhere, 10, 0));
    ENDS("splice from nowhere", splice(fd, nowhere, pair[1], NULL, 10, 0));
    ENDS("splice of nothing", splice(fd, nowhere, pair[1], NULL, 0, 0));
    close(fd), close(pair[0]), close(pair[1]);
}
/* A number of descriptors that no set has, while a connect is in progress. */
static void odd_select(void)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    int listens = socket(AF_INET, SOCK_STREAM, 0), asks = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
    fd_set out;
    bind(listens, (struct sockaddr *)&address, size), getsockname(listens, (struct sockaddr *)&address, &size), listen(listens, 1);
    ENDS("connect begun", connect(asks, (struct sockaddr *)&address, size));
    FD_ZERO(&out);
    FD_SET(asks, &out);
    ENDS("select of all there can be", select(0x7fffffff, NULL, &out, NULL, &(struct timeval){ 5, 0 }));
    SAY("is set %d\n", FD_ISSET(asks, &out) != 0);
    close(asks), close(listens);
}
/* Refused by a filter, which does not look at what is pointed to. */
static void odd_refused(void)
{
    struct sock_filter filter[] = { BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)), BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_connect, 0, 1),
                                    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM), BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW) };
    pid_t child = fork();
    if (!child) {
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        ENDS("filter", prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &(struct sock_fprog){ 4, filter }));
        ENDS("connect to nowhere", connect(fd, (struct sockaddr *)8, 16));
        ENDS("connect to null", connect(fd, NULL, 16));
        exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    SAY("ended %d\n", status);
}
static void odd_lines(void)
{
    char *line = NULL, *stray = (char *)64, little[] = "ab\ncd\n\nlast", high[] = "a\377b", *own = malloc(2);
    size_t size = 0, none = 0, own_size = 1;
    FILE *empty = fopen("/dev/null", "r"), *folder = fopen(".", "r"), *out = fopen("/dev/null", "w"), *in = fmemopen(little, sizeof little - 1, "r"),
         *other = fmemopen(high, sizeof high - 1, "r");
    ENDS("line of nothing", getline(&line, &size, empty));
    SAY("%d %zu\n", line != NULL, size);
    ENDS("no pointer", getline(NULL, &size, in));
    ENDS("no size", getline(&line, NULL, in));
    ENDS("stray pointer", getline(&stray, &none, in));
    SAY("%s %zu\n", stray, none);
    ENDS("small room", getdelim(&own, &own_size, 'd', in));
    SAY("%s %d\n", own, own_size > 2);
    ENDS("up to a high character", getdelim(&own, &own_size, (char)255, other));
    ENDS("rest", getline(&line, &size, in));
    ENDS("empty line", getline(&line, &size, in));
    ENDS("last", getline(&line, &size, in));
    ENDS("end", getline(&line, &size, in));
    SAY("%s\n", line);
    ENDS("of a folder", getline(&line, &size, folder));
    ENDS("of a folder again", getline(&line, &size, folder));
    ENDS("of output", getline(&line, &size, out));
    ENDS("of output again", getline(&line, &size, out));
    fclose(empty), fclose(folder), fclose(out), fclose(in), fclose(other);
}
static void odd(void)
{
    odd_lines();
    odd_refused();
    odd_select();
    odd_places();
    odd_cancelled(true);
    odd_cancelled(false);
    FILE *f = fopen("shared", "r+");
    odd_items(f, "buffered");
    setvbuf(f, NULL, _IONBF, 0);
    odd_items(f, "unbuffered");
    fclose(f);
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]))
        return 2;
    locks();
    interrupts();
    cancels();
    files();
    odd();
    return 0;
}
