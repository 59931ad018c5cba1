/* SPDX-License-Identifier: MIT */
/* fork, in a stage and with other threads alive: each child has a file of its own that starts from zero; vfork counts here. */
#include "expect.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/wait.h>

KEEP void work(int n) { for (volatile int i = 0; i < n; i++) { } }
PROFPLUG_STAGE("inner", "compute") KEEP void inner(void) { work(10); }

static _Atomic int stop;
static void *busy(void *arg) { while (!stop) work(100); return arg; }

PROFPLUG_STAGE("outer", "compute") KEEP void outer(void)
{
    for (int i = 0; i < 5; i++) inner();
    for (int child = 0; child < 3; child++) {
        pid_t pid = fork();
        if (pid == 0) {
            for (int i = 0; i < 7 + child; i++) inner();
            pid_t grandchild = fork();
            if (grandchild == 0) {
                inner();
                expect("stage inner stage 1");
                expect("calls work 1");
                expect("root 0");
                expect("exit EXIT 0");
                _exit(0);
            }
            waitpid(grandchild, 0, 0);
            expect("stage inner stage %d", 7 + child);
            expect("stage outer stage 1");
            expect("calls work %d", 7 + child);
            expect("calls_none main");
            expect("calls_none busy");
            expect("children 1");
            expect("root 0");
            expect("threads 1");
            expect("wall_below_parent");
            expect("exit EXIT %d", 20 + child);
            exit(20 + child);
        }
        int status;
        waitpid(pid, &status, 0);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != 20 + child) expect("failed");
    }
    pid_t pid = vfork();
    if (pid == 0) _exit(3);
    int status;
    waitpid(pid, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 3) expect("failed");
}

int main(void)
{
    pthread_t t[3];
    for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, busy, 0);
    outer();
    stop = 1;
    for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
    expect("stage outer stage 1");
    expect("stage inner stage 5");
    expect("calls main 1");
    expect("calls busy 3");
    expect("children 3");
    expect("files 7");
    expect("exit EXIT 0");
    return 0;
}
