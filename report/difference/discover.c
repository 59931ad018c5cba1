/* SPDX-License-Identifier: MIT */
/* discover.c: which changes are told: discoveries at false discovery rate q among stages, and among functions with
 * their lines. A function counts as changed by the least probable of it and its lines (Simes 1986); in those that are,
 * lines are tested at a rate that allows for the choice (Benjamini and Bogomolov 2014). */
#include "difference/assessing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "difference/student.h"

static int number_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double simes(double *p, size_t count)
{
    double least = 1;
    qsort(p, count, sizeof *p, number_order);
    for (size_t i = 0; i < count; i++)
        least = fmin(least, p[i] * (double)count / (double)(i + 1));
    return least;
}

struct family {
    uint32_t *site; /* of the group, or the stages */
    double *p;
    bool *found;
    size_t count;
};

static void family_open(struct family *f, size_t most)
{
    f->site = memory_zeroed(most + 1, sizeof *f->site);
    f->p = memory_zeroed(most + 1, sizeof *f->p);
    f->found = memory_zeroed(most + 1, sizeof *f->found);
    f->count = 0;
}
static void family_close(struct family *f)
{
    free(f->site);
    free(f->p);
    free(f->found);
}

/* ---- stages ---- */

static bool same_stage(const struct difference_site *a, const struct difference_site *b)
{
    return a->line[ARM_NEW] == b->line[ARM_NEW] && !strcmp(a->name, b->name) &&
           !strcmp(a->file[ARM_NEW], b->file[ARM_NEW]);
}

/* The places of a stage whose total is compared, too: without the total. */
static void places_list(const struct assessing *a, size_t total, struct family *f)
{
    f->count = 0;
    for (size_t i = 0; i < a->d->site_count && a->d->site[i].kind == DIFFERENCE_STAGE; i++)
        if (i != total && !isnan(a->probability[i]) && same_stage(&a->d->site[i], &a->d->site[total])) {
            f->site[f->count] = (uint32_t)i;
            f->p[f->count++] = a->probability[i];
        }
}

/* A stage in several places is one to test: half by all places together, half by the least probable of them (Simes).
 * Where it changed, the same halves say which of these is told. */
void stages_discover(struct assessing *a, double q)
{
    struct family f, own;
    struct difference *d = a->d;
    bool *has_total = memory_zeroed(d->site_count + 1, sizeof *has_total);
    family_open(&f, d->site_count);
    family_open(&own, d->site_count);
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind == DIFFERENCE_STAGE && site_is_total(d->site[i].key) && !isnan(a->probability[i])) {
            places_list(a, i, &own);
            for (size_t k = 0; k < own.count; k++)
                has_total[own.site[k]] = true;
            f.site[f.count] = (uint32_t)i;
            f.p[f.count++] = fmin(1, 2 * fmin(a->probability[i], own.count ? simes(own.p, own.count) : 1));
        }
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind == DIFFERENCE_STAGE && !has_total[i] && !site_is_total(d->site[i].key) &&
            !isnan(a->probability[i])) {
            f.site[f.count] = (uint32_t)i;
            f.p[f.count++] = a->probability[i];
        }
    double chosen = (double)discoveries_mark(f.found, f.p, f.count, q);
    for (size_t i = 0; i < f.count; i++) {
        size_t s = f.site[i];
        bool total = site_is_total(d->site[s].key);
        a->found[s] = f.found[i];
        a->rate[s] = q / (double)f.count / (total ? 2 : 1);
        places_list(a, s, &own);
        for (size_t k = 0; k < own.count && total; k++)
            a->rate[own.site[k]] = a->rate[s] / (double)own.count;
        if (!f.found[i] || !site_is_total(d->site[s].key))
            continue;
        double rate = q * chosen / (double)f.count / 2;
        a->found[s] = a->probability[s] <= rate;
        places_list(a, s, &own);
        discoveries_mark(own.found, own.p, own.count, rate);
        for (size_t k = 0; k < own.count; k++)
            a->found[own.site[k]] = own.found[k];
    }
    family_close(&own);
    family_close(&f);
    free(has_total);
}

/* ---- functions ---- */

static size_t group_list(const struct assessing *a, uint32_t leader, const uint32_t *member, const size_t *first,
                         struct family *f)
{
    f->count = 0;
    for (size_t k = first[leader]; k < first[leader + 1]; k++)
        if (!isnan(a->probability[member[k]])) {
            f->site[f->count] = member[k];
            f->p[f->count++] = a->probability[member[k]];
        }
    return f->count;
}

/* Where most time goes, a change is most worth finding, and is found most easily: half of all weight goes by time
 * (Genovese, Roeder and Wasserman, Biometrika 93, 2006). The time of both programs together does not tell a change. */
static void weights_find(const struct assessing *a, const struct family *groups, double *weight)
{
    double all = 0;
    for (size_t g = 0; g < groups->count; g++)
        all += a->d->site[groups->site[g]].share[ARM_OLD] + a->d->site[groups->site[g]].share[ARM_NEW];
    for (size_t g = 0; g < groups->count; g++) {
        const struct difference_site *s = &a->d->site[groups->site[g]];
        double part = all > 0 ? (s->share[ARM_OLD] + s->share[ARM_NEW]) / all : 1 / (double)groups->count;
        weight[g] = 0.5 + 0.5 * part * (double)groups->count;
    }
}

void functions_discover(struct assessing *a, double q)
{
    struct difference *d = a->d;
    struct family groups, own;
    double *weight;
    size_t *first = memory_zeroed(d->site_count + 2, sizeof *first), *fill;
    uint32_t *member = memory_zeroed(d->site_count + 1, sizeof *member);
    family_open(&groups, d->site_count);
    family_open(&own, d->site_count);
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind != DIFFERENCE_STAGE)
            first[a->group[i] + 1]++;
    for (size_t i = 0; i < d->site_count; i++)
        first[i + 1] += first[i];
    fill = memory_zeroed(d->site_count + 1, sizeof *fill);
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind != DIFFERENCE_STAGE) {
            uint32_t leader = a->group[i];
            member[first[leader] + fill[leader]++] = (uint32_t)i;
        }
    for (uint32_t leader = 0; leader < d->site_count; leader++)
        if (group_list(a, leader, member, first, &own)) {
            groups.site[groups.count] = leader;
            groups.p[groups.count++] = simes(own.p, own.count);
        }
    weight = memory_zeroed(groups.count + 1, sizeof *weight);
    weights_find(a, &groups, weight);
    for (size_t g = 0; g < groups.count; g++)
        groups.p[g] = fmin(1, groups.p[g] / weight[g]);
    size_t chosen = discoveries_mark(groups.found, groups.p, groups.count, q);
    for (size_t g = 0; g < groups.count; g++) {
        double rate = q * weight[g] / (double)groups.count;
        group_list(a, groups.site[g], member, first, &own);
        for (size_t k = 0; k < own.count; k++)
            a->rate[own.site[k]] = fmin(q, rate) / (double)own.count;
        if (!groups.found[g])
            continue;
        discoveries_mark(own.found, own.p, own.count, fmin(q, rate * (double)chosen));
        for (size_t k = 0; k < own.count; k++)
            a->found[own.site[k]] = own.found[k];
    }
    family_close(&own);
    family_close(&groups);
    free(weight);
    free(fill);
    free(member);
    free(first);
}
