/* SPDX-License-Identifier: MIT */
/* store.c: a hash table, a sort, and cold ends. */
#include "inline.h"
#include "program.h"
#include <stdio.h>

__attribute__((cold, noinline)) static void complain(const char *what, size_t number)
{
    fprintf(stderr, "%s %zu\n", what, number);
}

void store_open(struct store *store)
{
    store->buckets = 16;
    store->count = 0;
    store->bucket = must(calloc(store->buckets, sizeof *store->bucket));
}

static void rehash(struct store *store)
{
    size_t buckets = store->buckets * 2;
    struct entry **bucket = must(calloc(buckets, sizeof *bucket));
    for (size_t i = 0; i < store->buckets; i++)
        for (struct entry *entry = store->bucket[i], *next; entry; entry = next) {
            next = entry->next;
            entry->next = bucket[entry->hash & (buckets - 1)];
            bucket[entry->hash & (buckets - 1)] = entry;
        }
    free(store->bucket);
    store->bucket = bucket;
    store->buckets = buckets;
    if (buckets > 1u << 24)
        complain("many buckets:", buckets);
}

static inline struct entry *find(const struct store *store, const char *key, uint32_t hash)
{
    struct entry *entry = store->bucket[hash & (store->buckets - 1)];
    while (entry && (entry->hash != hash || strcmp(entry->key, key)))
        entry = entry->next;
    return entry;
}

int *store_at(struct store *store, const char *key)
{
    uint32_t hash = mix_text(key);
    struct entry *entry = find(store, key, hash);
    if (!entry) {
        size_t length = strlen(key) + 1;
        if (store->count > store->buckets)
            rehash(store);
        entry = must(malloc(sizeof *entry));
        entry->key = memcpy(must(malloc(length)), key, length);
        entry->value = 0;
        entry->hash = hash;
        entry->next = store->bucket[hash & (store->buckets - 1)];
        store->bucket[hash & (store->buckets - 1)] = entry;
        store->count++;
    }
    return &entry->value;
}

int store_remove(struct store *store, const char *key)
{
    uint32_t hash = mix_text(key);
    struct entry **at = &store->bucket[hash & (store->buckets - 1)], *gone = find(store, key, hash);
    if (!gone) {
        complain("no such entry among", store->count);
        return 0;
    }
    while (*at != gone)
        at = &(*at)->next;
    *at = gone->next;
    free(gone->key);
    free(gone);
    store->count--;
    return 1;
}

size_t store_sum(const struct store *store, long *sum)
{
    size_t longest = 0;
    for (size_t i = 0; i < store->buckets; i++) {
        size_t length = 0;
        for (const struct entry *entry = store->bucket[i]; entry; entry = entry->next, length++)
            *sum += clamp(entry->value, -1000, 1000);
        if (length > longest)
            longest = length;
    }
    return longest;
}

void store_close(struct store *store)
{
    for (size_t i = 0; i < store->buckets; i++)
        for (struct entry *entry = store->bucket[i], *next; entry; entry = next) {
            next = entry->next;
            free(entry->key);
            free(entry);
        }
    free(store->bucket);
}

static inline void swap(int *a, int *b)
{
    int kept = *a;
    *a = *b;
    *b = kept;
}

static inline int middle(int a, int b, int c)
{
    return a < b ? (b < c ? b : clamp(c, a, b)) : clamp(c, b, a);
}

static void insertion(int *item, size_t count)
{
    for (size_t i = 1; i < count; i++)
        for (size_t k = i; k > 0 && item[k] < item[k - 1]; k--)
            swap(&item[k], &item[k - 1]);
}

void sort(int *item, size_t count)
{
    while (count > 12) {
        int pivot = middle(item[0], item[count / 2], item[count - 1]);
        size_t low = 0, high = count - 1;
        for (;;) {
            while (item[low] < pivot)
                low++;
            while (item[high] > pivot)
                high--;
            if (low >= high)
                break;
            swap(&item[low++], &item[high--]);
        }
        sort(item + high + 1, count - high - 1);
        count = high + 1;
    }
    insertion(item, count);
}
