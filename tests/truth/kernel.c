/* SPDX-License-Identifier: MIT */
/* kernel.c DIRECTORY MILLISECONDS [NAME...]: each line below spends its time in the kernel, or in the program's own
 * code, for about so long. It prints for each, or for those named, the line, what the thread's CPU clock says of all its
 * calls together, whether the time is the kernel's, and how many calls. Only one line runs at a time. */
#define _GNU_SOURCE
#include <dirent.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <malloc.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#define MOST (64u << 20)
#define FILES 300
static char buffer[1 << 16], other[1 << 16], *fresh, path[4096], missing[4096], folder[4000], made[4096], link_path[4096];
static int disk, pair[2], pipes[2], zero, null_fd, ready[2], event, epoll, udp, tcp[2], listener;
static struct iovec vector[4];
static struct sockaddr_in udp_address;
static struct sockaddr_un local = { .sun_family = AF_UNIX };
static uint32_t word;
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

static void *nothing(void *unused) { return unused; }

/* One line a function: what it calls is part of that line where it is in a library or in the kernel. */
#define DEFINE(name, ...)                                                         \
    __attribute__((noinline)) static int name(long n)                             \
    {                                                                             \
        for (long i = 0; i < n; i++) { __VA_ARGS__; } return __LINE__;              \
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
DEFINE(line_read, sink += lseek(disk, (i & 255) * 4096, SEEK_SET); sink += read(disk, buffer, 4096))
DEFINE(line_write, sink += lseek(disk, (i & 255) * 4096, SEEK_SET); sink += write(disk, buffer, 4096))
DEFINE(line_readv, sink += preadv(disk, vector, 4, 0))
DEFINE(line_writev, sink += pwritev(disk, vector, 4, 0))
DEFINE(line_clean_sync, sink += fsync(disk))
DEFINE(line_sync, buffer[0]++; sink += pwrite(disk, buffer, 1, (i & 255) * 4096); sink += fsync(disk))
DEFINE(line_populate, void *p = mmap(NULL, 1 << 18, 3, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0); sink += munmap(p, 1 << 18))
DEFINE(line_heap, char *p = calloc(1, 1 << 18); for (int k = 0; k < 1 << 18; k += 4096) p[k] = 1; sink += p[4096]; free(p))
DEFINE(line_file_map, char *p = mmap(NULL, 1 << 20, PROT_READ, MAP_SHARED, disk, 0); for (int k = 0; k < 1 << 20; k += 4096) sink += p[k]; munmap(p, 1 << 20))
DEFINE(line_protect, sink += mprotect(fresh, 1 << 20, PROT_READ); sink += mprotect(fresh, 1 << 20, PROT_READ | PROT_WRITE))
DEFINE(line_udp, sink += sendto(udp, buffer, 512, 0, (void *)&udp_address, sizeof udp_address); sink += recv(udp, buffer, 512, 0))
DEFINE(line_tcp, sink += send(tcp[0], buffer, 4096, 0); sink += recv(tcp[1], buffer, 4096, MSG_WAITALL))
DEFINE(line_accept, int a = socket(AF_UNIX, SOCK_STREAM, 0); sink += connect(a, (void *)&local, sizeof local); close(accept(listener, NULL, NULL)); close(a))
DEFINE(line_futex, sink += syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0))
DEFINE(line_clone, pthread_t t; sink += pthread_create(&t, NULL, nothing, NULL); pthread_join(t, NULL))
DEFINE(line_readdir, DIR *d = opendir(folder); while (readdir(d)) sink++; closedir(d))
DEFINE(line_dup, sink += close(dup(disk)))
DEFINE(line_fstat, struct stat s; sink += fstat(disk, &s))
DEFINE(line_access, sink += access(missing, R_OK))
DEFINE(line_parent, sink += getppid())
DEFINE(line_poll, struct pollfd p = { .fd = ready[0], .events = POLLIN }; sink += poll(&p, 1, 1000))
DEFINE(line_epoll, struct epoll_event e; sink += epoll_wait(epoll, &e, 1, 1000))
DEFINE(line_clock, struct timespec t; sink += clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t))
DEFINE(line_random, sink += getrandom(buffer, 64, 0))
DEFINE(line_rename, sink += rename(made, link_path); sink += rename(link_path, made))
DEFINE(line_unlink, sink += close(open(link_path, O_CREAT | O_WRONLY, 0600)); sink += unlink(link_path))
DEFINE(line_mkdir, sink += mkdir(missing, 0700); sink += rmdir(missing))
DEFINE(line_truncate, sink += ftruncate(disk, (1 << 20) + (i & 1) * 4096))
DEFINE(line_sendfile, off_t at = 0; sink += sendfile(pipes[1], disk, &at, 4096); sink += read(pipes[0], buffer, 4096))
DEFINE(line_event, sink += eventfd_write(event, 1); eventfd_t v; sink += eventfd_read(event, &v))
DEFINE(line_priority, sink += getpriority(PRIO_PROCESS, 0))
DEFINE(line_fcntl, sink += fcntl(disk, F_GETFL))
DEFINE(line_uname, struct utsname u; sink += uname(&u))
DEFINE(line_copy, memcpy(other, buffer, sizeof other); sink += other[i & 65535])

