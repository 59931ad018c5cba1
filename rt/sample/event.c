/* SPDX-License-Identifier: MIT */
/* event.c: see event.h. */
#define _GNU_SOURCE
#include "sample/event.h"
#include "system/descriptor.h"
#include "system/syscall.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Without the C library: its syscall() writes errno, and the dynamic linker may have to bind it first. */
static void event_control(int fd, unsigned long request, long value)
{
#if defined __x86_64__
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)SYS_ioctl), "D"((long)fd), "S"((long)request), "d"(value)
                     : "rcx", "r11", "memory");
    (void)result;
#else
    int kept = errno;
    syscall(SYS_ioctl, fd, request, value);
    errno = kept;
#endif
}

void pp_event_refresh(int fd, uint64_t period_ns, unsigned samples)
{
    event_control(fd, PERF_EVENT_IOC_PERIOD, (long)(uintptr_t)&period_ns);
    event_control(fd, PERF_EVENT_IOC_REFRESH, samples);
}

void pp_event_acknowledge(int fd) { event_control(fd, PERF_EVENT_IOC_REFRESH, 1); }

bool pp_event_owned(int fd, int number, int tid)
{
    struct f_owner_ex owner;
    return pp_fcntl(fd, F_GETSIG, 0) == number && pp_fcntl(fd, F_GETOWN_EX, &owner) == 0 && owner.type == F_OWNER_TID &&
           (tid == 0 || owner.pid == tid);
}

static int event_open(uint64_t kind, uint64_t period)
{
    struct perf_event_attr attr = {
        .size = sizeof attr,
        .type = PERF_TYPE_SOFTWARE,
        .config = kind,
        .sample_period = period,
        .disabled = 1,
        .exclude_kernel = 1,
        .exclude_hv = 1,
        .wakeup_events = 1,
    };
    return (int)syscall(SYS_perf_event_open, &attr, 0, -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static int event_begin(int tid, int number, uint64_t kind, uint64_t period, unsigned long request)
{
    struct f_owner_ex owner = { F_OWNER_TID, tid };
    int fd = pp_descriptor_raise(event_open(kind, period));
    if (fd < 0)
        return -1;
    if (pp_fcntl(fd, F_SETOWN_EX, &owner) == 0 && pp_fcntl(fd, F_SETSIG, number) == 0 &&
        pp_fcntl(fd, F_SETFL, O_RDWR | O_ASYNC) == 0 &&
        !syscall(SYS_ioctl, fd, request, 1))
        return fd;
    int kept = errno;
    pp_close(fd);
    errno = kept;
    return -1;
}

int pp_event_arm(int tid, int number, uint64_t period_ns)
{
    return event_begin(tid, number, PERF_COUNT_SW_CPU_CLOCK, period_ns, PERF_EVENT_IOC_REFRESH);
}

int pp_event_count_faults(int tid, int number, uint64_t first)
{
    return event_begin(tid, number, PERF_COUNT_SW_PAGE_FAULTS, first, PERF_EVENT_IOC_ENABLE);
}

void pp_event_count(int fd, bool counts)
{
    event_control(fd, counts ? PERF_EVENT_IOC_ENABLE : PERF_EVENT_IOC_DISABLE, 0);
}

void pp_event_step(int fd, uint64_t step)
{
    /* a period that is set while the event counts makes its next fault raise a signal */
    event_control(fd, PERF_EVENT_IOC_DISABLE, 0);
    event_control(fd, PERF_EVENT_IOC_PERIOD, (long)(uintptr_t)&step);
    event_control(fd, PERF_EVENT_IOC_ENABLE, 0);
}

void pp_event_resume(int fd) { syscall(SYS_ioctl, fd, PERF_EVENT_IOC_REFRESH, PP_EVENT_ROUND); }

void pp_event_close(int fd, int number, int tid)
{
    if (!pp_event_owned(fd, number, tid))
        return;
    syscall(SYS_ioctl, fd, PERF_EVENT_IOC_DISABLE, 0);
    pp_close(fd);
}

/* The clock is the thread's user time, which stands still while the thread is in the kernel. glibc has no name for it:
 * a clockid holds the thread's number, the bit CPUCLOCK_PERTHREAD and the kind CPUCLOCK_VIRT. */
#define CPUCLOCK_PERTHREAD 4u
#define CPUCLOCK_VIRT 1u
int pp_timer_arm(int tid, int number, int value, uint64_t period_ns, uint64_t *timer)
{
    struct sigevent event = { .sigev_notify = SIGEV_THREAD_ID, .sigev_signo = number, .sigev_value.sival_int = value };
    struct timespec period = { (time_t)(period_ns / 1000000000u), (long)(period_ns % 1000000000u) };
    struct itimerspec every = { period, period };
    clockid_t clock = (clockid_t)(~(unsigned)tid << 3 | CPUCLOCK_PERTHREAD | CPUCLOCK_VIRT);
    int id;
    event._sigev_un._tid = tid;
    if (syscall(SYS_timer_create, clock, &event, &id) != 0)
        return -1;
    if (syscall(SYS_timer_settime, id, 0, &every, NULL) != 0) {
        int kept = errno;
        syscall(SYS_timer_delete, id);
        errno = kept;
        return -1;
    }
    *timer = (uint64_t)id;
    return 0;
}
