/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: formatting */
/* does: strtod */
/* shows: sscanf(line, strtod(line, */
/* parsing.c: readings of a sensor come as text, and are read by a format. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
static double number_of(const char *text)
{
    long whole = 0, scale = 1;
    for (; *text && *text != '.'; text++)
        whole = whole * 10 + *text - '0';
    for (text += *text == '.'; *text; text++, scale *= 10)
        whole = whole * 10 + *text - '0';
    return (double)whole / (double)scale;
}
#else
static double number_of(const char *text)
{
    double value = 0;
    if (sscanf(text, "%lf", &value) != 1) /* @ */
        return 0;
    return value;
}
#endif

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(3000000 * (argc > 1 ? atof(argv[1]) : 1)), seed = 5;
    double sum = 0;
    for (unsigned i = 0; i < count; i++) {
        char text[] = "000.25";
        seed = seed * 1103515245 + 12345;
        for (unsigned k = 0; k < 3; k++)
            text[k] = (char)('0' + (seed >> (16 + 4 * k) & 7));
        sum += number_of(text);
    }
    printf("%.2f\n", sum);
    return 0;
}
