/* SPDX-License-Identifier: MIT */
/* options.c: what the run is to record, from the environment, a file and the program's defaults. The options are the
 * rows of options.def. It must not know what an option does. A mistake is reported in one line on standard error, and
 * the program continues. */
#define _GNU_SOURCE
#include "process/options.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "system/message.h"
#include "system/syscall.h"
#include <profplug/abi/size.h>
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

extern char **environ;
/* A program may define it. */
extern const char *profplug_default_options(void) __attribute__((weak, visibility("default")));

enum option {
#define PP_OPTION(id, key, kind, fallback, values, help) OPTION_##id,
#include <profplug/abi/options.def>
    OPTION_COUNT
};
static const struct {
    const char *key, *fallback, *values;
} option_row[] = {
#define PP_OPTION(id, key, kind, fallback, values, help) { key, fallback, values },
#include <profplug/abi/options.def>
};
static const struct {
    const char *key;
    uint32_t level, available;
    const char *values;
} collector_row[] = {
#define PP_COLLECTOR(id, key, level, available, help) { key, level, available, "off|on" },
#define PP_GRADED(id, key, level, values, help) { key, level, 1, values "|on" },
#include <profplug/abi/options.def>
};
static const char all_keys[] = "accepted:"
#define PP_OPTION(id, key, kind, fallback, values, help) " " key
#define PP_COLLECTOR(id, key, level, available, help) " " key
#include <profplug/abi/options.def>
    ;

static const char *variable(const char *name)
{
    size_t n = strlen(name);
    if (!environ || getauxval(AT_SECURE))
        return 0;
    for (char **e = environ; *e; e++)
        if (!strncmp(*e, name, n) && (*e)[n] == '=')
            return *e + n + 1;
    return 0;
}

/* Place of `value` in "a|b|c", or -1. */
static int choice(const char *choices, const char *value)
{
    size_t n = strlen(value);
    for (int i = 0; *choices; i++) {
        const char *end = strchrnul(choices, '|');
        if ((size_t)(end - choices) == n && !memcmp(choices, value, n))
            return i;
        choices = *end ? end + 1 : end;
    }
    return -1;
}

/* Decimal with a fraction, in thousandths. */
static bool number_milli(const char *s, uint64_t most, uint64_t *milli)
{
    uint64_t whole = 0, part = 0, scale = 100;
    if (*s < '0' || *s > '9')
        return false;
    for (; *s >= '0' && *s <= '9'; s++)
        if ((whole = whole * 10 + (uint64_t)(*s - '0')) > most)
            return false;
    if (*s == '.')
        for (s++; *s >= '0' && *s <= '9'; s++, scale /= 10)
            part += scale * (uint64_t)(*s - '0');
    *milli = whole * 1000 + part;
    return !*s;
}

static void level_set(struct pp_options *o, uint32_t level)
{
    o->level = level;
    o->collectors = 0;
    o->blocks_exact = false;
    for (uint32_t i = 0; i < PP_COLLECTOR_COUNT; i++)
        if (level >= collector_row[i].level && collector_row[i].available)
            o->collectors |= 1u << i;
}

void pp_options_defaults(struct pp_options *o)
{
    memset(o, 0, sizeof *o);
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        if (*option_row[i].fallback)
            pp_options_set(o, option_row[i].key, option_row[i].fallback, "default");
}

/* The first few unknown variables are named. A configuration may contain thousands of mistakes. */
#define COMPLAINTS 3u
static uint32_t complaints;
#define complain(...)                  \
    do {                               \
        if (complaints++ < COMPLAINTS) \
            pp_complain(__VA_ARGS__);  \
    } while (0)

static bool refuse(const char *where, const char *key, const char *value, const char *expected)
{
    complain("%s: %s=%s: expected %s", where, key, value, expected);
    return false;
}

