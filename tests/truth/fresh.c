/* SPDX-License-Identifier: MIT */
/* fresh.c: programs of the kinds that costs.c has, written after the account's prices were chosen. What the first
 * samples and a switch of threads cost was chosen by `children`, `pages` and `tcp`, and no other price by them.
 * overhead.py holds the account to what profiling costs here. It must not know the account.
 * fresh KIND SIZE FOLDER runs one; each writes a number that depends on all of its work. */
#define _GNU_SOURCE
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t state = 0x9e3779b97f4a7c15u;
static const char *folder, *self;

static uint64_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return state >> 33;
}

static uint64_t hash(const char *s)
{
    uint64_t h = 1469598103934665603u;
    while (*s)
        h = (h ^ (unsigned char)*s++) * 1099511628211u;
    return h;
}

/* ---- files ---- */

static void texts_make(unsigned count, unsigned lines)
{
    char name[256];
    for (unsigned i = 0; i < count; i++) {
        snprintf(name, sizeof name, "%s/t%u.conf", folder, i);
        FILE *file = fopen(name, "w");
        for (unsigned k = 0; k < lines; k++)
            fprintf(file, "%s%llu.size = %llu # note %u\n", k % 7 ? "item" : "group", (unsigned long long)draw() % 900,
                    (unsigned long long)draw(), k);
        fclose(file);
    }
}

/* A loader: reads whole files and keeps their words in a table. */
struct word {
    struct word *next;
    uint64_t seen;
    char text[];
};
static struct word *table[4096];

static uint64_t word_count(const char *text, size_t length)
{
    char copy[64];
    length = length < 63 ? length : 63;
    memcpy(copy, text, length);
    copy[length] = 0;
    struct word **at = &table[hash(copy) % 4096];
    for (struct word *w = *at; w; w = w->next)
        if (!strcmp(w->text, copy))
            return ++w->seen;
    struct word *w = malloc(sizeof *w + length + 1);
    w->next = *at, w->seen = 1;
    memcpy(w->text, copy, length + 1);
    *at = w;
    return 1;
}

static uint64_t slurp(unsigned size)
{
    uint64_t sum = 0;
    char name[256];
    texts_make(40, 500);
    for (unsigned i = 0; i < size * 10; i++) {
        struct stat is;
        snprintf(name, sizeof name, "%s/t%u.conf", folder, i % 40);
        if (stat(name, &is))
            exit(2);
        char *text = malloc((size_t)is.st_size + 1);
        FILE *file = fopen(name, "r");
        text[fread(text, 1, (size_t)is.st_size, file)] = 0;
        fclose(file);
        for (char *at = text; *at;) {
            while (*at && !isalnum((unsigned char)*at))
                at++;
            char *begin = at;
            while (isalnum((unsigned char)*at))
                at++;
            sum += at > begin ? word_count(begin, (size_t)(at - begin)) : 0;
        }
        free(text);
    }
    return sum;
}

/* Much opening: a folder is walked, each file asked for and its head read. */
static uint64_t walk(unsigned size)
{
    uint64_t sum = 0;
    texts_make(50, 4);
    for (unsigned i = 0; i < size; i++) {
        DIR *dir = opendir(folder);
        for (struct dirent *e; (e = readdir(dir));) {
            char name[512], head[32];
            struct stat is;
            snprintf(name, sizeof name, "%s/%s", folder, e->d_name);
            if (lstat(name, &is) || !S_ISREG(is.st_mode))
                continue;
            int fd = open(name, O_RDONLY | O_CLOEXEC);
            ssize_t n = fd < 0 ? 0 : pread(fd, head, sizeof head, 0);
            sum += (uint64_t)is.st_size + (n > 0 ? (unsigned char)head[0] : 0);
            close(fd);
        }
        closedir(dir);
    }
    return sum;
}

/* ---- heap ---- */

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

static uint64_t names(unsigned size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < size; i++) {
        char *list[2000], text[48];
        for (unsigned k = 0; k < 2000; k++) {
            snprintf(text, sizeof text, "%llx-%u", (unsigned long long)draw() % 5000, k % 17);
            list[k] = strdup(text);
        }
        qsort(list, 2000, sizeof *list, by_text);
        for (unsigned k = 0; k < 2000; k++) {
            sum = sum * 31 + (unsigned char)list[k][0];
            free(list[k]);
        }
    }
    return sum;
}

/* A list of records of which some are taken out and others put in. */
struct record {
    struct record *next;
    double value[6];
};

