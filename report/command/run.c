/* SPDX-License-Identifier: MIT */
/* run.c: `profplug run`: starts the program with the options, and ends as it ended. Says on standard error where its
 * data is or why there is none. It must not know what the data means. */
#include "command/command.h"
#include "words/diag.h"
#include "host/options.h"
#include "words/plural.h"
#include "words/quote.h"
#include "host/runfile.h"
#include "host/trial.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { EXIT_OURS = 125, EXIT_CANNOT_RUN = 126, EXIT_NOT_FOUND = 127, EXIT_SIGNAL = 128 };

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

/* Whether `word` names a program that can be started. */
static bool is_program(const char *word)
{
    const char *path = getenv("PATH");
    char whole[4096];
    if (strchr(word, '/'))
        return true;
    for (const char *at = path ? path : "/bin:/usr/bin", *end;; at = end + 1) {
        end = strchrnul(at, ':');
        int n = snprintf(whole, sizeof whole, "%.*s%s%s", (int)(end - at), at, end > at ? "/" : "", word);
        if (n > 0 && (size_t)n < sizeof whole && !access(whole, X_OK))
            return true;
        if (!*end)
            return false;
    }
}

/* Takes the option at argv[*at] and moves *at to its last word. */
static int flag_take(struct options *options, int *quiet, int argc, char **argv, int *at)
{
    const char *word = argv[*at], *own;
    const struct flag *flag = flag_find("run", word, &own);
    if (flag && flag->id == FLAG_RUN_QUIET && !own) {
        *quiet = 1;
        return 0;
    }
    if (flag && *flag->value && !own) {
        if (*at + 1 >= argc)
            return diag_error(word, "no file given; expected %s FILE", word);
        own = argv[ *at += 1];
    }
    if (flag && *flag->value) /* --config was read in the first pass */
        return flag->id == FLAG_RUN_OUTPUT ? options_add(options, word, "output", 6, own) : 0;
    if (strncmp(word, "--", 2))
        return diag_error(word, "no such option; expected one that `profplug help run` lists");
    const char *key = word + 2, *equal = strchr(key, '=');
    size_t length = equal ? (size_t)(equal - key) : strlen(key);
    const char *value = equal ? equal + 1 : NULL;
    if (!value && *at + 1 < argc && options_takes(key, length, argv[*at + 1])) {
        *at += 1;
        value = argv[*at];
    } else if (!value && *at + 1 < argc && argv[*at + 1][0] != '-' && options_takes(key, length, "on") &&
               !is_program(argv[*at + 1]) &&
               /* a path as the last word is a missing program */
               (*at + 2 < argc || !strchr(argv[*at + 1], '/'))) {
        return diag_error(word,
                          "'%s' is neither a value of this option nor a program; "
                          "expected on, off, or nothing (which means on)",
                          argv[*at + 1]);
    }
    return options_add(options, word, key, length, value);
}

static void line_drop(void *context, const char *line) {}

/* Reads PROFPLUG for the summary; the file and the flags override it. The runtime itself reports errors in it, but for
 * patterns of a file's name, which it takes as they are. */
static void environment_read(struct options *options, char **text)
{
    const char *now = getenv("PROFPLUG");
    char *copy = now ? strdup(now) : NULL, *rest = copy;
    for (char *pair; copy && (pair = strsep(&rest, ","));) {
        char *equal = strchr(pair, '=');
        diag_redirect(strncmp(pair, "output=", strlen("output=")) ? line_drop : NULL, NULL);
        if (equal)
            options_add(options, "PROFPLUG", pair, (size_t)(equal - pair), equal + 1);
        else if (!strcmp(pair, "off"))
            options_add(options, "PROFPLUG", "level", 5, "off");
    }
    diag_redirect(NULL, NULL);
    free(copy);
    *text = now && *now ? strdup(now) : NULL;
}

/* ---- the child ---- */

static const int forwarded[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM, SIGWINCH };

/* Never returns. Writes errno to `report` if the program cannot be started. */
static void child_become(char **argv, const sigset_t *mask, int report)
{
    sigprocmask(SIG_SETMASK, mask, NULL);
    execvp(argv[0], argv);
    int number = errno;
    if (write(report, &number, sizeof number) < 0) { /* then the exit status says it */
    }
    _exit(number == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN);
}

/* Waits for the child, and passes on signals that processes send to us. The terminal's signals reach the child
 * anyway. */
