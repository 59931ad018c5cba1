/* SPDX-License-Identifier: MIT */
/* message.c: the one line on standard error. It must not know what went wrong. */
#define _GNU_SOURCE
#include "system/message.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static size_t put(char *line, size_t n, size_t room, const char *s)
{
    while (*s && n < room)
        line[n++] = *s++;
    return n;
}

/* Text from outside may hold anything. It must not steer a terminal, nor break the line. */
static size_t put_clean(char *line, size_t n, size_t room, const char *s)
{
    static const char hex[] = "0123456789abcdef";
    for (; *s && n < room; s++) {
        unsigned char c = (unsigned char)*s;
        if (c >= 32 && c != 127) {
            line[n++] = (char)c;
        } else if (n + 4 <= room) {
            memcpy(line + n, (char[]){ '\\', 'x', hex[c >> 4], hex[c & 15] }, 4);
            n += 4;
        } else {
            break;
        }
    }
    return n;
}

const char *pp_digits(char text[static 24], uint64_t v)
{
    char *s = text + 23;
    *s = 0;
    do
        *--s = (char)('0' + v % 10);
    while (v /= 10);
    return s;
}

static struct {
    dev_t device;
    ino_t inode;
    bool known;
} outlet;

void pp_outlet_remember(void)
{
    struct stat s;
    if (pp_fstat(2, &s))
        return;
    outlet.device = s.st_dev;
    outlet.inode = s.st_ino;
    outlet.known = true;
}

/* One system call, so that lines of several processes do not mix. The program may have opened a file of its own at
 * number 2, which we must not write into. A line that cannot be written is dropped. It must not block, nor raise a
 * signal that the program would not have had: a pipe without a reader, a full file, a background process's terminal. */
static void say(const char *line, size_t n)
{
    static const int raised[] = { SIGPIPE, SIGXFSZ };
    struct stat s;
    struct pollfd ready = { 2, POLLOUT, 0 };
    struct rlimit limit;
    sigset_t saved, pending;
    if (!outlet.known || pp_forbids(PP_FORBIDDEN_LOOKS | PP_FORBIDDEN_CORE) || pp_fstat(2, &s) ||
        s.st_dev != outlet.device || s.st_ino != outlet.inode)
        return;
    if (S_ISREG(s.st_mode) && !getrlimit(RLIMIT_FSIZE, &limit) && limit.rlim_cur != RLIM_INFINITY &&
        (uint64_t)s.st_size + n > limit.rlim_cur)
        return;
    pp_signals_block(&saved);
    if (!sigpending(&pending) && pp_ready(&ready) == 1 && ready.revents & POLLOUT && pp_write(2, line, n) < 0)
        for (size_t i = 0; i < sizeof raised / sizeof *raised; i++)
            if (!sigismember(&pending, raised[i])) {
                sigset_t one;
                sigemptyset(&one);
                sigaddset(&one, raised[i]);
                syscall(SYS_rt_sigtimedwait, &one, 0, &(struct timespec){ 0, 0 }, (size_t)PP_SIGNALS_BYTES);
            }
    pp_signals_restore(&saved);
}

void pp_complain(const char *format, ...)
{
    char line[2048], text[24];
    size_t n = put(line, 0, sizeof line - 1, "profplug: ");
    int saved_errno = errno;
    va_list a;
    va_start(a, format);
    for (const char *f = format; *f; f++) {
        if (*f != '%') {
            if (n < sizeof line - 1)
                line[n++] = *f;
        } else if (*++f == 's') {
            n = put_clean(line, n, sizeof line - 1, va_arg(a, const char *));
        } else if (*f == 'l') {
            f++;
            n = put(line, n, sizeof line - 1, pp_digits(text, va_arg(a, unsigned long)));
        } else if (*f == 'u') {
            n = put(line, n, sizeof line - 1, pp_digits(text, va_arg(a, unsigned)));
        } else {
            int v = va_arg(a, int);
            if (v < 0)
                n = put(line, n, sizeof line - 1, "-");
            n = put(line, n, sizeof line - 1, pp_digits(text, (uint64_t)(v < 0 ? -(int64_t)v : v)));
        }
    }
    va_end(a);
    line[n++] = '\n';
    say(line, n);
    errno = saved_errno;
}
