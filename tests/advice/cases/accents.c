/* SPDX-License-Identifier: MIT */
/* rule: dearcalls */
/* sizes: 0.3 1 3 */
/* base: 5 */
/* titled: locale */
/* accents.c: text is made lower case letter by letter, by functions that ask the locale, though nearly all of it is
 * ASCII. */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static char text[100000];

static uint32_t letters(const char *p, size_t bytes)
{
    uint32_t sum = 0;
    mbstate_t state;
    memset(&state, 0, sizeof state);
    while (bytes) {
        wchar_t wide = 0;
        size_t used;
#ifdef FIXED
        if (!(*p & 0x80)) {
            sum = sum * 31 + (uint32_t)(*p >= 'A' && *p <= 'Z' ? *p + 32 : *p);
            p++;
            bytes--;
            continue;
        }
#endif
        used = mbrtowc(&wide, p, bytes, &state);  /* @ */
        if (!used || used > bytes)
            break;
        sum = sum * 31 + (uint32_t)towlower((wint_t)wide); /* @ */
        p += used;
        bytes -= used;
    }
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = (int)(60 * (argc > 1 ? atof(argv[1]) : 1));
    static const char *const word[] = { "Stra\303\237e", "the", "Coffee", "Data", "of", "LOADERS", "and", "pieces" };
    size_t used = 0;
    uint32_t sum = 0;
    if (!setlocale(LC_ALL, "C.UTF-8"))
        return 1;
    for (unsigned i = 0; used + 20 < sizeof text; i++)
        used += (size_t)sprintf(text + used, "%s ", word[i % 400 ? 1 + i * i / 3 % 7 : 0]);
    for (int r = 0; r < rounds; r++)
        sum = sum * 7 + letters(text, used);
    printf("%u\n", sum);
    return 0;
}