static const struct {
    const char *name;
    int (*line)(long n);
    int kernel; /* 1: most of its time is the kernel's, 2: some, 3: most, and it waits much longer than it works */
} lines[] = {
    { "compute", line_compute, 0 }, { "pread", line_pread, 1 },   { "pread_big", line_pread_big, 1 }, { "pwrite", line_pwrite, 1 },
    { "zero", line_zero, 1 },       { "null", line_null, 1 },     { "open", line_open, 1 },           { "send", line_send, 1 },
    { "pipe", line_pipe, 1 },       { "touch", line_touch, 1 },   { "fread", line_fread, 1 },         { "stat", line_stat, 1 },
    { "map", line_map, 1 },         { "ioctl", line_ioctl, 1 },   { "exec", line_exec, 1 },
    { "scan", line_scan, 2 },
    { "read", line_read, 1 },       { "write", line_write, 1 },   { "readv", line_readv, 1 },         { "writev", line_writev, 1 },
    { "clean_sync", line_clean_sync, 1 }, { "sync", line_sync, 3 }, { "populate", line_populate, 1 }, { "heap", line_heap, 1 },
    { "file_map", line_file_map, 1 }, { "protect", line_protect, 1 }, { "udp", line_udp, 1 },         { "tcp", line_tcp, 1 },
    { "accept", line_accept, 1 },   { "futex", line_futex, 1 },   { "clone", line_clone, 1 },         { "readdir", line_readdir, 1 },
    { "dup", line_dup, 1 },         { "fstat", line_fstat, 1 },   { "access", line_access, 1 },       { "parent", line_parent, 1 },
    { "poll", line_poll, 1 },       { "epoll", line_epoll, 1 },   { "clock", line_clock, 1 },         { "random", line_random, 1 },
    { "rename", line_rename, 1 },   { "unlink", line_unlink, 1 }, { "mkdir", line_mkdir, 1 },         { "truncate", line_truncate, 1 },
    { "sendfile", line_sendfile, 1 }, { "event", line_event, 1 }, { "priority", line_priority, 2 },       { "fcntl", line_fcntl, 1 },
    { "uname", line_uname, 2 },     { "copy", line_copy, 0 },
};

static bool is_wanted(const char *name, int count, char **argument)
{
    for (int i = 3; i < count; i++)
        if (strcmp(argument[i], name) == 0)
            return true;
    return count <= 3;
}

/* Sockets that stay connected with themselves, and descriptors that are always ready. */
static void descriptors_open(const char *directory)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof udp_address;
    int bell = socket(AF_INET, SOCK_STREAM, 0);
    udp = socket(AF_INET, SOCK_DGRAM, 0);
    tcp[0] = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(udp, (void *)&address, sizeof address) || getsockname(udp, (void *)&udp_address, &length) ||
        bind(bell, (void *)&address, sizeof address) || listen(bell, 1) || getsockname(bell, (void *)&address, &length) ||
        connect(tcp[0], (void *)&address, sizeof address) || (tcp[1] = accept(bell, NULL, NULL)) < 0)
        fail("sockets");
    snprintf(local.sun_path, sizeof local.sun_path, "%s/socket", directory);
    listener = socket(AF_UNIX, SOCK_STREAM, 0);
    if (bind(listener, (void *)&local, sizeof local) || listen(listener, 8))
        fail(local.sun_path);
    event = eventfd(0, 0);
    epoll = epoll_create1(0);
    if (pipe(ready) || write(ready[1], "x", 1) != 1 ||
        epoll_ctl(epoll, EPOLL_CTL_ADD, ready[0], &(struct epoll_event){ .events = EPOLLIN }))
        fail("epoll");
}

int main(int count, char **argument)
{
    if (count < 3)
        return 2;
    uint64_t most_ns = strtoull(argument[2], NULL, 10) * 1000000u;
    snprintf(path, sizeof path, "%s/data", argument[1]);
    snprintf(missing, sizeof missing, "%s/missing", argument[1]);
    snprintf(made, sizeof made, "%s/made", argument[1]);
    snprintf(link_path, sizeof link_path, "%s/renamed", argument[1]);
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
    mallopt(M_MMAP_THRESHOLD, 1 << 17); /* so that no freed block makes it larger */
    descriptors_open(argument[1]);
    close(open(made, O_CREAT | O_WRONLY, 0600));
    for (int i = 0; i < 4; i++)
        vector[i] = (struct iovec){ buffer + i * 4096, 4096 };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        uint64_t spent_ns = 0, due_ns = most_ns / (lines[i].kernel == 3 ? 8 : 1);
        int line = 0;
        long done = 0;
        if (!is_wanted(lines[i].name, count, argument))
            continue;
        for (long n = 1; spent_ns < due_ns;) {
            uint64_t begun_ns = cpu_now(), took_ns;
            line = lines[i].line(n);
            done += n;
            took_ns = cpu_now() - begun_ns;
            spent_ns += took_ns;
            if (took_ns < due_ns / 16)
                n *= 2;
        }
        printf("%s %d %llu %d %ld\n", lines[i].name, line, (unsigned long long)spent_ns, lines[i].kernel, done);
    }
    return 0;
}
