/* SPDX-License-Identifier: MIT */
/* formatting.c: numbers turned into text, or text into numbers, by functions that interpret a format or a locale. */
#include "advice/library.h"
#include "words/shortname.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.2      /* of the CPU time, at lines of one function */
#define LEAST_LINE 0.1       /* at one of them */
#define LEAST_OF_STREAMS 0.6 /* of the time: making them, rather than what is written to them or read from them */
#define LEAST_MADE 0.15      /* of the time of streams that are read: one for each text, not one for all */
#define SPLIT_LEAST_PART 0.7 /* of such streams' time: the words must still be copied */
#define SPLIT_MOST_PART 1.1
#define MAKES "makes a stream for each piece of text"
/* How much of that time is saved. The number itself must still be made. But text that is not made is not hashed,
 * compared or copied, either. */
#define LEAST_PART 0.8
#define MOST_PART 1.6

#define KEEP "read each number once and keep it; numbers of a file that is read often can be kept in a binary file"
#define WHOLE_REST \
    "sscanf measures the whole rest of its text in each call: give it one line or one field alone, or use "

/* What to do about numbers that are read from text. C has no std::from_chars. */
static const struct parse {
    const char *name; /* a part of the function's; "": all others */
    const char *action, *before, *after;
} c_parse[] = {
    { "scanf", KEEP "; " WHOLE_REST "strtod or strtol, which stop at the number",
      "sscanf(line, \"%lf,%lf\", &x, &y);", "x = strtod(line, &end);\ny = strtod(end + 1, NULL);" },
    { "strptime", "read each date once and keep it; where the same one comes again, keep what was made of the last one",
      "strptime(text, \"%Y-%m-%d\", &day);\nt = timegm(&day);",
      "if (memcmp(text, last, 10)) {\n    memcpy(last, text, 10);\n    strptime(text, \"%Y-%m-%d\", &day);\n"
      "    t = timegm(&day);\n}" },
    { "strto", KEEP "; where many are read, convert digits in a loop of your own",
      "while (fgets(line, sizeof line, in)) x[n++] = strtod(line, NULL);",
      "n = fread(x, sizeof *x, most, in); /* in place of text, written by fwrite */" },
    { "ato", KEEP "; where many are read, convert digits in a loop of your own", "n = atoi(text);",
      "for (n = 0; *text >= '0' && *text <= '9'; text++)\n    n = 10 * n + (*text - '0');" },
    { "", KEEP "; where many are read, convert digits in a loop of your own", NULL, NULL },
}, cpp_parse[] = {
    { "scanf", KEEP "; " WHOLE_REST "std::from_chars", "sscanf(text.c_str(), \"%d\", &n);",
      "std::from_chars(text.data(), text.data() + text.size(), n);" },
    { "std::operator>>", "read whole lines by std::getline, or all of a file at once, and split them by find and "
      "substr of a std::string_view; read their numbers by std::from_chars", "in >> name >> count;",
      "size_t n = line.find(' ');\nname = line.substr(0, n);\n"
      "std::from_chars(line.data() + n + 1, line.data() + line.size(), count);" },
    { "", KEEP "; where many are read, use std::from_chars, or convert digits in a loop of your own",
      "n = std::stoi(text);", "std::from_chars(text.data(), text.data() + text.size(), n);" },
};

static void parse_tell(const struct model_line *line, const char *called, struct model_advice *to)
{
    const char *dot = strrchr(line->file, '.');
    const struct parse *p = !dot || strcmp(dot, ".c") != 0 ? cpp_parse : c_parse;
    while (!strstr(called, p->name))
        p++;
    to->action = p->action;
    to->before = p->before;
    to->after = p->after;
}

/* Of few samples it may be chance that so many were there: less their error. */
static double surely(double ns, uint64_t samples) { return samples ? ns * (1 - 1 / sqrt((double)samples)) : 0; }

/* What one function does with streams of text. */
struct streams {
    double made_ns, read_ns, written_ns; /* each with the making */
    uint64_t made, read;                 /* samples */
};

static struct streams streams_of(const struct advice *a, const struct library_use *makes, uint32_t function)
{
    struct library_use writes = library_use(a, LIBRARY_FORMAT), reads = library_use(a, LIBRARY_PARSE);
    struct streams s = { 0 };
    uint64_t others = 0;
    bool extracts = false;
    s.made_ns = library_function_ns(a, makes, function, true, &s.made);
    s.written_ns = library_function_ns(a, &writes, function, true, &others);
    s.read_ns = library_function_ns(a, &reads, function, true, &s.read);
    for (size_t i = 0; i < makes->count; i++)
        if (a->model->line[makes->line[i].line].function == function &&
            !library_has(LIBRARY_PARSE, makes->line[i].name)) {
            s.read_ns += makes->line[i].ns - makes->line[i].system_ns;
            s.read += makes->line[i].samples;
        }
    for (size_t i = 0; i < reads.count; i++)
        extracts |= a->model->line[reads.line[i].line].function == function && strstr(reads.line[i].name, "operator>>");
    s.read_ns = extracts ? s.read_ns : 0;
    return s;
}

