/* SPDX-License-Identifier: MIT */
/* wait.c: COUNT waits of every kind that a signal can cut short, with a little work between them so that samples fall due. Each kind says how often it
 * was made, how often it ended with EINTR, and how often with less or other than was asked for. None may: nobody sends signals here. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <linux/aio_abi.h>
#include <linux/futex.h>
#include <mqueue.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/ipc.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/prctl.h>
#include <sys/select.h>
#include <sys/sem.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <profplug.h>

#define OUTSIDE __attribute__((no_instrument_function, noinline))
enum { SHORT_NS = 2000, LARGE = 200000 };

static volatile long sink;
static char large[LARGE], taken[LARGE];

struct ends { int read, write; };
static struct ends pipes, slow, sockets, datagrams, terminal;
static int event, timer_fd, epoll, listener, queue, sems, lock_file, lock_other;
static aio_context_t aio;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static sem_t semaphore;
static mqd_t mqueue = -1;
static _Atomic uint32_t word;

/* ---- the other side: a thread that does what it is told, a little later ---- */

enum order { NOTHING, PIPE_ONE, PIPE_MANY, PIPE_DRAIN, SOCKET_PIECES, SOCKET_DRAIN, TTY_PIECES, EVENT, MESSAGE, SEMOP, UNLOCK, WAKE, LEAVE };
static _Atomic uint32_t order;
static sem_t ordered, done;
static long peer_wrong;

OUTSIDE static void peer_write(int fd, const char *from, size_t bytes, size_t piece)
{
    for (size_t at = 0; at < bytes; at += piece) {
        size_t now = bytes - at < piece ? bytes - at : piece;
        peer_wrong += write(fd, from + at, now) != (ssize_t)now;
        if (at % (4 * piece) == 0)
            usleep(1);
    }
}

OUTSIDE static void peer_drain(int fd, size_t bytes, size_t piece)
{
    static char dust[65536];
    for (size_t got = 0; got < bytes;) {
        ssize_t n = read(fd, dust, piece < bytes - got ? piece : bytes - got);
        if (n <= 0) {
            peer_wrong++;
            return;
        }
        got += (size_t)n;
        if (got % (4 * piece) == 0)
            usleep(1);
    }
}

static __attribute__((noinline)) long work(long rounds)
{
    long sum = 0;
    for (long i = 0; i < rounds; i++)
        sum += i ^ sink;
    return sum;
}

static void *peer(void *unused)
{
    (void)unused;
    prctl(PR_SET_TIMERSLACK, 1);
    for (;;) {
        if (sem_wait(&ordered))
            peer_wrong++;
        struct timespec pause = { 0, 15000 };
        peer_wrong += nanosleep(&pause, 0) != 0;
        sink += work(300);
        struct { long type; char text[100]; } message = { 1, "message" };
        struct sembuf up = { 0, 1, 0 };
        uint64_t one = 1;
        switch ((enum order)order) {
        case PIPE_ONE: peer_write(pipes.write, large, 4096, 4096); break;
        case PIPE_MANY: peer_write(slow.write, large, 100, 1); break;
        case PIPE_DRAIN: peer_drain(slow.read, LARGE, 30000); break;
        case SOCKET_PIECES: peer_write(sockets.write, large, 20000, 1000); break;
        case SOCKET_DRAIN: peer_drain(sockets.read, LARGE, 30000); break;
        case TTY_PIECES: peer_write(terminal.write, "0123456789abcdef", 16, 4); break;
        case EVENT: peer_wrong += write(event, &one, 8) != 8; break;
        case MESSAGE: peer_wrong += msgsnd(queue, &message, sizeof message.text, 0) != 0; break;
        case SEMOP: peer_wrong += semop(sems, &up, 1) != 0; break;
        case UNLOCK: peer_wrong += flock(lock_other, LOCK_UN) != 0; break;
        case WAKE:
            word = 1;
            syscall(SYS_futex, &word, FUTEX_WAKE, 1, 0, 0, 0);
            break;
        case LEAVE: return 0;
        case NOTHING: break;
        }
        sem_post(&done);
    }
}

OUTSIDE static void tell(enum order what) { order = what; sem_post(&ordered); }

/* 0: as it should be; -1: EINTR; 1: something else. */
OUTSIDE static int finish(int good)
{
    int kept = errno;
    if (sem_wait(&done))
        return -1;
    return good ? 0 : kept == EINTR ? -1 : 1;
}
OUTSIDE static int judge(int good) { return good ? 0 : errno == EINTR ? -1 : 1; }

