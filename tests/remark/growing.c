/* SPDX-License-Identifier: MIT */
/* growing.c: as kinds.c, of loops that take far more steps than another way to the same result. */
#include <string.h>

struct bead { struct bead *next; };

/* divisors beyond the root; up to it, and where the end is another number, there is nothing to say */
int prime (int n) { for (int i = 2; i < n; i++) if (n % i == 0) return 0; return 1; } // trial n
int prime_half (unsigned n) { for (unsigned i = 3; i <= n / 2; i += 2) if (n % i == 0) return 0; return 1; } // trial n
int divisors (long n) { int k = 0; for (long i = 1; i <= n; i++) k += n % i == 0; return k; } // trial n
long perfect (long n) { long s = 0; for (long i = 1; i < n; i++) if (n % i == 0) s += i; return s; } // trial n
int divided_by_both (int a, int b) { int k = 1; for (int i = 1; i <= a && i <= b; i++) if (a % i == 0 && b % i == 0) k = i; return k; } // trial a
int prime_root (int n) { for (int i = 2; i * i <= n; i++) if (n % i == 0) return 0; return 1; }
int prime_quotient (int n) { for (int i = 2; i <= n / i; i++) if (n % i == 0) return 0; return 1; }
int factors (long n) { int k = 0; for (long i = 2; i * i <= n; i++) while (n % i == 0) { n /= i; k++; } return k; }
int divided (int n, int most) { int k = 0; for (int i = 1; i < most; i++) k += n % i == 0; return k; }
long rests (long n) { long s = 0; for (long i = 1; i <= n; i++) s += n % i; return s; }
long even_divisors (long n) { long s = 0; for (long i = 1; i <= n; i++) { s += i; if (n % i == 0) s += 7; } return s; }
/* room for one more is made, and a gap is closed */
void room_make (int *a, int at, int n) { memmove (a + at + 1, a + at, (unsigned long) (n - at) * sizeof *a); } // gap
void gap_close (int *a, int at, int n) { memmove (a + at, a + at + 1, (unsigned long) (n - at) * sizeof *a); } // shift
void move_on (int *a, int by, int n) { memmove (a + by, a, (unsigned long) n * sizeof *a); }
void rest_keep (char *a, int used, int n) { memmove (a, a + used, (unsigned long) (n - used)); } // shift
void move_apart (char *a, const char *b, int n) { memmove (a, b, (unsigned long) n); }
void move_back (char *a, unsigned long way) { memmove (a, a - way, 64); }
/* the least is looked for, and changed; or it is only told */
int least_take (unsigned *cost, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (cost[i] < cost[best]) best = i;    // least cost[i], branch
    cost[best] = ~0u;
    return best;
}
int least_of (const unsigned *cost, int n)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (cost[i] < cost[best]) best = i;
    return best;
}
/* what is changed is not what was looked through */
void most_likely (const float *logit, int n, int *count)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (logit[i] > logit[best]) best = i;  // branch
    count[best]++;
}
void nearest_count (const float *middle, int n, float x, int *count)
{
    int best = 0;
    for (int i = 1; i < n; i++)
        if (__builtin_fabsf (x - middle[i]) < __builtin_fabsf (x - middle[best])) best = i; // branch
    count[best]++;
}
/* bits one by one; and what does more for each */
int bits_count (unsigned long x) { int n = 0; while (x) { n += x & 1; x >>= 1; } return n; } // bits x
int bits_by_place (unsigned x) { int n = 0; for (int i = 0; i < 32; i++) if (x & (1u << i)) n++; return n; } // bits x, trips 32
int set_of (unsigned x, int *at) { int n = 0; for (int i = 0; i < 32; i++) if (x & (1u << i)) at[n++] = i; return n; } // trips 32
unsigned check (unsigned crc, int n) { for (int k = 0; k < n; k++) crc = crc & 1 ? crc >> 1 ^ 0xedb88320u : crc >> 1; return crc; } // bits crc
unsigned check_high (unsigned crc) { for (int k = 0; k < 8; k++) crc = crc & 0x8000 ? crc << 1 ^ 0x1021 : crc << 1; return crc & 0xffff; } // bits crc, trips 8
unsigned field (const unsigned char *d, int at, int bits) { unsigned v = 0; for (int k = 0; k < bits; k++) v |= (unsigned) (d[(at + k) / 8] >> (at + k) % 8 & 1) << k; return v; } // bits v
unsigned long raised (unsigned long b, unsigned e) { unsigned long r = 1; while (e) { if (e & 1) r *= b; b *= b; e >>= 1; } return r; }
int collatz (unsigned long n) { int k = 0; while (n != 1) { n = n & 1 ? 3 * n + 1 : n >> 1; k++; } return k; }
unsigned lottery (unsigned s, int n) { for (int k = 0; k < n; k++) s = s << 1 ^ (unsigned) k; return s; }
/* sums of a window, and from the start; and sums of rows, or with weights */
void window (const double *x, double *y, int n, int w) { for (int i = 0; i + w <= n; i++) { double s = 0; for (int k = 0; k < w; k++) s += x[i + k]; y[i] = s; } } // window x[i + k], accumulation
void from_start (const int *x, long *y, int n) { for (int i = 0; i < n; i++) { long s = 0; for (int k = 0; k <= i; k++) s += x[k]; y[i] = s; } } // window x[k]
void row_sums (const int (*x)[64], long *y, int n) { for (int i = 0; i < n; i++) { long s = 0; for (int k = 0; k < 64; k++) s += x[i][k]; y[i] = s; } } // trips 64
void triangle_sums (const int (*x)[64], long *y, int n) { for (int i = 0; i < n; i++) { long s = 0; for (int k = 0; k <= i; k++) s += x[i][k]; y[i] = s; } }
void ragged_sums (const int *const *x, long *y, int n) { for (int i = 0; i < n; i++) { long s = 0; for (int k = 0; k <= i; k++) s += x[i][k]; y[i] = s; } }
void diagonals (const int (*x)[64], long *y, int n) { for (int i = 0; i < n; i++) { long s = 0; for (int k = 0; k < 32; k++) s += x[i][i + k]; y[i] = s; } } // trips 32
void box (const unsigned char (*x)[640], int (*y)[640], int w) { for (int r = 0; r < 400; r++) for (int i = 0; i + w < 640; i++) { int s = 0; for (int k = 0; k < w; k++) s += x[r][i + k]; y[r][i] = s; } } // window x[r][i + k], digest
/* the largest of a window, also where the first ones are cut off; and of blocks, and where a sort changes what it reads */
void most (const float *x, float *y, int n, int w) { for (int i = 0; i + w <= n; i++) { float m = x[i]; for (int k = 1; k < w; k++) if (x[i + k] > m) m = x[i + k]; y[i] = m; } } // window
void most_last (const int *x, int *y, int n) { for (int i = 0; i < n; i++) { int from = i > 99 ? i - 99 : 0, m = x[from]; for (int k = from + 1; k <= i; k++) if (x[k] > m) m = x[k]; y[i] = m; } } // window
void most_blocks (const float *x, float *y, int n) { for (int i = 0; i + 16 <= n; i += 16) { float m = x[i]; for (int k = 1; k < 16; k++) if (x[i + k] > m) m = x[i + k]; y[i / 16] = m; } } // trips 15
void most_out (int *x, int n) { for (int i = 0; i < n; i++) { int m = x[i]; for (int j = i + 1; j < n; j++) if (x[j] < m) m = x[j]; x[i] = m; } }
/* numbers that are put together anew; and hashes that cannot go on, numbers of other bits, and what is in any of them */
unsigned rolls (const unsigned char *x, int n, int w) { unsigned s = 0; for (int i = 0; i + w <= n; i++) { unsigned h = 0; for (int k = 0; k < w; k++) h = h * 257 + x[i + k]; s += h; } return s; } // window x[i + k], digest
unsigned mixes (const unsigned char *x, int n, int w) { unsigned s = 0; for (int i = 0; i + w <= n; i++) { unsigned h = 9; for (int k = 0; k < w; k++) h = (h ^ x[i + k]) * 16777619u; s += h; } return s; } // digest
void any (const unsigned char *x, unsigned char *y, int n, int w) { for (int i = 0; i + w <= n; i++) { unsigned char s = 0; for (int k = 0; k < w; k++) s |= x[i + k]; y[i] = s; } } // digest
void differ (const unsigned char *x, const unsigned char *z, int *y, int n, int w) { for (int i = 0; i + w <= n; i++) { int s = 0; for (int k = 0; k < w; k++) s += x[i + k] ^ z[i]; y[i] = s; } } // digest
void weighted (const double *x, const double *by, double *y, int n, int w) { for (int i = 0; i + w <= n; i++) { double s = 0; for (int k = 0; k < w; k++) s += x[i + k] * by[k]; y[i] = s; } } // accumulation
void blocks (const int *x, long *y, int n) { for (int i = 0; i < n; i++) { long s = 0; for (int k = 0; k < 32; k++) s += x[32 * i + k]; y[i] = s; } } // trips 32
/* the first that is above, from the start; a partition goes on from where it was */
int step_of (const double *edge, int n, double x) { int i = 0; while (i < n && x >= edge[i]) i++; return i; } // ordered edge[i]
int partition (int *a, int n, int by)
{
    int i = 0, k = n - 1;
    for (;;) {
        while (a[i] < by) i++;
        while (a[k] > by) k--;
        if (i >= k) return i;
        int t = a[i];
        a[i++] = a[k];
        a[k--] = t;
    }
}
/* a letter in a text that never changes, and the elements of a list */
static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
int letter_place (char c) { for (int i = 0; i < 26; i++) if (letters[i] == c) return i; return -1; } // search letters[i]
int beads_count (const struct bead *bead) { int n = 0; for (; bead; bead = bead->next) n++; return n; } // search bead, chase bead->next
/* a place in a table, which goes round at its end */
unsigned probed (const unsigned *table, unsigned mask, unsigned key) { unsigned i = key & mask; while (table[i] && table[i] != key) i = (i + 1) & mask; return i; } // probe table[i]
/* a field of each structure; and more of them, or more to do */
struct player { int loud; char name[60], about[192]; double pitch[8]; };
long loudness (const struct player *all, int n) { long s = 0; for (int i = 0; i < n; i++) s += all[i].loud; return s; } // field all[i].loud, column 320
long pitches (const struct player *all, int n) { double s = 0; for (int i = 0; i < n; i++) s += all[i].pitch[0] / all[i].loud; return (long) s; } // column 320, accumulation
long louder (const struct player *all, int n) { long s = 0; for (int i = 0; i < n; i++) if (all[i].loud > 7) s += all[i].about[3] * s; return s; }
