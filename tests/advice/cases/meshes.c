/* SPDX-License-Identifier: MIT */
/* rule: lengths */
/* does: strtod */
/* sizes: 2 3 4 */
/* wide: 2 4 10 */
/* meshes.c: heights of a map are read from one long text, by sscanf from all that is left of it; with FIXED a line at a
 * time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *map_write(unsigned points)
{
    char *text = malloc(points * 24ul + 1), *at = text;
    for (unsigned i = 0; text && i < points; i++)
        at += sprintf(at, "%u %u %u\n", i % 977, i / 977, i * 2654435761u >> 20);
    return text;
}

static double volume_of(const char *text, unsigned points)
{
    double volume = 0;
    int x, y, height, used;
    for (unsigned i = 0; i < points; i++) {
#ifdef FIXED
        char line[64];
        size_t length = (size_t)(strchr(text, '\n') + 1 - text);
        memcpy(line, text, length);
        line[length] = 0;
        if (sscanf(line, "%d %d %d%n", &x, &y, &height, &used) != 3)
            break;
        text += length;
#else
        if (sscanf(text, "%d %d %d%n", &x, &y, &height, &used) != 3) /* @ */
            break;
        text += used;
#endif
        volume += height * 0.25;
    }
    return volume;
}

int main(int argc, char **argv)
{
    unsigned points = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    char *text = map_write(points);
    if (!text)
        return 1;
    printf("%.2f\n", volume_of(text, points));
    free(text);
    return 0;
}
