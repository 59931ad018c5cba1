/* SPDX-License-Identifier: MIT */
/* sources_heap.c: every way to allocate and free a block, with totals that follow from the calls. Properties of blocks
 * must not change. Run plain, and with a preloaded allocator whose blocks are 8 bytes apart.
 *   argument: own (nothing is measured: the program has its own malloc), blocks (by callsite, too) */
#define _GNU_SOURCE
#include "system/state.h"
#include "sources_core.h"

#include <errno.h>
#include <malloc.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static uint64_t now[PP_METRIC_COUNT], was[PP_METRIC_COUNT];
static struct pp_thread *self;
static void *volatile keep;              /* so that no pair of malloc and free is optimized away */

static void mark(void) { pp_source_heap.read(self, was); }
static void expect(const char *what, uint64_t alloc_bytes, uint64_t alloc_blocks, uint64_t free_bytes, uint64_t free_blocks)
{
    pp_source_heap.read(self, now);
    uint64_t got[4], wanted[4] = { alloc_bytes, alloc_blocks, free_bytes, free_blocks };
    for (unsigned i = 0; i < 4; i++) {
        got[i] = now[PP_METRIC_ALLOC_BYTES + i] - was[PP_METRIC_ALLOC_BYTES + i];
        CHECK(got[i] == wanted[i], "%s: number %u is %lu, expected %lu", what, i, got[i], wanted[i]);
    }
    memcpy(was, now, sizeof was);
}

static void *free_there(void *block)
{
    struct pp_thread *mine = core_birth();
    uint64_t values[PP_METRIC_COUNT] = { 0 };
    pp_source_heap.read(mine, values);
    uint64_t before = values[PP_METRIC_FREE_BYTES];
    free(block);
    pp_source_heap.read(mine, values);
    CHECK(values[PP_METRIC_FREE_BYTES] - before == 1000, "a block of another thread");
    core_death();
    return NULL;
}

static void sizes(void)                  /* each size once, compared with a sum; then freed in another order */
{
    static void *block[40000];
    uint64_t sum = 0;
    for (unsigned i = 0; i < 40000; i++) {
        size_t size = i < 20000 ? i : (size_t)i * 97 % 300000;
        if (i % 2500 == 1) size = (size_t)i << 9;
        block[i] = malloc(size);
        CHECK(block[i] && malloc_usable_size(block[i]) >= size && (uintptr_t)block[i] % 8 == 0, "a block of %zu", size);
        memset(block[i], 0xa5, size < 4096 ? size : 4096);
        sum += size;
    }
    expect("sizes", sum, 40000, 0, 0);
    for (unsigned i = 0; i < 40000; i++) free(block[(uint64_t)i * 7919 % 40000]);
    expect("sizes given back", 0, 0, sum, 40000);
}

/* Small blocks in distant parts of the heap, and in a thread's own arena, allocated and freed in turn, by their own
 * thread and by another. With glibc the break continues after 700 MB of others' memory. */
#define SIDE 600
static void *near[SIDE], *far[SIDE];
static void *there(void *none)
{
    (void)none;
    free(far[3]);                        /* before the thread has its words: booked at no thread */
    far[3] = NULL;
    struct pp_thread *mine = core_birth();
    uint64_t values[PP_METRIC_COUNT] = { 0 }, before[PP_METRIC_COUNT] = { 0 };
    pp_source_heap.read(mine, before);
    uint64_t back = 0, got = 0;
    for (unsigned i = 4; i < SIDE; i += 2) {
        free(near[i]);
        keep = malloc(i % 200);
        free(far[i]);
        near[i] = far[i] = NULL;
        free(keep);
        keep = malloc(5);
        free(keep);
        back += i % 249 + i % 250 + i % 200 + 5;
        got += i % 200 + 5;
    }
    pp_source_heap.read(mine, values);
    CHECK(values[PP_METRIC_FREE_BYTES] - before[PP_METRIC_FREE_BYTES] == back, "bytes that another thread gives back");
    CHECK(values[PP_METRIC_ALLOC_BYTES] - before[PP_METRIC_ALLOC_BYTES] == got, "bytes that another thread gets");
    CHECK(values[PP_METRIC_FREE_BLOCKS] - before[PP_METRIC_FREE_BLOCKS] == (SIDE - 4) / 2 * 4, "blocks that another thread gives back");
    CHECK(values[PP_METRIC_TEMPORARY_BLOCKS] - before[PP_METRIC_TEMPORARY_BLOCKS] == (SIDE - 4) / 2 * 2, "temporary blocks");
    core_death();
    keep = malloc(6);                    /* booked at no thread again */
    free(keep);
    free(near[5]);
    near[5] = NULL;
    pp_source_heap.read(mine, before);
    CHECK(!memcmp(before, values, sizeof before), "a thread's words once it has none");
    return NULL;
}

