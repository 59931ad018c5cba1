/* SPDX-License-Identifier: MIT */
/* A process gets and resizes small blocks, most of which nobody draws, and forks again and again. What a child got, gave and
 * resized is its own. */
#include "expect.h"
#include <stdlib.h>
#include <sys/wait.h>

enum { CHILDREN = 20, BEFORE = 900, OWN = 25 };
static void *volatile kept;

static void get(int n)
{
    for (int i = 0; i < n; i++) {
        kept = malloc(16);
        kept = realloc(kept, 24);
        free(kept);
    }
}

int main(void)
{
    get(1000);                           /* the first are all looked at */
    for (int child = 0; child < CHILDREN; child++) {
        get(BEFORE + 37 * child);
        pid_t pid = fork();
        if (pid == 0) {
            get(OWN);
            expect("heap_calls %d", OWN * 4);
            expect("moves_most %d", OWN);
            expect("exit EXIT 0");
            exit(0);
        }
        int status;
        if (waitpid(pid, &status, 0) != pid || status)
            return 1;
    }
    expect("children %d", CHILDREN);
    return 0;
}
