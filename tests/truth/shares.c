/* SPDX-License-Identifier: MIT */
/* shares.c: lines that know their own user time, for calibrate.py. In one stage each turn of a loop runs all its lines
 * within microseconds; in the other each line takes a millisecond or so before the next has its turn. Samples that kept
 * step with either would be off.
 *
 * No line is taken to cost the same as another: processors differ in what a copy of a loop costs at another address.
 * Each line reads the clock after each microsecond or so of work. What a piece takes that nobody interrupts, times the
 * number of pieces, is the line's time. Interrupted pieces (signals, ticks, other processes) say nothing of the line:
 * time in the kernel is on no line. Some pieces wait for a division or for a store, so that lines also differ in what
 * their rounds cost.
 *
 * It prints "STAGE clock CPU_NS", the CPU time around each stage with the kernel's part, and "STAGE LINE NS". */
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

enum { ROWS = 4, STAGES = 2, MOST = 4096, TURNS = 2 };
struct row { int line, pieces; double ns; struct timespec end[MOST]; };
static struct row known[STAGES][ROWS];
static struct timespec begin;
struct rounds { long add, divide, store; };
static volatile double quotient = 1;
static volatile long stored;

#define ADD __asm__ volatile("" ::: "memory")
#define DIVIDE quotient = 3 / (quotient + 1)
#define STORE stored++
/* All on the line that uses it, the clock's time, too. */
#define PIECE(row, rounds, work) do { \
        for (long left_ = (rounds); left_ > 0; left_--) { work; } \
        clock_gettime(CLOCK_MONOTONIC, &(row).end[(row).pieces++]); (row).line = __LINE__; } while (0)
#define PIECES(row, count, rounds, work) do { for (int k_ = (count); k_ > 0; k_--) PIECE(row, rounds, work); } while (0)

PROFPLUG_STAGE("turns", "compute") static __attribute__((noinline))
void interleaved(struct row *row, const struct rounds *rounds, int turns)
{
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < turns; i++) {
        PIECE(row[0], rounds->add * 3 / 2, ADD);
        PIECE(row[1], rounds->divide, DIVIDE);
        PIECE(row[2], rounds->add, ADD);
        PIECE(row[3], rounds->store * 2, STORE);
    }
}

PROFPLUG_STAGE("stretches", "compute") static __attribute__((noinline))
void stretches(struct row *row, const struct rounds *rounds)
{
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (int i = 0; i < TURNS; i++) {
        PIECES(row[0], 1000, rounds->add, ADD);
        PIECES(row[1], 600, rounds->store, STORE);
        PIECES(row[2], 1600, rounds->add, ADD);
        PIECES(row[3], 800, rounds->divide, DIVIDE);
    }
}

static double elapsed_ns(const struct timespec *from, const struct timespec *to)
{
    return (double)(to->tv_sec - from->tv_sec) * 1e9 + (double)(to->tv_nsec - from->tv_nsec);
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A signal takes more than twice a piece's median and half a microsecond. A piece that took less was not interrupted,
 * but may have been slow, on a processor that shares its core. */
static void row_add(struct row *row, double *took)
{
    double sum = 0;
    int n = row->pieces, kept = 0;
    qsort(took, (size_t)n, sizeof *took, ascending);
    while (kept < n && took[kept] <= took[n / 2] * 2 + 500)
        sum += took[kept++];
    row->ns += sum / kept * n;
    row->pieces = 0;
}

static void rows_add(struct row *row, int turns)
{
    static double took[ROWS][MOST];
    struct timespec last = begin;
    int done[ROWS] = { 0 };
    for (int i = 0; i < turns; i++)
        for (int r = 0; r < ROWS; r++)
            for (int k = row[r].pieces / turns; k > 0; k--, done[r]++) {
                took[r][done[r]] = elapsed_ns(&last, &row[r].end[done[r]]);
                last = row[r].end[done[r]];
            }
    for (int r = 0; r < ROWS; r++)
        row_add(&row[r], took[r]);
}

/* Rounds of about a microsecond each, and more where the clock is slow: it must not be most of a piece. */
static struct rounds rounds_find(void)
{
    enum { TRIED = 20000 };
    struct timespec t[5];
    double piece_ns = 1000;
    clock_gettime(CLOCK_MONOTONIC, &t[0]);
    for (int i = 0; i < TRIED; i++)
        clock_gettime(CLOCK_MONOTONIC, &t[1]);
    for (int i = 0; i < TRIED; i++)
        ADD;
    clock_gettime(CLOCK_MONOTONIC, &t[2]);
    for (int i = 0; i < TRIED; i++)
        DIVIDE;
    clock_gettime(CLOCK_MONOTONIC, &t[3]);
    for (int i = 0; i < TRIED; i++)
        STORE;
    clock_gettime(CLOCK_MONOTONIC, &t[4]);
    if (elapsed_ns(&t[0], &t[1]) / TRIED * 10 > piece_ns)
        piece_ns = elapsed_ns(&t[0], &t[1]) / TRIED * 10;
    long rounds[3];
    for (int i = 0; i < 3; i++)
        rounds[i] = 1 + (long)(TRIED * piece_ns / elapsed_ns(&t[i + 1], &t[i + 2]));
    return (struct rounds){ rounds[0], rounds[1], rounds[2] };
}

int main(int argc, char **argv)
{
    double ms = argc > 1 ? atof(argv[1]) : 100, cpu[STAGES] = { 0 };
    struct rounds rounds = rounds_find();
    uint64_t start = cpu_ns(), now = start;
    while ((double)(now - start) < ms * 1e6) {
        uint64_t before = cpu_ns();
        interleaved(known[0], &rounds, 1000);
        uint64_t between = cpu_ns();
        cpu[0] += (double)(between - before);
        rows_add(known[0], 1000);
        before = cpu_ns();
        stretches(known[1], &rounds);
        now = cpu_ns();
        cpu[1] += (double)(now - before);
        rows_add(known[1], TURNS);
    }
    for (int s = 0; s < STAGES; s++) {
        const char *name = s ? "stretches" : "turns";
        printf("%s clock %.0f\n", name, cpu[s]);
        for (int r = 0; r < ROWS; r++)
            printf("%s %d %.0f\n", name, known[s][r].line, known[s][r].ns);
    }
    return 0;
}
