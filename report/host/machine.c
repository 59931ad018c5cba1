/* SPDX-License-Identifier: MIT */
/* machine.c: see machine.h. */
#include "host/machine.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/magic.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/vfs.h>
#include <unistd.h>

#define SPIN_NS 50000000

int machine_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return -1;
    int got = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (got)
        line[strcspn(line, "\n")] = 0;
    return got ? 0 : -1;
}

/* The text after the colon in the first line of /proc/cpuinfo that begins with `key`; the caller frees it. */
static char *cpuinfo_value(const char *key)
{
    char *line = NULL, *value = NULL;
    size_t size = 0;
    FILE *file = fopen("/proc/cpuinfo", "re");
    while (file && !value && getline(&line, &size, file) > 0) {
        char *colon = strchr(line, ':');
        if (colon && !strncmp(line, key, strlen(key)) && colon[1] == ' ') {
            colon[strcspn(colon, "\n")] = 0;
            value = strdup(colon + 2);
        }
    }
    if (file)
        fclose(file);
    free(line);
    return value;
}

int machine_cpu_flag(const char *flag)
{
    char *flags = cpuinfo_value("flags"), *rest = flags;
    int found = 0;
    for (char *word; flags && (word = strsep(&rest, " "));)
        found |= !strcmp(word, flag);
    free(flags);
    return found;
}

void machine_cpu_model(char *model, size_t size)
{
    char *value = cpuinfo_value("model name");
    if (value)
        snprintf(model, size, "%s", value);
    free(value);
}

static uint64_t now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* The minimum over the rounds, since disturbances only add time. */
#define COST_MEASURE(statement)                                          \
    double least = 1e9;                                                  \
    for (int round = 0; round < 20; round++) {                           \
        enum { TIMES = 500 };                                            \
        uint64_t begin = now_ns(CLOCK_MONOTONIC);                        \
        for (int i = 0; i < TIMES; i++)                                  \
            statement;                                                   \
        double each = (double)(now_ns(CLOCK_MONOTONIC) - begin) / TIMES; \
        least = each < least ? each : least;                             \
    }                                                                    \
    return least

double machine_clock_ns(clockid_t clock)
{
    struct timespec now;
    COST_MEASURE(clock_gettime(clock, &now));
}

double machine_tsc_ns(void)
{
#if defined __x86_64__
    COST_MEASURE((void)__builtin_ia32_rdtsc());
#elif defined __aarch64__
    uint64_t now;
    COST_MEASURE(__asm__ volatile("mrs %0, cntvct_el0" : "=r"(now)));
#else
    return 0;
#endif
}

/* Spins until the thread has used `ns` of CPU time; returns how much it used. */
static uint64_t spin(uint64_t ns)
{
    uint64_t begin = now_ns(CLOCK_THREAD_CPUTIME_ID), had = 0;
    while (had < ns) {
        for (volatile int i = 0; i < 50000; i++) /* long enough that reading the clock costs next to nothing */
            ;
        had = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    }
    return had;
}