static bool option_set(struct pp_options *o, enum option id, const char *value, const char *where)
{
    const char *key = option_row[id].key, *values = option_row[id].values;
    uint64_t v;
    int c = id == OPTION_LEVEL || id == OPTION_PRESET || id == OPTION_TIMING ? choice(values, value) : 0;
    if (c < 0)
        return refuse(where, key, value, values);
    switch (id) {
    case OPTION_LEVEL:
        level_set(o, (uint32_t)c);
        return true;
    case OPTION_PRESET:
        level_set(o, c == 0 ? PP_LEVEL_DETAILED : c == 1 ? PP_LEVEL_COMPREHENSIVE : PP_LEVEL_BASIC);
        if (c == 1)
            o->timing = PP_TIMING_EXACT;
        if (c == 2) {
            o->collectors |= 1u << PP_COLLECTOR_SAMPLES;
            o->sample_hz = 100;
        }
        return true;
    case OPTION_TIMING:
        o->timing = (uint32_t)c;
        return true;
    case OPTION_BUDGET:
        if (!number_milli(value, 100, &v))
            return refuse(where, key, value, "0 to 100 percent");
        o->budget_permille = (uint32_t)(v / 100);
        return true;
    case OPTION_SAMPLE_HZ:
        if (!number_milli(value, 20000, &v) || v % 1000 || !v || v > 20000000)
            return refuse(where, key, value, "1 to 20000");
        o->sample_hz = (uint32_t)(v / 1000);
        return true;
    case OPTION_MAX_FILE:
    case OPTION_MAX_TOTAL:
    case OPTION_MIN_FREE:
        if (!(v = pp_size_bytes(value)))
            return refuse(where, key, value, PP_SIZE_FORMS);
        if (id == OPTION_MAX_FILE && v < PP_FILE_LEAST)
            return refuse(where, key, value, PP_FILE_LEAST_FORM);
        *(id == OPTION_MAX_FILE    ? &o->max_file_bytes
          : id == OPTION_MAX_TOTAL ? &o->max_total_bytes
                                       : &o->min_free_bytes) = v;
        return true;
    case OPTION_OUTPUT:
        if (!*value || strlen(value) >= sizeof o->output)
            return refuse(where, key, value, "a file name");
        strcpy(o->output, value);
        return true;
    case OPTION_LABEL: {
        const char *colon = strchr(value, ':');
        if (!colon || colon == value)
            return refuse(where, key, value, values);
        char *at = o->labels;
        while (*at)
            at += strlen(at) + 1;
        if (strlen(value) + 2 > (size_t)(o->labels + sizeof o->labels - at))
            return refuse(where, key, value, "1022 bytes of labels at most");
        strcpy(at, value);
        at[strlen(value) + 1] = 0;
        return true;
    }
    default: return false;
    }
}

bool pp_options_set(struct pp_options *o, const char *key, const char *value, const char *where)
{
    for (uint32_t i = 0; i < OPTION_COUNT; i++)
        if (!strcmp(key, option_row[i].key))
            return option_set(o, (enum option)i, value, where);
    for (uint32_t i = 0; i < PP_COLLECTOR_COUNT; i++) {
        if (strcmp(key, collector_row[i].key))
            continue;
        int c = choice(collector_row[i].values, value);
        if (c < 0 || (c && !collector_row[i].available))
            return refuse(where, key, value,
                          c < 0 ? collector_row[i].values : "off: not available in this version");
        o->collectors = (o->collectors & ~(1u << i)) | (c ? 1u << i : 0);
        if (i == PP_COLLECTOR_BLOCKS)
            o->blocks_exact = c > 1;
        return true;
    }
    complain("%s: %s: unknown; %s", where, key, all_keys);
    return false;
}

/* Options that set others (preset) are applied first, in whatever order they were written. */
static bool comes_first(const char *key) { return !strcmp(key, "level") || !strcmp(key, "preset"); }

static void item(struct pp_options *o, char *text, const char *where, bool first_pass)
{
    char *equals = strchr(text, '=');
    if (!equals && (!strcmp(text, "off") || !strcmp(text, "on"))) {
        if (first_pass)
            pp_options_set(o, "level", text[1] == 'f' ? "off" : "detailed", where);
        return;
    }
    if (!equals) {
        if (!first_pass)
            complain("%s: %s: expected key=value, on or off; %s", where, text, all_keys);
        return;
    }
    *equals = 0;
    if (comes_first(text) == first_pass)
        pp_options_set(o, text, equals + 1, where);
}

void pp_options_string(struct pp_options *o, const char *text, const char *where)
{
    for (int pass = 0; pass < 2; pass++)
        for (const char *s = text; *s;) {
            const char *end = strchrnul(s, ',');
            char one[1200];
            size_t n = (size_t)(end - s);
            if (n && n < sizeof one) {
                memcpy(one, s, n);
                one[n] = 0;
                item(o, one, where, pass == 0);
            } else if (n && pass) {
                complain("%s: an option of %lu bytes: expected less than 1200", where, (unsigned long)n);
            }
            s = *end ? end + 1 : end;
        }
}

