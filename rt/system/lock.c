/* SPDX-License-Identifier: MIT */
/* lock.c: the lock of the runtime. It must not know what is locked. */
#define _GNU_SOURCE
#include "system/lock.h"
#include "system/signal.h"
#include "system/state.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static _Atomic uint32_t lock; /* 0 free, 1 held, 2 held and waited for */

void pp_lock(sigset_t *saved)
{
    pp_signals_block(saved);
    uint32_t seen = 0;
    if (atomic_load_explicit(&pp_file_is_lost, memory_order_acquire))
        return;
    if (atomic_compare_exchange_strong_explicit(&lock, &seen, 1, memory_order_acquire, memory_order_relaxed))
        return;
    while (atomic_exchange_explicit(&lock, 2, memory_order_acquire) &&
           !atomic_load_explicit(&pp_file_is_lost, memory_order_acquire))
        syscall(SYS_futex, &lock, FUTEX_WAIT | FUTEX_PRIVATE_FLAG, 2, 0, 0, 0);
}

void pp_unlock(const sigset_t *saved)
{
    if (atomic_exchange_explicit(&lock, 0, memory_order_release) == 2)
        syscall(SYS_futex, &lock, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, 1, 0, 0, 0);
    pp_signals_restore(saved);
}

void pp_lock_break(void)
{
    atomic_store_explicit(&lock, 0, memory_order_release);
    syscall(SYS_futex, &lock, FUTEX_WAKE | FUTEX_PRIVATE_FLAG, INT32_MAX, 0, 0, 0);
}

void pp_lock_forget(void) { atomic_store_explicit(&lock, 0, memory_order_release); }
