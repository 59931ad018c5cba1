/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* rule: reopens */
/* says: closing makes CPU */
/* scribes.c: each event opens the log, is written and closes it, while another program has the same CPU half of the
 * time. What that takes of the run's time is then more than the time on the CPU. */
#define _GNU_SOURCE
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

static char path[] = "scribes-XXXXXX";
#ifdef FIXED
static FILE *log_file;
#endif

static void note(unsigned event)
{
#ifndef FIXED
    FILE *log_file = fopen(path, "a"); /* @ */
#else
    if (!log_file)
        log_file = fopen(path, "a");
#endif
    if (!log_file)
        exit(1);
    fprintf(log_file, "event %u\n", event);
#ifndef FIXED
    fclose(log_file);
#endif
}

static pid_t crowd_start(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof one, &one);
    pid_t pid = fork();
    if (pid == 0) {
        execl("/bin/sh", "sh", "-c", "while :; do :; done", (char *)NULL);
        _exit(1);
    }
    return pid;
}

int main(int argc, char **argv)
{
    unsigned events = (unsigned)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned long long sum = 0;
    int fd = mkstemp(path);
    pid_t crowd = crowd_start();
    for (unsigned i = 0; i < events; i++) {
        note(i);
        for (unsigned k = 0; k < 3000; k++)
            sum = sum * 31 + (i ^ k);
    }
    kill(crowd, SIGKILL);
    waitpid(crowd, NULL, 0);
    printf("%llu\n", sum);
    unlink(path);
    close(fd);
    return 0;
}
