/* SPDX-License-Identifier: MIT */
/* sources_core.c: see sources_core.h. */
#define _GNU_SOURCE
#include "file/datafile.h"
#include "file/memory.h"
#include "memory/heapwalk.h"
#include "operation/operation.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "process/fault.h"
#include "process/program.h"
#include "sample/sampler.h"
#include "stack/modules.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/message.h"
#include "system/signal.h"
#include "system/state.h"
#include "system/syscall.h"
#include "thread/thread.h"
#include "sources_core.h"

#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static __thread struct pp_words words;
struct core_record core_records[512];
uint32_t core_record_count;
static struct pp_header header;
struct pp_numbered pp_numbered[PP_THREAD_BLOCKS + 1];
static _Atomic uint32_t thread_count;
static struct { struct pp_extent extent; uint32_t kind, thread; } extents[8192];
static _Atomic uint32_t extent_count;
static _Atomic int record_busy;

void pp_complain(const char *format, ...) { (void)format; }
void pp_signals_block(sigset_t *saved)
{
    uint64_t all = ~UINT64_C(0);
    syscall(SYS_rt_sigprocmask, SIG_BLOCK, &all, saved, 8);
}
void pp_signals_restore(const sigset_t *saved) { syscall(SYS_rt_sigprocmask, SIG_SETMASK, saved, NULL, 8); }
uint64_t pp_random(struct pp_private *p) { return p->random = p->random * UINT64_C(6364136223846793005) + 1442695040888963407u; }
void pp_lock_break(void) { }
void pp_frames_ticked(struct pp_thread *thread) { (void)thread; }
void pp_fault_leave(void *context) { (void)context; }
uint8_t pp_key_facts(uint32_t key) { (void)key; return 0; }
uint64_t pp_calls(const uint64_t *counter) { return *counter; }
void pp_heapwalk_start(void) { }
uint32_t pp_operations_on;
void pp_start_left(struct pp_thread *thread, const struct pp_unfinished *left) { (void)thread, (void)left; }
void pp_call_begin_work(struct pp_call *call, enum pp_collector collector, enum pp_operation_kind kind,
                        const void *caller, uint32_t target)
{
    (void)call, (void)collector, (void)kind, (void)caller, (void)target;
}
void pp_call_end_work(struct pp_call *call, enum pp_operation_kind kind, const void *caller, bool failed,
                      uint32_t target)
{
    (void)call, (void)kind, (void)caller, (void)failed, (void)target;
}
void pp_operation_book(const void *caller, const struct pp_done *done) { (void)caller, (void)done; }
void pp_heapwalk_fork_child(void) { }
bool pp_heapwalk_known(void) { return false; }
bool pp_heapwalk_look(struct pp_thread *thread, struct pp_standing *standing) { (void)thread, (void)standing; return false; }
bool pp_memory_fits(uint64_t bytes) { (void)bytes; return true; }
uint64_t pp_once_begin(void) { return 0; }
void pp_once_end(uint64_t begun_ns) { (void)begun_ns; }

void *pp_memory(uint64_t bytes)
{
    void *p = pp_map(NULL, bytes, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);      /* not by the name that mapping.c wraps */
    return p == MAP_FAILED ? NULL : p;
}
bool pp_extent_claim(struct pp_extent *extent, uint64_t bytes)
{
    extent->size = (bytes + 4095) & ~UINT64_C(4095);
    extent->address = pp_memory(extent->size);
    extent->offset = 4096;
    return extent->address != NULL;
}
void pp_extent_publish(const struct pp_extent *extent, enum pp_extent_kind kind, uint32_t thread)
{
    uint32_t i = atomic_fetch_add(&extent_count, 1);
    extents[i].extent = *extent;
    extents[i].kind = kind;
    extents[i].thread = thread;
}
bool pp_record_add2(enum pp_record_kind kind, const void *head, uint32_t head_size, const void *tail, uint32_t tail_size)
{
    while (atomic_exchange(&record_busy, 1)) { }
    struct core_record *r = &core_records[core_record_count];
    bool fits = core_record_count < 512 && head_size + tail_size <= sizeof r->bytes;
    if (fits) {
        r->kind = kind;
        r->size = head_size + tail_size;
        memcpy(r->bytes, head, head_size);
        memcpy(r->bytes + head_size, tail, tail_size);
        core_record_count++;
    }
    atomic_store(&record_busy, 0);
    return fits;
}
bool pp_record_add(enum pp_record_kind kind, const void *payload, uint32_t size) { return pp_record_add2(kind, payload, size, "", 0); }
struct pp_thread *pp_thread_self(void) { return (struct pp_thread *)(uintptr_t)pp_tls()->thread; }
struct pp_thread *pp_thread_at(uint32_t id) { return pp_numbered[id].block; }
uint32_t pp_thread_count(void) { return thread_count; }
bool pp_thread_on_stack(struct pp_private *p, uint64_t a, uint64_t b) { (void)p; return a < b || a >= b; }
uint64_t pp_now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static atomic_flag locked = ATOMIC_FLAG_INIT;
void pp_lock(sigset_t *saved)
{
    pp_signals_block(saved);
    while (atomic_flag_test_and_set_explicit(&locked, memory_order_acquire)) continue;
}
void pp_unlock(const sigset_t *saved)
{
    atomic_flag_clear_explicit(&locked, memory_order_release);
    pp_signals_restore(saved);
}

