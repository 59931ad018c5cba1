/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: formatting */
/* does: binary */
/* shows: strtod( fread( */
/* barometers.c: readings of a barometer are summed up from a file of text, in which each is a line; its twin keeps the
 * numbers in a binary file. */
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void readings_make(const char *path, unsigned count)
{
    FILE *out = fopen(path, "w");
    for (unsigned i = 0; out && i < count; i++) {
        double reading = 950 + (double)(i * 7919u % 65536) / 1024;
#ifndef FIXED
        static char digits[] = "000.0000000000\n";
        unsigned whole = (unsigned)reading, rest = (unsigned)((reading - whole) * 1024);
        digits[0] = (char)('0' + whole / 100 % 10);
        digits[1] = (char)('0' + whole / 10 % 10);
        digits[2] = (char)('0' + whole % 10);
        double left = rest / 1024.0;
        for (unsigned k = 4; k < 14; k++) {
            left *= 10;
            digits[k] = (char)('0' + (int)left);
            left -= (int)left;
        }
        if (whole >= 1000)
            digits[0] = '9';
        fwrite(digits, 1, sizeof digits - 1, out);
#else
        unsigned whole = (unsigned)reading;
        reading = whole >= 1000 ? reading - 1000 + 900 : reading;
        fwrite(&reading, sizeof reading, 1, out);
#endif
    }
    if (!out || fclose(out))
        exit(1);
}

static double readings_sum(const char *path)
{
    FILE *in = fopen(path, "r");
    double sum = 0;
    if (!in)
        exit(1);
#ifndef FIXED
    for (char line[32]; fgets(line, sizeof line, in);)
        sum += strtod(line, NULL); /* @ */
#else
    for (double reading; fread(&reading, sizeof reading, 1, in);)
        sum += reading;
#endif
    fclose(in);
    return sum;
}

int main(int argc, char **argv)
{
    char path[] = "barometers-XXXXXX";
    int fd = mkstemp(path);
    readings_make(path, (unsigned)(200000 * (argc > 1 ? atof(argv[1]) : 1)));
    double sum = 0;
    for (int pass = 0; pass < 3; pass++)
        sum += readings_sum(path);
    printf("%.3f\n", sum);
    unlink(path);
    close(fd);
    return 0;
}