static uint64_t churn(unsigned size)
{
    struct record *head[64] = { NULL };
    double sum = 0;
    for (unsigned i = 0; i < size * 1000; i++) {
        struct record **at = &head[draw() % 64], *r = calloc(1, sizeof *r);
        for (unsigned k = 0; k < 6; k++)
            r->value[k] = (double)i / (k + 1);
        r->next = *at, *at = r;
        while (draw() % 3 && *at) {
            r = *at, *at = r->next;
            for (unsigned k = 0; k < 6; k++)
                sum += r->value[k] * 0.5;
            free(r);
        }
    }
    return (uint64_t)sum;
}

/* ---- sockets, threads, processes ---- */

static void *tcp_answer(void *of)
{
    int listener = *(int *)of, fd;
    char text[256];
    while ((fd = accept(listener, NULL, NULL)) >= 0) {
        ssize_t n = recv(fd, text, sizeof text, 0);
        if (n > 0)
            n = send(fd, text, (size_t)n, MSG_NOSIGNAL);
        close(fd);
        if (text[0] == 'q')
            break;
    }
    return NULL;
}

static uint64_t tcp(unsigned size)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t thread;
    uint64_t sum = 0;
    if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 16) ||
        getsockname(listener, (struct sockaddr *)&at, &length))
        exit(2);
    pthread_create(&thread, NULL, tcp_answer, &listener);
    for (unsigned i = 0; i < size * 100; i++) {
        char text[256] = "get /index";
        int fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(fd, (struct sockaddr *)&at, sizeof at))
            exit(2);
        text[0] = i + 1 < size * 100 ? 'g' : 'q';
        sum += (uint64_t)send(fd, text, 64, 0);
        sum += (uint64_t)recv(fd, text, sizeof text, 0);
        close(fd);
    }
    pthread_join(thread, NULL);
    close(listener);
    return sum;
}

/* Messages of a page through two pipes, each worked on for some microseconds. */
static uint64_t work(uint64_t seed, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++)
        seed = (seed ^ seed >> 29) * 0xbf58476d1ce4e5b9u + i;
    return seed;
}

static int there[2], back[2];

static void *relay(void *none)
{
    char page[4096];
    while (read(there[0], page, sizeof page) == sizeof page) {
        page[1] = (char)work((unsigned char)page[0], 2000);
        if (write(back[1], page, sizeof page) != sizeof page)
            break;
    }
    return none;
}

static uint64_t pages(unsigned size)
{
    pthread_t thread;
    char page[4096] = { 0 };
    uint64_t sum = 0;
    if (pipe(there) || pipe(back))
        exit(2);
    pthread_create(&thread, NULL, relay, NULL);
    for (unsigned i = 0; i < size * 100; i++) {
        page[0] = (char)i;
        if (write(there[1], page, sizeof page) != sizeof page || read(back[0], page, sizeof page) != sizeof page)
            exit(2);
        sum += (unsigned char)page[1] + work(i, 2000);
    }
    close(there[1]);
    pthread_join(thread, NULL);
    return sum;
}

/* A queue of work between two makers and two takers. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;
static uint64_t queue[64], taken_sum;
static unsigned put_at, taken_at, makers, moves;

static void *maker(void *of)
{
    for (uint64_t i = 0; i < *(unsigned *)of * 100u; i++) {
        uint64_t item = work(i, 300);
        pthread_mutex_lock(&lock);
        while (put_at - taken_at == 64)
            pthread_cond_wait(&emptied, &lock);
        queue[put_at++ % 64] = item;
        pthread_cond_signal(&filled);
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    makers--;
    pthread_cond_broadcast(&filled);
    pthread_mutex_unlock(&lock);
    return NULL;
}

static void *taker(void *none)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        while (put_at == taken_at && makers)
            pthread_cond_wait(&filled, &lock);
        if (put_at == taken_at) {
            pthread_mutex_unlock(&lock);
            return none;
        }
        uint64_t item = queue[taken_at++ % 64];
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
        item = work(item, 300);
        pthread_mutex_lock(&lock);
        taken_sum += item & 0xff;
        pthread_mutex_unlock(&lock);
    }
}

static uint64_t handover(unsigned size)
{
    pthread_t thread[4];
    makers = 2;
    for (int i = 0; i < 4; i++)
        pthread_create(&thread[i], NULL, i < 2 ? maker : taker, &size);
    for (int i = 0; i < 4; i++)
        pthread_join(thread[i], NULL);
    return taken_sum;
}

/* Accounts with a lock each, and money that two threads move between them: a lock is seldom taken already. */
static struct account {
    pthread_mutex_t lock;
    uint64_t has;
} account[1024];

