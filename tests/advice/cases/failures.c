/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* not: spins */
/* does: errno */
/* least: 15 */
/* failures.c: a counter of letters notes each word in a journal, and asks a radio for news. The first
 * could not be opened, and the second one was closed. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static uint32_t word_weigh(uint32_t number)
{
    for (int i = 0; i < 200; i++)
        number = number * 1664525 + (number >> 13);
    return number;
}

static unsigned news_take(int radio)
{
    char news[256];
#ifdef FIXED
    if (radio < 0)
        return 0;
#endif
    ssize_t got = read(radio, news, sizeof news); /* @ */
    return got > 0 ? (unsigned)got : 0;
}

static unsigned word_note(int journal, uint32_t weight)
{
#ifdef FIXED
    if (journal < 0)
        return 0;
#endif
    return write(journal, &weight, sizeof weight) == sizeof weight; /* @ */
}

int main(int argc, char **argv)
{
    uint32_t words = (uint32_t)(200000 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    unsigned noted = 0, news = 0;
    int radio = open("/dev/null", O_RDONLY), journal = open("/nowhere/journal", O_WRONLY);
    close(radio);
#ifdef FIXED
    radio = -1;
#endif
    for (uint32_t i = 0; i < words; i++) {
        sum ^= word_weigh(i);
        news += news_take(radio);
        noted += word_note(journal, sum);
    }
    printf("%08x, %u noted, %u bytes of news\n", sum, noted, news);
    return 0;
}
