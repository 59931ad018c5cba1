/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* legacies.c: legacies are shared out by a number of heirs that stays the same. Besides, numbers are taken apart into
 * their factors: each of these divides once or twice, and then it is the next one's turn. */
#include <stdio.h>
#include <stdlib.h>

#define LEGACIES 4000

static float legacy[LEGACIES];

__attribute__((noipa)) static void legacies_share(float heirs)
{
#ifdef FIXED
    float part = 1 / heirs;
    for (int i = 0; i < LEGACIES; i++)
        legacy[i] *= part;
#else
    for (int i = 0; i < LEGACIES; i++)
        legacy[i] /= heirs; /* @ */
#endif
}

__attribute__((noipa)) static unsigned factors_count(unsigned number)
{
    unsigned count = 0;
    for (unsigned by = 2; by * by <= number; by++)
        while (number % by == 0) {
            number /= by;
            count++;
        }
    return count + (number > 1);
}

int main(int argc, char **argv)
{
    int years = (int)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned sum = 0;
    for (int year = 0; year < years; year++) {
        for (int i = 0; i < LEGACIES; i += 64)
            legacy[i] = (float)(i + year);
        legacies_share(year % 2 ? 4 : 8);
        if (year % 2)
            sum += factors_count(1000000u + (unsigned)year);
        sum += (unsigned)legacy[year % LEGACIES];
    }
    printf("%u\n", sum);
    return 0;
}
