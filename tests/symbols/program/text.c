/* SPDX-License-Identifier: MIT */
/* text.c: a recursive calculator and a word count. */
#include <ctype.h>
#include <setjmp.h>
#include <stdio.h>
#include "inline.h"
#include "program.h"

struct reader { const char *at; struct store *variables; jmp_buf failed; int depth; };

static inline void skip(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static inline int accept(struct reader *reader, char wanted)
{
    skip(reader);
    if (*reader->at != wanted)
        return 0;
    reader->at++;
    return 1;
}

static long sum(struct reader *reader);

static inline long number(struct reader *reader)
{
    long value = 0;
    while (isdigit((unsigned char)*reader->at))
        value = value * 10 + (*reader->at++ - '0');
    return value;
}

static inline long variable(struct reader *reader)
{
    char name[32];
    int length = 0;
    while (isalnum((unsigned char)*reader->at)) {
        name[clamp(length, 0, 30)] = *reader->at++;
        length++;
    }
    name[clamp(length, 0, 31)] = 0;
    return *store_at(reader->variables, name);
}

static long factor(struct reader *reader)
{
    long value;
    skip(reader);
    if (++reader->depth > 200)
        longjmp(reader->failed, 2);
    if (accept(reader, '('))
        value = sum(reader), accept(reader, ')');
    else if (accept(reader, '-'))
        value = -factor(reader);
    else if (isdigit((unsigned char)*reader->at))
        value = number(reader);
    else if (isalpha((unsigned char)*reader->at))
        value = variable(reader);
    else
        longjmp(reader->failed, 1);
    reader->depth--;
    return value;
}

static long product(struct reader *reader)
{
    long value = factor(reader);
    for (;;) {
        if (accept(reader, '*')) {
            value *= factor(reader);
        } else if (accept(reader, '/')) {
            long divisor = factor(reader);
            if (!divisor)
                longjmp(reader->failed, 3);
            value /= divisor;
        } else {
            return value;
        }
    }
}

static long sum(struct reader *reader)
{
    long value = product(reader);
    for (;;) {
        if (accept(reader, '+'))
            value += product(reader);
        else if (accept(reader, '-'))
            value -= product(reader);
        else
            return value;
    }
}

long evaluate(const char *expression, struct store *variables)
{
    struct reader reader = { .at = expression, .variables = variables };
    switch (setjmp(reader.failed)) {
    case 0: return sum(&reader);
    case 1: fprintf(stderr, "unexpected %c\n", *reader.at); return -1;
    case 2: fprintf(stderr, "too deep\n"); return -2;
    default: return -3;
    }
}

size_t words(const char *text, struct store *store)
{
    size_t count = 0, capacity = 0, length = 0;
    char *word = NULL;
    for (;; text++) {
        if (isalpha((unsigned char)*text)) {
            word = grown(word, length + 1, &capacity, 1);
            word[length++] = (char)tolower((unsigned char)*text);
            continue;
        }
        if (length) {
            word[length] = 0;
            ++*store_at(store, word);
            count++;
            length = 0;
        }
        if (!*text)
            break;
    }
    free(word);
    return count;
}
