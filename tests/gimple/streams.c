/* SPDX-License-Identifier: MIT */
/* streams.c: loops for streams.py. A comment says what is remarked of a loop at its line; without one, nothing is. */
#include <string.h>

struct node {
    struct node *next;
    int key, value;
    char name[24];
};
struct account {
    int total, count, *cents;
};

void add(float *a, const float *b, int n)
{
    for (int i = 0; i < n; i++) /* stream 4 b[i] a[i] */
        a[i] += 2 * b[i];
}

void add_alone(float *restrict a, const float *restrict b, int n)
{
    for (int i = 0; i < n; i++) /* stream 4 */
        a[i] += 2 * b[i];
}

void widen(int *restrict to, const unsigned char *restrict from, int n)
{
    for (int i = 0; i < n; i++) /* stream 4 */
        to[i] = from[i] * 3;
}

void scale(double *restrict to, const double *restrict from, double by, int n)
{
    for (int i = 0; i < n; i++) /* stream 2 */
        to[i] = from[i] / by;
}

/* A factor that is read again in each step may be among what is stored. */
void scale_by(float *a, const float *by, int n)
{
    for (int i = 0; i < n; i++) /* stream 4 *by a[i] */
        a[i] *= *by;
}

int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* stream 4 */
        s += a[i];
    return s;
}

int sum_of_large(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* stream 4 */
        if (a[i] > 7)
            s += a[i];
    return s;
}

/* The sum is in memory, which GCC does not vectorize at any level. */
void sum_kept(struct account *a)
{
    for (int i = 0; i < a->count; i++) /* stream 4 a->cents[i] a->total unless changed */
        a->total += a->cents[i];
}

double sum_ordered(const double *a, const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) /* ordered_sum 2 s */
        s += a[i] * b[i];
    return s;
}

int place_of(const int *a, int n, int key)
{
    for (int i = 0; i < n; i++)
        if (a[i] == key) /* search 0 a[i] key */
            return i;
    return -1;
}

int value_of(const struct node *n, int key)
{
    for (; n; n = n->next)
        if (n->key == key) /* search 0 n->key key */
            return n->value;
    return -1;
}

int value_by_name(const struct node *n, const char *name)
{
    for (; n; n = n->next)
        if (strcmp(n->name, name) == 0) /* search 0 &n->name name */
            return n->value;
    return -1;
}

int row_by_name(const struct node *n, int count, const char *name)
{
    for (int i = 0; i < count; i++)
        if (strcmp(n[i].name, name) == 0) /* search 0 &n[i].name name */
            return i;
    return -1;
}

struct ring {
    unsigned size, at;
    int *sample;
};

int ring_take(struct ring *ring, unsigned i)
{
    return ring->sample[(ring->at + i) % ring->size]; /* divisor 0 ring->size */
}

/* ---- of these nothing is said ---- */

unsigned remainder_of(unsigned a, unsigned b)
{
    return a % b;
}

int share_of(const int *a, int i)
{
    return 100 / a[i];
}

double recurrence(const double *a, int n, double part)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s * part + a[i];
    return s;
}

void running_sum(int *a, int n)
{
    for (int i = 1; i < n; i++)
        a[i] += a[i - 1];
}

void histogram(int *count, const unsigned char *a, int n)
{
    for (int i = 0; i < n; i++)
        count[a[i]]++;
}

int column(const int *a, int n, int columns)
{
    int s = 0;
    for (int i = 0; i < n; i++) /* GCC makes vectors of single elements */
        s += a[i * columns];
    return s;
}

void remainders(int *a, int n, int by)
{
    for (int i = 0; i < n; i++)
        a[i] %= by;
}

int halves(const int *a, int n, int key)
{
    int low = 0, high = n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (a[middle] == key)
            return middle;
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int halves_by_name(const struct node *n, int count, const char *name)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(n[middle].name, name);
        if (order == 0)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return -1;
}

int slot_of(const int *slot, unsigned mask, int key)
{
    for (unsigned i = (unsigned)key & mask; slot[i]; i = (i * 5 + 1) & mask)
        if (slot[i] == key)
            return (int)i;
    return -1;
}

const char *text_until(const char *text, char mark)
{
    while (*text && *text != mark)
        text++;
    return text;
}

int last_filled(const int *a, int n)
{
    int filled = 0;
    for (int i = 0; i < n; i++) {
        if (a[i] == 0)
            break;
        filled += a[i] > 3 ? 1 : 2;
    }
    return filled;
}
