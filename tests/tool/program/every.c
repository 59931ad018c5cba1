/* SPDX-License-Identifier: MIT */
/* every.c: C and C++: something for each argument of the plugin and each run-time option to show itself by. */
#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef __cplusplus
extern "C" {
#endif
__attribute__((noinline, malloc, alloc_size(1))) void *hand(size_t size) { return malloc(size); }
__attribute__((noinline)) int small(int n) { __asm__ volatile(""); return n + 1; }
__attribute__((noinline)) void copy(char *to, const char *from, size_t size) { memcpy(to, from, size); }
__attribute__((noinline)) int aside(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += small(i); return sum; }
#define STEP x += n; x *= 3; x ^= 5; x -= 7;
__attribute__((noinline)) int large(int n)
{
    volatile int x = n;
    STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP STEP
    return x;
}
PROFPLUG_STAGE("marked") __attribute__((noinline))
int marked(int n) { int sum = 0; for (int i = 0; i < n; i++) sum += small(i); return sum; }
#ifdef __cplusplus
}
#endif

int main(int argc, char **argv)
{
    volatile int sum = 0;
    int ends[2];
    char to[100], *from = (char *)hand(100);
    memset(from, 'x', 100);
    copy(to, from, (size_t)(99 + argc));
    PROFPLUG_LOOP("looped")
    for (int i = 0; i < 7; i++)
        sum += marked(20) + (large(i) & 1);
    sum += aside(11);
    FILE *file = fopen("/dev/zero", "rb");
    if (!file || getc(file) || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) || send(ends[0], "hello", 5, 0) != 5
        || recv(ends[1], to, 5, 0) != 5)
        return 1;
    usleep(2000);
    printf("%d %.5s %c\n", sum, to, from[50]);
    free(from);
    return 3;
}
