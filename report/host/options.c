/* SPDX-License-Identifier: MIT */
/* options.c: flags of `profplug run` and the JSON configuration file, both by the rows of options.def. Besides
 * report/export/json*.c the only user of cJSON. It must not know what an option does. */
#include "host/options.h"

#include "store/arena.h"
#include "words/diag.h"
#include "words/spelling.h"
#include "profplug/abi/format.h"
#include "profplug/abi/size.h"

#include <cjson/cJSON.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum kind { CHOICE, NUMBER, SIZE, TEXT, LIST, COLLECTOR };

struct row {
    const char *key;
    enum kind kind;
    const char *fallback, *values, *help;
    unsigned level; /* COLLECTOR: on from here */
    int available;
};

static const struct row rows[] = {
#define PP_OPTION(id, key, kind, fallback, values, help) { key, kind, fallback, values, help, 0, 1 },
#define PP_COLLECTOR(id, key, level, available, help) { key, COLLECTOR, "", "on|off", help, level, available },
#define PP_GRADED(id, key, level, values, help) { key, COLLECTOR, "", values "|on", help, level, 1 },
#include "profplug/abi/options.def"
};
#define ROW_COUNT (sizeof rows / sizeof *rows)
#define CONFIG_SIZE_MAX (1 << 20)

static const struct row *row_find(const char *key, size_t length)
{
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strlen(rows[i].key) == length && !memcmp(rows[i].key, key, length))
            return &rows[i];
    return NULL;
}

static int choice_holds(const char *values, const char *value)
{
    size_t length = strlen(value);
    for (const char *at = values; *at;) {
        size_t one = strcspn(at, "|");
        if (one == length && !memcmp(at, value, length))
            return 1;
        at += one + (at[one] == '|');
    }
    return 0;
}

int options_takes(const char *key, size_t key_length, const char *next)
{
    const struct row *row = row_find(key, key_length);
    return row && (row->kind != COLLECTOR || (next && choice_holds(row->values, next)));
}

/* The runtime's own bounds, checked before the program is started. */
static const struct {
    const char *key;
    double least, most;
} bounds[] = {
    { "budget", 0, 100 },
    { "sample-hz", 1, 20000 },
};

static int number_bounded(const char *key, const char *value, char *expected, size_t size)
{
    for (size_t i = 0; i < sizeof bounds / sizeof *bounds; i++)
        if (!strcmp(bounds[i].key, key)) {
            snprintf(expected, size, "%g to %g", bounds[i].least, bounds[i].most);
            return atof(value) >= bounds[i].least && atof(value) <= bounds[i].most;
        }
    return 1;
}

static int number_valid(const char *value, int fraction)
{
    size_t digits = strspn(value, "0123456789");
    if (!digits || digits > 15)
        return 0;
    if (fraction && value[digits] == '.') {
        size_t more = strspn(value + digits + 1, "0123456789");
        return more > 0 && more < 10 && !value[digits + 1 + more];
    }
    return !value[digits];
}

/* The first % of a pattern that is not a known one, or NULL. */
static const char *pattern_wrong(const char *pattern)
{
    for (const char *at = pattern; (at = strchr(at, '%')); at += 2) {
        const char *close = at[1] == 'q' && at[2] == '{' ? strchr(at, '}') : NULL;
        if (!close && (!at[1] || !strchr("eph%", at[1])))
            return at;
    }
    return NULL;
}

static int pair_append(struct options *options, const struct row *row, const char *value)
{
    char *pair;
    if (asprintf(&pair, "%s=%s", row->key, value) < 0)
        return diag_error(row->key, "out of memory");
    *ARRAY_PUSH(options->pairs, options->count, options->capacity) = pair;
    return 0;
}

int options_add(struct options *options, const char *where, const char *key, size_t key_length, const char *value)
{
    const struct row *row = row_find(key, key_length);
    if (!row) {
        char accepted[512], said[64], ask[SPELLING_BYTES];
        size_t used = 0;
        snprintf(said, sizeof said, "%.*s", (int)(key_length < 63 ? key_length : 63), key);
        struct spelling close = { .said = said };
        for (size_t i = 0; i < ROW_COUNT && used < sizeof accepted; i++) {
            used += (size_t)snprintf(accepted + used, sizeof accepted - used, "%s%s", i ? " " : "", rows[i].key);
            spelling_offer(&close, rows[i].key);
        }
        return diag_error(where, "no such option%s; expected one of: %s", spelling_ask(&close, ask), accepted);
    }
    if (!value && row->kind == COLLECTOR)
        value = "on";
    if (!value)
        return diag_error(where, "no value given; expected %s", row->values);
    if (strpbrk(value, ",\n"))
        return diag_error(where, "'%s' holds a comma or a newline; expected %s without one", value, row->values);
    char expected[64];
    const char *wrong;
    switch (row->kind) {
    case CHOICE:
    case COLLECTOR:
        if (!choice_holds(row->values, value))
            return diag_error(where, "'%s' is not a valid value; expected %s", value, row->values);
        break;
    case NUMBER:
        if (!number_valid(value, strchr(row->fallback, '.') != NULL))
            return diag_error(where, "'%s' is not a number; expected a decimal number, 0 or more", value);
        if (!number_bounded(row->key, value, expected, sizeof expected))
            return diag_error(where, "'%s' is out of bounds; expected %s", value, expected);
        break;
    case SIZE:
        if (!pp_size_bytes(value))
            return diag_error(where, "'%s' is not a size; expected " PP_SIZE_FORMS, value);
        if (!strcmp(row->key, "max-file") && pp_size_bytes(value) < PP_FILE_LEAST)
            return diag_error(where, "'%s' is too small; expected " PP_FILE_LEAST_FORM, value);
        break;
    case TEXT:
        if (!*value)
            return diag_error(where, "is empty; expected %s", row->values);
        if ((wrong = pattern_wrong(value)))
            return diag_error(where, "'%.2s' is not a known pattern; expected %%e, %%p, %%h, %%q{VAR} or %%%%", wrong);
        break;
    case LIST:
        if (value[0] == ':' || !strchr(value, ':'))
            return diag_error(where, "'%s' has no key; expected %s", value, row->values);
        break;
    }
    if (row->kind == COLLECTOR && !row->available && !strcmp(value, "on")) {
        diag_warning(where, "not available in this version; running without it");
        return 0;
    }
    return pair_append(options, row, value);
}

