/* SPDX-License-Identifier: MIT */
/* profplug.h: annotations for programs that are profiled with profplug. It is the only header a program needs.
 *
 * Without the plugin everything here expands to nothing, so annotated sources compile everywhere.
 *
 *     PROFPLUG_STAGE("decode", "data_loading")          this function is a stage. The category may be omitted
 *     static int decode (void);
 *     PROFPLUG_LOOP("batches")                          this loop is a stage, and its iterations are measured
 *     for (i = 0; i < n; i++) { ... }
 *     { PROFPLUG_SCOPE("normalise"); ... }              a stage up to the end of the block, wherever control leaves it
 *     profplug_begin("upload");                         a stage where neither of these fits. The end closes what
 *     profplug_end("upload");                           the begin of the same name opened
 *     profplug_count("cache_hit", 1);                   numbers of your own, booked in the innermost stage: how many,
 *     profplug_gauge("queue_depth", n);                 sum, minimum, maximum
 *     profplug_snapshot("loaded");                      stores what lives and what was done so far, to compare it
 *     PROFPLUG_SKIP int tiny (int);                     this function is never instrumented
 *     PROFPLUG_WRAPPER void *xmalloc (size_t);          what this function costs is shown at the lines that call it
 *
 * A number's name is a string literal, and its value a whole number. profplug_count("items", n) says how many items a
 * stage handled. Its throughput is computed from them.
 * Categories: data_loading preprocessing augmentation inference training io network database gpu memory compute custom.
 * For C from C99 and C++ from C++98 on. A constexpr function is measured when it runs, not when the compiler evaluates
 * it. */
#ifndef PROFPLUG_H
#define PROFPLUG_H

#pragma GCC system_header  /* older standards warn of variadic macros, and of static variables in inline functions */

/* 1 if the plugin compiles this file. Define it yourself to use scopes and begin/end in a file compiled without it. */
#ifndef PROFPLUG_ENABLED
#ifdef __has_attribute
#if __has_attribute(profile_stage)
#define PROFPLUG_ENABLED 1
#define PROFPLUG_ATTRIBUTES_ 1
#endif
#endif
#endif
#ifndef PROFPLUG_ENABLED
#define PROFPLUG_ENABLED 0
#endif

#ifdef PROFPLUG_ATTRIBUTES_
#define PROFPLUG_STAGE(...) __attribute__((profile_stage(__VA_ARGS__)))
#define PROFPLUG_SKIP __attribute__((no_instrument_function))
#define PROFPLUG_WRAPPER __attribute__((profile_wrapper))
#define PROFPLUG_PRAGMA_(text) _Pragma(#text)
/* The plugin expands PROFPLUG_STAGE to these where such an attribute is not allowed: before `template`, `extern "C"`
 * and `[[`. */
#ifdef __cplusplus
#define PROFPLUG_STAGE_NEXT_(...) PROFPLUG_STAGE_TYPE_(__COUNTER__, profile_next_stage(__VA_ARGS__))
#define PROFPLUG_STAGE_NONE_(...)
#define PROFPLUG_STAGE_TYPE_(number, attribute) PROFPLUG_STAGE_NUMBER_(number, attribute)
#define PROFPLUG_STAGE_NUMBER_(number, attribute) typedef int profplug_next_##number __attribute__((attribute));
#define PROFPLUG_STAGE_STANDARD_(...) [[gnu::profile_stage(__VA_ARGS__)]]
#endif
#define PROFPLUG_LOOP(...) PROFPLUG_PRAGMA_(profplug loop(__VA_ARGS__))
#else
#define PROFPLUG_STAGE(...)
#define PROFPLUG_SKIP
#define PROFPLUG_WRAPPER
#define PROFPLUG_LOOP(...)
#endif

#if PROFPLUG_ENABLED

#include <stdint.h>

/* Describes a scope to the runtime. The same as in profplug/abi/emitted.h. */
struct profplug_place {
    const char *name, *category, *file, *function;
    uint32_t line;
    uint32_t kind;
    uint64_t key;
    uint64_t reserved;
};
/* Describes a number. */
struct profplug_number {
    const char *name;
    uint32_t kind;
    uint32_t reserved;
    uint64_t id;
};

#ifdef __cplusplus
extern "C" {
#endif
#ifdef __x86_64__
#define PROFPLUG_CALL_ __attribute__((sysv_abi))      /* even if -mabi selects another convention for this file */
#else
#define PROFPLUG_CALL_
#endif
PROFPLUG_CALL_ void profplug_begin(const char *name);
PROFPLUG_CALL_ void profplug_end(const char *name);
PROFPLUG_CALL_ void profplug_snapshot(const char *label);

PROFPLUG_CALL_ uint64_t __profplug_scope_enter(struct profplug_place *place);
PROFPLUG_CALL_ void __profplug_leave(uint64_t token);
PROFPLUG_CALL_ void __profplug_number(struct profplug_number *number, int64_t value) __attribute__((nothrow));
#ifdef __cplusplus
}
#endif

#define PROFPLUG_FIRST_(a, ...) a
#define PROFPLUG_SECOND_(a, b, ...) b
#define PROFPLUG_PASTE_(a, b) a##b
#define PROFPLUG_SCOPE_KIND_ 4u
#define PROFPLUG_COUNT_KIND_ 0u
#define PROFPLUG_GAUGE_KIND_ 1u
#define PROFPLUG_SCOPE(...) \
    PROFPLUG_SCOPE_(__COUNTER__, PROFPLUG_FIRST_(__VA_ARGS__, ""), PROFPLUG_SECOND_(__VA_ARGS__, "", ""))
