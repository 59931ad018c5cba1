/* SPDX-License-Identifier: MIT */
/* transfer.c FOLDER: every entry point that moves bytes, each on a line of its own that moves as many as it says. Prints "LINE read written" for
 * each, and what /proc/self/io counted from the first to the last. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sendfile.h>
#include <sys/uio.h>
#include <unistd.h>
#include <wchar.h>

static char buffer[100000], none[10000], *line;
static size_t room;
static char said[20000];
static size_t used;
static int bad;

/* States how much the line reads and writes. */
#define MOVES(in, out, ...) do { __VA_ARGS__; used += (size_t)sprintf(said + used, "%d %ld %ld\n", __LINE__, (long)(in), (long)(out)); } while (0)
#define WANT(n, call) do { if ((long)(call) != (long)(n)) { bad++; fprintf(stderr, "%d: not %ld\n", __LINE__, (long)(n)); } } while (0)

struct account { long in, out, bytes; };        /* bytes: what reading it took, which it does not hold yet */
static struct account account(void)
{
    static char text[4096];
    int fd = open("/proc/self/io", O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1); /* account */
    close(fd);
    text[n] = 0;
    return (struct account){ atol(strstr(text, "rchar: ") + 7), atol(strstr(text, "wchar: ") + 7), n };
}
/* It moves what the kernel says. */
#define KERNEL(...) do { struct account from_ = account(); __VA_ARGS__; struct account to_ = account(); \
    used += (size_t)sprintf(said + used, "%d %ld %ld\n", __LINE__, to_.in - from_.in - from_.bytes, to_.out - from_.out); } while (0)

static int printed(FILE *f, const char *form, ...)
{
    va_list list;
    va_start(list, form);
    int n = vfprintf(f, form, list); /* vfprintf */
    va_end(list);
    return n;
}

