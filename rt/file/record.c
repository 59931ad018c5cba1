/* SPDX-License-Identifier: MIT */
/* record.c: appends records to the data file. The one lock of this room is here. It must not know what a record says.
 */
#define _GNU_SOURCE
#include "file/mirror.h"
#include "system/signal.h"
#include "system/state.h"
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define FIRST_BYTES 4096u
#define MOST_BYTES 32768u /* each extent has four times its predecessor's size, up to this */

static struct chain {
    struct pp_records *_Atomic newest; /* the extent that takes the next record */
    struct pp_records *first;
    uint64_t bytes; /* the newest one's size */
} facts, children;  /* children apart, because a fork's child leaves those to its parent */
static _Atomic uint32_t lock;

static struct chain *chain_of(uint32_t kind) { return kind == PP_RECORD_CHILD ? &children : &facts; }

/* Called with all signals blocked. */
void pp_records_lock(void)
{
    while (atomic_exchange_explicit(&lock, 1, memory_order_acquire) &&
           !atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))
        syscall(SYS_sched_yield);
}

void pp_records_unlock(void) { atomic_store_explicit(&lock, 0, memory_order_release); }

void pp_records_fork_child(void) { children = (struct chain){ 0 }; }

bool pp_records_fileless(void)
{
    struct pp_records *r = children.first;
    return !r || !atomic_fetch_add_explicit((_Atomic uint64_t *)&r->fileless, 1, memory_order_relaxed);
}

struct pp_record *pp_record_reserve(uint32_t kind, uint32_t size)
{
    struct chain *chain = chain_of(kind);
    uint64_t need = sizeof(struct pp_record) + ((uint64_t)size + 7) / 8 * 8;
    struct pp_records *r = atomic_load_explicit(&chain->newest, memory_order_relaxed);
    if (!r || sizeof *r + r->used + need > chain->bytes) {
        struct pp_extent extent;
        uint64_t bytes = !r ? FIRST_BYTES : chain->bytes < MOST_BYTES / 4 ? chain->bytes * 4 : MOST_BYTES;
        if (bytes < need + sizeof *r)
            bytes = need + sizeof *r;
        if (!pp_extent_claim(&extent, bytes))
            return NULL;
        chain->first = r ? chain->first : extent.address;
        r = extent.address;
        chain->bytes = extent.size;
        atomic_store_explicit(&chain->newest, r, memory_order_relaxed);
        pp_extent_publish(&extent, PP_EXTENT_RECORDS, chain == &children ? PP_EXTENT_LEFT : 0);
    }
    struct pp_record *record = (struct pp_record *)((char *)(r + 1) + r->used);
    record->kind = kind;
    record->size = size;
    return record;
}

void pp_record_commit(struct pp_record *record)
{
    struct pp_records *r = atomic_load_explicit(&chain_of(record->kind)->newest, memory_order_relaxed);
    uint64_t used = (uint64_t)((char *)(record + 1) - (char *)(r + 1)) + ((uint64_t)record->size + 7) / 8 * 8;
    atomic_store_explicit((_Atomic uint64_t *)&r->used, used, memory_order_release); /* partner: reader */
}

bool pp_record_add2(enum pp_record_kind kind, const void *head, uint32_t head_size, const void *tail,
                    uint32_t tail_size)
{
    if (!pp_run.header)
        return false;
    if (pp_forbids(PP_FORBIDDEN_CORE)) { /* signals cannot be blocked, so a handler could come in between */
        pp_loss(PP_LOSS_RECORDS, 1);
        return false;
    }
    sigset_t saved;
    pp_signals_block(&saved);
    pp_records_lock();
    struct pp_record *record = pp_record_reserve(kind, head_size + tail_size);
    if (record) {
        memcpy(record + 1, head, head_size);
        if (tail_size)
            memcpy((char *)(record + 1) + head_size, tail, tail_size);
        pp_record_commit(record);
    } else {
        pp_loss(PP_LOSS_RECORDS, 1);
    }
    pp_records_unlock();
    pp_signals_restore(&saved);
    return record;
}

bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size)
{
    return pp_record_add2(kind, payload, size, NULL, 0);
}
