/* SPDX-License-Identifier: MIT */
/* changepoint.c: see changepoint.h. The method is E-divisive (Matteson and James, "A nonparametric approach for
 * multiple change point analysis of multivariate data", JASA 109, 2014, p. 334-345), as MongoDB uses it on series of
 * benchmarks (Daly et al., ICPE 2020). The series is split where the two sides differ most; a permutation test says
 * whether that is chance; the parts are split in turn. Then changes that are too small are taken back, as Hunter does
 * (Fleming et al., ICPE 2023). */
#include "host/changepoint.h"

#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "host/spread.h"
#include "store/arena.h"

enum { BOUNDARIES = 64 };

/* Scratch room for a series: `sum` has (count + 1)^2 prefix sums of the distances between its values. */
struct search {
    double *sum, *shuffled;
    uint64_t state;
};

struct split {
    size_t at;
    double gain; /* the statistic Q of the paper; 0: none */
};

/* The distances between the values i..j-1 and k..l-1, summed. */
static double block(const double *sum, size_t stride, size_t i, size_t j, size_t k, size_t l)
{
    return sum[j * stride + l] - sum[i * stride + l] - sum[j * stride + k] + sum[i * stride + k];
}

/* The best split of the values, by all pairs of a place and an end of the part behind it. So a level that comes back
 * later does not hide the change. */
static struct split split_find(struct search *s, const double *value, size_t count)
{
    size_t stride = count + 1, least = CHANGEPOINT_SEGMENT;
    struct split best = { 0 };
    memset(s->sum, 0, stride * sizeof *s->sum);
    for (size_t i = 0; i < count; i++) {
        double *row = s->sum + (i + 1) * stride, along = 0;
        row[0] = 0;
        for (size_t j = 0; j < count; j++) {
            along += fabs(value[i] - value[j]);
            row[j + 1] = row[j + 1 - stride] + along;
        }
    }
    for (size_t at = least; at + least <= count; at++)
        for (size_t end = at + least; end <= count; end++) {
            double n = (double)at, m = (double)(end - at);
            double between = 2 * block(s->sum, stride, 0, at, at, end) / (n * m);
            double before = block(s->sum, stride, 0, at, 0, at) / (n * (n - 1));
            double after = block(s->sum, stride, at, end, at, end) / (m * (m - 1));
            double gain = n * m / (n + m) * (between - before - after);
            if (gain > best.gain)
                best = (struct split){ .at = at, .gain = gain };
        }
    return best;
}

static size_t number_below(struct search *s, size_t bound)
{
    s->state ^= s->state << 13, s->state ^= s->state >> 7, s->state ^= s->state << 17;
    return (size_t)((double)(s->state >> 11) / 9007199254740992.0 * (double)bound);
}

/* Whether as good a split is rarer than `level` when the values stand in random order. It ends once the answer is
 * known, mostly after a few orders where there is no change. */
static bool split_is_real(struct search *s, const double *value, size_t count, double gain, double level)
{
    size_t orders = (size_t)ceil(2 / level), as_good = 1; /* the order as it is counts, too */
    memcpy(s->shuffled, value, count * sizeof *value);
    for (size_t order = 1; order < orders; order++) {
        for (size_t i = count; i > 1; i--) {
            size_t k = number_below(s, i);
            double moved = s->shuffled[i - 1];
            s->shuffled[i - 1] = s->shuffled[k];
            s->shuffled[k] = moved;
        }
        as_good += split_find(s, s->shuffled, count).gain >= gain * (1 - 1e-9);
        if ((double)as_good > level * (double)orders)
            return false;
    }
    return true;
}

/* Adds the boundaries within the values from `begin` to `end`, in their order. */
static void range_split(struct search *s, const double *value, size_t begin, size_t end, double level, size_t *boundary,
                        size_t *count)
{
    if (end - begin < 2 * CHANGEPOINT_SEGMENT)
        return;
    struct split split = split_find(s, value + begin, end - begin);
    if (!(split.gain > 0) || !split_is_real(s, value + begin, end - begin, split.gain, level))
        return;
    range_split(s, value, begin, begin + split.at, level, boundary, count);
    if (*count == BOUNDARIES)
        return;
    boundary[(*count)++] = begin + split.at;
    range_split(s, value, begin + split.at, end, level, boundary, count);
}

