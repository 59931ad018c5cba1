/* SPDX-License-Identifier: MIT */
/* report_inward.c: samples in a runtime that is linked into the program. Its functions and lines are not the program's, whether or not unwinding reached the program's code. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#include "report_analysed.h"

/* Stands for the runtime, between the marks that say where it is. */
__asm__(".pushsection profplug_text,\"ax\",%progbits\n"
        ".type pp_inward, @function\n"
        "pp_inward:\n"
        ".skip 16, 0x90\n"
        ".size pp_inward, . - pp_inward\n"
        ".popsection");
extern const char inward[] __asm__("pp_inward"), begin[] __asm__("__start_profplug_text"), end[] __asm__("__stop_profplug_text");

int main(void)
{
    static char path[] = "/tmp/report_inward_XXXXXX";
    char own[4096] = "";
    Dl_info place;
    CHECK(dladdr((void *)(uintptr_t)main, &place) && readlink("/proc/self/exe", own, sizeof own - 1) > 0, "%s", own);
    CHECK((uintptr_t)inward >= (uintptr_t)begin && (uintptr_t)inward + 16 <= (uintptr_t)end, "the section");
    struct pp_sample sample[] = {
        { .address = (uintptr_t)inward + 8 - (uintptr_t)place.dli_fbase, .module = 1, .library = 1, .count = 100, .ns = 100000000 },
        { .address = (uintptr_t)main + 1 - (uintptr_t)place.dli_fbase, .module = 1, .library = 1, .count = 10, .ns = 10000000 },
        { .address = (uintptr_t)main + 1 - (uintptr_t)place.dli_fbase, .module = 1, .count = 1000, .ns = 1000000000 },
    };
    struct report_file file = report_file_start();
    report_file_header(&file)->user_ns = 1110000000;
    report_file_header(&file)->sample_period_ns = 1000000;
    report_file_module(&file, 1, own, 1);
    report_file_samples(&file, 1, sample, 3);
    struct model *m = report_analysed(&file, path);
    CHECK(m->coverage.profiler == 110, "%llu samples in the profiler", (unsigned long long)m->coverage.profiler);
    bool is_main = false;
    for (size_t i = 0; i < m->function_count; i++) {
        CHECK(strncmp(m->function[i].name, "pp_", 3), "%s is no function of the program", m->function[i].name);
        is_main = is_main || !strcmp(m->function[i].name, "main");
    }
    CHECK(is_main, "the function that is the program's");
    model_free(m);
    puts("the profiler's code is not the program's");
    return 0;
}
