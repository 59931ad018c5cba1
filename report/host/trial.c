/* SPDX-License-Identifier: MIT */
/* trial.c: see trial.h. */
#include "host/trial.h"
#include "words/diag.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t trial_ended;
static volatile sig_atomic_t running;
static const int ending[] = { SIGINT, SIGTERM, SIGHUP };
static struct sigaction before[sizeof ending / sizeof *ending], child_before;

static void end_take(int number)
{
    trial_ended = number;
    if (running)
        kill(running, number);
}

void trial_begin(void)
{
    struct sigaction taken = { .sa_handler = end_take }, plain = { .sa_handler = SIG_DFL };
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++) {
        sigaction(ending[i], NULL, &before[i]);
        if (before[i].sa_handler != SIG_IGN) /* signals ignored by nohup stay ignored */
            sigaction(ending[i], &taken, NULL);
    }
    sigaction(SIGCHLD, &plain, &child_before); /* if it were still ignored, the child's status would be lost */
}

/* The library comes before those that the caller preloads. */
static bool preload_set(const struct trial *trial)
{
    const char *more = getenv("LD_PRELOAD");
    char *all = NULL;
    if (!trial->preload)
        return true;
    return asprintf(&all, "%s%s%s", trial->preload, more && *more ? ":" : "", more ? more : "") > 0 &&
           !setenv("LD_PRELOAD", all, 1) && !setenv("PROFPLUG_CAUSAL", trial->causal, 1);
}

static void child_become(const struct trial *trial, int report)
{
    for (size_t i = 0; i < sizeof ending / sizeof *ending; i++)
        sigaction(ending[i], &before[i], NULL);
    sigaction(SIGCHLD, &child_before, NULL);
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    bool ready = (trial->input_again || dup2(nothing, 0) >= 0) && dup2(trial->output, 1) >= 0 &&
                 (trial->speaks || dup2(nothing, 2) >= 0);
    if (ready && !setenv("PROFPLUG", trial->setting, 1) && preload_set(trial))
        execvp(trial->file, trial->argv);
    int number = errno;
    if (write(report, &number, sizeof number) < 0) { /* then the exit status says it */
    }
    _exit(127);
}

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static uint64_t timeval_ns(struct timeval value)
{
    return (uint64_t)value.tv_sec * 1000000000u + (uint64_t)value.tv_usec * 1000u;
}

int trial_output_check(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash ? strndup(path, slash > path ? (size_t)(slash - path) : 1) : strdup(".");
    struct stat there;
    int number = 0;
    if (stat(path, &there) == 0)
        number = S_ISDIR(there.st_mode) ? EISDIR : access(path, W_OK) ? errno : 0;
    else if (folder && access(folder, W_OK | X_OK))
        number = errno;
    free(folder);
    return number ? diag_error(path, "%s; expected a file to write to", strerror(number)) : 0;
}

int trial_refuse(const char *file, int number)
{
    if (number == ENOENT && !strchr(file, '/') && access(file, F_OK) == 0)
        return diag_error(file, "no such program on PATH; expected ./%s for the file in this directory", file);
    return diag_error(file, "%s; expected a program to run", strerror(number));
}

int trial_run(const struct trial *trial, struct trial_result *result)
{
    int ends[2], number = 0;
    if ((trial->input_again && lseek(0, trial->input_start, SEEK_SET) < 0) || ftruncate(trial->output, 0) ||
        lseek(trial->output, 0, SEEK_SET) < 0 || pipe2(ends, O_CLOEXEC))
        return diag_error(trial->file, "%s; expected to be able to prepare a run", strerror(errno));
    fflush(NULL);
    uint64_t begin_ns = now_ns();
    pid_t pid = fork();
    if (!pid)
        child_become(trial, ends[1]);
    close(ends[1]);
    running = pid > 0 ? pid : 0;
    if (pid > 0 && trial_ended) /* the signal came before the program was started */
        kill(pid, trial_ended);
    struct rusage usage;
    pid_t got = pid;
    while (pid > 0 && (got = wait4(pid, &result->status, 0, &usage)) < 0 && errno == EINTR) {}
    running = 0;
    result->wall_ns = now_ns() - begin_ns;
    ssize_t failed = read(ends[0], &number, sizeof number);
    close(ends[0]);
    if (pid < 0 || got < 0)
        return diag_error(trial->file, "%s; expected to be able to start a process and wait for it", strerror(errno));
    if (failed == (ssize_t)sizeof number)
        return trial_refuse(trial->file, number);
    result->cpu_ns = timeval_ns(usage.ru_utime) + timeval_ns(usage.ru_stime);
    return 0;
}
