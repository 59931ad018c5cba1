/* SPDX-License-Identifier: MIT */
/* sandbox.c: which system calls the runtime may still make. A seccomp filter may kill a program for a call that it does
 * not expect, and a program that installs one does not know our calls. So before a filter is installed, the runtime
 * evaluates it for each call that it would make later. It then avoids the calls that the filter would not allow, also
 * if it would only return an error. The report says so. It must not know what the calls are for beyond the rows below.
 *
 * A filter that was there before the program began cannot be evaluated. A child tries the rarer calls in our place, and
 * its exit status is the answer. */
#define _GNU_SOURCE
#include "process/sandbox.h"
#include "file/datafile.h"
#include "probe/object.h"
#include "sample/sampler.h"
#include "system/clock.h"
#include "system/state.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/close_range.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/perf_event.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef SYS_unlink
#define SYS_unlink SYS_unlinkat
#endif

/* Every system call that the runtime makes in a running process, with the arguments that filters may look at, which
 * are extended by their sign. Every program carries these rows, so they are narrow. */
static const struct {
    uint16_t without, number;
    int32_t argument[6];
} call[] = {
    { PP_FORBIDDEN_CORE, SYS_rt_sigprocmask, { SIG_BLOCK, 0, 0, 8 } },
    { PP_FORBIDDEN_CORE, SYS_rt_sigprocmask, { SIG_SETMASK, 0, 0, 8 } },
    { PP_FORBIDDEN_CORE, SYS_getpid, { 0 } },
    { PP_FORBIDDEN_CORE, SYS_gettid, { 0 } },
    { PP_FORBIDDEN_CORE, SYS_futex, { 0, FUTEX_WAIT | FUTEX_PRIVATE_FLAG } },
    { PP_FORBIDDEN_CORE, SYS_futex, { 0, FUTEX_WAKE | FUTEX_PRIVATE_FLAG } },
    { PP_FORBIDDEN_CORE, SYS_sched_yield, { 0 } },
#ifdef SYS_arch_prctl
    { PP_FORBIDDEN_SEGMENT, SYS_arch_prctl, { 0x1001, 0 } },
#endif
    { PP_FORBIDDEN_FILE | PP_FORBIDDEN_LOOKS, SYS_newfstatat, { 500, 0, 0, AT_EMPTY_PATH } },
    { PP_FORBIDDEN_FILE | PP_FORBIDDEN_FORKS, SYS_fallocate, { 500, 0, 4096, 4096 } },
    { PP_FORBIDDEN_FILE, SYS_mmap, { 0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 500, 4096 } },
    { PP_FORBIDDEN_MEMORY, SYS_mmap, { 0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0 } },
    { PP_FORBIDDEN_MEMORY, SYS_munmap, { 0, 4096 } },
    { PP_FORBIDDEN_MEMORY, SYS_madvise, { 0, 4096, MADV_NOHUGEPAGE } },
    { PP_FORBIDDEN_MEMORY, SYS_madvise, { 0, 4096, MADV_POPULATE_WRITE } },
    { PP_FORBIDDEN_LIMITS, SYS_prlimit64, { 0, RLIMIT_FSIZE, 0, 0 } },
    { PP_FORBIDDEN_LIMITS, SYS_fstatfs, { 500 } },
    { PP_FORBIDDEN_METRICS, SYS_clock_gettime, { CLOCK_THREAD_CPUTIME_ID } },
    { PP_FORBIDDEN_METRICS, SYS_getrusage, { RUSAGE_SELF } },
    { PP_FORBIDDEN_METRICS, SYS_getrusage, { RUSAGE_THREAD } },
    { PP_FORBIDDEN_METRICS, SYS_pread64, { 500, 0, 255, 0 } },
    { PP_FORBIDDEN_LOOKS, SYS_prctl, { PR_GET_NAME } },
    { PP_FORBIDDEN_LOOKS, SYS_tgkill, { 1, 1, 0 } },
    { PP_FORBIDDEN_LOOKS, SYS_openat, { AT_FDCWD, 0, O_RDONLY | O_CLOEXEC } },
    { PP_FORBIDDEN_LOOKS, SYS_openat, { AT_FDCWD, 0, O_RDWR | O_CLOEXEC } },
    { PP_FORBIDDEN_LOOKS | PP_FORBIDDEN_EVENTS, SYS_fcntl, { 500, F_DUPFD_CLOEXEC, 768 } },
    { PP_FORBIDDEN_LOOKS, SYS_read, { 500 } },
    { PP_FORBIDDEN_LOOKS | PP_FORBIDDEN_EVENTS | PP_FORBIDDEN_FORKS, SYS_close, { 500 } },
    { PP_FORBIDDEN_TARGETS, SYS_readlinkat, { AT_FDCWD } },
    { PP_FORBIDDEN_TARGETS, SYS_lseek, { 0, 0, SEEK_CUR } },
    { PP_FORBIDDEN_TARGETS, SYS_fcntl, { 3, F_GETFL } },
    { PP_FORBIDDEN_TARGETS, SYS_getpeername, { 3 } },
    { PP_FORBIDDEN_TARGETS, SYS_getsockname, { 3 } },
    { PP_FORBIDDEN_TARGETS, SYS_getsockopt, { 3, SOL_SOCKET, SO_TYPE } },
    { PP_FORBIDDEN_LOOKS, SYS_ppoll, { 0, 1, 0, 0, 8 } },
    { PP_FORBIDDEN_LOOKS, SYS_rt_sigtimedwait, { 0, 0, 0, 8 } },
    { PP_FORBIDDEN_LOOKS, SYS_rt_sigpending, { 0 } },
    { PP_FORBIDDEN_LOOKS, SYS_write, { 2 } },
    { PP_FORBIDDEN_EVENTS, SYS_perf_event_open, { 0, 0, -1, -1, PERF_FLAG_FD_CLOEXEC } },
    { PP_FORBIDDEN_EVENTS, SYS_ioctl, { 500, PERF_EVENT_IOC_REFRESH, 1 } },
    { PP_FORBIDDEN_EVENTS, SYS_ioctl, { 500, PERF_EVENT_IOC_DISABLE, 0 } },
    { PP_FORBIDDEN_EVENTS, SYS_fcntl, { 500, F_SETOWN_EX } },
    { PP_FORBIDDEN_EVENTS, SYS_fcntl, { 500, F_SETSIG } },
    { PP_FORBIDDEN_EVENTS, SYS_fcntl, { 500, F_SETFL } },
    { PP_FORBIDDEN_EVENTS, SYS_fcntl, { 500, F_GETSIG } },
    { PP_FORBIDDEN_EVENTS, SYS_fcntl, { 500, F_GETOWN_EX } },
    { PP_FORBIDDEN_TIMERS, SYS_timer_create, { -2 } },
    { PP_FORBIDDEN_TIMERS, SYS_timer_settime, { 0 } },
    { PP_FORBIDDEN_TIMERS, SYS_timer_delete, { 0 } },
    { PP_FORBIDDEN_TIMERS, SYS_rt_sigaction, { 32, 0, 0, 8 } },
    { PP_FORBIDDEN_TIMERS, SYS_sigaltstack, { 0 } },
    { PP_FORBIDDEN_SIGNALS, SYS_rt_sigreturn, { 0 } },
    { PP_FORBIDDEN_CHILDREN, SYS_clone, { CLONE_FILES } },
    { PP_FORBIDDEN_CHILDREN, SYS_close_range, { 2, -1, (int32_t)CLOSE_RANGE_UNSHARE } },
    { PP_FORBIDDEN_CHILDREN, SYS_setitimer, { ITIMER_REAL } },
    { PP_FORBIDDEN_CHILDREN, SYS_wait4, { 1, 0, __WCLONE, 0 } },
    { PP_FORBIDDEN_HEAP, SYS_mincore, { 4096, 4096 } },
    { PP_FORBIDDEN_HEAP, SYS_brk, { 0 } },
    { PP_FORBIDDEN_HEAP, SYS_process_vm_readv, { 1, 0, 1, 0, 1, 0 } },
    { PP_FORBIDDEN_FORKS,
      SYS_openat,
      { AT_FDCWD, 0, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, PP_FILE_MODE } },
    { PP_FORBIDDEN_FORKS, SYS_openat, { AT_FDCWD, 0, O_TMPFILE | O_RDWR | O_CLOEXEC, PP_FILE_MODE } },
    { PP_FORBIDDEN_FORKS, SYS_linkat, { 500, 0, AT_FDCWD, 0, AT_EMPTY_PATH } },
    { PP_FORBIDDEN_FORKS, SYS_linkat, { AT_FDCWD, 0, AT_FDCWD, 0, AT_SYMLINK_FOLLOW } },
    { PP_FORBIDDEN_FORKS, SYS_newfstatat, { AT_FDCWD } },
    { PP_FORBIDDEN_FORKS, SYS_pwrite64, { 500, 0, 4096, 4096 } },
    { PP_FORBIDDEN_FORKS, SYS_mmap, { 4096, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_FIXED, 500, 4096 } },
    { PP_FORBIDDEN_FORKS, SYS_mremap, { 4096, 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, 4096 } },
    { PP_FORBIDDEN_FORKS, SYS_mremap, { 4096, 0, 4096, MREMAP_MAYMOVE } },
    { PP_FORBIDDEN_FORKS, SYS_munmap, { 4096, 4096 } },
    { PP_FORBIDDEN_FORKS, SYS_unlink, { 0 } },
    { PP_FORBIDDEN_FORKS, SYS_fcntl, { 500, F_DUPFD_CLOEXEC, 500 } },
};

