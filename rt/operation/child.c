/* SPDX-License-Identifier: MIT */
/* child.c: waits for a child inside the C library. These are wrapped only in a program that calls them, so they find
 * the functions behind them themselves. */
#define _GNU_SOURCE
#include "operation/operation.h"
#include "system/syscall.h"
#include <dlfcn.h>
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma weak dlsym /* a fully static program has none */
extern char **environ;

static void *behind(const char *name) { return dlsym && !pp_is_static() ? dlsym(RTLD_NEXT, name) : NULL; }

/* As POSIX has it: meanwhile the process ignores interrupts, which the child does not unless they were ignored before,
 * and holds back the signal of the child's end. */
static int system_plainly(const char *command)
{
    static const int keys[] = { SIGINT, SIGQUIT };
    char *const argv[] = { "sh", "-c", "--", (char *)command, NULL };
    struct sigaction ignored = { .sa_handler = SIG_IGN }, before[2];
    sigset_t held, mask, defaults;
    posix_spawnattr_t how;
    int status = -1;
    pid_t pid;
    sigemptyset(&held);
    sigemptyset(&defaults);
    sigaddset(&held, SIGCHLD);
    for (int i = 0; i < 2; i++) {
        sigaction(keys[i], &ignored, &before[i]);
        if (before[i].sa_handler != SIG_IGN)
            sigaddset(&defaults, keys[i]);
    }
    sigprocmask(SIG_BLOCK, &held, &mask);
    posix_spawnattr_init(&how);
    posix_spawnattr_setsigmask(&how, &mask);
    posix_spawnattr_setsigdefault(&how, &defaults);
    posix_spawnattr_setflags(&how, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    int failed = posix_spawn(&pid, "/bin/sh", NULL, &how, argv, environ);
    posix_spawnattr_destroy(&how);
    while (!failed && syscall(SYS_wait4, pid, &status, 0, NULL) < 0) /* which is not wrapped */
        if (errno != EINTR) {
            status = -1;
            break;
        }
    for (int i = 0; i < 2; i++)
        sigaction(keys[i], &before[i], NULL);
    sigprocmask(SIG_SETMASK, &mask, NULL);
    return failed ? 127 << 8 : status;
}

/* Sets `result` by `call`, which waits for a child most of its time. */
#define WAITS_FOR_CHILD(result, call)                                                        \
    do {                                                                                     \
        struct pp_call booked_ = { .records = false };                                       \
        if (PP_RECORDS(PP_OPERATIONS_WAITS))                                                 \
            pp_call_begin_seldom(&booked_, PP_COLLECTOR_WAITS, PP_OPERATION_CHILD, PP_CALLER); \
        result = (call);                                                                     \
        pp_call_end_on(&booked_, PP_OPERATION_CHILD, PP_CALLER, (result) == -1 ? -1 : 0, 0); \
    } while (0)

PP_WRAPPER int system(const char *command)
{
    int result;
    int (*next)(const char *) = (int (*)(const char *))behind("system");
    if (!command) /* asks whether there is a shell */
        return next ? next(NULL) : system_plainly("exit 0") == 0;
    WAITS_FOR_CHILD(result, next ? next(command) : system_plainly(command));
    return result;
}

#ifdef __GLIBC__
int _IO_fclose(FILE *f);

PP_WRAPPER int pclose(FILE *f)
{
    int result;
    int (*next)(FILE *) = (int (*)(FILE *))behind("pclose");
    WAITS_FOR_CHILD(result, next ? next(f) : _IO_fclose(f)); /* glibc's pclose is its fclose */
    return result;
}
#endif