static char *file_slurp(const char *path)
{
    FILE *file = fopen(path, "re");
    if (!file) {
        diag_error(path, "%s; expected a JSON file with options", strerror(errno));
        return NULL;
    }
    char *text = malloc(CONFIG_SIZE_MAX + 1);
    size_t size = text ? fread(text, 1, CONFIG_SIZE_MAX + 1, file) : 0;
    int failed = ferror(file), number = errno;
    fclose(file);
    if (!text || failed || size > CONFIG_SIZE_MAX) {
        diag_error(path, "%s; expected a JSON file of at most 1 MB", failed ? strerror(number) : "too large");
        free(text);
        return NULL;
    }
    text[size] = 0;
    return text;
}

static int json_value_add(struct options *options, const char *where, const char *key, const cJSON *value)
{
    char number[64];
    const char *text = number;
    if (cJSON_IsString(value))
        text = value->valuestring;
    else if (cJSON_IsBool(value))
        text = cJSON_IsTrue(value) ? "on" : "off";
    else if (cJSON_IsNumber(value))
        snprintf(number, sizeof number, "%.15g", value->valuedouble);
    else
        return diag_error(where, "not a text, a number, true or false; expected a value that PROFPLUG accepts");
    return options_add(options, where, key, strlen(key), text);
}

int options_read(struct options *options, const char *path)
{
    char *text = file_slurp(path);
    if (!text)
        return DIAG_WRONG;
    const char *end = NULL;
    cJSON *root = cJSON_ParseWithOpts(text, &end, 1);
    int status = 0;
    if (!root || !cJSON_IsObject(root)) {
        int line = 1;
        /* where the text ends, not after its last newline */
        while (!root && end && end > text && isspace((unsigned char)end[-1]))
            end--;
        for (const char *at = text; !root && end && at < end; at++)
            line += *at == '\n';
        status = root ? diag_error(path, "not a JSON object; expected {\"KEY\": VALUE, ...}")
                      : diag_error(path, "line %d is not JSON; expected {\"KEY\": VALUE, ...}", line);
    }
    for (const cJSON *item = status ? NULL : root->child; item && !status; item = item->next) {
        char *where = NULL;
        if (asprintf(&where, "%s: %s", path, item->string) < 0)
            where = NULL;
        const struct row *row = row_find(item->string, strlen(item->string));
        if (row && row->kind == LIST && cJSON_IsArray(item)) {
            for (const cJSON *one = item->child; one && !status; one = one->next)
                status = json_value_add(options, where, item->string, one);
        } else {
            status = json_value_add(options, where, item->string, item);
        }
        free(where);
    }
    cJSON_Delete(root);
    free(text);
    return status;
}

const char *options_value(const struct options *options, const char *key)
{
    size_t length = strlen(key);
    for (size_t i = options->count; i-- > 0;)
        if (!strncmp(options->pairs[i], key, length) && options->pairs[i][length] == '=')
            return options->pairs[i] + length + 1;
    const struct row *row = row_find(key, length);
    return row ? row->fallback : NULL;
}

char *options_join(const struct options *options)
{
    size_t size = 1;
    for (size_t i = 0; i < options->count; i++)
        size += strlen(options->pairs[i]) + 1;
    char *joined = malloc(size), *at = joined;
    if (!joined)
        return NULL;
    for (size_t i = 0; i < options->count; i++) {
        if (i)
            *at++ = ',';
        at = stpcpy(at, options->pairs[i]);
    }
    *at = 0;
    return joined;
}

void options_describe(FILE *out)
{
    static const char *const levels[] = { "off", "basic", "detailed", "comprehensive" };
    for (size_t i = 0; i < ROW_COUNT; i++) {
        const struct row *row = &rows[i];
        fprintf(out, "  %-10s %s\n", row->key, row->values);
        fprintf(out, "             %s", row->help);
        if (row->kind == COLLECTOR)
            fprintf(out, row->available ? " (on from level=%s)" : " (not in this version; %s)", levels[row->level]);
        else if (*row->fallback)
            fprintf(out, " (default %s)", row->fallback);
        if (row->kind == LIST)
            fputs(" (repeatable)", out);
        fputc('\n', out);
    }
}

void options_free(struct options *options)
{
    for (size_t i = 0; i < options->count; i++)
        free(options->pairs[i]);
    free(options->pairs);
    options->pairs = NULL;
    options->count = 0;
}