/* ---- asking a filter: classic BPF over struct seccomp_data, as the kernel defines it ---- */

#if defined __x86_64__
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined __aarch64__
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#else
#define ARCHITECTURE 0
#endif

static uint32_t alu(uint16_t operation, uint32_t a, uint32_t b)
{
    switch (operation) {
    case BPF_ADD: return a + b;
    case BPF_SUB: return a - b;
    case BPF_MUL: return a * b;
    case BPF_DIV: return b ? a / b : 0;
    case BPF_OR: return a | b;
    case BPF_AND: return a & b;
    case BPF_XOR: return a ^ b;
    case BPF_LSH: return b < 32 ? a << b : 0;
    case BPF_RSH: return b < 32 ? a >> b : 0;
    default: return 0u - a; /* BPF_NEG */
    }
}

static bool compare(uint16_t operation, uint32_t a, uint32_t b)
{
    return operation == BPF_JEQ ? a == b : operation == BPF_JGT ? a > b : operation == BPF_JGE ? a >= b : (a & b) != 0;
}

/* What the filter returns. A program that the kernel would not take as a filter is refused, so it kills nobody. */
static uint32_t filter_run(const struct sock_fprog *filter, const struct seccomp_data *data)
{
    uint32_t a = 0, x = 0, memory[BPF_MEMWORDS] = { 0 };
    for (uint32_t at = 0; at < filter->len; at++) {
        const struct sock_filter *f = &filter->filter[at];
        uint32_t k = f->k, operand = BPF_SRC(f->code) == BPF_X ? x : k;
        switch (BPF_CLASS(f->code)) {
        case BPF_LD:
            if (BPF_MODE(f->code) == BPF_ABS && k <= sizeof *data - 4)
                memcpy(&a, (const char *)data + k, 4);
            else
                a = BPF_MODE(f->code) == BPF_LEN   ? (uint32_t)sizeof *data
                    : BPF_MODE(f->code) == BPF_MEM ? memory[k % BPF_MEMWORDS]
                                                   : k;
            break;
        case BPF_LDX:
            x = BPF_MODE(f->code) == BPF_LEN   ? (uint32_t)sizeof *data
                : BPF_MODE(f->code) == BPF_MEM ? memory[k % BPF_MEMWORDS]
                                               : k;
            break;
        case BPF_ST: memory[k % BPF_MEMWORDS] = a; break;
        case BPF_STX: memory[k % BPF_MEMWORDS] = x; break;
        case BPF_ALU: a = alu(BPF_OP(f->code), a, operand); break;
        case BPF_JMP: at += BPF_OP(f->code) == BPF_JA ? k : compare(BPF_OP(f->code), a, operand) ? f->jt : f->jf; break;
        case BPF_RET: return BPF_RVAL(f->code) == BPF_A ? a : k;
        default:
            if (BPF_MISCOP(f->code) == BPF_TXA)
                a = x;
            else
                x = a;
            break;
        }
    }
    return SECCOMP_RET_ALLOW;
}

