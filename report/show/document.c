/* SPDX-License-Identifier: MIT */
/* document.c: see document.h. */
#include "show/document.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "words/quote.h"

void xml_text(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    for (const char *at = quote_plain(&arena, text); *at; at++) {
        static const char special[] = "<>&\"'";
        static const char *const name[] = { "&lt;", "&gt;", "&amp;", "&quot;", "&apos;" };
        const char *is = strchr(special, *at);
        if (is)
            fputs(name[is - special], out);
        else
            fputc(*at, out);
    }
    arena_free(&arena);
}

/* A path as a reference in a document: bytes that may not stand in one are given by their number. */
void uri_print(FILE *out, const char *path)
{
    static const char bare[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~/!$&'()*+,;=:@";
    fputc('"', out);
    for (; *path; path++)
        fprintf(out, strchr(bare, *path) ? "%c" : "%%%02X", (unsigned char)*path);
    fputc('"', out);
}

void markdown_text(FILE *out, const char *text)
{
    struct arena arena = { 0 };
    for (const char *at = quote_plain(&arena, text); *at; at++)
        fprintf(out, strchr("|\\`*_<>[]", *at) ? "\\%c" : "%c", *at);
    arena_free(&arena);
}

/* All that the schema of Ant's JUnit asks for (windyroad/JUnit-Schema). A test has no time of its own. */
void junit_begin(FILE *out, size_t tests, size_t failures)
{
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
    char host[256] = "localhost", stamp[32] = "1970-01-01T00:00:00";
    struct tm t;
    if (gmtime_r(&now, &t))
        strftime(stamp, sizeof stamp, "%Y-%m-%dT%H:%M:%S", &t);
    if (gethostname(host, sizeof host - 1) != 0 || !host[0])
        strcpy(host, "localhost");
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
          "<testsuites>\n <testsuite package=\"profplug\" id=\"0\" name=\"profplug check\" hostname=\"",
          out);
    xml_text(out, host);
    fprintf(out, "\" timestamp=\"%s\" tests=\"%zu\" failures=\"%zu\" errors=\"0\" time=\"0\">\n  <properties/>\n",
            stamp, tests, failures);
}

void junit_end(FILE *out) { fputs("  <system-out/>\n  <system-err/>\n </testsuite>\n</testsuites>\n", out); }

static uint64_t hash_add(uint64_t hash, const char *text)
{
    do
        hash = (hash ^ (unsigned char)*text) * 0x100000001b3u;
    while (*text++);
    return hash;
}

void fingerprint_print(FILE *out, const char *rule, const char *key)
{
    fprintf(out, "\"%016" PRIx64 "\"", hash_add(hash_add(0xcbf29ce484222325u, rule), key));
}
