/* SPDX-License-Identifier: MIT */
/* rule: smallwrites */
/* sizes: 0.3 1 */
/* heralds.c: a herald cries news to 20 listeners over TCP, a short message to each of them, which nothing can be put
 * together with; and writes what was cried to a file, each line by a write, or with FIXED many at once. */
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define LISTENERS 20

static struct sockaddr_in place = { .sin_family = AF_INET };

static uint64_t listeners_hear(void)
{
    char news[4096];
    int listener[LISTENERS];
    uint64_t sum = 0;
    ssize_t bytes;
    for (int i = 0; i < LISTENERS; i++) {
        listener[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(listener[i], (struct sockaddr *)&place, sizeof place))
            exit(1);
    }
    for (int open = LISTENERS; open;)
        for (int i = open = 0; i < LISTENERS; i++)
            if ((bytes = recv(listener[i], news, sizeof news, 0)) > 0) {
                sum += (uint64_t)bytes;
                open++;
            }
    return sum;
}

static int news_note(int file, const char *news, size_t bytes)
{
#ifdef FIXED
    static char together[1 << 15];
    static size_t used;
    if (!news || used + bytes > sizeof together) {
        if (write(file, together, used) != (ssize_t)used)
            return 1;
        used = 0;
    }
    if (news)
        memcpy(together + used, news, bytes);
    used += bytes;
    return 0;
#else
    return news && write(file, news, bytes) != (ssize_t)bytes; /* @ */
#endif
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(5000 * (argc > 1 ? atof(argv[1]) : 1));
    int stage = socket(AF_INET, SOCK_STREAM, 0), hall[LISTENERS], bad = 0;
    char path[] = "news-XXXXXX", news[24] = "the king has a cold  \n";
    int file = mkstemp(path);
    socklen_t bytes = sizeof place;
    int ended = 0;
    place.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    if (file < 0 || bind(stage, (struct sockaddr *)&place, sizeof place) || listen(stage, LISTENERS) ||
        getsockname(stage, (struct sockaddr *)&place, &bytes))
        return 1;
    if (!fork())
        _exit(listeners_hear() != (uint64_t)count * LISTENERS * sizeof news);
    for (int i = 0; i < LISTENERS; i++)
        hall[i] = accept(stage, NULL, NULL);
    for (unsigned i = 0; i < count; i++) {
        for (int k = 0; k < LISTENERS; k++)
            bad |= send(hall[k], news, sizeof news, 0) != (ssize_t)sizeof news;
        for (int k = 0; k < 20; k++)
            bad |= news_note(file, news, sizeof news);
    }
    bad |= news_note(file, NULL, 0);
    for (int i = 0; i < LISTENERS; i++)
        close(hall[i]);
    wait(&ended);
    unlink(path);
    printf("%u news, %d %d\n", count, bad, ended);
    return 0;
}