/* The kernel reads the set before it refuses the made-up `how`. */
static bool is_readable(const void *address)
{
    int kept = errno;
    bool good =
        address && (syscall(SYS_rt_sigprocmask, -1, (uintptr_t)address & ~(uintptr_t)7, 0, 8) == 0 || errno != EFAULT);
    errno = kept;
    return good;
}

static uint32_t filter_ask(const struct sock_fprog *filter)
{
    uint32_t forbidden = 0;
    if (!is_readable(filter) || !is_readable((const char *)(filter + 1) - 1) || !filter->len ||
        filter->len > BPF_MAXINSNS || !is_readable(filter->filter) ||
        !is_readable((const char *)(filter->filter + filter->len) - 1))
        return 0; /* the kernel refuses such a filter */
    for (size_t i = 0; i < sizeof call / sizeof *call; i++) {
        struct seccomp_data data = { .nr = call[i].number,
                                     .arch = ARCHITECTURE,
                                     .instruction_pointer = (uintptr_t)&filter_ask };
        for (unsigned k = 0; k < 6; k++)
            data.args[k] = (uint64_t)call[i].argument[k];
        uint32_t action = filter_run(filter, &data) & SECCOMP_RET_ACTION_FULL;
        bool vital =
            call[i].without & (PP_FORBIDDEN_CORE | PP_FORBIDDEN_SIGNALS); /* an error number harms these, too */
        if (action != SECCOMP_RET_ALLOW && action != SECCOMP_RET_LOG && (vital || action != SECCOMP_RET_ERRNO))
            forbidden |= call[i].without;
    }
    return forbidden;
}

