/* SPDX-License-Identifier: MIT */
/* fault.c: handles lost pages of the data file. Somebody may truncate the file while it is mapped, and some file
 * systems notice that they have no room only when a page is written. The kernel then raises SIGBUS at the instruction
 * that accesses the page, which may be in a probe. The page is replaced by memory, recording ends, and the program
 * continues. It must not know what was in the page.
 *
 * Inline probes work with any page of zeros. Slow paths follow addresses that are stored in pages. So if a slow path
 * was interrupted, it returns to its caller at once, as if with 0. */
#define _GNU_SOURCE
#include "process/fault.h"
#include "file/datafile.h"
#include "file/total.h"
#include "sample/signalreturn.h"
#include "stack/modules.h"
#include "stack/unwind.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#define FRAMES 64u

extern const char __start_profplug_hooks[] __attribute__((weak, visibility("hidden")));
extern const char __stop_profplug_hooks[] __attribute__((weak, visibility("hidden")));

static bool in_hook(uint64_t place)
{
    return place - (uint64_t)(uintptr_t)__start_profplug_hooks <
           (uint64_t)(uintptr_t)__stop_profplug_hooks - (uint64_t)(uintptr_t)__start_profplug_hooks;
}

#if defined __x86_64__
void pp_fault_leave(void *interrupted)
{
    ucontext_t *context = interrupted;
    static const uint8_t place[] = { REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                     REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP };
    struct pp_unwind unwind;
    struct pp_image image;
    if (!pp_unwind_start(&unwind, context))
        return;
    for (unsigned depth = 0; depth < FRAMES; depth++) {
        uint64_t at = unwind_place(&unwind);
        bool hook = in_hook(at);
        if (!pp_image_find(at, &image) || !pp_unwind_step(&unwind, image.frames, image.mapping))
            return;
        if (!hook)
            continue;
        for (unsigned i = 0; i < sizeof place; i++)
            if (unwind.known >> i & 1)
                context->uc_mcontext.gregs[place[i]] = (greg_t)unwind.reg[i];
        context->uc_mcontext.gregs[REG_RIP] = (greg_t)unwind.pc;
        context->uc_mcontext.gregs[REG_RAX] = 0;
        pp_signals_forget((uint64_t *)&context->uc_sigmask);
        pp_tls()->busy = 0;
        return;
    }
}
#else
void pp_fault_leave(void *interrupted) { (void)interrupted; }
#endif

struct kernel_action {
    void (*handler)(int, siginfo_t *, void *);
    unsigned long flags;
    void (*restorer)(void);
    uint64_t mask;
};

/* Does what the kernel would do without us. A fault happens again at once, and a signal that was sent is sent again. */
static void pass_on(int number, const siginfo_t *info)
{
    struct kernel_action none = { .handler = (void *)SIG_DFL };
    syscall(SYS_rt_sigaction, number, &none, 0, sizeof none.mask);
    if (info->si_code != BUS_ADRALN && info->si_code != BUS_ADRERR && info->si_code != BUS_OBJERR)
        syscall(SYS_rt_tgsigqueueinfo, syscall(SYS_getpid), syscall(SYS_gettid), number, info);
}

static void handle(int number, siginfo_t *info, void *context)
{
    int saved_errno = errno;
    uint64_t page = (uint64_t)(uintptr_t)info->si_addr & ~((uint64_t)pp_run.page_bytes - 1);
    bool total = pp_total_holds(page);
    if (info->si_code != BUS_ADRERR || (!total && !pp_file_holds(page)) ||
        pp_map((void *)(uintptr_t)page, pp_run.page_bytes, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
            MAP_FAILED) {
        pass_on(number, info);
    } else {
        if (!total) /* else the count goes on from zero, in memory of this process */
            pp_file_lose();
        pp_fault_leave(context);
    }
    errno = saved_errno;
}

/* Only where the program has no handler of its own. */
void pp_fault_start(void)
{
    /* All other signals are blocked in the handler, because theirs might touch a page that is gone. */
    struct kernel_action now,
        mine = { handle, SA_SIGINFO | SA_ONSTACK | SA_NODEFER, 0, ~(UINT64_C(1) << (SIGBUS - 1)) };
    mine.flags |= PP_RESTORER_FLAG;
    mine.restorer = PP_RESTORER;
    if (!syscall(SYS_rt_sigaction, SIGBUS, 0, &now, sizeof now.mask) && now.handler == (void *)SIG_DFL &&
        !syscall(SYS_rt_sigaction, SIGBUS, &mine, 0, sizeof mine.mask))
        pp_signals_leave_open(SIGBUS);
}