/* ---- the file: one flat JSON object ---- */

struct json {
    const char *start, *at;
    struct pp_options *options;
    const char *where;
    bool first_pass;
};

static void blank(struct json *j)
{
    while (*j->at == ' ' || *j->at == '\t' || *j->at == '\n' || *j->at == '\r')
        j->at++;
}

static bool json_bad(struct json *j, const char *expected)
{
    unsigned line = 1;
    for (const char *s = j->start; s < j->at; s++)
        line += *s == '\n';
    complain("%s:%u: expected %s", j->where, line, expected);
    return false;
}

static bool json_text(struct json *j, char *out, size_t room)
{
    size_t n = 0;
    if (*j->at != '"')
        return json_bad(j, "a string");
    for (j->at++; *j->at != '"'; j->at++) {
        char c = *j->at;
        if (!c || (unsigned char)c < 32)
            return json_bad(j, "the string's end");
        if (c == '\\') {
            c = *++j->at;
            if (c == 'n')
                c = '\n';
            else if (c == 't')
                c = '\t';
            else if (c != '"' && c != '\\' && c != '/')
                return json_bad(j, "one of the escapes \\\" \\\\ \\/ \\n \\t");
        }
        if (n + 1 >= room)
            return json_bad(j, "a shorter string");
        out[n++] = c;
    }
    j->at++;
    out[n] = 0;
    return true;
}

static bool json_scalar(struct json *j, char *out, size_t room)
{
    if (*j->at == '"')
        return json_text(j, out, room);
    size_t n = strspn(j->at, "0123456789.abcdefghijklmnopqrstuvwxyz");
    if (!n || n >= room)
        return json_bad(j, "a string, a number, true or false");
    memcpy(out, j->at, n);
    out[n] = 0;
    if (!strcmp(out, "true"))
        strcpy(out, "on");
    else if (!strcmp(out, "false"))
        strcpy(out, "off");
    else if (out[0] < '0' || out[0] > '9')
        return json_bad(j, "a string, a number, true or false");
    j->at += n;
    return true;
}

static bool json_member(struct json *j)
{
    char key[64], value[1100];
    if (!json_text(j, key, sizeof key))
        return false;
    blank(j);
    if (*j->at++ != ':')
        return j->at--, json_bad(j, "a colon");
    blank(j);
    bool list = *j->at == '[';
    if (list)
        j->at++;
    do {
        blank(j);
        if (list && *j->at == ']')
            break;
        if (!json_scalar(j, value, sizeof value))
            return false;
        if (comes_first(key) == j->first_pass)
            pp_options_set(j->options, key, value, j->where);
        blank(j);
    } while (list && *j->at == ',' && j->at++);
    if (list && *j->at++ != ']')
        return j->at--, json_bad(j, "a comma or ]");
    return true;
}

static bool json_object(struct json *j)
{
    j->at = j->start;
    blank(j);
    if (*j->at++ != '{')
        return j->at--, json_bad(j, "an object");
    blank(j);
    for (bool more = *j->at != '}'; more;) {
        if (!json_member(j))
            return false;
        blank(j);
        more = *j->at == ',';
        if (more)
            j->at++;
        blank(j);
    }
    if (*j->at++ != '}')
        return j->at--, json_bad(j, "a comma or }");
    blank(j);
    return !*j->at || json_bad(j, "nothing after the object");
}

bool pp_options_json(struct pp_options *o, const char *text, const char *where)
{
    struct json j = { text, text, o, where, true };
    if (!json_object(&j))
        return false;
    j.first_pass = false;
    return json_object(&j);
}

/* ---- all together ---- */

bool pp_environment_speaks(void)
{
    return variable("PROFPLUG") || variable("PROFPLUG_CONFIG") || profplug_default_options;
}

static void file_read(struct pp_options *o, const char *path)
{
    enum { ROOM = 65536 };
    char *text = pp_memory(ROOM); /* static memory counts as data, of which a program may have little */
    int fd = pp_open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK, 0);
    ssize_t got = fd < 0 ? -1 : pp_read(fd, text, ROOM - 1); /* also where there is no memory */
    if (fd >= 0)
        pp_close(fd);
    if ((size_t)got >= ROOM - 1)
        complain("PROFPLUG_CONFIG=%s: %s", path, got < 0 ? "cannot be read" : "expected less than 64 KB");
    else
        pp_options_json(o, text, path); /* the rest is zero, and takes no memory */
}