static void *mover(void *of)
{
    uint64_t at = (uint64_t)(uintptr_t)of, sum = 0;
    for (unsigned i = 0; i < moves; i++) {
        at = at * 6364136223846793005u + 1442695040888963407u;
        struct account *from = &account[at >> 34 & 1023], *to = &account[at >> 48 & 1023];
        uint64_t much = at >> 60;
        pthread_mutex_lock(&from->lock);
        much = from->has < much ? from->has : much;
        from->has -= much;
        pthread_mutex_unlock(&from->lock);
        sum += work(much, 10);
        pthread_mutex_lock(&to->lock);
        to->has += much;
        pthread_mutex_unlock(&to->lock);
    }
    return (void *)(uintptr_t)sum;
}

static uint64_t ledger(unsigned size)
{
    pthread_t thread[2];
    uint64_t sum = 0;
    moves = size * 1000;
    for (unsigned i = 0; i < 1024; i++)
        pthread_mutex_init(&account[i].lock, NULL), account[i].has = 1000;
    for (uintptr_t i = 0; i < 2; i++)
        pthread_create(&thread[i], NULL, mover, (void *)(i + 1));
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < 1024; i++)
        sum += account[i].has;
    return sum;
}

/* Threads of 2 ms, each with memory of its own. */
static void *shortly(void *of)
{
    uint64_t *sum = of, *own = calloc(20000, sizeof *own);
    for (unsigned i = 0; i < 600000; i++) {
        *sum = (*sum ^ *sum >> 31) * 0x94d049bb133111ebu + i;
        own[*sum % 20000] += i;
    }
    *sum += own[7];
    free(own);
    return NULL;
}

static uint64_t crews(unsigned size)
{
    uint64_t sum[3] = { 1, 2, 3 };
    pthread_t thread[3];
    for (unsigned i = 0; i < size; i++) {
        for (int k = 0; k < 3; k++)
            pthread_create(&thread[k], NULL, shortly, &sum[k]);
        for (int k = 0; k < 3; k++)
            pthread_join(thread[k], NULL);
    }
    return sum[0] + sum[1] + sum[2];
}

/* An idle server: a timer a thousand times a second, a little work each time. */
static uint64_t ticker(unsigned size)
{
    uint64_t sum = 0, times;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0), poller = epoll_create1(0);
    struct itimerspec each = { .it_interval.tv_nsec = 1000000, .it_value.tv_nsec = 1000000 };
    struct epoll_event event = { .events = EPOLLIN };
    if (timerfd_settime(timer, 0, &each, NULL) || epoll_ctl(poller, EPOLL_CTL_ADD, timer, &event))
        exit(2);
    for (unsigned i = 0; i < size; i++) {
        if (epoll_wait(poller, &event, 1, -1) != 1 || read(timer, &times, sizeof times) != sizeof times)
            exit(2);
        sum += work(i, 15000);
    }
    return sum;
}

/* Short processes: this program again, of kind "sum", whose output is read. */
static uint64_t sum_of(unsigned size)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < size * 1000; i++)
        sum += work(i, 100);
    return sum;
}

static uint64_t children(unsigned size)
{
    uint64_t sum = 0;
    char command[600], text[64];
    for (unsigned i = 0; i < size; i++) {
        snprintf(command, sizeof command, "exec %s sum 20 %s", self, folder);
        FILE *from = popen(command, "r");
        sum += fgets(text, sizeof text, from) ? hash(text) : 0;
        if (pclose(from))
            exit(2);
    }
    return sum;
}

/* ---- computing ---- */

/* An interpreter of a tree. */
struct expression {
    int kind;
    struct expression *a, *b;
    uint64_t value;
};

static struct expression *expression_make(unsigned depth)
{
    struct expression *e = calloc(1, sizeof *e);
    e->kind = depth ? (int)(draw() % 4) + 2 : (int)(draw() % 2);
    e->value = draw();
    if (depth) {
        e->a = expression_make(depth - 1);
        e->b = expression_make(depth - 1);
    }
    return e;
}

static uint64_t expression_value(const struct expression *e, uint64_t x)
{
    switch (e->kind) {
    case 0: return x;
    case 1: return e->value;
    case 2: return expression_value(e->a, x) + expression_value(e->b, x);
    case 3: return expression_value(e->a, x) ^ expression_value(e->b, x) >> 3;
    case 4: return expression_value(e->a, x) * (expression_value(e->b, x) | 1);
    default: return expression_value(e->a, x) & 1 ? expression_value(e->b, x) : x;
    }
}

