/* SPDX-License-Identifier: MIT */
/* unasked.c KIND COUNT: COUNT rounds of short calls of one kind, in a folder that may be written to. Prints what they
 * gave, which is the same with probes and without. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define CHECK(call)                  \
    ({                               \
        long result_ = (long)(call); \
        if (result_ < 0)             \
            perror(#call), exit(1);  \
        result_;                     \
    })

static long sum;
static char path[4096];

static void files(int flags, const char *name)
{
    char text[64];
    int fd = (int)CHECK(open(name, flags, 0644));
    sum += CHECK(read(fd, text, sizeof text));
    CHECK(close(fd));
}

/* The read takes more than 10 us, and is the first on its descriptor. */
static void large(void)
{
    static char text[256 << 10];
    int fd = (int)CHECK(open("large.bin", O_RDONLY));
    sum += CHECK(read(fd, text, sizeof text));
    CHECK(close(fd));
}

static void streams(void)
{
    char text[64];
    FILE *f = fopen(path, "r");
    if (!f)
        perror(path), exit(1);
    sum += (long)fread(text, 1, sizeof text, f);
    fclose(f);
}

static FILE *blocks;

static void seeks(long i)
{
    char text[64];
    if (!blocks) {
        blocks = fopen("blocks.bin", "w+");
        for (int block = 0; block < 64 && blocks; block++)
            fprintf(blocks, "%8192d", block);
    }
    if (!blocks || fseek(blocks, i % 63 * 8192, SEEK_SET))
        perror("blocks.bin"), exit(1);
    sum += (long)fread(text, 1, sizeof text, blocks);
}

static void stats(void)
{
    struct stat status;
    CHECK(stat(path, &status));
    sum += status.st_size + access(path, R_OK);
}

static int pair[2];

static void messages(void)
{
    char text[64];
    CHECK(send(pair[0], "what is it?", 11, 0));
    sum += CHECK(recv(pair[1], text, sizeof text, 0));
    CHECK(send(pair[1], "this", 4, 0));
    sum += CHECK(recv(pair[0], text, sizeof text, 0));
}

static void pipes(void)
{
    int ends[2];
    char text[64];
    CHECK(pipe(ends));
    CHECK(write(ends[1], "through", 7));
    sum += CHECK(read(ends[0], text, sizeof text));
    CHECK(close(ends[0]));
    CHECK(close(ends[1]));
}

static int listener;
static struct sockaddr_in address = { .sin_family = AF_INET };

/* A client and a server in one thread: nobody waits, but each call finds what it wants. */
static void connections(void)
{
    char text[64];
    int client = (int)CHECK(socket(AF_INET, SOCK_STREAM, 0));
    CHECK(connect(client, (struct sockaddr *)&address, sizeof address));
    int server = (int)CHECK(accept(listener, NULL, NULL));
    CHECK(send(client, "what is it?", 11, 0));
    sum += CHECK(recv(server, text, sizeof text, 0));
    CHECK(send(server, "this", 4, 0));
    sum += CHECK(recv(client, text, sizeof text, 0));
    struct linger now = { 1, 0 }; /* no port is kept for a minute */
    CHECK(setsockopt(client, SOL_SOCKET, SO_LINGER, &now, sizeof now));
    CHECK(close(client));
    CHECK(close(server));
}

static void polls(void)
{
    struct pollfd ready = { .fd = pair[0], .events = POLLOUT };
    sum += CHECK(poll(&ready, 1, 0));
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    const char *kind = argv[1];
    FILE *f = fopen("some.txt", "w");
    if (!f || fputs("some text\n", f) < 0 || fclose(f))
        return 1;
    if (!realpath("some.txt", path) || !(f = fopen("large.bin", "w")) || ftruncate(fileno(f), 256 << 10) || fclose(f))
        return 1;
    CHECK(socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    listener = (int)CHECK(socket(AF_INET, SOCK_STREAM, 0));
    socklen_t size = sizeof address;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    CHECK(bind(listener, (struct sockaddr *)&address, size));
    CHECK(listen(listener, 16));
    CHECK(getsockname(listener, (struct sockaddr *)&address, &size));
    for (long i = 0, count = atol(argv[2]); i < count; i++) {
        if (!strcmp(kind, "open"))
            files(O_RDONLY, path);
        else if (!strcmp(kind, "truncate"))
            files(O_RDWR | O_TRUNC | O_CREAT, "other.txt");
        else if (!strcmp(kind, "large"))
            large();
        else if (!strcmp(kind, "fopen"))
            streams();
        else if (!strcmp(kind, "seek"))
            seeks(i);
        else if (!strcmp(kind, "stat"))
            stats();
        else if (!strcmp(kind, "message"))
            messages();
        else if (!strcmp(kind, "pipe"))
            pipes();
        else if (!strcmp(kind, "connection"))
            connections();
        else if (!strcmp(kind, "poll"))
            polls();
        else
            return 2;
    }
    printf("%ld\n", sum);
    return 0;
}