void pp_options_read(struct pp_options *o)
{
    pp_options_defaults(o);
    if (getauxval(AT_SECURE)) { /* a set-uid program writes nothing for the user who started it */
        level_set(o, PP_LEVEL_OFF);
        return;
    }
    const char *text = profplug_default_options ? profplug_default_options() : 0;
    if (text)
        pp_options_string(o, text, "profplug_default_options");
    if ((text = variable("PROFPLUG_CONFIG")) && *text)
        file_read(o, text);
    if ((text = variable("PROFPLUG")))
        pp_options_string(o, text, "PROFPLUG");
    if (complaints > COMPLAINTS)
        pp_complain("%u more option%s not understood", complaints - COMPLAINTS,
                    complaints == COMPLAINTS + 1 ? " was" : "s were");
}

static void record(const char *key, const char *value)
{
    char line[1200];
    size_t k = strlen(key), v = strlen(value);
    if (k + v + 2 > sizeof line)
        return;
    memcpy(line, key, k);
    line[k] = '=';
    memcpy(line + k + 1, value, v + 1);
    pp_record_add(PP_RECORD_OPTION, line, (uint32_t)(k + v + 2));
}

void pp_options_record(const struct pp_options *o)
{
    static const char *const level[] = { "off", "basic", "detailed", "comprehensive" };
    char text[24], fraction[32];
    record("level", level[o->level]);
    record("timing", o->timing == PP_TIMING_EXACT ? "exact" : "adaptive");
    strcpy(fraction, pp_digits(text, o->budget_permille / 10));
    size_t n = strlen(fraction);
    fraction[n] = '.';
    fraction[n + 1] = (char)('0' + o->budget_permille % 10);
    fraction[n + 2] = 0;
    record("budget", fraction);
    record("sample-hz", pp_digits(text, o->sample_hz));
    record("max-file", pp_digits(text, o->max_file_bytes));
    if (o->max_total_bytes)
        record("max-total", pp_digits(text, o->max_total_bytes));
    if (o->min_free_bytes)
        record("min-free", pp_digits(text, o->min_free_bytes));
    record("output", o->output);
    for (uint32_t i = 0; i < PP_COLLECTOR_COUNT; i++)
        record(collector_row[i].key, !(o->collectors >> i & 1)    ? "off"
                                     : i != PP_COLLECTOR_BLOCKS ? "on"
                                     : o->blocks_exact          ? "exact"
                                                                : "sampled");
    for (const char *l = o->labels; *l; l += strlen(l) + 1)
        pp_record_add(PP_RECORD_LABEL, l, (uint32_t)strlen(l) + 1);
}

bool pp_output_expand(const char *pattern, const char *program, uint32_t pid, const char *host, const char *directory,
                      char *path, uint32_t size)
{
    uint32_t n = 0;
    char digits[24], name[128];
    if (*pattern != '/') {
        size_t d = strlen(directory);
        if (d + 2 > size)
            return false;
        memcpy(path, directory, d);
        n = (uint32_t)d;
        if (n && path[n - 1] != '/')
            path[n++] = '/';
    }
    for (const char *s = pattern; *s; s++) {
        const char *add = 0;
        if (*s == '%') {
            const char *close = s[1] == 'q' && s[2] == '{' ? strchr(s, '}') : 0;
            if (s[1] == 'e')
                add = program;
            else if (s[1] == 'p')
                add = pp_digits(digits, pid);
            else if (s[1] == 'h')
                add = host;
            else if (s[1] == '%')
                add = "%";
            else if (close && (size_t)(close - s - 3) < sizeof name) {
                memcpy(name, s + 3, (size_t)(close - s - 3));
                name[close - s - 3] = 0;
                add = variable(name);
                if (!add)
                    add = "";
                s = close - 1;
            }
            if (add)
                s++;
        }
        char one[2] = { *s, 0 };
        if (!add)
            add = one;
        size_t length = strlen(add);
        if (n + length + 1 > size)
            return false;
        memcpy(path + n, add, length);
        n += (uint32_t)length;
    }
    path[n] = 0;
    return true;
}
