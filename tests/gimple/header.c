/* SPDX-License-Identifier: MIT */
/* header.c: profplug.h vanishes without the plugin, is clean under every warning, and describes the structures that the runtime
 * knows. Compiled as C and as C++, with several compilers; with -DHEADER_LAYOUT for the layout alone. */
#ifdef HEADER_LAYOUT
#define PROFPLUG_ENABLED 1
#include <profplug.h>
#define profplug_place runtime_place           /* the runtime's own declaration beside the user's */
#define profplug_number runtime_number
#define __profplug_number runtime_number_say
#define __profplug_scope_enter runtime_scope_enter
#include "profplug/abi/format.h"
#undef profplug_place
#undef profplug_number
#undef __profplug_number
#undef __profplug_scope_enter
#ifdef __cplusplus
#define SAME(test) static_assert(test, #test)
#else
#define SAME(test) _Static_assert(test, #test)
#endif
#define SAME_FIELD(field)                                                                                  \
    SAME(offsetof(struct profplug_place, field) == offsetof(struct runtime_place, field));                 \
    SAME(sizeof(((struct profplug_place *)0)->field) == sizeof(((struct runtime_place *)0)->field))
SAME(sizeof(struct profplug_place) == sizeof(struct runtime_place));
SAME_FIELD(name);
SAME_FIELD(category);
SAME_FIELD(file);
SAME_FIELD(function);
SAME_FIELD(line);
SAME_FIELD(kind);
SAME_FIELD(key);
SAME(PROFPLUG_SCOPE_KIND_ == PP_SITE_SCOPE);
SAME(sizeof(struct profplug_number) == sizeof(struct runtime_number));
#define SAME_NUMBER(field)                                                                                 \
    SAME(offsetof(struct profplug_number, field) == offsetof(struct runtime_number, field));               \
    SAME(sizeof(((struct profplug_number *)0)->field) == sizeof(((struct runtime_number *)0)->field))
SAME_NUMBER(name);
SAME_NUMBER(kind);
SAME_NUMBER(id);
SAME(PROFPLUG_COUNT_KIND_ == PP_NUMBER_COUNT && PROFPLUG_GAUGE_KIND_ == PP_NUMBER_GAUGE);
#else
#include <profplug.h>
#include <profplug.h>
#include <stdio.h>

PROFPLUG_STAGE("decode", "data_loading") static int decode(int n);
PROFPLUG_STAGE("decode", "data_loading") static int decode(int n) { return n + 1; }
PROFPLUG_SKIP static int tiny(int n) { return n; }

int main(void)
{
    int i, n = 0;
    PROFPLUG_SCOPE("whole");
    PROFPLUG_LOOP("batches") for (i = 0; i < 3; i++) {
        PROFPLUG_SCOPE("one", "compute");
        n += decode(i) + tiny(i);
        profplug_count("items", i);
        if (i)
            profplug_gauge("queue_depth", n - 7L);
        else
            profplug_count("first", n--);              /* its value is worked out either way */
        n += i == 0;
    }
    profplug_begin("upload");
    n++;
    profplug_end("upload");
    if (n) {
        PROFPLUG_SCOPE("one");
        n++;
    }
    printf("%d\n", n);
    return 0;
}
#ifdef HEADER_HOOKS
void (profplug_begin)(const char *name) { puts(name); }
void (profplug_end)(const char *name) { puts(name); }
void __profplug_number(struct profplug_number *number, int64_t value) { printf("%s %u %d\n", number->name, number->kind, (int)value); }
#endif
#endif