static uint64_t evaluator(unsigned size)
{
    struct expression *e = expression_make(10);
    uint64_t sum = 0;
    for (unsigned i = 0; i < size * 100; i++)
        sum += expression_value(e, i);
    return sum;
}

/* A parser of JSON that makes a tree of it. */
struct value {
    struct value *next, *first;
    char *text;
    double number;
};
static const char *in;

static void blank_skip(void)
{
    while (*in == ' ' || *in == '\n')
        in++;
}

static char *string_read(void)
{
    const char *begin = ++in;
    while (*in != '"')
        in++;
    char *copy = malloc((size_t)(in - begin) + 1);
    memcpy(copy, begin, (size_t)(in - begin));
    copy[in - begin] = 0;
    in++;
    return copy;
}

static struct value *value_read(void)
{
    struct value *v = calloc(1, sizeof *v), **last = &v->first;
    blank_skip();
    if (*in == '{' || *in == '[') {
        char end = *in == '{' ? '}' : ']';
        in++;
        for (blank_skip(); *in != end; blank_skip()) {
            char *key = end == '}' ? string_read() : NULL;
            blank_skip();
            in += *in == ':';
            *last = value_read();
            if (key)
                free((*last)->text), (*last)->text = key;
            last = &(*last)->next;
            blank_skip();
            in += *in == ',';
        }
        in++;
    } else if (*in == '"')
        v->text = string_read();
    else
        v->number = strtod(in, (char **)&in);
    return v;
}

static double value_free(struct value *v)
{
    double sum = 0;
    while (v) {
        struct value *next = v->next;
        sum += v->number + value_free(v->first);
        free(v->text);
        free(v);
        v = next;
    }
    return sum;
}

static uint64_t json(unsigned size)
{
    char *text = malloc(1 << 20), *at = text;
    double sum = 0;
    at += sprintf(at, "[");
    for (unsigned i = 0; i < 2000; i++)
        at += sprintf(at, "%s{\"id\": %u, \"name\": \"person number %u\", \"tags\": [%llu, %llu.5, \"x%u\"], \"at\": {\"x\": %u.25}}",
                      i ? ", " : "", i, i * 7, (unsigned long long)draw() % 1000, (unsigned long long)draw() % 100, i, i % 360);
    sprintf(at, "]");
    for (unsigned i = 0; i < size; i++) {
        in = text;
        sum += value_free(value_read());
    }
    free(text);
    return (uint64_t)sum;
}

/* A compressor: LZW with a table of 64 K. */
static uint64_t lzw(unsigned size)
{
    static uint32_t key[1 << 16];
    static uint16_t code[1 << 16];
    unsigned char *data = malloc(1 << 19);
    uint64_t sum = 0;
    for (unsigned i = 0; i < 1 << 19; i++)
        data[i] = (unsigned char)(draw() % 5 ? (unsigned char)"abcabdabeacd"[i % 12] : draw());
    for (unsigned round = 0; round < size; round++) {
        unsigned next = 256, last = data[0];
        memset(key, 0xff, sizeof key);
        for (unsigned i = 1; i < 1 << 19; i++) {
            uint32_t pair = last << 8 | data[i];
            unsigned at = pair * 2654435761u >> 16;
            while (key[at] != pair && key[at] != UINT32_MAX)
                at = (at + 1) & 0xffff;
            if (key[at] == pair) {
                last = code[at];
                continue;
            }
            sum = sum * 5 + last;
            if (next < 40000)
                key[at] = pair, code[at] = (uint16_t)next++;
            last = data[i];
        }
    }
    free(data);
    return sum;
}

static const struct {
    const char *name;
    uint64_t (*run)(unsigned);
} kind[] = {
    { "slurp", slurp },       { "walk", walk },         { "names", names },   { "churn", churn },
    { "tcp", tcp },           { "pages", pages },       { "handover", handover }, { "crews", crews },
    { "ledger", ledger },     { "ticker", ticker },     { "sum", sum_of },        { "children", children }, { "evaluator", evaluator },
    { "json", json },         { "lzw", lzw },
};

int main(int argc, char **argv)
{
    if (argc < 4)
        return 2;
    self = argv[0], folder = argv[3];
    mkdir(folder, 0700);
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (!strcmp(argv[1], kind[i].name)) {
            printf("%s %llu\n", argv[1], (unsigned long long)kind[i].run((unsigned)atoi(argv[2])));
            return 0;
        }
    return 2;
}