int main(int argc, char **argv)
{
    struct iovec vector[2] = { { buffer, 300 }, { buffer + 300, 200 } };
    off64_t at = 0, to_at = 0;
    FILE *f;
    int a, b, c, n, pipes[2];
    if (argc < 2 || chdir(argv[1]))
        return 2;
    memset(buffer, 'x', sizeof buffer);
    for (n = 99; n < 100000; n += 100)
        buffer[n] = '\n';
    setvbuf(stderr, NULL, _IONBF, 0);
    struct account first = account();
    a = open("a", O_RDWR | O_CREAT | O_TRUNC, 0666);
    MOVES(0, 100000, WANT(100000, write(a, buffer, 100000)));
    MOVES(0, 700, WANT(700, pwrite(a, buffer, 700, 5000)));
    MOVES(0, 500, WANT(500, pwritev(a, vector, 2, 100)));
    MOVES(0, 500, WANT(500, pwritev2(a, vector, 2, 100, 0)));
    b = openat(AT_FDCWD, "b", O_RDWR | O_CREAT | O_TRUNC, 0666);
    MOVES(0, 500, WANT(500, writev(b, vector, 2)));
    lseek(a, 0, SEEK_SET);
    MOVES(300, 0, WANT(300, read(a, buffer, 300)));
    MOVES(500, 0, WANT(500, readv(a, vector, 2)));
    MOVES(450, 0, WANT(450, pread(a, buffer, 450, 99)));
    MOVES(500, 0, WANT(500, preadv(a, vector, 2, 7)));
    MOVES(500, 0, WANT(500, preadv2(a, vector, 2, 7, 0)));
    c = creat("c", 0666);
    MOVES(1000, 1000, WANT(1000, sendfile(c, a, &at, 1000)));
    MOVES(2000, 2000, at = 0; WANT(2000, copy_file_range(a, &at, c, &to_at, 2000, 0)));
    WANT(0, pipe(pipes));
    MOVES(0, 0, at = 0; WANT(4096, splice(a, &at, pipes[1], NULL, 4096, 0)));
    MOVES(4096, 0, WANT(4096, read(pipes[0], buffer, 5000)));
    MOVES(0, 3, WANT(3, write(pipes[1], "abc", 3)));
    MOVES(3, 0, WANT(3, read(pipes[0], buffer, 5)));
    MOVES(0, 12, WANT(12, dprintf(b, "%5d %.3f\n", 12345, 1.5)));
    MOVES(0, 50001, WANT(50001, dprintf(b, "%50000d\n", 5)));
    MOVES(0, 0, WANT(-1, dprintf(-1, "%d\n", 5)));
    WANT(0, fsync(a));
    WANT(0, fdatasync(b));
    close(a), close(b), close(c);
    memset(buffer, 'x', sizeof buffer);
    for (n = 99; n < 100000; n += 100)
        buffer[n] = '\n';

    /* stdio, each line from an empty buffer to an empty one */
    f = fopen("s", "w");
    MOVES(0, 30000, for (n = 0; n < 300; n++) WANT(1, fwrite(buffer, 100, 1, f)); fflush(f));
    MOVES(0, 99900, WANT(999, fwrite(buffer, 100, 999, f)); fflush(f));
    MOVES(0, 7000, for (n = 0; n < 1000; n++) fputs("sixsix\n", f); fflush(f));
    MOVES(0, 5000, for (n = 0; n < 5000; n++) fputc('c', f); fflush(f));
    MOVES(0, 5001, for (n = 0; n < 5000; n++) putc('c', f); putc('\n', f); fflush(f));
    MOVES(0, 5001, for (n = 0; n < 5000; n++) putc_unlocked('c', f); putc_unlocked('\n', f); fflush(f));
    MOVES(0, 9000, for (n = 0; n < 1000; n++) fprintf(f, "%3d %.2f\n", n % 1000, 1.5); fflush(f));
    MOVES(0, 12000, fprintf(f, "%11999d\n", 5); fflush(f));
    for (n = 0; n < 1000; n++) printed(f, "%4d\n", n);
    MOVES(0, 5000 - 4096, fflush(f));
    MOVES(0, 77, fputs("0123456789012345678901234567890123456789012345678901234567890123456789012345\n", f); fclose(f));
    f = fopen("s", "w");
    MOVES(0, 1, setvbuf(f, NULL, _IONBF, 0); fputc('1', f));
    MOVES(0, 5, fprintf(f, "%d", 12345));
    MOVES(0, 8, fwrite("12345678", 4, 2, f));
    fclose(f);
    f = fopen("s", "w");
    MOVES(0, 10, setvbuf(f, NULL, _IOLBF, 0); fputs("abc\nde", f); fputs("\n", f); fputs("xyz", f); bad += fseek(f, 0, SEEK_CUR) != 0);
    fclose(f);
    f = fopen("r", "w");
    fputs("seven__", f);
    MOVES(0, 7, f = freopen("r2", "w+", f)); /* to the file before */
    MOVES(0, 4, fputs("four", f); fflush(f)); /* to the file after */
    MOVES(0, 3, fputs("end", f); f = freopen(NULL, "r", f));
    MOVES(7, 0, WANT(7, fread(buffer, 1, 100, f)));
    fclose(f);
    f = fopen("a", "r");
    MOVES(100000, 0, while (fread(buffer, 1, 333, f) > 0) { });
    rewind(f);
    MOVES(100000, 0, while (fread(buffer, 7000, 1, f) > 0) { });
    rewind(f);
    MOVES(100000, 0, while (fgets(buffer, 500, f)) { });
    rewind(f);
    MOVES(100000, 0, while (fgetc(f) >= 0) { });
    rewind(f);
    MOVES(100000, 0, while (getc(f) >= 0) { });
    rewind(f);
    MOVES(100000, 0, while (getc_unlocked(f) >= 0) { });
    rewind(f);
    MOVES(100000, 0, while (getline(&line, &room, f) > 0) { });
    rewind(f);
    MOVES(100000, 0, while (getdelim(&line, &room, 'x', f) > 0) { });
    rewind(f);
    MOVES(100000, 0, while (fscanf(f, "%999s", buffer) == 1) { });
    rewind(f);
    MOVES(100000, 0, while ((n = getc(f)) >= 0) { ungetc(n, f); getc(f); ungetc('y', f); getc(f); });
    KERNEL(bad += fseek(f, 50000, SEEK_SET) != 0);
    KERNEL(bad += fgetc(f) < 0; bad += fseek(f, 50010, SEEK_SET) != 0; bad += fgetc(f) < 0);
    KERNEL(bad += fseek(f, 10, SEEK_SET) != 0; bad += fseek(f, 20000, SEEK_SET) != 0; bad += fgetc(f) < 0);
    /* back within the buffer; to its end, which reads the same block again; forth and back over its edge */
    KERNEL(rewind(f); WANT(3000, fread(buffer, 1, 3000, f)); bad += fseek(f, 100, SEEK_SET) != 0; bad += fseek(f, -50, SEEK_CUR) != 0; bad += fgetc(f) < 0);
    KERNEL(WANT(4045, fread(buffer, 1, 4045, f)); bad += fseek(f, 0, SEEK_CUR) != 0; bad += fseek(f, 0, SEEK_CUR) != 0; bad += fgetc(f) < 0);
    KERNEL(for (n = 0; n < 1000; n++) { bad += fseek(f, n * 37 % 99000, SEEK_SET) != 0; WANT(100, fread(buffer, 1, 100, f)); });
    KERNEL(for (n = 0; n < 50; n++) { bad += fseek(f, n * 7919 % 100001, SEEK_SET) != 0; WANT(1, fread(buffer, 1, 5000, f) <= 5000); });
    KERNEL(bad += fseek(f, -1, SEEK_SET) != -1; bad += fseek(f, 0, SEEK_END) != 0; bad += fseek(f, 0, SEEK_END) != 0; bad += fgetc(f) >= 0);
    KERNEL(bad += fseek(f, 99990, SEEK_SET) != 0; WANT(10, fread(buffer, 1, 10, f)); bad += fseek(f, 0, SEEK_END) != 0);
    fclose(f);
    f = fopen("a", "r");
    KERNEL(bad += fgetc(f) < 0; bad += fseek(f, 50, SEEK_SET) != 0; bad += fgetc(f) < 0); /* the first seek reads the block again */
    KERNEL(bad += fseek(f, 60, SEEK_SET) != 0; bad += fgetc(f) < 0; bad += fseek(f, 5, SEEK_CUR) != 0);
    fclose(f);
    f = fopen("a", "r");
    KERNEL(bad += fgetc(f) < 0; bad += fseek(f, 5, SEEK_CUR) != 0; bad += fgetc(f) < 0; rewind(f));
    fclose(f);
    f = fopen("n", "w+");
    for (n = 0; n < 100; n++)
        bad += fwrite(none, 1, 999, f) != 999 || fputc('\n', f) != '\n'; /* lines of NULs */
    rewind(f);
    MOVES(100000, 0, for (n = 0; fgets(buffer, 2000, f); n++) { } WANT(100, n));
    rewind(f);
    MOVES(100000, 0, for (n = 0; fgets(buffer, 500, f); n++) { } WANT(300, n));
    rewind(f);
    MOVES(100000, 0, for (n = 0; fgets(buffer, 1001, f) && fgets_unlocked(buffer, 1000, f); n++) { });
    fclose(f);
    f = fopen("n", "w+");
    bad += fwrite(none, 1, 9999, f) != 9999 || fputc('\n', f) != '\n'; /* and a line longer than the buffer */
    rewind(f);
    MOVES(10000, 0, for (n = 0; fgets(buffer, 20000, f); n++) { } WANT(1, n));
    fclose(f);
    f = fopen("n", "w+");
    bad += fwrite(none, 1, 99, f) != 99 || fputc('\n', f) != '\n' || fwrite(none, 1, 7000, f) != 7000; /* and the last without a newline, over two buffers */
    rewind(f);
    MOVES(7100, 0, for (n = 0; fgets(buffer, 20000, f); n++) { } WANT(2, n));
    rewind(f);
    MOVES(7100, 0, for (n = 0; fgets_unlocked(buffer, 5000, f); n++) { } WANT(3, n));
    fclose(f);
    f = fopen("a", "r+");
    MOVES(4096, 0, bad += fgetc(f) < 0);
    bad += fseek(f, 0, SEEK_CUR) != 0;
    MOVES(0, 4, fputs("four", f); fflush(f));
    fclose(f);
    /* the C library's messages: beside standard error, on it, buffered, and where nothing can be written */
    const char *name = "a text before it";
    int kept = dup(2), e = open("e", O_RDWR | O_CREAT | O_TRUNC, 0666), none_left = open("/dev/full", O_RDWR);
    FILE *own = stderr, *full = fopen("f", "w");
    dup2(e, 2);
    KERNEL(errno = ENOENT; perror(name); WANT(ENOENT, errno));
    KERNEL(errno = ENOENT; perror(NULL); perror(""));
    KERNEL(errno = 12345; perror("x"));
    WANT(0, fwide(stderr, 0));
    KERNEL(psignal(SIGINT, name); psignal(SIGSEGV, ""); psignal(SIGKILL, NULL); psignal(12345, name));
    WANT(1, fwide(stderr, 0) < 0);
    KERNEL(errno = ENOENT; perror(name));
    stderr = full;
    KERNEL(errno = ENOENT; perror("x"));
    KERNEL(psignal(SIGINT, "x"); errno = ENOENT; perror("y"));
    KERNEL(fflush(full));
    stderr = own;
    fclose(full);
    dup2(none_left, 2);
    KERNEL(errno = ENOENT; perror(name));
    WANT(1, ferror(stderr) != 0);
    clearerr(stderr);
    KERNEL(psignal(SIGINT, name));
    clearerr(stderr);
    dup2(kept, 2);
    close(kept), close(e), close(none_left);
    struct account last = account();
    free(line);
    printf("%sin %ld\nout %ld\nbad %d\n", said, last.in - first.in + last.bytes, last.out - first.out, bad);
    return bad != 0;
}