void pp_program_processor(struct pp_header *h) { (void)h; }

uint32_t core_collectors = ~0u;

void core_start(uint32_t sample_hz)
{
    pp_tls_offset = (char *)&words - (char *)__builtin_thread_pointer();
    pp_run.header = &header;
    header.budget_permille = 20;
    pp_run.page_bytes = 4096;
    pp_run.options.sample_hz = sample_hz;
    pp_run.options.blocks_exact = true;
    pp_run.options.collectors = header.collectors = core_collectors;
    pp_modules_scan();
#define PP_SOURCE(name) if (pp_source_##name.start) pp_source_##name.start();
    PP_SOURCES(PP_SOURCE)
#undef PP_SOURCE
    if (sample_hz) pp_sampler_start();
}

struct pp_thread *core_birth(void)
{
    sigset_t saved;
    pp_signals_block(&saved);
    struct pp_thread *thread = pp_memory(sizeof *thread + sizeof(struct pp_node) + sizeof(struct pp_thread_row));
    struct pp_node *root = (struct pp_node *)(thread + 1);
    thread->node = (uint64_t)(uintptr_t)root;
    thread->id = atomic_fetch_add(&thread_count, 1) + 1;
    root->flags = thread->id << PP_NODE_OWNER_SHIFT;
    pp_private(thread)->tid = (uint32_t)gettid();
    pp_private(thread)->row = (struct pp_thread_row *)(root + 1);
    atomic_store(&pp_private(thread)->state, PP_THREAD_LIVE);
    pp_numbered[thread->id].block = thread;
    pp_tls()->thread = (uint64_t)(uintptr_t)thread;
#define PP_SOURCE(name) if (pp_source_##name.birth) pp_source_##name.birth(thread);
    PP_SOURCES(PP_SOURCE)
#undef PP_SOURCE
    if (pp_run.options.sample_hz) pp_sampler_birth(thread);
    pp_signals_restore(&saved);
    return thread;
}

void core_death(void)
{
    sigset_t saved;
    struct pp_thread *thread = pp_thread_self();
    pp_signals_block(&saved);
    if (pp_run.options.sample_hz) pp_sampler_death(thread);
#define PP_SOURCE(name) if (pp_source_##name.death) pp_source_##name.death(thread);
    PP_SOURCES(PP_SOURCE)
#undef PP_SOURCE
    atomic_store(&pp_private(thread)->state, PP_THREAD_RETIRED);
    memset(pp_words(), 0, sizeof(struct pp_words));
    pp_signals_restore(&saved);
}

struct pp_module *core_module(uint32_t id)
{
    struct pp_module *found = NULL;
    for (uint32_t i = 0; i < core_record_count; i++) {
        struct pp_module *module = (struct pp_module *)core_records[i].bytes;
        if (core_records[i].kind == PP_RECORD_MODULE && module->id == id) found = module;
    }
    return found;
}

uint64_t core_samples(struct pp_thread *thread, void (*visit)(const struct pp_sample *, void *), void *context)
{
    uint64_t sum = 0;
    for (uint32_t e = 0; e < extent_count; e++) {
        if (extents[e].kind != PP_EXTENT_SAMPLES || extents[e].thread != thread->id) continue;
        const struct pp_samples *table = extents[e].extent.address;
        const struct pp_sample *row = (const struct pp_sample *)(table + 1);
        for (uint32_t i = 0; i < table->capacity; i++)
            if (row[i].count) {
                sum += row[i].count;
                if (visit) visit(&row[i], context);
            }
    }
    return sum;
}

const struct pp_path *core_path(const struct pp_thread *thread, uint32_t number)
{
    for (uint32_t e = 0; e < extent_count; e++) {
        const struct pp_paths *head = extents[e].extent.address;
        if (extents[e].kind == PP_EXTENT_PATHS && extents[e].thread == thread->id && number - head->first < head->used)
            return (const struct pp_path *)(head + 1) + (number - head->first);
    }
    return NULL;
}

uint32_t core_path_count(const struct pp_thread *thread)
{
    uint32_t sum = 0;
    for (uint32_t e = 0; e < extent_count; e++)
        if (extents[e].kind == PP_EXTENT_PATHS && extents[e].thread == thread->id) sum += ((const struct pp_paths *)extents[e].extent.address)->used;
    return sum;
}
