/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* titled: characters */
/* does: 256 */
/* least: 60 */
/* ciphers.c: messages are read back from letters that stand for six bits each, by looking for each in the alphabet. */
#include <stdio.h>
#include <stdlib.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
static char message[60000];

static int letter_value(char letter)
{
#ifdef FIXED
    static unsigned char value[256];
    if (!value['/'])
        for (int i = 0; i < 64; i++)
            value[(unsigned char)alphabet[i]] = (unsigned char)i;
    return value[(unsigned char)letter];
#else
    for (int i = 0; i < 64; i++)
        if (alphabet[i] == letter) /* @ */
            return i;
    return -1;
#endif
}

int main(int argc, char **argv)
{
    int messages = (int)(120 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 3, sum = 0;
    for (size_t i = 0; i < sizeof message; i++) {
        state = state * 1664525u + 1013904223u;
        message[i] = alphabet[state >> 26];
    }
    for (int m = 0; m < messages; m++)
        for (size_t i = 0; i < sizeof message; i += 4)
            sum = sum * 31 + (unsigned)(letter_value(message[i]) << 18 | letter_value(message[i + 1]) << 12 |
                                        letter_value(message[i + 2]) << 6 | letter_value(message[i + 3]));
    printf("%u\n", sum);
    return 0;
}
