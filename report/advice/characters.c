/* SPDX-License-Identifier: MIT */
/* characters.c: a stream that is read or written by a call for each character, or for each few bytes, as the compiler
 * says. Each call looks at its state and, where there are threads, takes its lock, while the bytes lie in a buffer. */
#include <string.h>

#include "advice/library.h"

#define LEAST_SHARE 0.08 /* of the CPU time, at lines of one function */
/* How much of that time is saved: a character of an array must be looked at, too; but around a call the program cannot
 * keep what it counts in registers. */
#define LEAST_PART 0.85
#define MOST_PART 1.45
/* Of calls for 1 to 16 bytes: the rest is what it takes to pick them from an array. Of a byte that gzread gives, 0.7 to
 * 2.9 of 6.8 to 9 ns are unpacking, which stays. */
#define IN_BUFFER "The bytes lie in a buffer already."
static const struct pieces {
    enum library kind;
    double least, most;
    const char *verb, *why, *action, *before, *after;
} pieces[] = {
    { LIBRARY_READ, 0.62, 1.2, "reads a stream", IN_BUFFER,
      "read a block (fread, 64 KiB) and take the pieces from there",
      "while (fread(&r, sizeof r, 1, in)) use(&r);",
      "while ((n = fread(block, sizeof *block, 4096, in)) > 0)\n    for (i = 0; i < n; i++) use(&block[i]);" },
    { LIBRARY_WRITE, 0.7, 1.2, "writes a stream", IN_BUFFER, "put the pieces into an array and write it by one fwrite",
      "for (i = 0; i < n; i++) fwrite(&r[i].id, 4, 1, out);",
      "for (i = 0; i < n; i++) id[i] = r[i].id;\nfwrite(id, 4, n, out);" },
    { LIBRARY_UNPACK, 0.5, 0.95, "unpacks a stream", IN_BUFFER,
      "read a block of 64 KiB by one call and take the bytes from there",
      "while (gzread(in, &c, 1) == 1) count[c]++;",
      "while ((n = gzread(in, block, sizeof block)) > 0)\n    for (i = 0; i < n; i++) count[block[i]]++;" },
    { LIBRARY_CONVERT, 0.85, 1.1, "converts text",
      "Each call sets up a conversion, which takes far longer than a character.",
      "convert a line or a block by one call",
      "for (i = 0; i < n; i++) { left = 1; iconv(cd, &p, &left, &to, &room); }",
      "left = n;\niconv(cd, &p, &left, &to, &room);" },
    { LIBRARY_INFLATE, 0.33, 0.72, "unpacks data",
      "Where there is room for less than 258 bytes, it goes on symbol by symbol, by its slow way.",
      "unpack a block of some KiB by one call and take the pieces from there",
      "z.next_out = (void *)&r; z.avail_out = sizeof r;\ninflate(&z, Z_NO_FLUSH);",
      "if (at == end) { z.next_out = block; z.avail_out = sizeof block; inflate(&z, Z_NO_FLUSH); }\n"
      "memcpy(&r, block + at, sizeof r); at += sizeof r;" },
};
#define CONVERSION_BYTES 16.0 /* converting so many takes as long as a call does besides */
#define MOST_BLOCKS 0.45 /* of BZ2_bzRead: unpacking takes most of the time, or not */

/* How long the program's calls at that line took, without the kernel's part. */
static double ns_at(const struct library_use *use, uint32_t line)
{
    for (size_t i = 0; i < use->count; i++)
        if (use->line[i].line == line)
            return use->line[i].ns - use->line[i].system_ns;
    return 0;
}