/* ---- while the program runs ---- */

/* Before a filter is installed. Returns what was forbidden until now, in case the installing fails. */
static uint32_t sandbox_enter(uint32_t forbidden)
{
    if (forbidden)
        pp_objects_settle(true); /* later the file may not grow */
    uint32_t before = atomic_load_explicit(&pp_forbidden_calls, memory_order_relaxed);
    if (forbidden & ~before && pp_run.header) {
        if (pp_on(PP_COLLECTOR_SAMPLES))
            pp_sampler_confine(forbidden);
        if (forbidden & ~before & (PP_FORBIDDEN_CLOCK | PP_FORBIDDEN_COUNTER))
            pp_clock_stop();
        atomic_fetch_or_explicit(&pp_forbidden_calls, forbidden, memory_order_relaxed);
    }
    return before;
}

/* The installing failed. */
static void sandbox_leave(uint32_t forbidden, uint32_t before)
{
    if (forbidden & ~before & (PP_FORBIDDEN_CLOCK | PP_FORBIDDEN_COUNTER) && pp_run.header)
        pp_clock_resume();
    atomic_store_explicit(&pp_forbidden_calls, before, memory_order_relaxed);
}

/* Strict mode allows read, write and the exits, and turns the processor's counter off. */
static uint32_t strict_mode(void) { return UINT32_MAX & ~(PP_FORBIDDEN_COUNTER | PP_FORBIDDEN_SIGNALS); }

static long sandbox_call(long number, long a, long b, long c, long d, long e, uint32_t forbidden)
{
    uint32_t before = sandbox_enter(forbidden);
    long result = syscall(number, a, b, c, d, e);
    if (result < 0 && forbidden)
        sandbox_leave(forbidden, before);
    return result;
}