/* ---- the waits ---- */

static struct timespec soon(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    t.tv_nsec += SHORT_NS;
    if (t.tv_nsec >= 1000000000) {
        t.tv_nsec -= 1000000000;
        t.tv_sec++;
    }
    return t;
}

static const struct timespec brief = { 0, SHORT_NS };

PROFPLUG_STAGE("sleep") static __attribute__((noinline)) int wait_nanosleep(void) { struct timespec left; return judge(!nanosleep(&brief, &left)); }
static int wait_clock(void) { return (errno = clock_nanosleep(CLOCK_MONOTONIC, 0, &brief, 0)) ? judge(0) : 0; }
static int wait_clock_until(void) { struct timespec t = soon(CLOCK_REALTIME); return (errno = clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &t, 0)) ? judge(0) : 0; }
static int wait_usleep(void) { return judge(!usleep(2)); }
static int wait_poll(void) { return judge(!poll(&(struct pollfd){ pipes.read, POLLIN, 0 }, 1, 1)); }
static int wait_ppoll(void) { sigset_t none; sigemptyset(&none); return judge(!ppoll(&(struct pollfd){ pipes.read, POLLIN, 0 }, 1, &brief, &none)); }
static int wait_ppoll_full(void) { sigset_t all; sigfillset(&all); return judge(!ppoll(0, 0, &brief, &all)); }
static int wait_select(void)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(pipes.read, &set);
    struct timeval t = { 0, 2 };
    return judge(!select(pipes.read + 1, &set, 0, 0, &t));
}
static int wait_pselect(void) { sigset_t none; sigemptyset(&none); return judge(!pselect(0, 0, 0, 0, &brief, &none)); }
static int wait_epoll(void) { struct epoll_event e; return judge(!epoll_wait(epoll, &e, 1, 1)); }
static int wait_epoll_brief(void) { struct epoll_event e; sigset_t none; sigemptyset(&none); return judge(!epoll_pwait2(epoll, &e, 1, &brief, &none)); }
static int wait_signal(void)
{
    sigset_t all;
    siginfo_t info;
    sigfillset(&all);
    return judge(sigtimedwait(&all, &info, &brief) == -1 && errno == EAGAIN);
}
static int wait_futex(void) { word = 0; return judge(syscall(SYS_futex, &word, FUTEX_WAIT, 0, &brief, 0, 0) == -1 && errno == ETIMEDOUT); }
static int wait_futex_woken(void)
{
    word = 0;
    tell(WAKE);
    long status = syscall(SYS_futex, &word, FUTEX_WAIT, 0, 0, 0, 0);
    return finish(status == 0 || errno == EAGAIN);
}
static int wait_condition(void)
{
    struct timespec t = soon(CLOCK_REALTIME);
    pthread_mutex_lock(&mutex);
    int status = pthread_cond_timedwait(&condition, &mutex, &t);
    pthread_mutex_unlock(&mutex);
    return status == ETIMEDOUT ? 0 : status == EINTR ? -1 : 1;
}
static int wait_semaphore(void) { struct timespec t = soon(CLOCK_REALTIME); return judge(sem_timedwait(&semaphore, &t) && errno == ETIMEDOUT); }
static int wait_mqueue(void)
{
    char text[64];
    struct timespec t = soon(CLOCK_REALTIME);
    return judge(mq_timedreceive(mqueue, text, sizeof text, 0, &t) < 0 && errno == ETIMEDOUT);
}
static int wait_message(void)
{
    struct { long type; char text[100]; } message;
    tell(MESSAGE);
    return finish(msgrcv(queue, &message, sizeof message.text, 1, 0) == 100);
}
static int wait_semop(void) { struct sembuf down = { 0, -1, 0 }; tell(SEMOP); return finish(!semop(sems, &down, 1)); }
static int wait_semtimedop(void) { struct sembuf down = { 0, -1, 0 }; return judge(semtimedop(sems, &down, 1, &brief) && errno == EAGAIN); }
static int wait_accept(void) { return judge(accept(listener, 0, 0) < 0 && errno == EAGAIN); }
static int wait_receive(void) { char c; return judge(recv(datagrams.read, &c, 1, 0) < 0 && errno == EAGAIN); }
static int wait_aio(void) { struct io_event e; struct timespec t = brief; return judge(!syscall(SYS_io_getevents, aio, 1, 1, &e, &t)); }
static int wait_flock(void)
{
    if (flock(lock_other, LOCK_EX))
        return 1;
    tell(UNLOCK);
    int status = flock(lock_file, LOCK_EX);
    int result = finish(!status);
    flock(lock_file, LOCK_UN);
    return result;
}
static int wait_timerfd(void)
{
    uint64_t count;
    timerfd_settime(timer_fd, 0, &(struct itimerspec){ { 0, 0 }, brief }, 0);
    return judge(read(timer_fd, &count, sizeof count) == sizeof count);
}
static int wait_child(void)
{
    int status;
    pid_t child = vfork();
    if (!child)
        _exit(7);
    return judge(waitpid(child, &status, 0) == child && WEXITSTATUS(status) == 7);
}
PROFPLUG_STAGE("read") static __attribute__((noinline)) int read_pipe(void) { tell(PIPE_ONE); return finish(read(pipes.read, taken, LARGE) == 4096); }
static int read_slow_pipe(void)
{
    tell(PIPE_MANY);
    int good = 1;
    for (size_t got = 0; got < 100 && good; ) {
        ssize_t n = read(slow.read, taken, 1);
        good = n == 1;
        got++;
    }
    return finish(good);
}
static int write_slow_pipe(void) { tell(PIPE_DRAIN); return finish(write(slow.write, large, LARGE) == LARGE); }
static int read_socket(void) { tell(SOCKET_PIECES); return finish(recv(sockets.read, taken, 20000, MSG_WAITALL) == 20000); }
static int write_socket(void) { tell(SOCKET_DRAIN); return finish(send(sockets.write, large, LARGE, 0) == LARGE); }
static int read_terminal(void) { tell(TTY_PIECES); return finish(read(terminal.read, taken, 16) == 16); }
static int read_event(void) { uint64_t n; tell(EVENT); return finish(read(event, &n, 8) == 8 && n == 1); }

