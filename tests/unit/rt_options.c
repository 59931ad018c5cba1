/* SPDX-License-Identifier: MIT */
/* The options' parser: what is accepted, what is refused, and file names. What it prints goes to standard error, unread here. */
#include "process/options.h"
#include "system/state.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(x) do { if (!(x)) { printf("%s:%d: %s\n", __FILE__, __LINE__, #x); exit(1); } } while (0)

static struct pp_options parsed(const char *text)
{
    struct pp_options o;
    pp_options_defaults(&o);
    pp_options_string(&o, text, "test");
    return o;
}

static bool same(const struct pp_options *a, const struct pp_options *b) { return !memcmp(a, b, sizeof *a); }

static const char *expanded(const char *pattern)
{
    static char path[64];
    return pp_output_expand(pattern, "prog", 42, "host", "/dir", path, sizeof path) ? path : "too long";
}

int main(void)
{
    struct pp_options d = parsed("");
    CHECK(d.level == PP_LEVEL_DETAILED && d.timing == PP_TIMING_ADAPTIVE && d.sample_hz == 1000 && d.budget_permille == 20);
    CHECK(d.max_file_bytes == 1u << 30 && !strcmp(d.output, "profplug-%e-%p.profplug") && !d.labels[0]);
    CHECK(d.collectors == (1u << PP_COLLECTOR_SAMPLES | 1u << PP_COLLECTOR_HITS | 1u << PP_COLLECTOR_CALLTREE | 1u << PP_COLLECTOR_MEMORY | 1u << PP_COLLECTOR_IO | 1u << PP_COLLECTOR_CPU | 1u << PP_COLLECTOR_WAITS | 1u << PP_COLLECTOR_NETWORK |
                          1u << PP_COLLECTOR_BLOCKS));
    CHECK(!d.blocks_exact);

    struct pp_options o = parsed("level=basic");
    CHECK(o.level == PP_LEVEL_BASIC && o.collectors == 1u << PP_COLLECTOR_CPU);
    struct pp_options p = parsed("memory=on,level=basic"), q = parsed("level=basic,memory=on");
    CHECK(same(&p, &q) && p.collectors == (1u << PP_COLLECTOR_CPU | 1u << PP_COLLECTOR_MEMORY));
    o = parsed("preset=production");
    CHECK(o.level == PP_LEVEL_BASIC && o.sample_hz == 100 && o.collectors >> PP_COLLECTOR_SAMPLES & 1);
    o = parsed("sample-hz=250,preset=production");
    CHECK(o.sample_hz == 250);
    o = parsed("preset=analysis");
    CHECK(o.level == PP_LEVEL_COMPREHENSIVE && o.timing == PP_TIMING_EXACT);
    o = parsed("off");
    CHECK(o.level == PP_LEVEL_OFF);
    o = parsed(",,on,,");
    CHECK(same(&o, &d));
    o = parsed("max-file=64K,budget=0.25,output=a=b,label=k:v,label=l:w");
    CHECK(o.max_file_bytes == 65536 && o.budget_permille == 2 && !strcmp(o.output, "a=b") && !memcmp(o.labels, "k:v\0l:w\0", 9));

    /* Sizes: digits, then a letter, then B or iB, as people write them. */
    static const struct { const char *text; uint64_t bytes; } sizes[] = {
        { "65536", 65536 }, { "65536B", 65536 }, { "100k", 102400 }, { "100K", 102400 }, { "100kB", 102400 }, { "100KiB", 102400 }, { "3m", 3145728 }, { "3M", 3145728 },
        { "3MB", 3145728 }, { "3miB", 3145728 }, { "2g", 2147483648 }, { "2G", 2147483648 }, { "2GB", 2147483648 }, { "2GiB", 2147483648 }, { "1000000000000", 1000000000000 },
        { "1048576G", (uint64_t)1 << 50 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char text[64];
        snprintf(text, sizeof text, "max-file=%s", sizes[i].text);
        o = parsed(text);
        if (o.max_file_bytes != sizes[i].bytes) {
            printf("%s is %llu bytes\n", text, (unsigned long long)o.max_file_bytes);
            return 1;
        }
    }

    /* A refused option changes nothing. */
    static const char *const wrong[] = { "level", "level=", "level=Basic", "level=basic ", "sample-hz=0", "sample-hz=20001", "sample-hz=1.5", "sample-hz=-1", "sample-hz=",
        "sample-hz=99999999999999999999", "budget=x", "budget=101", "max-file=0", "max-file=3", "max-file=65535", "max-file=63K", "max-file=1KK", "max-file=k", "max-file=", "max-file=1i", "max-file=1iB", "max-file=1Ki", "max-file=1KBB", "max-file=1KiBs", "max-file=1.5M", "max-file=-1M", "max-file= 1M", "max-file=9999999999999999999G", "timing=fast", "memory=1", "samples", "gpu=on", "timeline=yes",
        "output=", "label=nocolon", "label=:v", "=x", "levels=off", "on=off" };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        o = parsed(wrong[i]);
        if (!same(&o, &d)) {
            printf("%s was not refused\n", wrong[i]);
            return 1;
        }
    }
    o = d;
    CHECK(pp_options_json(&o, " {\n\"memory\" : false, \"level\":\"basic\" , \"label\": [ \"a:\\\"b\", \"c:d\"], \"sample-hz\": 5 }\n", "json"));
    CHECK(o.level == PP_LEVEL_BASIC && o.sample_hz == 5 && !memcmp(o.labels, "a:\"b\0c:d\0", 10));
    CHECK(pp_options_json(&o, "{}", "json"));
    static const char *const broken[] = { "", "{", "{\"a\"}", "{\"level\":}", "{\"level\":\"basic\"", "{\"level\":\"basic\",}", "{\"level\":\"basic\"}x", "{\"label\":[\"a:b\"}", "{\"a\":nul}",
        "{\"a\":\"\n\"}", "{\"a\":\"\\u0041\"}", "{\"a\":{}}", "[]", "{'a':1}" };
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++)
        if (pp_options_json(&o, broken[i], "json")) {
            printf("%s was not refused\n", broken[i]);
            return 1;
        }

    setenv("PROFPLUG_TEST", "value", 1);
    CHECK(!strcmp(expanded("a-%e-%p-%h"), "/dir/a-prog-42-host"));
    CHECK(!strcmp(expanded("/abs/%q{PROFPLUG_TEST}/%%p"), "/abs/value/%p"));
    CHECK(!strcmp(expanded("%q{PROFPLUG_ABSENT}x%q{"), "/dir/x%q{"));
    CHECK(!strcmp(expanded("%x%"), "/dir/%x%"));
    CHECK(!strcmp(expanded("0123456789012345678901234567890123456789012345678901234567890123456789"), "too long"));
    return 0;
}
