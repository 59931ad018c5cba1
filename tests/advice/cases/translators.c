/* SPDX-License-Identifier: MIT */
/* rule: characters */
/* sizes: 0.3 1 3 */
/* titled: converts */
/* does: line */
/* translators.c: titles of old books come in Latin-1 and become UTF-8: letter by letter, as tabs are left out, or each
 * as a whole. */
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static size_t title_translate(iconv_t by, const char *title, size_t letters, char *to, size_t room)
{
    char *begin = to;
#ifdef FIXED
    char plain[200], *from = plain;
    size_t left = 0;
    for (size_t i = 0; i < letters; i++)
        if (title[i] != '\t')
            plain[left++] = title[i];
    iconv(by, &from, &left, &to, &room);
#else
    for (size_t i = 0; i < letters; i++) {
        char letter = title[i], *from = &letter;
        size_t left = 1;
        if (letter != '\t')
            iconv(by, &from, &left, &to, &room); /* @ */
    }
#endif
    return (size_t)(to - begin);
}

int main(int argc, char **argv)
{
    unsigned titles = (unsigned)(150000 * (argc > 1 ? atof(argv[1]) : 1));
    iconv_t by = iconv_open("UTF-8", "ISO-8859-1");
    char title[100], out[400];
    uint64_t sum = 0;
    if (by == (iconv_t)-1)
        return 1;
    for (unsigned i = 0; i < titles; i++) {
        size_t letters = 40 + i % 40;
        for (size_t k = 0; k < letters; k++)
            title[k] = (char)(k % 9 == 8 ? '\t' : (i + k) % 23 == 0 ? 0xe4 : 'a' + (int)((i * 7 + k * 3) % 26));
        size_t bytes = title_translate(by, title, letters, out, sizeof out);
        for (size_t k = 0; k < bytes; k++)
            sum = sum * 31 + (unsigned char)out[k];
    }
    iconv_close(by);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