/* A stream for each line, that words and numbers are read from: other ways to read numbers leave the most. */
static void splitting_tell(struct advice *a, const struct library_line *at, const struct streams *s)
{
    struct model_advice *to =
        library_advise(a, ADVICE_formatting, at, s->read_ns, s->read, SPLIT_LEAST_PART, SPLIT_MOST_PART);
    char made[FIGURE_BYTES], read[FIGURE_BYTES];
    if (!to)
        return;
    advice_title(a, to, advice_subject(a, at->line), MAKES);
    to->evidence = arena_print(&a->model->arena,
                               "Making and destroying streams took %s here, and reading from them %s: %.0f %% of the "
                               "CPU time together, without what the kernel did for it%s.",
                               figure_time(made, s->made_ns), figure_time(read, s->read_ns - s->made_ns),
                               100 * library_share(a, s->read_ns),
                               advice_in_run(a, advice_stretch(a, at->line), s->read_ns, 0));
    to->action = "split each line without a stream, by find and substr of a std::string_view, and read numbers by "
                 "std::from_chars; one stream before the loop, with str() and clear(), saves the making alone";
    to->before = "for (auto &line : lines) {\n    std::istringstream text(line);\n    text >> name >> count;\n}";
    to->after = "for (std::string_view line : lines) {\n    size_t n = line.find(' ');\n    name = line.substr(0, n);\n"
                "    std::from_chars(line.data() + n + 1, line.data() + line.size(), count);\n}";
}

/* Making a stream of text looks up the locale and its facets, before anything is read or written. */
static void streams_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_STREAM);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        if (!library_is_first(a, &use, i))
            continue;
        struct streams s = streams_of(a, &use, a->model->line[at->line].function);
        double all = fmax(s.written_ns, s.read_ns);
        if (s.read_ns > s.written_ns && s.made_ns >= LEAST_MADE * all &&
            library_share(a, surely(s.read_ns, s.read)) >= LEAST_SHARE) {
            splitting_tell(a, at, &s);
            continue;
        }
        if (library_share(a, s.made_ns) < LEAST_LINE || s.made_ns < LEAST_OF_STREAMS * all)
            continue;
        struct model_advice *to = library_advise(a, ADVICE_formatting, at, s.made_ns, s.made, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), MAKES);
        to->evidence = arena_print(&a->model->arena,
                                   "Making and destroying streams took %s here, %.0f %% of the CPU time, without what "
                                   "is read from them or written to them.",
                                   figure_time(time, s.made_ns), 100 * library_share(a, s.made_ns));
        to->action = "split the text with find and substr or std::string_view, and read numbers by std::from_chars; or "
                     "keep one stream outside of the loop and give it each text by str() and clear()";
        to->before = "for (auto &line : lines) {\n    std::stringstream text(line);\n"
                     "    while (std::getline(text, field, ',')) add(field);\n}";
        to->after = "for (std::string_view rest : lines)\n"
                    "    for (size_t n; n = rest.find(','), add(rest.substr(0, n)), n != rest.npos;)\n"
                    "        rest.remove_prefix(n + 1);";
    }
}

/* Text that goes out at once is no key, and no log whose level could be asked. */
static bool goes_out(const char *called)
{
    static const char *const name[] = { "fprintf", "vfprintf", "printf", "vprintf", "dprintf" };
    for (size_t i = 0; i < sizeof name / sizeof *name; i++)
        if (strcmp(called, name[i]) == 0)
            return true;
    return false;
}

static void output_tell(struct model_advice *to)
{
    to->action = "where a program reads it again, write the numbers themselves (fwrite), not their text; else make the "
                 "digits in a loop of your own, or by std::to_chars, in a buffer, and write that";
    to->before = "for (i = 0; i < n; i++) fprintf(out, \"%u,%u\\n\", r[i].shop, r[i].count);";
    to->after = "fwrite(r, sizeof *r, n, out); /* or: at = digits_put(at, r[i].shop); */";
}

static void lines_tell(struct advice *a, enum library kind, const char *predicate)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0;
        double ns = library_function_ns(a, &use, function, true, &samples);
        if (library_share(a, surely(ns, samples)) < LEAST_SHARE || library_share(a, at->ns) < LEAST_LINE ||
            !library_is_first(a, &use, i) || advice_has(a, ADVICE_formatting, function) ||
            /* the same text is read again, or measured for each number: told already */
            (predicate && (advice_has(a, ADVICE_rereads, function) || advice_has(a, ADVICE_lengths, function))))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_formatting, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena,
                        "%s%s took %s here, %.0f %% of the CPU time, without what the kernel did for it%s. "
                        "%s adds up to %.0f %% of that time to it.",
                        name_short(&a->model->arena, at->name), ns > 1.1 * at->ns ? " and the like" : "",
                         figure_time(time, ns), 100 * library_share(a, ns),
                         advice_in_run(a, advice_stretch(a, at->line), ns, 0),
                         predicate ? "Finding and splitting the text" : "Copying, comparing or hashing the text",
                        100 * (MOST_PART - 1));
        if (predicate) {
            bool words = strstr(at->name, "std::operator>>"); /* numbers have the stream's own operators */
            advice_title(a, to, advice_subject(a, at->line),
                         words ? "spends its time on reading words from a stream" : predicate);
            parse_tell(&a->model->line[at->line], at->name, to);
        } else if (goes_out(at->name))
            output_tell(to);
    }
}

void advice_formatting(struct advice *a)
{
    streams_tell(a);
    lines_tell(a, LIBRARY_FORMAT, NULL);
    lines_tell(a, LIBRARY_PARSE, "spends its time on turning text into numbers");
}
