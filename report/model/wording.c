/* SPDX-License-Identifier: MIT */
/* wording.c: the words for kinds, modes, losses and the like, from their tables. See model.h. */
#include "model/model.h"

#include <string.h>

#include "words/plural.h"

#define NAME_OF(table, index) ((index) < sizeof(table) / sizeof *(table) ? (table)[index] : "unknown")

const char *category_name(unsigned category)
{
    static const char *const name[] = {
#define PP_CATEGORY(id, text) text,
#include <profplug/abi/site.def>
    };
    return NAME_OF(name, category);
}

const char *metric_name(unsigned metric)
{
    static const char *const name[] = {
#define PP_METRIC(id, text, unit, kind, fold, exact, meaning) #text,
#include <profplug/abi/metric.def>
    };
    return NAME_OF(name, metric);
}

const char *mode_name(unsigned mode)
{
    static const char *const name[] = {
#define PP_SITE_MODE(id, text, meaning) text,
#include <profplug/abi/site.def>
    };
    return NAME_OF(name, mode);
}

const char *reason_text(unsigned reason)
{
    static const char *const text[] = {
#define PP_SITE_REASON(id, words) words,
#include <profplug/abi/site.def>
    };
    return NAME_OF(text, reason);
}

const char *loss_name(unsigned loss)
{
#define PP_LOSS(id, name, text) #name,
    static const char *const name[] = { PP_LOSSES(PP_LOSS) };
#undef PP_LOSS
    return NAME_OF(name, loss);
}

char *loss_text(char to[WORDS_BYTES], unsigned loss, uint64_t count)
{
#define PP_LOSS(id, name, text) text,
    static const char *const text[] = { PP_LOSSES(PP_LOSS) };
#undef PP_LOSS
    return plural_text(to, WORDS_BYTES, count, NAME_OF(text, loss));
}

const char *given_name(unsigned given)
{
#define PP_GIVEN(id, name, text, stands) #name,
    static const char *const name[] = { PP_GIVEN_UP(PP_GIVEN) };
#undef PP_GIVEN
    return NAME_OF(name, given);
}

/* Whether something represents what was given up. */
static bool given_stands(const struct model *model, unsigned given)
{
    switch (given) {
    case PP_GIVEN_SAMPLES: return model->coverage.samples;
    case PP_GIVEN_FUNCTIONS:
        for (size_t i = 0; i < model->function_count; i++)
            if (model->function[i].timed_calls)
                return true;
        return false;
    case PP_GIVEN_METRICS:
        for (size_t i = 0; i < model->stage_count; i++)
            if (model->stage[i].metric_known[PP_METRIC_CPU])
                return true;
        return false;
    case PP_GIVEN_OPERATIONS:
        for (size_t i = 0; i < model->operation_count; i++)
            if (model->operation[i].sum.calls > model->operation[i].sum.untimed)
                return true;
        return false;
    default: return true;
    }
}

char *given_text(char to[WORDS_BYTES], const struct model *model, unsigned given)
{
#define PP_GIVEN(id, name, text, stands) { text, stands },
    static const struct {
        const char *what, *stands;
    } text[] = { PP_GIVEN_UP(PP_GIVEN) };
#undef PP_GIVEN
    uint64_t count = model->run.given_up[given];
    plural_text(to, WORDS_BYTES, count, text[given].what);
    size_t used = strlen(to);
    if (text[given].stands[0] && given_stands(model, given) && used + 2 < WORDS_BYTES) {
        memcpy(to + used, ": ", 3);
        plural_text(to + used + 2, WORDS_BYTES - used - 2, count, text[given].stands);
    }
    return to;
}

const char *exit_name(enum model_exit kind)
{
    static const char *const name[] = { "unknown", "running", "exit", "signal", "exec", "killed" };
    return NAME_OF(name, (unsigned)kind);
}

const char *level_name(unsigned level)
{
    static const char *const name[] = { "off", "basic", "detailed", "comprehensive" };
    return NAME_OF(name, level);
}

const char *severity_name(enum severity severity)
{
    static const char *const name[] = { "note", "warning", "critical" };
    return NAME_OF(name, (unsigned)severity);
}

const char *priority_name(enum priority priority)
{
    static const char *const name[] = { "low", "medium", "high" };
    return NAME_OF(name, (unsigned)priority);
}

const char *merge_as_name(unsigned as)
{
    static const char *const name[] = { "threads", "processes", "ranks", "repeats", "shards" };
    return NAME_OF(name, as);
}

const char *spread_value_name(unsigned value)
{
    static const char *const name[] = { "wall_ns", "cpu_ns", "peak_rss_bytes", "calls" };
    return NAME_OF(name, value);
}

const char *spread_of_name(unsigned of)
{
    static const char *const name[] = { "run", "stage", "function" };
    return NAME_OF(name, of);
}
