/* SPDX-License-Identifier: MIT */
/* costs.c: programs of many kinds, whose cost under the profiler overhead.py compares with the report's own account.
 * costs KIND SIZE FOLDER runs one; each writes a number that depends on all of its work. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <regex.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint64_t random_state = 88172645463325252u;
static const char *folder;

static uint64_t random_next(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    return random_state ^= random_state << 17;
}

static void name_make(char name[256], unsigned number) { snprintf(name, 256, "%s/f%u", folder, number); }

static void files_make(unsigned count, size_t bytes)
{
    char name[256], *data = malloc(bytes);
    for (size_t i = 0; i < bytes; i++)
        data[i] = (char)('a' + random_next() % 26);
    for (unsigned i = 0; i < count; i++) {
        name_make(name, i);
        int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        if (fd < 0 || write(fd, data, bytes) != (ssize_t)bytes)
            exit(2);
        close(fd);
    }
    free(data);
}

/* ---- files ---- */

static uint64_t file_sum(const char *name)
{
    char piece[4096];
    uint64_t sum = 0;
    int fd = open(name, O_RDONLY);
    for (ssize_t n; (n = read(fd, piece, sizeof piece)) > 0;)
        for (ssize_t i = 0; i < n; i += 8)
            sum = sum * 31 + (unsigned char)piece[i];
    close(fd);
    return sum;
}

static uint64_t loader(unsigned size)
{
    uint64_t sum = 0;
    char name[256];
    files_make(64, 65536);
    for (unsigned i = 0; i < size * 64; i++) {
        name_make(name, i % 64);
        sum += file_sum(name);
    }
    return sum;
}

static uint64_t opens(unsigned size)
{
    uint64_t sum = 0;
    char name[256];
    files_make(16, 16);
    for (unsigned i = 0; i < size * 1000; i++) {
        name_make(name, i % 16);
        int fd = open(name, O_RDONLY);
        sum += (uint64_t)fd;
        close(fd);
    }
    return sum;
}

static uint64_t lines(unsigned size)
{
    uint64_t sum = 0;
    char name[256], line[256];
    name_make(name, 0);
    FILE *file = fopen(name, "w");
    for (unsigned i = 0; i < 20000; i++)
        fprintf(file, "%u key%u=%llu;\n", i, i % 100, (unsigned long long)random_next());
    fclose(file);
    for (unsigned i = 0; i < size; i++) {
        file = fopen(name, "r");
        while (fgets(line, sizeof line, file)) {
            char *at = strchr(line, '=');
            sum += at ? strtoull(at + 1, NULL, 10) : 1;
        }
        fclose(file);
    }
    return sum;
}

static uint64_t writes(unsigned size)
{
    char name[256], text[64];
    uint64_t sum = 0;
    name_make(name, 0);
    int fd = open(name, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    for (unsigned i = 0; i < size * 10000; i++) {
        int n = snprintf(text, sizeof text, "%u,%llu\n", i, (unsigned long long)(random_next() & 0xffff));
        sum += (uint64_t)write(fd, text, (size_t)n);
    }
    close(fd);
    return sum;
}

/* ---- heap ---- */

struct node {
    struct node *left, *right;
    uint64_t value;
};

static struct node *tree_make(unsigned depth)
{
    struct node *n = malloc(sizeof *n);
    n->value = depth;
    n->left = depth ? tree_make(depth - 1) : NULL;
    n->right = depth ? tree_make(depth - 1) : NULL;
    return n;
}

static uint64_t tree_free(struct node *n)
{
    uint64_t sum = n ? n->value + tree_free(n->left) + tree_free(n->right) : 0;
    free(n);
    return sum;
}

static uint64_t tree(unsigned size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < size; i++)
        sum += tree_free(tree_make(14));
    return sum;
}

/* Blocks of all sizes that live for different times. */
static uint64_t blocks(unsigned size)
{
    static char *held[4096];
    uint64_t sum = 0;
    for (unsigned i = 0; i < size * 10000; i++) {
        uint64_t at = random_next();
        char **one = &held[at % 4096];
        if (*one)
            sum += (unsigned char)**one;
        free(*one);
        *one = malloc(16 + (at >> 20) % (at >> 50 & 15 ? 200 : 5000));
        **one = (char)at;
    }
    return sum;
}

static uint64_t reallocs(unsigned size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < size * 100; i++) {
        uint32_t *array = NULL;
        for (size_t n = 1; n <= 400; n++) {
            array = realloc(array, n * sizeof *array);
            array[n - 1] = (uint32_t)(n ^ i);
        }
        sum += array[i % 400];
        free(array);
    }
    return sum;
}

/* ---- sockets, threads, processes ---- */