static void places(bool glibc)
{
    uint64_t back = 0;
    for (unsigned i = 0; i < SIDE; i++) near[i] = malloc(i % 249);
    bool gap = sbrk((intptr_t)700 << 20) != (void *)-1;
    uintptr_t edge = (uintptr_t)sbrk(0);
    for (unsigned fills = 0; gap && fills < 100000; fills++)
        if ((uintptr_t)(keep = malloc(200)) > edge) break;               /* what is left before the gap is used up */
    CHECK(!glibc || !gap || (uintptr_t)keep > edge, "no block beyond the gap");
    mark();                              /* how many that took is the allocator's business */
    for (unsigned i = 0; i < SIDE; i++) back += i % 250, far[i] = malloc(i % 250);
    expect("far blocks", back, SIDE, 0, 0);
    for (unsigned i = 0; i < SIDE; i++) {
        free(i % 2 ? near[i / 2 * 2 + 1] : far[i / 2 * 2 + 1]);
        near[i / 2 * 2 + 1] = i % 2 ? malloc(i % 100) : near[i / 2 * 2 + 1];
        far[i / 2 * 2 + 1] = i % 2 ? far[i / 2 * 2 + 1] : malloc(i % 100);
    }
    uint64_t odd = 0, more = 0;
    for (unsigned i = 0; i < SIDE; i++) {
        odd += i % 2 ? i % 249 + i % 250 : 0;
        more += i % 100;
    }
    expect("in turn", more, SIDE, odd, SIDE);
    pthread_t thread;
    pthread_attr_t small;
    pthread_attr_init(&small);
    mark();
    pthread_create(&thread, &small, there, NULL);
    pthread_join(thread, NULL);
    mark();
    uint64_t rest = 0, blocks = 0;
    for (unsigned i = 0; i < SIDE; i++) {
        bool given = i % 2 == 0 && i >= 4;
        if (!given && near[i]) rest += i % 2 ? i % 100 : i % 249, blocks++;
        if (!given && far[i]) rest += i % 2 ? (i - 1) % 100 : i % 250, blocks++;
        free(near[i]);
        free(far[i]);
    }
    expect("the rest", 0, 0, rest, blocks);
}

