/* SPDX-License-Identifier: MIT */
/* A pantry's list of jars with labels in Latin 1, which are brought to UTF-8 and sorted into shelves. Prints the jars of
 * each shelf and a sum over the labels. */
#include <iconv.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHELVES 16u

static const char *const fruits[] = { "Zwetschge", "K\xfcrbis", "B\xe4rlauch", "Mango", "Gr\xfcne Tomate", "Erdbeere", "R\xf6ster", "Apfel" };

struct label {
    char text[128];
    size_t length;
};

static iconv_t opened(void)
{
    iconv_t way = iconv_open("UTF-8", "ISO-8859-1"); /* @ */
    if (way == (iconv_t)-1) exit(1);
    return way;
}

static void label_bring(iconv_t way, struct label *label, const char *text)
{
    char *in = (char *)text, *out = label->text;
    size_t left = strlen(text), room = sizeof label->text - 1;
    iconv(way, &in, &left, &out, &room);
    *out = '\0';
    label->length = (size_t)(out - label->text);
}

static uint64_t label_sum(const struct label *label)
{
    uint64_t sum = 5381;
    for (unsigned round = 0; round < 12; round++)
        for (size_t i = 0; i < label->length; i++) sum = sum * 33 ^ (unsigned char)label->text[i];
    return sum;
}

static void jar_name(char *text, size_t size, unsigned jar)
{
    snprintf(text, size, "%s %u/%u", fruits[jar % 8], 2000 + jar % 24, jar);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned jars = (unsigned)(250000 * scale) + 1, shelves[SHELVES] = { 0 };
    uint64_t sum = 0;
#ifdef FIXED
    iconv_t way = opened();
#endif
    for (unsigned jar = 0; jar < jars; jar++) {
        char name[64];
        struct label label;
        jar_name(name, sizeof name, jar);
#ifndef FIXED
        iconv_t way = opened(); /* @ */
#endif
        label_bring(way, &label, name);
#ifndef FIXED
        iconv_close(way);
#endif
        uint64_t one = label_sum(&label);
        shelves[one % SHELVES]++;
        sum += one;
    }
#ifdef FIXED
    iconv_close(way);
#endif
    for (unsigned i = 0; i < SHELVES; i++) printf("%u ", shelves[i]);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