static int perf_open(uint32_t type, uint64_t config, uint64_t period)
{
    struct perf_event_attr attr = { .type = type,
                                    .size = sizeof attr,
                                    .config = config,
                                    .sample_period = period,
                                    .sample_type = period ? PERF_SAMPLE_IP : 0,
                                    .exclude_kernel = 1,
                                    .exclude_hv = 1,
                                    .wakeup_events = 1 };
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static void why_set(char *why, size_t size)
{
    snprintf(why, size, "%s", errno == ENOSYS ? "not available in this kernel or container" : strerror(errno));
}

double machine_perf_rate(char *why, size_t size)
{
    enum { PAGES = 16 };
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    int event = perf_open(PERF_TYPE_SOFTWARE, PERF_COUNT_SW_CPU_CLOCK, 1000000);
    if (event < 0) {
        why_set(why, size);
        return 0;
    }
    struct perf_event_mmap_page *ring = mmap(NULL, (PAGES + 1) * page, PROT_READ | PROT_WRITE, MAP_SHARED, event, 0);
    double rate = 0;
    if (ring == MAP_FAILED) {
        why_set(why, size);
    } else {
        uint64_t had = spin(SPIN_NS), samples = 0;
        ioctl(event, PERF_EVENT_IOC_DISABLE, 0);
        uint64_t head = __atomic_load_n(&ring->data_head, __ATOMIC_ACQUIRE); /* partner: the kernel's release */
        const char *data = (const char *)ring + page;
        for (uint64_t at = 0; at < head && head <= PAGES * page;) {
            const struct perf_event_header *header = (const void *)(data + at);
            samples += header->type == PERF_RECORD_SAMPLE;
            at += header->size ? header->size : head;
        }
        rate = (double)samples / ((double)had / 1e9);
        munmap(ring, (PAGES + 1) * page);
        if (rate <= 0)
            snprintf(why, size, "opened, but no sample came");
    }
    close(event);
    return rate;
}

double machine_timer_rate(void)
{
    int number = SIGRTMIN;
    sigset_t set, old;
    timer_t timer;
    struct sigevent event = { .sigev_notify = SIGEV_SIGNAL, .sigev_signo = number };
    struct itimerspec every = { .it_interval.tv_nsec = 1000000, .it_value.tv_nsec = 1000000 };
    sigemptyset(&set);
    sigaddset(&set, number);
    sigprocmask(SIG_BLOCK, &set, &old);
    if (timer_create(CLOCK_THREAD_CPUTIME_ID, &event, &timer)) {
        sigprocmask(SIG_SETMASK, &old, NULL);
        return 0;
    }
    timer_settime(timer, 0, &every, NULL);
    uint64_t begin = now_ns(CLOCK_THREAD_CPUTIME_ID), fired = 0, had = 0;
    struct timespec none = { 0 };
    while (had < SPIN_NS) { /* a delivery counts once, even if it stands for several periods */
        spin(100000);
        fired += sigtimedwait(&set, NULL, &none) == number;
        had = now_ns(CLOCK_THREAD_CPUTIME_ID) - begin;
    }
    timer_delete(timer);
    while (sigtimedwait(&set, NULL, &none) > 0)
        ;
    sigprocmask(SIG_SETMASK, &old, NULL);
    return (double)fired / ((double)had / 1e9);
}

double machine_cycles(char *why, size_t size)
{
    uint64_t count = 0;
    int event = perf_open(PERF_TYPE_HARDWARE, PERF_COUNT_HW_CPU_CYCLES, 0);
    if (event < 0) {
        if (errno == ENOENT)
            snprintf(why, size, "not available on this (virtual) machine");
        else
            why_set(why, size);
        return 0;
    }
    spin(1000000);
    if (read(event, &count, sizeof count) != (ssize_t)sizeof count)
        count = 0;
    close(event);
    if (!count)
        snprintf(why, size, "opened, but counted nothing");
    return (double)count;
}

double machine_folder(const char *folder, char *type, size_t size)
{
    static const struct {
        long magic;
        const char *name;
    } types[] = {
        { TMPFS_MAGIC, "tmpfs" },
        { EXT4_SUPER_MAGIC, "ext4" },
        { BTRFS_SUPER_MAGIC, "btrfs" },
        { XFS_SUPER_MAGIC, "xfs" },
        { OVERLAYFS_SUPER_MAGIC, "overlay" },
        { NFS_SUPER_MAGIC, "nfs" },
        { 0x65735546, "fuse" },
        { 0xff534d42, "cifs" },
        { 0xfe534d42, "smb2" },
        { 0x2fc12fc1, "zfs" },
        { RAMFS_MAGIC, "ramfs" },
        { F2FS_SUPER_MAGIC, "f2fs" },
        { V9FS_MAGIC, "9p" },
    };
    struct statfs status;
    snprintf(type, size, "unknown file system");
    if (statfs(folder, &status))
        return 0;
    snprintf(type, size, "file system %#lx", (unsigned long)status.f_type);
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if ((unsigned long)status.f_type == (unsigned long)types[i].magic)
            snprintf(type, size, "%s", types[i].name);
    return (double)status.f_bavail * (double)status.f_bsize;
}

int machine_mappable(const char *folder, char *why, size_t size)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/.profplug-XXXXXX", folder);
    int file = mkostemp(path, O_CLOEXEC), failed = file < 0 ? errno : 0;
    if (file >= 0) {
        unlink(path);
        failed = posix_fallocate(file, 0, 65536);
        void *bytes = failed ? MAP_FAILED : mmap(NULL, 65536, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (bytes != MAP_FAILED) {
            memset(bytes, 1, 65536);
            munmap(bytes, 65536);
        } else if (!failed) {
            failed = errno;
        }
        close(file);
    }
    if (failed)
        snprintf(why, size, "%s", strerror(failed));
    return !failed;
}

int machine_library(const char *name, char *version, size_t size)
{
    char *line = NULL;
    size_t capacity = 0;
    int found = 0;
    FILE *file = fopen("/proc/self/maps", "re");
    while (file && !found && getline(&line, &capacity, file) > 0) {
        char *slash = strrchr(line, '/');
        if (slash && !strncmp(slash + 1, name, strlen(name))) {
            slash[1 + strcspn(slash + 1, "\n")] = 0;
            snprintf(version, size, "%s", slash + 1);
            found = 1;
        }
    }
    if (file)
        fclose(file);
    free(line);
    return found;
}