int main(int count, char **argument)
{
    void *early = malloc(77), *block, *other;
    if (count < 2 || strcmp(argument[1], "blocks")) core_collectors &= ~(1u << PP_COLLECTOR_BLOCKS);
    core_start(0);
    if (count > 1 && !strcmp(argument[1], "own")) {
        CHECK(pp_run.header->memory_note[0] && !(pp_run.header->metrics_measured >> PP_METRIC_ALLOC_BYTES & 1), "no note");
        printf("%s\n", pp_run.header->memory_note);
        return 0;
    }
    CHECK(pp_run.header->metrics_measured >> PP_METRIC_ALLOC_BYTES & 1, "not measured: %s", pp_run.header->memory_note);
    self = core_birth();
    printf("ready\n");                   /* stdio has its buffer now */
    mark();
    keep = block = malloc(100); expect("malloc", 100, 1, 0, 0);
    free(block); expect("free", 0, 0, 100, 1);
    keep = block = malloc(0); expect("malloc(0)", 0, 1, 0, 0);
    free(block); expect("free of nothing much", 0, 0, 0, 1);
    free(NULL); expect("free(NULL)", 0, 0, 0, 0);
    free(early); expect("a block from before", 0, 0, 0, 0);
    keep = block = calloc(7, 11); expect("calloc", 77, 1, 0, 0);
    for (unsigned i = 0; i < 77; i++) CHECK(((char *)block)[i] == 0, "calloc's bytes");
    keep = block = realloc(block, 5000); expect("realloc", 5000, 1, 77, 1);
    keep = block = realloc(block, 10); expect("realloc down", 10, 1, 5000, 1);
    keep = block = reallocarray(block, 30, 40); expect("reallocarray", 1200, 1, 10, 1);
    size_t huge = SIZE_MAX / 4;
    __asm__("" : "+r"(huge));
    errno = 0;
    CHECK(reallocarray(block, huge, 8) == NULL && errno == ENOMEM, "an overflow");
    errno = 0;
    CHECK(realloc(block, huge) == NULL && errno == ENOMEM, "too much"); expect("refused", 0, 0, 0, 0);
    CHECK(malloc(huge) == NULL && calloc(huge, 8) == NULL, "too much"); expect("refused", 0, 0, 0, 0);
    free(block); expect("free after a refusal", 0, 0, 1200, 1);
    keep = block = realloc(NULL, 33); expect("realloc(NULL)", 33, 1, 0, 0);
    free(block); expect("free", 0, 0, 33, 1);
    for (size_t align = 16; align <= 65536; align *= 4) {
        keep = block = aligned_alloc(align, align * 3); expect("aligned_alloc", align * 3, 1, 0, 0);
        CHECK((uintptr_t)block % align == 0, "alignment");
        free(block); expect("free", 0, 0, align * 3, 1);
        keep = block = memalign(align, 100); expect("memalign", 100, 1, 0, 0);
        CHECK((uintptr_t)block % align == 0, "alignment");
        free(block); expect("free", 0, 0, 100, 1);
        CHECK(posix_memalign(&block, align, 300) == 0 && (uintptr_t)block % align == 0, "posix_memalign");
        expect("posix_memalign", 300, 1, 0, 0);
        free(block); expect("free", 0, 0, 300, 1);
    }
    CHECK(posix_memalign(&block, 3, 300) == EINVAL, "posix_memalign refuses"); expect("refused", 0, 0, 0, 0);
    keep = block = valloc(10); expect("valloc", 10, 1, 0, 0);
    free(block); expect("free", 0, 0, 10, 1);
    keep = block = pvalloc(10); expect("pvalloc", 10, 1, 0, 0);
    free(block); expect("free", 0, 0, 10, 1);
    keep = block = strdup("twelve bytes"); expect("strdup", 13, 1, 0, 0);
    free(block); expect("free", 0, 0, 13, 1);
    keep = block = malloc((size_t)3 << 30); expect("3 GiB", (uint64_t)3 << 30, 1, 0, 0);
    keep = other = malloc(8); free(block); free(other); expect("free", 8, 1, ((uint64_t)3 << 30) + 8, 2);
    places(!getenv("LD_PRELOAD"));
    sizes();
    keep = block = malloc(1000);
    pthread_t thread;
    mark();
    pp_run.header->collectors = 0;       /* the thread's own blocks are not of interest */
    pthread_attr_t small;
    pthread_attr_init(&small);
    pp_run.header->collectors = ~0u;
    pthread_create(&thread, &small, free_there, block);
    pthread_join(thread, NULL);
    keep = block = malloc(500);
    mark();
    pid_t child = fork();
    if (child == 0) {
        mark();
        free(block); expect("a parent's block", 0, 0, 500, 1);
        keep = malloc(20); expect("the child's own", 20, 1, 0, 0);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    CHECK(status == 0, "the fork's child");
    expect("the parent, meanwhile", 0, 0, 0, 0);
    free(block); expect("the parent's", 0, 0, 500, 1);
    for (unsigned i = 0; i < PP_LOSS_COUNT; i++) CHECK(pp_run.header->losses[i] == 0, "loss %u", i);
    printf("right\n");
    return 0;
}
