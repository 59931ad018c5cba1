/* SPDX-License-Identifier: MIT */
/* state.c: what every room asks before it acts. It must not know who sets it. */
#define _GNU_SOURCE
#include "system/state.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/syscall.h"

struct pp_run pp_run;
_Atomic uint32_t pp_state;
_Atomic bool pp_file_is_lost;
_Atomic uint32_t pp_forbidden_calls;
struct pp_costs pp_costs;
_Atomic uint64_t pp_own_read_bytes, pp_own_write_bytes;
int64_t pp_tls_offset;
volatile uint32_t pp_fork_generation_static = 1;
const volatile uint32_t *pp_fork_generation = &pp_fork_generation_static;

void pp_file_lose(void)
{
    static const volatile uint32_t never = 0;
    atomic_store_explicit(&pp_file_is_lost, true, memory_order_release);
    pp_fork_generation = &never; /* hooks test it first */
    atomic_store_explicit(&pp_state, PP_STATE_OFF, memory_order_release);
    pp_lock_break();
}

bool pp_under_valgrind(void)
{
    uint64_t result = 0;
#if defined __x86_64__
    volatile uint64_t request[6] = { 0x1001 };
    __asm__ volatile("rolq $3, %%rdi; rolq $13, %%rdi; rolq $61, %%rdi; rolq $51, %%rdi; xchgq %%rbx, %%rbx"
                     : "=d"(result)
                     : "a"(&request[0]), "0"(result)
                     : "cc", "memory");
#endif
    return result != 0;
}

void pp_loss(enum pp_loss loss, uint64_t count)
{
    if (pp_run.header)
        atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->losses[loss], count, memory_order_relaxed);
}

void pp_give_up(enum pp_given what, uint64_t count)
{
    struct pp_header *h = pp_run.header;
    if (!h)
        return;
    if (!atomic_load_explicit((_Atomic uint64_t *)&h->given_up_ns[what], memory_order_relaxed)) {
        uint64_t since = pp_now_ns() - h->start_ns, never = 0;
        atomic_compare_exchange_strong_explicit((_Atomic uint64_t *)&h->given_up_ns[what], &never, since ? since : 1,
                                                memory_order_relaxed, memory_order_relaxed);
    }
    atomic_fetch_add_explicit((_Atomic uint64_t *)&h->given_up[what], count, memory_order_relaxed);
}
