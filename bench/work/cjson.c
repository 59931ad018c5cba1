/* SPDX-License-Identifier: MIT */
/* cjson.c: `cjson ROUNDS RECORDS`: writes a JSON text of records, then parses and prints it again and again; prints what it finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cJSON.h"

static char *text_write(unsigned records)
{
    char *text = malloc(200 * (size_t)records + 64);
    if (!text)
        exit(2);
    size_t n = (size_t)sprintf(text, "{\"title\": \"stones \\u00e4\\n\", \"rows\": [");
    unsigned state = 7;
    for (unsigned i = 0; i < records; i++) {
        state = state * 1664525u + 1013904223u;
        n += (size_t)sprintf(text + n, "%s\n  {\"id\": %u, \"name\": \"stone \\\"%u\\\"\", \"weight\": %u.%02u, \"place\": [%u, -%u, 1e%u], \"kept\": %s, \"note\": null}", i ? "," : "", i,
                             state >> 20, state >> 24, state % 100, state >> 12 & 255, state >> 8 & 15, state >> 28, state & 4096 ? "true" : "false");
    }
    strcpy(text + n, "\n]}\n");
    return text;
}

static double weights_sum(const cJSON *document)
{
    double sum = 0;
    const cJSON *row;
    cJSON_ArrayForEach(row, cJSON_GetObjectItemCaseSensitive(document, "rows"))
        sum += cJSON_GetObjectItemCaseSensitive(row, "weight")->valuedouble;
    return sum;
}

int main(int argc, char **argv)
{
    if (argc != 3)
        return 2;
    char *text = text_write((unsigned)atoi(argv[2]));
    double sum = 0;
    size_t printed = 0;
    for (int round = 0, rounds = atoi(argv[1]); round < rounds; round++) {
        cJSON *document = cJSON_Parse(text);
        if (!document)
            return 1;
        sum += weights_sum(document);
        if (round % 4 == 0) {
            char *again = cJSON_PrintUnformatted(document);
            printed += strlen(again);
            free(again);
        }
        cJSON_Delete(document);
    }
    printf("%zu bytes read, weight %.2f, %zu bytes printed\n", strlen(text), sum, printed);
    free(text);
    return 0;
}
