/* SPDX-License-Identifier: MIT */
/* `spin PLAIN_MS PROFILED_MS [KEY=VALUE...]` takes that much CPU time by its own clock and does what it is told besides, the second
 * number and the _on keys where it is profiled (PROFPLUG is not off). It has no loop that a sample would be needed for. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static void spin(double ms)
{
    struct timespec now;
    do
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    while ((double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6 < ms);
}

int main(int argc, char **argv)
{
    const char *setting = getenv("PROFPLUG");
    int on = setting && strcmp(setting, "off"), status = 0;
    for (int i = 3; i < argc; i++) {
        char *value = strchr(argv[i], '='), key[32] = "";
        if (!value || value - argv[i] >= (int)sizeof key)
            return 2;
        memcpy(key, argv[i], (size_t)(value++ - argv[i]));
        if (!strcmp(key, "exit") || (!strcmp(key, "exit_on") && on))
            status = atoi(value);
        if (!strcmp(key, "print") || (!strcmp(key, "print_on") && on))
            puts(value);
        if (!strcmp(key, "pid"))
            printf("%d\n", (int)getpid());
        if (!strcmp(key, "error"))
            fprintf(stderr, "%s\n", value);
        if (!strcmp(key, "cat"))
            for (int c; (c = getchar()) != EOF;)
                putchar(c);
        if (!strcmp(key, "log")) {
            FILE *log = fopen(value, "a");
            if (!log)
                return 2;
            fprintf(log, "%s %s\n", setting ? setting : "(unset)", argv[0]);
            fclose(log);
        }
        if (!strcmp(key, "child") && !fork()) {
            spin(atof(value));
            _exit(0);
        }
        if (!strcmp(key, "signal_on") && on) {
            fflush(stdout);
            raise(atoi(value));
        }
        if (!strcmp(key, "ready")) {
            FILE *ready = fopen(value, "w");
            if (ready)
                fclose(ready);
            pause();
        }
    }
    spin(atof(argv[on ? 2 : 1]));
    while (wait(NULL) > 0) { }
    return status;
}
