/* SPDX-License-Identifier: MIT */
/* child.c: starts of children, and waits for one inside the C library. These are wrapped only in a program that calls
 * them, so they find the functions behind them themselves. */
#define _GNU_SOURCE
#include "operation/operation.h"
#include "system/behind.h"
#include "system/lock.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

extern char **environ;

/* In the C library's archive alone. popen draws it in. */
extern __typeof__(posix_spawn) __posix_spawn __attribute__((weak));

static const int keys[] = { SIGINT, SIGQUIT };

/* The process ignores interrupts while any thread waits in system: the first one begins that, the last one ends it. */
static void keys_hold(bool begin, sigset_t *defaults)
{
    static unsigned waiting;
    static struct sigaction before[2];
    const struct sigaction ignored = { .sa_handler = SIG_IGN };
    sigset_t saved;
    pp_lock(&saved);
    if (begin && waiting++ == 0)
        for (int i = 0; i < 2; i++)
            sigaction(keys[i], &ignored, &before[i]);
    for (int i = 0; begin && i < 2; i++)
        if (before[i].sa_handler != SIG_IGN)
            sigaddset(defaults, keys[i]);
    if (!begin && --waiting == 0)
        for (int i = 0; i < 2; i++)
            sigaction(keys[i], &before[i], NULL);
    pp_unlock(&saved);
}

/* As POSIX has it: the child does not ignore interrupts unless they were ignored before, and meanwhile the signal of
 * its end is held back. */
static int system_plainly(const char *command)
{
    char *const argv[] = { "sh", "-c", (char *)command, NULL };
    sigset_t held, mask, defaults;
    posix_spawnattr_t how;
    int status = -1;
    pid_t pid;
    sigemptyset(&held);
    sigemptyset(&defaults);
    sigaddset(&held, SIGCHLD);
    keys_hold(true, &defaults);
    sigprocmask(SIG_BLOCK, &held, &mask);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &mask);
    posix_spawnattr_setsigdefault(&how, &defaults);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    int failed = __posix_spawn(&pid, "/bin/sh", NULL, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    while (!failed && syscall(SYS_wait4, pid, &status, 0, NULL) < 0) /* which is not wrapped */
        if (errno != EINTR) {
            status = -1;
            break;
        }
    keys_hold(false, NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return failed ? 127 << 8 : status;
}

/* Sets `result` by `call`, which waits for a child most of its time. */
#define WAITS_FOR_CHILD(result, call)                                                          \
    do {                                                                                       \
        struct pp_call booked_ = { .records = false };                                         \
        if (PP_RECORDS(PP_OPERATIONS_WAITS))                                                   \
            pp_call_begin_seldom(&booked_, PP_COLLECTOR_WAITS, PP_OPERATION_CHILD, PP_CALLER); \
        result = (call);                                                                       \
        pp_call_end_on(&booked_, PP_OPERATION_CHILD, PP_CALLER, (result) == -1, 0);            \
    } while (0)

PP_WRAPPER int system(const char *command)
{
    int result;
    int (*next)(const char *) = (int (*)(const char *))pp_behind("system");
    if (!command) /* asks whether there is a shell */
        return next ? next(NULL) : system_plainly("exit 0") == 0;
    WAITS_FOR_CHILD(result, next ? next(command) : system_plainly(command));
    return result;
}

#ifdef __GLIBC__
/* ---- starts ---- */

PP_WRAPPER int posix_spawn(pid_t *pid, const char *path, const posix_spawn_file_actions_t *actions,
                           const posix_spawnattr_t *how, char *const argv[], char *const envp[])
{
    int result;
    __typeof__(posix_spawn) *next = (__typeof__(posix_spawn) *)pp_behind("posix_spawn");
    PP_BOOKED_WORK(START, result, result, (next ? next : __posix_spawn)(pid, path, actions, how, argv, envp));
    return result;
}

FILE *_IO_popen(const char *command, const char *mode);
PP_WRAPPER FILE *popen(const char *command, const char *mode)
{
    FILE *result;
    __typeof__(popen) *next = (__typeof__(popen) *)pp_behind("popen");
    PP_BOOKED_WORK(START, result, !result, (next ? next : _IO_popen)(command, mode));
    return result;
}

/* Its time is without that of our handlers, which run inside (process/fork.c). The child books nothing. */
pid_t __fork(void);
__attribute__((used)) static pid_t (*const drawing)(void) = __fork;
PP_WRAPPER pid_t fork(void)
{
    struct pp_thread *thread = PP_RECORDS(PP_OPERATIONS_WAITS) && pp_on(PP_COLLECTOR_WAITS) ? pp_thread_self() : NULL;
    if (thread)
        pp_private(thread)->fork_ns = 0;
    pid_t pid = PP_NEXT_OF(fork)();
    if (pid && thread)
        pp_operation_book(
            PP_CALLER,
            &(struct pp_done){ .kind = PP_OPERATION_START, .failed = pid < 0, .wall_ns = pp_private(thread)->fork_ns });
    return pid;
}

int _IO_fclose(FILE *f);

PP_WRAPPER int pclose(FILE *f)
{
    int result;
    int (*next)(FILE *) = (int (*)(FILE *))pp_behind("pclose");
    WAITS_FOR_CHILD(result, next ? next(f) : _IO_fclose(f)); /* glibc's pclose is its fclose */
    return result;
}
#endif
