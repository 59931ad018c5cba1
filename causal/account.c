/* SPDX-License-Identifier: MIT */
/* account.c: see account.h. Its system calls are direct, because the program's runtime wraps the library's. */
#include "account.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define ONCE_NS 50000000 /* a pause is made of pieces, so that a thread in one can be seen to have paid */

struct pp_causal_result *result;
char account_folder[512];
static __thread struct pp_causal_account *self __attribute__((tls_model("initial-exec")));
static __thread bool refused __attribute__((tls_model("initial-exec")));
static _Atomic uint32_t ordinals;

#define ATOMIC(field) ((_Atomic __typeof__(field) *)&(field))

uint64_t clock_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static bool request_read(struct pp_causal_request *request)
{
    char path[600];
    const char *folder = getenv("PROFPLUG_CAUSAL");
    if (!folder || strlen(folder) >= sizeof account_folder)
        return false;
    strcpy(account_folder, folder);
    snprintf(path, sizeof path, "%s/request", folder);
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    long got = fd < 0 ? -1 : syscall(SYS_read, fd, request, sizeof *request);
    if (fd >= 0)
        syscall(SYS_close, fd);
    return got == sizeof *request && !memcmp(request->magic, PP_CAUSAL_MAGIC, 8) && request->percent <= 100;
}

bool account_start(struct pp_causal_request *request)
{
    char path[600];
    if (!request_read(request))
        return false;
    snprintf(path, sizeof path, "%s/%ld.causal", account_folder, (long)getpid());
    int fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) /* a process that became another program: what came before is part of its time */
        fd = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_TRUNC | O_CLOEXEC);
    if (fd < 0)
        return false;
    long failed = syscall(SYS_ftruncate, fd, sizeof *result);
    void *address = failed ? MAP_FAILED
                           : (void *)syscall(SYS_mmap, NULL, sizeof *result, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (address == MAP_FAILED)
        return false;
    struct pp_causal_result *made = address;
    made->pid = (uint32_t)getpid();
    memcpy(made->magic, PP_CAUSAL_MAGIC, 8);
    result = made;
    return true;
}

void account_stop(void)
{
    result = NULL;
    self = NULL;
}

void account_begin(uint64_t delay_ns)
{
    struct pp_causal_result *r = result;
    if (!r || self || refused)
        return;
    uint32_t ordinal = atomic_fetch_add(&ordinals, 1) + 1;
    for (uint32_t i = 0; i < PP_CAUSAL_THREADS; i++) {
        uint32_t nobody = 0;
        struct pp_causal_account *a = &r->account[i];
        if (!atomic_compare_exchange_strong(ATOMIC(a->ordinal), &nobody, ordinal))
            continue;
        a->delay_ns = delay_ns;
        a->excess_ns = 0;
        a->pausing = a->blocked = 0;
        self = a;
        atomic_store_explicit(ATOMIC(a->tid), (uint32_t)syscall(SYS_gettid), memory_order_release);
        return;
    }
    refused = true;
    atomic_fetch_add(ATOMIC(r->refused_threads), 1);
}

void account_end(void)
{
    struct pp_causal_account *a = self;
    account_pay();
    self = NULL;
    refused = true; /* what runs after this has no account */
    if (a) {
        atomic_store_explicit(ATOMIC(a->tid), 0, memory_order_release);
        atomic_store(ATOMIC(a->ordinal), 0);
    }
}

struct pp_causal_account *account_self(void)
{
    if (!self && result && !refused)
        account_begin(atomic_load(ATOMIC(result->delay_ns)));
    return self;
}

int64_t account_debt(const struct pp_causal_account *a)
{
    return (int64_t)(atomic_load_explicit(ATOMIC(result->delay_ns), memory_order_relaxed) -
                     atomic_load_explicit((_Atomic uint64_t *)&a->delay_ns, memory_order_relaxed));
}

void account_credit(struct pp_causal_account *a, uint64_t ns)
{
    uint64_t now = atomic_fetch_add(ATOMIC(a->delay_ns), ns) + ns, most = atomic_load(ATOMIC(result->delay_ns));
    while (now > most && !atomic_compare_exchange_weak(ATOMIC(result->delay_ns), &most, now)) {}
}

void account_pay(void)
{
    struct pp_causal_account *a = self;
    if (!a || !result || a->pausing || account_debt(a) < LEAST_NS)
        return;
    int kept = errno;
    a->pausing = 1;
    for (int64_t debt; (debt = account_debt(a)) >= LEAST_NS;) {
        int64_t piece = debt < ONCE_NS ? debt : ONCE_NS, pause = piece - a->excess_ns;
        if (pause > 0) {
            uint64_t begin_ns = clock_now_ns();
            struct timespec time = { pause / 1000000000, pause % 1000000000 };
            syscall(SYS_clock_nanosleep, CLOCK_MONOTONIC, 0, &time, NULL); /* a signal may end it: see took_ns */
            int64_t took_ns = (int64_t)(clock_now_ns() - begin_ns);
            a->excess_ns = took_ns - pause;
            atomic_fetch_add(ATOMIC(result->pause_ns), (uint64_t)took_ns);
        } else {
            a->excess_ns -= piece;
        }
        atomic_fetch_add(ATOMIC(a->delay_ns), (uint64_t)piece);
    }
    a->pausing = 0;
    errno = kept;
}

uint64_t account_block(void)
{
    struct pp_causal_account *a = account_self();
    if (!a)
        return 0;
    account_pay();
    a->blocked++;
    return atomic_load(ATOMIC(result->delay_ns));
}

void account_wake(uint64_t before_ns, bool by_thread)
{
    struct pp_causal_account *a = self;
    if (!a || !result)
        return;
    if (by_thread)
        atomic_fetch_add(ATOMIC(a->delay_ns), atomic_load(ATOMIC(result->delay_ns)) - before_ns);
    a->blocked--;
}