PP_WRAPPER int prctl(int option, ...)
{
    va_list list;
    va_start(list, option);
    long a = va_arg(list, long), b = va_arg(list, long), c = va_arg(list, long), d = va_arg(list, long);
    va_end(list);
    uint32_t forbidden = 0;
    if (PP_UNLIKELY(option == PR_SET_SECCOMP))
        forbidden = a == SECCOMP_MODE_STRICT   ? strict_mode()
                    : a == SECCOMP_MODE_FILTER ? filter_ask((const struct sock_fprog *)b)
                                               : 0;
#ifdef PR_SET_TSC
    if (PP_UNLIKELY(option == PR_SET_TSC && a == PR_TSC_SIGSEGV))
        forbidden = PP_FORBIDDEN_COUNTER;
#endif
    return (int)sandbox_call(SYS_prctl, option, a, b, c, d, forbidden);
}

#if defined __x86_64__
/* The C library has no function for seccomp(2). */
__attribute__((used)) static long seccomp_call(long operation, long flags, const void *argument)
{
    uint32_t forbidden = operation == SECCOMP_SET_MODE_STRICT   ? strict_mode()
                         : operation == SECCOMP_SET_MODE_FILTER ? filter_ask(argument)
                                                                : 0;
    uint32_t before = sandbox_enter(forbidden);
    long result;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "0"((long)SYS_seccomp), "D"(operation), "S"(flags), "d"(argument)
                     : "rcx", "r11", "memory");
    if (result >= 0)
        return result;
    if (forbidden)
        sandbox_leave(forbidden, before);
    errno = (int)-result;
    return -1;
}

__attribute__((used)) static long call_failed(long result)
{
    errno = (int)-result;
    return -1;
}

/* It has no frame, like the C library's, because some calls that go through it return twice. */
PP_WRAPPER __attribute__((naked)) long syscall(long number, ...)
{
    __asm__("cmpq $317, %rdi\n\t" /* SYS_seccomp */
            "je 1f\n\t"
            "movq %rdi, %rax\n\t"
            "movq %rsi, %rdi\n\t"
            "movq %rdx, %rsi\n\t"
            "movq %rcx, %rdx\n\t"
            "movq %r8, %r10\n\t"
            "movq %r9, %r8\n\t"
            "movq 8(%rsp), %r9\n\t"
            "syscall\n\t"
            "cmpq $-4095, %rax\n\t"
            "jae 2f\n\t"
            "ret\n"
            "1:\tmovq %rsi, %rdi\n\t"
            "movq %rdx, %rsi\n\t"
            "movq %rcx, %rdx\n\t"
            "jmp seccomp_call\n"
            "2:\tmovq %rax, %rdi\n\t"
            "jmp call_failed");
}
_Static_assert(SYS_seccomp == 317, "in syscall above");
#endif

/* ---- at the start ---- */

/* A child without an exit signal. It tries the calls with arguments that the kernel refuses. */
static bool child_survives(int number)
{
    int status = 0;
    long pid = syscall(SYS_clone, 0, 0, 0, 0, 0);
    if (pid == 0) {
        struct rlimit none = { 0, 0 };
        setrlimit(RLIMIT_CORE, &none);
        syscall(SYS_prctl, PR_SET_DUMPABLE, 0, 0, 0, 0);
        syscall(number, 0, 0, 0, 0, 0);
        for (;;)
            syscall(SYS_exit_group, 0);
    }
    while (pid > 0 && syscall(SYS_wait4, pid, &status, __WCLONE, 0) < 0 && errno == EINTR) {}
    return pid > 0 && WIFEXITED(status);
}

void pp_sandbox_start(void)
{
    if (syscall(SYS_prctl, PR_GET_SECCOMP, 0, 0, 0, 0) != SECCOMP_MODE_FILTER)
        return;
    if (!child_survives(SYS_perf_event_open))
        atomic_fetch_or_explicit(&pp_forbidden_calls, PP_FORBIDDEN_EVENTS, memory_order_relaxed);
    if (!child_survives(SYS_process_vm_readv) || !child_survives(SYS_mincore) || !child_survives(SYS_mprotect))
        atomic_fetch_or_explicit(&pp_forbidden_calls, PP_FORBIDDEN_HEAP, memory_order_relaxed);
    if (!child_survives(SYS_timer_create))
        atomic_fetch_or_explicit(&pp_forbidden_calls, PP_FORBIDDEN_TIMERS, memory_order_relaxed);
}