#define profplug_count(name, value) PROFPLUG_NUMBER_(name, PROFPLUG_COUNT_KIND_, value)
#define profplug_gauge(name, value) PROFPLUG_NUMBER_(name, PROFPLUG_GAUGE_KIND_, value)
#define PROFPLUG_INLINE_ __attribute__((always_inline, no_instrument_function, unused)) static __inline__

#if defined __cplusplus && defined PROFPLUG_ATTRIBUTES_

/* A constexpr function may not have static variables, and may call other functions only when it runs. So the macros
 * call these two functions. The plugin replaces the calls by the static variable and the runtime's function. They are
 * never called. */
#if __cplusplus >= 201103L
#define PROFPLUG_CONSTANT_ constexpr
#define PROFPLUG_RUNS_ !__builtin_is_constant_evaluated()
#else
#define PROFPLUG_CONSTANT_
#define PROFPLUG_RUNS_ true
#endif
extern "C" uint64_t __profplug_absent(void) __attribute__((nothrow));
__attribute__((no_instrument_function, nothrow)) PROFPLUG_CONSTANT_ inline uint64_t
__profplug_scope_at(const char *, const char *, const char *, const char *, uint32_t)
{
    return PROFPLUG_RUNS_ ? __profplug_absent() : 0;
}
__attribute__((no_instrument_function, nothrow)) PROFPLUG_CONSTANT_ inline uint64_t
__profplug_number_at(const char *, uint32_t, int64_t)
{
    return PROFPLUG_RUNS_ ? __profplug_absent() : 0;
}

/* It has no field and no initialiser, so that a goto or a case may skip its declaration. The plugin sets it to zero. */
struct profplug_token_ {
} __attribute__((aligned(8)));
typedef uint64_t __attribute__((may_alias)) profplug_word_;

PROFPLUG_INLINE_ uint64_t profplug_scope_open_(struct profplug_token_ *token, uint64_t value)
{
    return *(profplug_word_ *)token = value;
}
PROFPLUG_INLINE_ uint64_t profplug_scope_shut_(struct profplug_token_ *token)
{
    uint64_t open = *(profplug_word_ *)token;
    *(profplug_word_ *)token = 0;
    if (open)
        __profplug_leave(open);
    __asm__ volatile("");                /* prevents a tail call, which would come after the function's own exit */
    return open;
}
#if __cplusplus >= 201402L
constexpr
#endif
PROFPLUG_INLINE_ void profplug_scope_close_(struct profplug_token_ *token)
{
    (void)(PROFPLUG_RUNS_ ? profplug_scope_shut_(token) : 0);
}
#define PROFPLUG_SCOPE_(number, name, category) \
    __attribute__((cleanup(profplug_scope_close_), unused)) \
    struct profplug_token_ PROFPLUG_PASTE_(profplug_token_, number); \
    (void)(PROFPLUG_RUNS_ ? profplug_scope_open_(&PROFPLUG_PASTE_(profplug_token_, number), \
                                                 __profplug_scope_at(name, category, __FILE__, __func__, __LINE__)) \
                          : 0)
#define PROFPLUG_NUMBER_(name, kind, value) ((void)__profplug_number_at(name, kind, (int64_t)(value)))
#if __cplusplus >= 201103L
#define profplug_begin(name) (PROFPLUG_RUNS_ ? profplug_begin(name) : (void)(name))
#define profplug_end(name) (PROFPLUG_RUNS_ ? profplug_end(name) : (void)(name))
#define profplug_snapshot(label) (PROFPLUG_RUNS_ ? profplug_snapshot(label) : (void)(label))
#endif

#else

PROFPLUG_INLINE_ void profplug_scope_close_(uint64_t *token)
{
    if (*token)
        __profplug_leave(*token);
    __asm__ volatile("");                /* prevents a tail call, which would come after the function's own exit */
}
#define PROFPLUG_SCOPE_(number, name, category) \
    static struct profplug_place PROFPLUG_PASTE_(profplug_place_, number) = { \
        name, category, __FILE__, __func__, __LINE__, PROFPLUG_SCOPE_KIND_, 0, 0 \
    }; \
    __attribute__((cleanup(profplug_scope_close_), unused)) uint64_t PROFPLUG_PASTE_(profplug_token_, number) \
        = __profplug_scope_enter(&PROFPLUG_PASTE_(profplug_place_, number))

#define PROFPLUG_NO_LITERAL_ "the name of a count or gauge has to be a string literal: text between quotes"
#ifdef __cplusplus
#define PROFPLUG_LITERAL_(name) static_assert((#name)[0] == '"', PROFPLUG_NO_LITERAL_)
#else
#define PROFPLUG_LITERAL_(name) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), char[sizeof(name)]), PROFPLUG_NO_LITERAL_)
#endif
#define PROFPLUG_NUMBER_(name, kind, value) \
    __extension__({ \
        PROFPLUG_LITERAL_(name); \
        static struct profplug_number profplug_number_ = { "" name, kind, 0, 0 }; \
        __profplug_number(&profplug_number_, (int64_t)(value)); \
    })
#endif

#else

#define PROFPLUG_SCOPE(...) ((void)0)
#define profplug_count(name, value) ((void)sizeof("" name), (void)(value))
#define profplug_gauge(name, value) ((void)sizeof("" name), (void)(value))
#define profplug_begin(name) ((void)(name))
#define profplug_end(name) ((void)(name))
#define profplug_snapshot(label) ((void)(label))

#endif
#endif
