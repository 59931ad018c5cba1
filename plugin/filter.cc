/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filter.cc: the filter file, in the format of Clang's profile lists:
 *     # comment
 *     [profplug]                  a section; [*] too; lines of other sections are for other tools
 *     function:GLOB=skip|allow    a function's name, as in the assembler or as in the source
 *     source:GLOB=skip|allow      the source file's name
 *     default:skip|allow
 * As in Clang, function lines are tried before source lines, skip before allow, and the default last. Must not know
 * GIMPLE. */
#include "gcc.h"
#include "plugin.h"

#include <errno.h>
#include <fnmatch.h>

struct filter_line {
    char *glob;
    bool source;
    enum filter_verdict verdict;
};
static struct filter_line *lines;
static unsigned line_count;
static enum filter_verdict fallback = FILTER_ALLOW;
static const char *filter_path;

static char *trim (char *text)
{
    while (ISSPACE (*text))
        text++;
    char *end = text + strlen (text);
    while (end > text && ISSPACE (end[-1]))
        *--end = 0;
    return text;
}

static bool read_verdict (const char *word, enum filter_verdict *verdict)
{
    if (!strcmp (word, "skip"))
        *verdict = FILTER_SKIP;
    else if (!strcmp (word, "allow"))
        *verdict = FILTER_ALLOW;
    else
        return false;
    return true;
}

static bool read_line (char *text)
{
    enum filter_verdict verdict;
    if (!strncmp (text, "default:", 8))
        return read_verdict (text + 8, &fallback);
    bool source = !strncmp (text, "source:", 7);
    if (!source && strncmp (text, "function:", 9))
        return false;
    char *glob = text + (source ? 7 : 9), *equals = strrchr (glob, '=');
    if (!equals || equals == glob || !read_verdict (equals + 1, &verdict))
        return false;
    const char *open = strrchr (glob, '[');
    if (open && !strchr (open, ']'))        /* it would match itself alone */
        return false;
    *equals = 0;
    lines = XRESIZEVEC (struct filter_line, lines, line_count + 1);
    lines[line_count++] = { xstrdup (glob), source, verdict };
    return true;
}

void filter_add_dependency (void *, void *)
{
    if (!filter_path || !&parse_in || !parse_in || !cpp_get_deps || !deps_add_dep)
        return;
    class mkdeps *dependencies = cpp_get_deps (parse_in);        /* null unless -MD or a similar option is given */
    if (dependencies)
        deps_add_dep (dependencies, filter_path);
}

bool filter_read (const char *path)
{
    filter_path = path;
    FILE *file = fopen (path, "r");
    if (!file) {
        error ("profplug: filter file %qs: %s", path, xstrerror (errno));
        return false;
    }
    char *buffer = nullptr;
    size_t size = 0;
    bool ours = true, good = true;
    for (unsigned number = 1; getline (&buffer, &size, file) >= 0; number++) {
        char *text = trim (buffer);
        if (!*text || *text == '#')
            continue;
        if (*text == '[') {
            ours = !strcmp (text, "[profplug]") || !strcmp (text, "[*]");
            continue;
        }
        if (ours && !read_line (text)) {
            error (
                "profplug: %s:%u: %qs: expected function:GLOB=skip|allow, source:GLOB=skip|allow or default:skip|allow",
                path, number, text);
            good = false;
        }
    }
    free (buffer);
    fclose (file);
    return good;
}

static bool line_matches (const struct filter_line *line, bool source, const char *first, const char *second)
{
    return line->source == source
           && ((first && !fnmatch (line->glob, first, 0)) || (second && !fnmatch (line->glob, second, 0)));
}

enum filter_verdict filter_judge (const char *symbol, const char *name, const char *file)
{
    for (int source = 0; source < 2; source++) {
        bool allowed = false;
        for (unsigned i = 0; i < line_count; i++)
            if (line_matches (&lines[i], source, source ? file : symbol, source ? nullptr : name)) {
                if (lines[i].verdict == FILTER_SKIP)
                    return FILTER_SKIP;
                allowed = true;
            }
        if (allowed)
            return FILTER_ALLOW;
    }
    return fallback;
}