static int child_wait(pid_t pid, const sigset_t *waited, struct runfile_end *end)
{
    for (;;) {
        siginfo_t ended = { 0 };
        clockid_t clock;
        /* until it is waited for, its clock can be read, which lacks its children */
        if (!waitid(P_PID, (id_t)pid, &ended, WEXITED | WNOHANG | WNOWAIT) && ended.si_pid == pid &&
            !clock_getcpuclockid(pid, &clock))
            end->cpu_ns = clock_ns(clock);
        pid_t got = wait4(pid, &end->status, WNOHANG, &end->usage);
        if (got == pid)
            return end->status;
        if (got < 0 && errno != EINTR)
            return -1;
        siginfo_t info;
        if (sigwaitinfo(waited, &info) > 0 && info.si_signo != SIGCHLD && info.si_code <= 0)
            kill(pid, info.si_signo);
    }
}

static void span_print(char *out, size_t size, uint64_t ns)
{
    if (ns < 1000000)
        snprintf(out, size, "%.3f ms", (double)ns / 1e6);
    else if (ns < 1000000000)
        snprintf(out, size, "%.1f ms", (double)ns / 1e6);
    else
        snprintf(out, size, "%.2f s", (double)ns / 1e9);
}

#define APART_NS 20000000u /* a program's start takes less in all but the largest */

/* The CPU time that the report tells of the process, and what the kernel counted with its children. */
static void cpu_print(char *out, size_t size, const struct runfile_set *found, pid_t pid, const struct rusage *usage)
{
    char own[32], all[32];
    uint64_t all_ns = timeval_ns(usage->ru_utime) + timeval_ns(usage->ru_stime), own_ns = runfile_cpu_ns(found, pid);
    span_print(own, sizeof own, own_ns);
    span_print(all, sizeof all, all_ns);
    if (!own_ns)
        snprintf(out, size, "%s cpu%s", all, found->count > 1 ? " with its children" : "");
    else if (all_ns > own_ns + APART_NS && all_ns > own_ns + own_ns / 20)
        snprintf(out, size, "%s cpu (%s with its start and children)", own, all);
    else
        snprintf(out, size, "%s cpu", own);
}

static void unrecorded_print(const struct pp_total *total, const struct options *options, const char *before)
{
    if (total->processes)
        fprintf(stderr, "%s%llu process%s not recorded, because the data files reached max-total=%s", before,
                (unsigned long long)total->processes, plural(total->processes, " was", "es were"),
                options_value(options, "max-total"));
    if (total->crowded)
        fprintf(stderr, "%s%llu process%s not recorded, because less of the disk was free than min-free asks",
                total->processes ? "; " : before, (unsigned long long)total->crowded,
                plural(total->crowded, " was", "es were"));
}

