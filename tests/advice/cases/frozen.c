/* SPDX-License-Identifier: MIT */
/* sizes: 1 */
/* wide: 0.5 1 5 */
/* rule: pauses */
/* frozen.c: keystrokes of an editor that is stopped now and then, as where a container is frozen or a machine is busy.
 * That is no stall of the program; saving at other regular distances is. Both programs are stopped. They stop where they
 * make no call that is measured: a busy machine might else stop them within one, and then that call took long. */
#include <profplug.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LINES 98304u
#define BETWEEN 512u
#define THAW "exec >/dev/null 2>&1; while sleep 0.1; do kill -CONT $PPID || exit 0; done" /* until this has ended */

static struct {
    uint64_t text[16], digest;
} line[LINES];

static uint64_t digest_of(const uint64_t text[16])
{
    uint64_t h = 14695981039346656037ULL;
    for (int pass = 0; pass < 10; pass++)
        for (int i = 0; i < 16; i++)
            h = (h ^ text[i]) * 1099511628211ULL;
    return h;
}

__attribute__((noinline)) static void lines_save(void) /* @ */
{
    for (unsigned i = 0; i < LINES; i++)
        line[i].digest = digest_of(line[i].text);
}

__attribute__((noinline)) static void key_type(unsigned number)
{
    unsigned at = number * 2654435761u % LINES;
    line[at].text[number % 16] += number;
    for (int i = 0; i < 300; i++)
        line[at].text[(number + (unsigned)i) % 16] ^= digest_of(line[at].text) & 1;
#ifdef FIXED
    line[at].digest = digest_of(line[at].text);
#endif
}

int main(int argc, char **argv)
{
    unsigned edits = (unsigned)(8192 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    if (!popen(THAW, "w"))
        return 2;
    lines_save();
    PROFPLUG_LOOP("keys")
    for (unsigned i = 0; i < edits; i++) {
        if (i % BETWEEN == 1 && kill(getpid(), SIGSTOP))
            return 3;
        key_type(i);
#ifndef FIXED
        if (i % BETWEEN == BETWEEN / 2)
            lines_save();
#endif
    }
    lines_save();
    for (unsigned i = 0; i < LINES; i++)
        sum += line[i].digest;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
