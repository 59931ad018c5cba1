/* SPDX-License-Identifier: MIT */
/* before.c: `before N PROGRAM`: takes N turns with a child on pipes, then becomes PROGRAM. Compiled without the plugin. */
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int count, char **arguments)
{
    int there[2], back[2];
    long n = count > 2 ? atol(arguments[1]) : 0;
    char c = 0;
    if (!n || pipe(there) || pipe(back))
        return 99;
    if (!fork()) {
        for (long i = 0; i < n; i++)
            if (read(there[0], &c, 1) != 1 || write(back[1], &c, 1) != 1)
                _exit(1);
        _exit(0);
    }
    for (long i = 0; i < n; i++)
        if (write(there[1], &c, 1) != 1 || read(back[0], &c, 1) != 1)
            return 98;
    wait(0);
    execv(arguments[2], arguments + 2);
    return 97;
}
