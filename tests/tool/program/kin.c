/* SPDX-License-Identifier: MIT */
/* kin.c [WAY]: starts itself as `end` by WAY, of which each ends in a program of its own: fork (and no exec), spawn (fork and exec), system, become
 * (exec alone), chain (a shell starts itself by spawn, as Git's programs start each other). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    const char *way = argc > 1 ? argv[1] : "end";
    if (strcmp(way, "end") == 0)
        return 0;
    if (strcmp(way, "become") == 0)
        return execl(argv[0], argv[0], "end", (char *)NULL);
    if (strcmp(way, "system") == 0 || strcmp(way, "chain") == 0) {
        char command[4096];
        snprintf(command, sizeof command, "%s %s; true", argv[0], strcmp(way, "chain") == 0 ? "spawn" : "end");
        return system(command);
    }
    pid_t child = fork();
    if (child == 0) {
        if (strcmp(way, "spawn") == 0)
            execl(argv[0], argv[0], "end", (char *)NULL);
        _exit(0);
    }
    printf("%d\n", (int)child);
    return waitpid(child, NULL, 0) != child;
}
