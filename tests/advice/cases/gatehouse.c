/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* wide: 0.5 2 10 */
/* rule: reopens */
/* neither: rereads */
/* most: 60 */
/* gatehouse.c: a gate asks a notice, which it may read again and again, and waits for visitors at a FIFO. Both are
 * opened by one line. Each visitor takes a while to come: keeping the notice open saves nothing of that. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define VISITORS 20
#define PAUSE_US 10000

static char folder[] = "gatehouse-XXXXXX";

static char *path_of(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static int opened(const char *name)
{
    return open(path_of(name), O_RDONLY); /* @ */
}

static unsigned notice_number(void)
{
    char text[32] = "";
#ifndef FIXED
    int fd = opened("notice");
#else
    static int fd;
    if (!fd)
        fd = opened("notice");
#endif
    if (pread(fd, text, sizeof text - 1, 0) < 0)
        exit(1);
#ifndef FIXED
    close(fd);
#endif
    return (unsigned)atoi(text);
}

static void visitor_send(void)
{
    usleep(PAUSE_US);
    int fd = open(path_of("gate"), O_WRONLY);
    _exit(write(fd, "me", 2) != 2);
}

static unsigned visitor_take(void)
{
    char text[32] = "";
    pid_t sender = fork();
    if (!sender)
        visitor_send();
    int fd = opened("gate");
    ssize_t got = read(fd, text, sizeof text - 1);
    close(fd);
    waitpid(sender, NULL, 0);
    return got > 0;
}

int main(int argc, char **argv)
{
    unsigned looks = (unsigned)(400 * (argc > 1 ? atof(argv[1]) : 1)), visitors = 0;
    uint64_t sum = 0;
    if (!mkdtemp(folder) || mkfifo(path_of("gate"), 0600))
        return 1;
    int fd = open(path_of("notice"), O_WRONLY | O_CREAT, 0600);
    if (write(fd, "12", 2) != 2)
        return 1;
    close(fd);
    for (unsigned i = 0; i < VISITORS; i++) {
        visitors += visitor_take();
        for (unsigned k = 0; k < looks; k++)
            sum += notice_number();
    }
    unlink(path_of("gate"));
    unlink(path_of("notice"));
    rmdir(folder);
    printf("%u visitors, %llu\n", visitors, (unsigned long long)sum);
    return 0;
}
