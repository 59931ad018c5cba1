/* SPDX-License-Identifier: MIT */
/* injection.c: see injection.h. */
#include "injection.h"

#include <stdbool.h>
#include <string.h>

static bool word_known(const char *list, const char *word, size_t length)
{
    for (const char *at = list; (at = strstr(at, " ")) && at[1]; at++)
        if (strncmp(at + 1, word, length) == 0 && at[1 + length] == ' ')
            return true;
    return false;
}

static const char elements[] = " html head meta link title style body header h1 h2 h3 span small div main section dl dt dd ul li p strong article a code details summary "
                               "figure figcaption pre table thead tbody tr th td svg rect b i script ";
static const char attributes[] = " lang charset http-equiv content name rel href class id scope title aria-label aria-hidden tabindex role viewBox "
                                 "preserveAspectRatio x y width height type data-sheet data-source ";

/* Behind the tag, or NULL if it is none of the page's. Each attribute has a value between quotation marks. */
static const char *tag_pass(const char *at)
{
    bool closes = at[1] == '/';
    size_t length = strspn(at += 1 + closes, "abcdefghijklmnopqrstuvwxyz0123456789");
    if (!word_known(elements, at, length))
        return NULL;
    at += length;
    while (*at == ' ' && !closes) {
        length = strcspn(++at, "=> ");
        if (at[length] != '=' || at[length + 1] != '"' || !word_known(attributes, at, length) || !(at = strchr(at + length + 2, '"')))
            return NULL;
        at++;
    }
    at += *at == '/';
    return *at == '>' ? at + 1 : NULL;
}

const char *injection_page(const char *html, size_t size)
{
    const char *at = html, *end;
    int scripts = 0;
    if (strlen(html) != size || strncmp(html, "<!DOCTYPE html>", 15) != 0)
        return html;
    for (at += 15; (at = strchr(at, '<')); at = end) {
        if (!(end = tag_pass(at)))
            return at;
        bool runs = strncmp(at, "<script>", 8) == 0;
        scripts += runs;
        if (runs || strncmp(at, "<style>", 7) == 0 || strncmp(at, "<script ", 8) == 0) /* what is in them has its own tests */
            end = strstr(end, at[2] == 't' ? "</style>" : "</script>");
        if (!end || scripts > 2)
            return at;
    }
    return scripts == 2 ? NULL : html;
}

const char *injection_callgrind(const char *text)
{
    static const char *const begin[] = { "fn=(", "fl=(", "fi=(", "fe=(", "ob=(", "cfn=(", "cfi=(", "cfl=(", "cob=(", "calls=", "version: ", "creator: ", "pid: ", "cmd: ",
                                         "desc: ", "event: ", "events: ", "positions: ", "part: ", "summary: ", "totals: ", "# callgrind format" };
    for (const char *at = text, *end; *at; at = end + (*end == '\n')) {
        bool known = (*at >= '0' && *at <= '9') || *at == '+' || *at == '-' || *at == '*' || *at == '\n';
        for (size_t i = 0; i < sizeof begin / sizeof *begin && !known; i++)
            known = strncmp(at, begin[i], strlen(begin[i])) == 0;
        if (!known)
            return at;
        end = at + strcspn(at, "\n");
    }
    return NULL;
}