static void *server(void *of)
{
    int fd = *(int *)of;
    char byte;
    while (read(fd, &byte, 1) == 1 && write(fd, &byte, 1) == 1)
        continue;
    return NULL;
}

static uint64_t pingpong(unsigned size)
{
    int pair[2];
    pthread_t thread;
    char byte = 1;
    uint64_t sum = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        exit(2);
    pthread_create(&thread, NULL, server, &pair[1]);
    for (unsigned i = 0; i < size * 1000; i++) {
        if (write(pair[0], &byte, 1) != 1 || read(pair[0], &byte, 1) != 1)
            exit(2);
        sum += (uint64_t)byte;
    }
    shutdown(pair[0], SHUT_RDWR);
    pthread_join(thread, NULL);
    return sum;
}

static uint64_t accepts(unsigned size)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    int listener = socket(AF_UNIX, SOCK_STREAM, 0);
    uint64_t sum = 0;
    snprintf(at.sun_path, sizeof at.sun_path, "%s/s", folder);
    unlink(at.sun_path);
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 8))
        exit(2);
    for (unsigned i = 0; i < size * 1000; i++) {
        char text[64] = "GET / HTTP/1.1\r\n";
        int client = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(client, (struct sockaddr *)&at, sizeof at))
            exit(2);
        int one = accept(listener, NULL, NULL);
        sum += (uint64_t)send(client, text, 16, 0);
        sum += (uint64_t)recv(one, text, sizeof text, 0);
        sum += (uint64_t)send(one, text, 8, 0);
        sum += (uint64_t)recv(client, text, sizeof text, 0);
        close(one);
        close(client);
    }
    close(listener);
    return sum;
}

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static uint64_t shared;

static void *locker(void *of)
{
    for (unsigned i = 0; i < *(unsigned *)of * 10000; i++) {
        pthread_mutex_lock(&mutex);
        shared = shared * 5 + 1;
        pthread_mutex_unlock(&mutex);
    }
    return NULL;
}

static uint64_t locks(unsigned size)
{
    pthread_t thread[2];
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, locker, &size);
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    return shared;
}

static void *brief(void *of)
{
    uint64_t *sum = of;
    for (unsigned i = 0; i < 700000; i++)
        *sum = *sum * 3 + i;
    return NULL;
}

static uint64_t threads(unsigned size)
{
    uint64_t sum[4] = { 0 };
    pthread_t thread[4];
    for (unsigned i = 0; i < size; i++) {
        for (int k = 0; k < 4; k++)
            pthread_create(&thread[k], NULL, brief, &sum[k]);
        for (int k = 0; k < 4; k++)
            pthread_join(thread[k], NULL);
    }
    return sum[0] + sum[3];
}

static uint64_t idle(unsigned size)
{
    int pair[2];
    uint64_t sum = 0;
    if (pipe(pair))
        exit(2);
    for (unsigned i = 0; i < size; i++) {
        struct pollfd of = { .fd = pair[0], .events = POLLIN };
        sum += (uint64_t)poll(&of, 1, 1) + 1;
        for (unsigned k = 0; k < 20000; k++)
            sum += k ^ sum >> 3;
    }
    return sum;
}

static uint64_t forks(unsigned size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < size; i++) {
        pid_t child = fork();
        if (!child) {
            for (unsigned k = 0; k < 2000000; k++)
                sum = sum * 3 + k;
            _exit((int)(sum & 63));
        }
        int status;
        waitpid(child, &status, 0);
        sum += (uint64_t)WEXITSTATUS(status);
    }
    return sum;
}

/* ---- computing ---- */

static uint64_t interpret(const unsigned char *code, unsigned count)
{
    uint64_t stack[64] = { 0 }, *top = stack;
    for (unsigned round = 0; round < count; round++)
        for (const unsigned char *at = code; *at; at++) {
            switch (*at) {
            case 'p': *++top = round; break;
            case 'd': top[1] = *top, top++; break;
            case '+': top--, *top += top[1]; break;
            case '*': top--, *top *= top[1]; break;
            case 'x': *top ^= *top >> 7; break;
            case 's': top--, stack[0] += top[1]; break;
            default: break;
            }
        }
    return stack[0];
}

static uint64_t interpreter(unsigned size) { return interpret((const unsigned char *)"pd+px*s pxdd**s pd*px+s", size * 10000); }

static const char *at;
static uint64_t sum_parse(void);

static uint64_t factor_parse(void)
{
    uint64_t value = 0;
    if (*at == '(') {
        at++;
        value = sum_parse();
        at++;
        return value;
    }
    while (*at >= '0' && *at <= '9')
        value = value * 10 + (uint64_t)(*at++ - '0');
    return value;
}