static int number_compare(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

static double median(const double *value, size_t count, double *room)
{
    memcpy(room, value, count * sizeof *value);
    qsort(room, count, sizeof *room, number_compare);
    return (room[(count - 1) / 2] + room[count / 2]) / 2;
}

/* Single values far from those around them become the median of these, so that a spike hides no step (Hampel's filter).
 * The spread is that of successive differences, which a step leaves alone. */
static void spikes_smooth(double *value, size_t count, double *room)
{
    enum { AROUND = 3, FAR = 5 };
    double *was = memory_zeroed(count, sizeof *was);
    memcpy(was, value, count * sizeof *was);
    for (size_t i = 0; i + 1 < count; i++)
        value[i] = fabs(was[i + 1] - was[i]);
    double sigma = median(value, count - 1, room) / 0.954; /* the median of |a - b| of a normal distribution */
    for (size_t i = 0; i < count; i++) {
        size_t begin = i < AROUND ? 0 : i - AROUND, end = i + AROUND + 1 < count ? i + AROUND + 1 : count;
        double middle = median(was + begin, end - begin, room);
        value[i] = fabs(was[i] - middle) > FAR * sigma ? middle : was[i];
    }
    free(was);
}

static struct changepoint change_measure(const double *value, size_t begin, size_t at, size_t end, double *room)
{
    double *difference = memory_zeroed((at - begin) * (end - at), sizeof *difference), confidence;
    struct spread s = spread_find_shift(value + begin, at - begin, value + at, end - at, difference, &confidence);
    struct changepoint c = { .at = at, .ratio = exp(s.median), .low = exp(s.low), .high = exp(s.high) };
    c.before = exp(median(value + begin, at - begin, room));
    c.after = exp(median(value + at, end - at, room));
    free(difference);
    return c;
}

size_t changepoint_find(const double *value, size_t count, double level, struct changepoint *found, size_t most)
{
    assert(level > 0 && level <= 0.05);
    if (count < 2 * CHANGEPOINT_SEGMENT)
        return 0;
    size_t boundary[BOUNDARIES + 2] = { 0 }, inner = 0;
    struct search s = { .sum = memory_zeroed((count + 1) * (count + 1), sizeof *s.sum),
                        .shuffled = memory_zeroed(count, sizeof *s.shuffled),
                        .state = 0x9e3779b97f4a7c15u };
    double *size = memory_zeroed(count, sizeof *size), *room = memory_zeroed(count, sizeof *room);
    for (size_t i = 0; i < count; i++)
        size[i] = log(value[i]);
    double *smooth = memory_zeroed(count, sizeof *smooth);
    memcpy(smooth, size, count * sizeof *smooth);
    spikes_smooth(smooth, count, room);
    range_split(&s, smooth, 0, count, level, boundary + 1, &inner);
    free(smooth);
    boundary[inner + 1] = count;
    struct changepoint change[BOUNDARIES];
    for (bool joined = true; joined;) { /* the smallest change goes first, because its neighbours grow by it */
        size_t least = 0;
        joined = false;
        for (size_t i = 0; i < inner; i++) {
            change[i] = change_measure(size, boundary[i], boundary[i + 1], boundary[i + 2], room);
            least = fabs(log(change[i].ratio)) < fabs(log(change[least].ratio)) ? i : least;
        }
        if (inner && fabs(log(change[least].ratio)) < log(1 + CHANGEPOINT_LEAST)) {
            memmove(boundary + least + 1, boundary + least + 2, (inner - least) * sizeof *boundary);
            inner--;
            joined = true;
        }
    }
    size_t told = inner < most ? inner : most; /* the newest, if there is no room for all */
    memcpy(found, change + (inner - told), told * sizeof *found);
    free(room);
    free(size);
    free(s.sum);
    free(s.shuffled);
    return told;
}

/* Distances from the median are compared with their own median (Iglewicz and Hoaglin, 1993), times 1.4826 a standard
 * deviation. Few values tell their spread badly, so the limit is higher for them: in even noise fewer than one of 3000
 * values is marked (test report_changepoint). */
static size_t level_mark(const double *value, size_t count, double *room, bool *unlike)
{
    if (count < CHANGEPOINT_SEGMENT)
        return 0;
    double middle = median(value, count, room), *far = memory_zeroed(count, sizeof *far);
    size_t marked = 0;
    for (size_t i = 0; i < count; i++)
        far[i] = fabs(value[i] - middle);
    double sigma = 1.4826 * median(far, count, room), limit = 4.5 + 60 / (double)count;
    for (size_t i = 0; i < count; i++) {
        unlike[i] = far[i] > limit * sigma && far[i] > log(1 + CHANGEPOINT_LEAST);
        marked += unlike[i];
    }
    free(far);
    return marked;
}

size_t changepoint_outliers(const double *value, size_t count, const struct changepoint *found, size_t found_count,
                            bool *unlike)
{
    double *size = memory_zeroed(count + 1, sizeof *size), *room = memory_zeroed(count + 1, sizeof *room);
    size_t marked = 0;
    memset(unlike, 0, count * sizeof *unlike);
    for (size_t i = 0; i < count; i++)
        size[i] = log(value[i]);
    for (size_t i = 0, begin = 0; i <= found_count; i++) {
        size_t end = i < found_count ? found[i].at : count;
        marked += level_mark(size + begin, end - begin, room, unlike + begin);
        begin = end;
    }
    free(room);
    free(size);
    return marked;
}