/* `other`: the calls of the other kind. Those at the same line go with the same remedy, and only one is told there. */
static void tell(struct advice *a, enum library kind, const struct library_use *other)
{
    struct library_use use = library_use(a, kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        double both = ns_at(other, at->line),
               ns = library_function_ns(a, &use, a->model->line[at->line].function, true, &samples) + both;
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i) ||
            (both > 0 && advice_has(a, ADVICE_characters, a->model->line[at->line].function)))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_characters, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena,
                        "Calls of %s%s took %s here, %.0f %% of the CPU time, without what the kernel did for "
                        "them: each looks at the stream's state and its lock.",
                        at->name,
                        both <= 0             ? ""
                        : kind == LIBRARY_GET ? " and putc"
                                              : " and getc",
                        figure_time(time, ns), 100 * library_share(a, ns));
        if (both > 0) {
            to->action = "read a block (fread, 64 KiB), change it there and write it by fwrite; where no other thread "
                         "uses the streams, getc_unlocked and putc_unlocked are a small change that saves much of it";
            to->before = "while ((c = getc(in)) != EOF) putc(turn(c), out);";
            to->after = "while ((n = fread(block, 1, sizeof block, in)) > 0) {\n    for (i = 0; i < n; i++) block[i] = "
                        "turn(block[i]);\n    fwrite(block, 1, n, out);\n}";
        } else if (kind == LIBRARY_PUT) {
            to->action = "put the characters into an array and write it by one fwrite; where no other thread uses the "
                         "stream, putc_unlocked is a small change that saves much of it";
            to->before = "for (i = 0; i < n; i++) putc(text[i], out);";
            to->after = "fwrite(text, 1, n, out);";
        }
    }
}

/* What the compiler says of calls at that line that take few bytes; NULL: nothing. */
static const struct model_remark *piece_at(const struct advice *a, const struct pieces *p,
                                           const struct library_line *at)
{
    const struct model_line *line = &a->model->line[at->line];
    const struct model_remark *r;
    for (size_t next = 0; (r = remark_at_line(a->model, line->file, line->line, &next));)
        if (r->kind == PP_REMARK_FEW_BYTES && strstr(at->name, r->detail) &&
            (p->kind != LIBRARY_UNPACK || r->value == 1))
            return r;
    return NULL;
}

static void pieces_tell(struct advice *a, const struct pieces *p)
{
    struct library_use use = library_use(a, p->kind);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        const struct model_remark *piece = piece_at(a, p, at);
        uint32_t function = a->model->line[at->line].function;
        double ns = 0;
        uint64_t samples = 0;
        for (size_t k = i; piece && k < use.count; k++)
            if (a->model->line[use.line[k].line].function == function && piece_at(a, p, &use.line[k])) {
                ns += use.line[k].ns - use.line[k].system_ns;
                samples += use.line[k].samples;
            }
        if (!piece || library_share(a, ns) < LEAST_SHARE || advice_has(a, ADVICE_characters, function))
            continue;
        bool blocks = strncmp(at->name, "BZ2_", 4) == 0;
        double part = p->kind == LIBRARY_CONVERT ? CONVERSION_BYTES / (CONVERSION_BYTES + (double)piece->value) : 1;
        struct model_advice *to = library_advise(a, ADVICE_characters, at, ns, samples, blocks ? 0 : part * p->least,
                                                 blocks ? MOST_BLOCKS : part * p->most);
        char time[FIGURE_BYTES], size[FIGURE_BYTES];
        if (!to)
            continue;
        if (blocks)
            to->kind = SAVING_BOUND;
        advice_title(a, to, advice_subject(a, at->line), arena_print(&a->model->arena, "%s in pieces of %s",
                                                                    p->verb, figure_size(size, (double)piece->value)));
        to->evidence = arena_print(&a->model->arena,
                                   "Calls of %s for %s each took %s here, %.0f %% of the CPU time, without what the "
                                   "kernel did for them. %s",
                                   at->name, size, figure_time(time, ns), 100 * library_share(a, ns), p->why);
        to->action = p->action;
        to->before = p->before;
        to->after = p->after;
        advice_figure(to, "piece_bytes", (double)piece->value);
    }
}

void advice_characters(struct advice *a)
{
    struct library_use get = library_use(a, LIBRARY_GET), put = library_use(a, LIBRARY_PUT);
    tell(a, LIBRARY_GET, &put);
    tell(a, LIBRARY_PUT, &get);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        pieces_tell(a, &pieces[i]);
}
