/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* least: 30 */
/* kind: bound */
/* processes.c: names of fields are written in capitals, each by a shell that is started for it. The twin does that
 * itself; both ask a shell once how it is called. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void shell_ask(char *answer, int room, const char *command)
{
    FILE *shell = popen(command, "r"); /* @ */
    if (!shell || !fgets(answer, room, shell))
        answer[0] = 0;
    if (shell)
        pclose(shell);
    answer[strcspn(answer, "\n")] = 0;
}

static void name_capitalise(char *to, int room, const char *name)
{
#ifdef FIXED
    int i = 0;
    for (; name[i] && i + 1 < room; i++)
        to[i] = (char)toupper((unsigned char)name[i]);
    to[i] = 0;
#else
    char command[200];
    snprintf(command, sizeof command, "echo %s | tr a-z A-Z", name);
    shell_ask(to, room, command);
#endif
}

static uint32_t field_hash(const char *name)
{
    uint32_t sum = 5381;
    for (int again = 0; again < 8000; again++)
        for (const char *p = name; *p; p++)
            sum = sum * 33 + (unsigned char)*p;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned fields = (unsigned)(400 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t sum = 0;
    char name[60], capitals[60];
    shell_ask(name, sizeof name, "echo shell");
    sum = field_hash(name);
    for (unsigned i = 0; i < fields; i++) {
        snprintf(name, sizeof name, "field%ukey", i);
        name_capitalise(capitals, sizeof capitals, name);
        sum ^= field_hash(capitals);
    }
    printf("%u\n", sum);
    return 0;
}