static uint64_t product_parse(void)
{
    uint64_t value = factor_parse();
    while (*at == '*')
        at++, value *= factor_parse();
    return value;
}

static uint64_t sum_parse(void)
{
    uint64_t value = product_parse();
    while (*at == '+')
        at++, value += product_parse();
    return value;
}

static uint64_t parser(unsigned size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < size * 1000; i++) {
        at = "(1+2*(3+45*(6+7)*(8+9*(10+11)))+12)*13+(14+(15*(16+(17*(18+19)))))+20*(21+22)";
        sum += sum_parse();
    }
    return sum;
}

/* Finds repeats by a hash of four bytes, as compressors do. */
static size_t match_length(const unsigned char *a, const unsigned char *b, const unsigned char *end)
{
    size_t n = 0;
    while (b + n < end && a[n] == b[n])
        n++;
    return n;
}

static uint64_t compressor(unsigned size)
{
    enum { BYTES = 1 << 20 };
    unsigned char *data = malloc(BYTES);
    static uint32_t last[1 << 14];
    uint64_t sum = 0;
    for (size_t i = 0; i < BYTES; i++)
        data[i] = (unsigned char)(random_next() % 7 ? "the quick brown fox "[i % 20] : 'a' + random_next() % 4);
    for (unsigned round = 0; round < size; round++)
        for (size_t i = 4; i + 4 < BYTES;) {
            uint32_t word;
            memcpy(&word, data + i, 4);
            uint32_t *slot = &last[word * 2654435761u >> 18];
            size_t n = match_length(data + *slot, data + i, data + BYTES);
            *slot = (uint32_t)i;
            sum += n;
            i += n > 4 ? n : 1;
        }
    free(data);
    return sum;
}

static uint64_t matching(unsigned size)
{
    regex_t pattern;
    uint64_t sum = 0;
    char line[128];
    if (regcomp(&pattern, "key([0-9]+)=([a-f]*)[0-9]+;", REG_EXTENDED))
        exit(2);
    for (unsigned i = 0; i < size * 100; i++) {
        regmatch_t found[3];
        snprintf(line, sizeof line, "line %u key%u=%sabc%u;", i, i % 10, i % 3 ? "" : "f", i);
        char *copy = strdup(line);
        sum += regexec(&pattern, copy, 3, found, 0) ? 1 : (uint64_t)found[1].rm_so;
        free(copy);
    }
    regfree(&pattern);
    return sum;
}

static int number_compare(const void *a, const void *b)
{
    uint32_t one = *(const uint32_t *)a, two = *(const uint32_t *)b;
    return (one > two) - (one < two);
}

static uint64_t sorting(unsigned size)
{
    enum { COUNT = 10000 };
    static uint32_t number[COUNT];
    uint64_t sum = 0;
    for (unsigned i = 0; i < size; i++) {
        for (unsigned k = 0; k < COUNT; k++)
            number[k] = (uint32_t)random_next();
        qsort(number, COUNT, sizeof *number, number_compare);
        sum += number[COUNT / 2];
    }
    return sum;
}

static uint64_t matrix(unsigned size)
{
    enum { SIDE = 96 };
    static double a[SIDE][SIDE], b[SIDE][SIDE], c[SIDE][SIDE];
    for (int i = 0; i < SIDE * SIDE; i++)
        a[i / SIDE][i % SIDE] = (double)i, b[i / SIDE][i % SIDE] = (double)(i % 7);
    for (unsigned round = 0; round < size; round++)
        for (int i = 0; i < SIDE; i++)
            for (int k = 0; k < SIDE; k++)
                for (int j = 0; j < SIDE; j++)
                    c[i][j] += a[i][k] * b[k][j];
    return (uint64_t)c[5][5];
}

static uint64_t empty(unsigned size) { return size; }

static const struct {
    const char *name;
    uint64_t (*run)(unsigned size);
} kinds[] = {
    { "loader", loader },           { "opens", opens },         { "lines", lines },           { "writes", writes },
    { "tree", tree },               { "blocks", blocks },       { "reallocs", reallocs },     { "pingpong", pingpong },
    { "accepts", accepts },         { "locks", locks },         { "threads", threads },       { "idle", idle },
    { "forks", forks },             { "interpreter", interpreter }, { "parser", parser },     { "compressor", compressor },
    { "matching", matching },       { "sorting", sorting },     { "matrix", matrix },         { "empty", empty },
};

int main(int argc, char **argv)
{
    folder = argc > 3 ? argv[3] : ".";
    for (size_t i = 0; argc > 2 && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].name, argv[1])) {
            printf("%llu\n", (unsigned long long)kinds[i].run((unsigned)atoi(argv[2])));
            return 0;
        }
    return 2;
}