static void summary_print(const struct runfile_set *found, const struct options *options, const char *program,
                          pid_t pid, int status, uint64_t wall_ns, const struct rusage *usage)
{
    char wall[32], cpu[128], end[64], why[512];
    struct pp_total total = runfile_total(options, program, pid, 0);
    span_print(wall, sizeof wall, wall_ns);
    cpu_print(cpu, sizeof cpu, found, pid, usage);
    if (WIFSIGNALED(status))
        snprintf(end, sizeof end, "ended by signal %d (%s)", WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        snprintf(end, sizeof end, "exit %d", WEXITSTATUS(status));
    if (found->count) {
        char more[64] = "";
        if (found->count > 1)
            snprintf(more, sizeof more, " and %zu more", found->count - 1);
        fprintf(stderr, "profplug: %s wall, %s, %s; data in ", wall, cpu, end);
        quote_print(stderr, found->paths[0]);
        fputs(more, stderr);
        const char *most = options_value(options, "max-total");
        if (found->refused)
            fprintf(stderr,
                    "; %llu piece%s found no room: the disk is full, max-file=%s%s%s is too small, or a limit of the "
                    "process (ulimit, seccomp) refused",
                    (unsigned long long)found->refused, plural(found->refused, "", "s"),
                    options_value(options, "max-file"), *most ? " or max-total=" : "", most);
        if (found->refused_memory)
            fprintf(stderr, "; %llu piece%s of memory %s refused, by the system or a limit (ulimit, seccomp)",
                    (unsigned long long)found->refused_memory, plural(found->refused_memory, "", "s"),
                    plural(found->refused_memory, "was", "were"));
        unrecorded_print(&total, options, "; ");
        fputc('\n', stderr);
    } else {
        fprintf(stderr, "profplug: %s wall, %s, %s; no data file: ", wall, cpu, end);
        runfile_absence(program, options, why, sizeof why);
        if (total.processes || total.crowded)
            unrecorded_print(&total, options, "");
        else
            quote_print(stderr, why);
        fputc('\n', stderr);
    }
}

static int program_run(char **argv, const struct options *options, int quiet)
{
    sigset_t waited, mask;
    int ends[2], number = 0;
    sigemptyset(&waited);
    sigaddset(&waited, SIGCHLD);
    for (size_t i = 0; i < sizeof forwarded / sizeof *forwarded; i++)
        sigaddset(&waited, forwarded[i]);
    struct sigaction old_child, plain = { .sa_handler = SIG_DFL };
    sigaction(SIGCHLD, &plain, &old_child); /* if it were still ignored, the child's status would be lost */
    sigprocmask(SIG_BLOCK, &waited, &mask);
    if (pipe2(ends, O_CLOEXEC)) {
        diag_error(argv[0], "%s; expected room for a pipe", strerror(errno));
        return EXIT_OURS;
    }
    runfile_total(options, argv[0], getpid(), 1);
    bool nowhere = runfile_is_nowhere(argv[0], options); /* the summary says it, so the runtime need not */
    uint64_t begin_ns = clock_ns(CLOCK_MONOTONIC), begin_epoch_ns = clock_ns(CLOCK_REALTIME);
    fflush(NULL);
    pid_t pid = fork();
    if (pid < 0) {
        diag_error(argv[0], "%s; expected to be able to start another process", strerror(errno));
        return EXIT_OURS;
    }
    if (!pid) {
        sigaction(SIGCHLD, &old_child, NULL);
        if (nowhere)
            setenv("PROFPLUG", "off", 1);
        child_become(argv, &mask, ends[1]);
    }
    close(ends[1]);
    struct runfile_end end = { .pid = pid };
    int status = child_wait(pid, &waited, &end);
    uint64_t wall_ns = clock_ns(CLOCK_MONOTONIC) - begin_ns;
    ssize_t got = read(ends[0], &number, sizeof number);
    close(ends[0]);
    if (got == (ssize_t)sizeof number) {
        trial_refuse(argv[0], number);
        return number == ENOENT ? EXIT_NOT_FOUND : EXIT_CANNOT_RUN;
    }
    if (status == -1) {
        diag_error(argv[0], "its exit status is lost: something else waited for it");
        return EXIT_OURS;
    }

    struct runfile_set found;
    runfile_find(&found, options, argv[0], pid, begin_epoch_ns);
    end.end_ns = begin_ns + wall_ns;
    for (size_t i = 0; i < found.count; i++)
        runfile_close(found.paths[i], &end);
    if (!quiet)
        summary_print(&found, options, argv[0], pid, status, wall_ns, &end.usage);
    runfile_free(&found);
    return WIFSIGNALED(status) ? EXIT_SIGNAL + WTERMSIG(status) : WEXITSTATUS(status);
}

int command_run(int argc, char **argv)
{
    struct options asked = { 0 }, effective = { 0 };
    char *environment = NULL;
    int quiet = 0, at = 1, status = 0;
    environment_read(&effective, &environment);
    for (int pass = 0; pass < 2 && !status; pass++) /* first the file, then the flags, which win */
        for (at = 1; at < argc && argv[at][0] == '-' && !status; at++) {
            if (!strcmp(argv[at], "--")) {
                at++;
                break;
            }
            const char *word = argv[at], *own;
            const struct flag *flag = flag_find("run", word, &own);
            if (pass) {
                status = flag_take(&asked, &quiet, argc, argv, &at);
            } else if (flag) {
                if (*flag->value && !own)
                    own = argv[++at];
                if (flag->id == FLAG_RUN_CONFIG && own)
                    status = options_read(&asked, own);
            } else if (!strncmp(word, "--", 2) && !strchr(word, '=') && at + 1 < argc &&
                       options_takes(word + 2, strlen(word + 2), argv[at + 1])) {
                at++;
            }
        }
    if (!status && at >= argc)
        status = diag_error("run", "no program given; expected profplug run [OPTIONS] [--] PROGRAM [ARGUMENTS]");
    char *joined = NULL, *text = NULL;
    if (!status) {
        for (size_t i = 0; i < asked.count && !status; i++) {
            const char *equal = strchr(asked.pairs[i], '=');
            status = options_add(&effective, "run", asked.pairs[i], (size_t)(equal - asked.pairs[i]), equal + 1);
        }
        joined = options_join(&asked);
        if (!joined ||
            asprintf(&text, "%s%s%s", environment ? environment : "", environment && *joined ? "," : "", joined) < 0)
            status = diag_error("run", "out of memory");
        else if (!*text)
            free(text), text = strdup("on"); /* also if the plugin was given default=off */
    }
    if (!status && (!text || setenv("PROFPLUG", text, 1)))
        status = diag_error("PROFPLUG", "%s; expected room in the environment", strerror(errno));
    status = status ? EXIT_OURS : program_run(argv + at, &effective, quiet);
    options_free(&asked);
    options_free(&effective);
    free(environment);
    free(joined);
    free(text);
    return status;
}
