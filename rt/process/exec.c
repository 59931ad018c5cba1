/* SPDX-License-Identifier: MIT */
/* exec.c: exec ends the data file. If exec fails, recording continues. It must not know how a file is sealed.
 *
 * The C library's functions are wrapped if our names take precedence over its own. They do not in libraries bound with
 * -Bsymbolic, nor inside the C library, but posix_spawn, system and popen replace no profiled image. A vfork's child is
 * not this process. */
#define _GNU_SOURCE
#include "operation/count.h"
#include "operation/operation.h"
#include "process/lifecycle.h"
#include "sample/unseen.h"
#include "system/behind.h"
#include "system/clock.h"
#include "system/syscall.h"
#include "thread/thread.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

#define OWN_MOST_NS UINT64_C(50000) /* what seems to take longer was preempted */

/* What ending the file and going on takes is the runtime's, and not the kernel's at the line that called. */
static void own_add(uint64_t begun_ns)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    uint64_t took_ns = pp_now_ns() - begun_ns, own_ns = took_ns < OWN_MOST_NS ? took_ns : OWN_MOST_NS;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, own_ns, memory_order_relaxed);
    if (thread)
        pp_unseen_resume(thread, own_ns, pp_private(thread)->unseen.interval_ns);
}

/* Returns when the exec begins. */
static uint64_t leave(enum pp_replaced *how)
{
    uint64_t begun_ns = pp_now_ns();
    *how = pp_process_replaced(begun_ns);
    if (*how == PP_REPLACED_ASKED)
        own_add(begun_ns);
    return pp_now_ns();
}

static int undone(const void *caller, uint64_t start_ns, enum pp_replaced how)
{
    uint64_t now_ns = pp_now_ns();
    if (PP_RECORDS(PP_OPERATIONS_WAITS) && pp_on(PP_COLLECTOR_WAITS))
        pp_operation_book(
            caller, &(struct pp_done){ .kind = PP_OPERATION_START,
                                       .failed = true,
                                       .preempted = now_ns - start_ns >= PP_LONG_NS, /* perhaps */
                                       .wall_ns = now_ns - start_ns });
    if (how == PP_REPLACED_ASKED)
        own_add(now_ns);
    pp_process_resume(how);
    return -1;
}

static int replace(const char *path, char *const argv[], char *const envp[], const void *caller)
{
    enum pp_replaced how;
    uint64_t start_ns = leave(&how);
    syscall(SYS_execve, path, argv, envp);
    return undone(caller, start_ns, how);
}

static int search_plainly(const char *name, char *const argv[], char *const envp[], const void *caller)
{
    const char *path = getenv("PATH");
    for (path = path ? path : "/usr/bin:/bin"; path;) {
        const char *end = strchrnul(path, ':');
        char whole[4096];
        int n = snprintf(whole, sizeof whole, "%.*s/%s", (int)(end - path), end == path ? "." : path, name);
        if (n > 0 && (size_t)n < sizeof whole && !syscall(SYS_faccessat, AT_FDCWD, whole, X_OK))
            return replace(whole, argv, envp, caller);
        path = *end ? end + 1 : 0;
    }
    errno = ENOENT;
    return -1;
}

/* The C library's function, because it does more than the system call: it searches PATH, and runs scripts that have no
 * interpreter line. */
static int replace_searching(const char *name, char *const argv[], char *const envp[], const void *caller)
{
    int (*real)(const char *, char *const[], char *const[]);
    *(void **)&real = pp_behind("execvpe");
    if (!real)
        return strchr(name, '/') ? replace(name, argv, envp, caller) : search_plainly(name, argv, envp, caller);
    enum pp_replaced how;
    uint64_t start_ns = leave(&how);
    real(name, argv, envp);
    return undone(caller, start_ns, how);
}

PP_WRAPPER int execve(const char *path, char *const argv[], char *const envp[])
{
    return replace(path, argv, envp, PP_CALLER);
}
PP_WRAPPER int execv(const char *path, char *const argv[]) { return replace(path, argv, environ, PP_CALLER); }
PP_WRAPPER int execvp(const char *name, char *const argv[])
{
    return replace_searching(name, argv, environ, PP_CALLER);
}
PP_WRAPPER int execvpe(const char *name, char *const argv[], char *const envp[])
{
    return replace_searching(name, argv, envp, PP_CALLER);
}

PP_WRAPPER int fexecve(int fd, char *const argv[], char *const envp[])
{
    if (fd < 0) { /* the C library's errno; the kernel gives others */
        errno = EINVAL;
        return -1;
    }
    enum pp_replaced how;
    uint64_t start_ns = leave(&how);
    syscall(SYS_execveat, fd, "", argv, envp, AT_EMPTY_PATH);
    return undone(PP_CALLER, start_ns, how);
}

/* Calls `run` with the arguments as an array on the stack. */
#define WITH_ARGUMENTS(first, take_environment, run)                  \
    va_list list;                                                     \
    size_t count = 1;                                                 \
    va_start(list, first);                                            \
    while (va_arg(list, char *))                                      \
        count++;                                                      \
    va_end(list);                                                     \
    char *argv[count + 1];                                            \
    argv[0] = (char *)first;                                          \
    va_start(list, first);                                            \
    for (size_t i = 1; i <= count; i++)                               \
        argv[i] = va_arg(list, char *);                               \
    char **envp = take_environment ? va_arg(list, char **) : environ; \
    va_end(list);                                                     \
    return run

PP_WRAPPER int execl(const char *path, const char *first, ...)
{
    WITH_ARGUMENTS(first, 0, replace(path, argv, envp, PP_CALLER));
}
PP_WRAPPER int execle(const char *path, const char *first, ...)
{
    WITH_ARGUMENTS(first, 1, replace(path, argv, envp, PP_CALLER));
}
PP_WRAPPER int execlp(const char *name, const char *first, ...)
{
    WITH_ARGUMENTS(first, 0, replace_searching(name, argv, envp, PP_CALLER));
}
