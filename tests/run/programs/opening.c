/* SPDX-License-Identifier: MIT */
/* Forks while threads open and close libraries, given as arguments. Not instrumented itself. Each child opens one too, which the C
 * library may not survive, also without us, since the fork came amid an opening: with plain libraries as well children wait for ever
 * in _dl_add_to_namespace_list (5 of 250, and 3 of 250 with profiled ones). They must not wait in what the libraries call. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <execinfo.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;
static char **names;

static void *opener(void *arg)
{
    char **name = arg;
    for (int i = 0; i < 40; i++) {
        void *library = dlopen(*name, RTLD_NOW);
        if (!library) _exit(99);
        dlclose(library);
    }
    return 0;
}

/* Is any caller of ours in a library? Nothing here asks the dynamic linker, which may be what waits. */
static void waited(int s)
{
    void *frame[64];
    int n = backtrace(frame, 64);
    FILE *maps = fopen("/proc/self/maps", "r");
    char line[4096];
    while (maps && fgets(line, sizeof line, maps)) {
        unsigned long low, high;
        if (sscanf(line, "%lx-%lx", &low, &high) == 2 && strstr(line, "library"))
            for (int i = 0; i < n; i++)
                if ((unsigned long)frame[i] >= low && (unsigned long)frame[i] < high) _exit(4);
    }
    _exit(n > 3 && maps ? 5 : 4);
}

int main(int argc, char **argv)
{
    pthread_t t[6];
    int bad = 0, status;
    void *warm[4];
    backtrace(warm, 4);
    count = argc - 1;
    names = argv + 1;
    for (int i = 0; i < 6; i++) pthread_create(&t[i], 0, opener, names + i % count);
    for (int i = 0; i < 10; i++) {
        pid_t pid = fork();
        if (!pid) {
            signal(SIGALRM, waited);
            alarm(2);
            opener(names + 1 % count);
            _exit(3);
        }
        if (waitpid(pid, &status, 0) != pid || (WIFEXITED(status) && WEXITSTATUS(status) == 4)) bad++;
    }
    for (int i = 0; i < 6; i++) pthread_join(t[i], 0);
    return bad;
}