static struct kind { const char *name; int (*wait)(void); int every; long count, interrupted, wrong; } kinds[] = {
    { "nanosleep", wait_nanosleep, 1, 0, 0, 0 }, { "clock_nanosleep", wait_clock, 1, 0, 0, 0 }, { "clock_nanosleep until", wait_clock_until, 1, 0, 0, 0 },
    { "usleep", wait_usleep, 1, 0, 0, 0 }, { "poll", wait_poll, 20, 0, 0, 0 }, { "ppoll", wait_ppoll, 1, 0, 0, 0 },
    { "ppoll, all held off", wait_ppoll_full, 1, 0, 0, 0 }, { "select", wait_select, 1, 0, 0, 0 }, { "pselect", wait_pselect, 1, 0, 0, 0 },
    { "epoll_wait", wait_epoll, 20, 0, 0, 0 }, { "epoll_pwait2", wait_epoll_brief, 1, 0, 0, 0 }, { "sigtimedwait", wait_signal, 1, 0, 0, 0 },
    { "futex", wait_futex, 1, 0, 0, 0 }, { "futex, woken", wait_futex_woken, 2, 0, 0, 0 }, { "pthread_cond_timedwait", wait_condition, 1, 0, 0, 0 },
    { "sem_timedwait", wait_semaphore, 1, 0, 0, 0 }, { "mq_timedreceive", wait_mqueue, 1, 0, 0, 0 }, { "msgrcv", wait_message, 2, 0, 0, 0 },
    { "semop", wait_semop, 2, 0, 0, 0 }, { "semtimedop", wait_semtimedop, 1, 0, 0, 0 }, { "accept with a timeout", wait_accept, 20, 0, 0, 0 },
    { "recv with a timeout", wait_receive, 20, 0, 0, 0 }, { "io_getevents", wait_aio, 1, 0, 0, 0 }, { "flock", wait_flock, 2, 0, 0, 0 },
    { "timerfd", wait_timerfd, 1, 0, 0, 0 }, { "waitpid", wait_child, 20, 0, 0, 0 }, { "read of a pipe", read_pipe, 2, 0, 0, 0 },
    { "reads of a slow pipe", read_slow_pipe, 20, 0, 0, 0 }, { "write to a slow pipe", write_slow_pipe, 10, 0, 0, 0 },
    { "recv of all", read_socket, 10, 0, 0, 0 }, { "send to a slow socket", write_socket, 10, 0, 0, 0 }, { "read of a terminal", read_terminal, 10, 0, 0, 0 },
    { "read of an eventfd", read_event, 2, 0, 0, 0 },
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* ---- */

static int prepare(void)
{
    int fd[2], bad = 0;
    struct timeval brief_time = { 0, 2 };
    struct epoll_event interest = { .events = EPOLLIN };
    struct sockaddr_un address = { .sun_family = AF_UNIX };
    char path[] = "/tmp/profplug-wait-XXXXXX";
    bad |= pipe(fd); pipes = (struct ends){ fd[0], fd[1] };
    bad |= pipe(fd); slow = (struct ends){ fd[0], fd[1] };
    bad |= socketpair(AF_UNIX, SOCK_STREAM, 0, fd); sockets = (struct ends){ fd[0], fd[1] };
    bad |= socketpair(AF_UNIX, SOCK_DGRAM, 0, fd); datagrams = (struct ends){ fd[0], fd[1] };
    bad |= setsockopt(datagrams.read, SOL_SOCKET, SO_RCVTIMEO, &brief_time, sizeof brief_time);
    terminal.write = posix_openpt(O_RDWR | O_NOCTTY);
    bad |= terminal.write < 0 || grantpt(terminal.write) || unlockpt(terminal.write);
    terminal.read = bad ? -1 : open(ptsname(terminal.write), O_RDWR | O_NOCTTY);
    struct termios modes;
    bad |= tcgetattr(terminal.read, &modes);
    cfmakeraw(&modes);
    modes.c_cc[VMIN] = 16;
    bad |= tcsetattr(terminal.read, TCSANOW, &modes);
    bad |= (event = eventfd(0, 0)) < 0;
    bad |= (timer_fd = timerfd_create(CLOCK_MONOTONIC, 0)) < 0;
    bad |= (epoll = epoll_create1(0)) < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, pipes.read, &interest);
    bad |= (listener = socket(AF_UNIX, SOCK_STREAM, 0)) < 0 || bind(listener, (void *)&address, sizeof address.sun_family) || listen(listener, 1);
    bad |= setsockopt(listener, SOL_SOCKET, SO_RCVTIMEO, &brief_time, sizeof brief_time);
    bad |= (queue = msgget(IPC_PRIVATE, 0600)) < 0;
    bad |= (sems = semget(IPC_PRIVATE, 1, 0600)) < 0;
    bad |= (lock_file = mkstemp(path)) < 0 || (lock_other = open(path, O_RDWR)) < 0 || unlink(path);
    bad |= syscall(SYS_io_setup, 4, &aio) != 0;
    bad |= sem_init(&semaphore, 0, 0) || sem_init(&ordered, 0, 0) || sem_init(&done, 0, 0);
    char name[40];
    snprintf(name, sizeof name, "/profplug-wait-%d", getpid());
    mqueue = mq_open(name, O_CREAT | O_EXCL | O_RDWR, 0600, &(struct mq_attr){ .mq_maxmsg = 2, .mq_msgsize = 64 });
    mq_unlink(name);
    return bad;
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 1000, rounds = argc > 2 ? atol(argv[2]) : 20000, made = 0;
    prctl(PR_SET_TIMERSLACK, 1);
    if (prepare()) {
        perror("wait");
        return 77;
    }
    pthread_t thread;
    pthread_create(&thread, 0, peer, 0);
    for (long turn = 0; made < count; turn++)
        for (int k = 0; k < KINDS; k++) {
            if (turn % kinds[k].every || (kinds[k].wait == wait_mqueue && mqueue == -1))
                continue;
            sink += work(rounds / 2 + (turn * 7919 + k * 104729) % rounds);
            int result = kinds[k].wait();
            kinds[k].count++;
            kinds[k].interrupted += result < 0;
            kinds[k].wrong += result > 0;
            made++;
        }
    tell(LEAVE);
    pthread_join(thread, 0);
    msgctl(queue, IPC_RMID, 0);
    semctl(sems, 0, IPC_RMID);
    for (int k = 0; k < KINDS; k++)
        printf("%ld %ld %ld %s\n", kinds[k].count, kinds[k].interrupted, kinds[k].wrong, kinds[k].name);
    printf("%ld %d %ld the other side\n", made, 0, peer_wrong);
    return 0;
}
