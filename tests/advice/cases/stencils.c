/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: flushes */
/* titled: buffer */
/* does: setbuf stencils.c:20 */
/* shows: setvbuf( */
/* stencils.c: a pattern is written character by character, to a FILE that has no buffer. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned pattern_write(const char *path, unsigned count)
{
    FILE *out = fopen(path, "w");
    unsigned dots = 0;
    if (!out)
        exit(1);
#ifndef FIXED
    /* each dot is seen at once */
    setbuf(out, NULL);
#endif
    for (unsigned i = 0; i < count; i++) {
        int dot = i * i % 7 == 2;
        fputc(dot ? '#' : ' ', out); /* @ */
        dots += dot;
    }
    fclose(out);
    return dots;
}

int main(int argc, char **argv)
{
    char path[] = "stencils-XXXXXX";
    int fd = mkstemp(path);
    printf("%u\n", pattern_write(path, (unsigned)(100000 * (argc > 1 ? atof(argv[1]) : 1))));
    unlink(path);
    close(fd);
    return 0;
}
