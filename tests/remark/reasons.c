/* SPDX-License-Identifier: MIT */
/* reasons.c: loops that GCC vectorizes or not, each for a reason of its own: one loop a line. What it says of them itself
 * is asked when the test runs. */
#include <math.h>
#include <string.h>
extern int f (int);
extern int table[1000], map[1000];
extern double grid[100][100];
struct node { struct node *next; int v; };
struct point { float x, y, z; };
volatile int flag;
void r01 (float *a, const float *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] + 1; }
void r02 (float *restrict a, const float *restrict b, int n) { for (int i = 0; i < n; i++) a[i] = b[i] * 2; }
void r03 (int *a, int n) { for (int i = 1; i < n; i++) a[i] += a[i - 1]; }
void r04 (int *a, int n) { for (int i = 0; i < n; i++) a[i] = f (i); }
double r05 (const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
long r06 (const int *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
int r07 (const int *a, int n, int key) { for (int i = 0; i < n; i++) if (a[i] == key) return i; return -1; }
int r08 (const struct node *l) { int s = 0; for (; l; l = l->next) s += l->v; return s; }
void r09 (int *a, const int *x, int n) { for (int i = 0; i < n; i++) a[x[i]]++; }
void r10 (int n) { for (int i = 0; i < n; i++) table[i] = map[table[i]]; }
void r11 (double *a, int n) { for (int i = 0; i < n; i++) a[i] = sqrt (a[i]); }
void r12 (double *a, int n) { for (int i = 0; i < n; i++) a[i] = sin (a[i]); }
void r13 (int *a, int n, int d) { for (int i = 0; i < n; i++) a[i] /= d; }
void r14 (int *a, int n) { for (int i = 0; i < n; i++) a[i] /= 7; }
void r15 (int *a, int n) { for (int i = 0; i < n; i++) if (flag) a[i] = 1; }
void r16 (int *a, int n) { for (int i = 0; i < n; i++) if (a[i] > 3) a[i] = 3; }
void r17 (struct point *p, int n) { for (int i = 0; i < n; i++) p[i].x += p[i].y; }
double r18 (void) { double s = 0; for (int i = 0; i < 100; i++) s += grid[i][3]; return s; }
void r19 (void) { for (int i = 0; i < 100; i++) grid[i][i] = 1; }
unsigned r20 (const char *p) { unsigned h = 5; while (*p) h = h * 33 + *p++; return h; }
void r21 (char *s, int n) { for (int i = 0; i < n; i++) s[i] ^= 0x55; }
void r22 (long *a, int n) { for (int i = 0; i < n; i++) a[i] *= 3; }
int r23 (const int *a, int n) { int m = a[0]; for (int i = 1; i < n; i++) m = a[i] > m ? a[i] : m; return m; }
void r24 (int *a, int n) { for (int i = 0; i < n; i++) __asm__ volatile ("" : "+m" (a[i])); }
void r25 (float *a, const double *b, int n) { for (int i = 0; i < n; i++) a[i] = (float) b[i]; }
void r26 (short *a, const int *b, int n) { for (int i = 0; i < n; i++) a[i] = (short) b[i]; }
void r27 (double *a, int n) { for (int i = n - 1; i >= 0; i--) a[i] += 1; }
void r28 (double *a, int n) { for (int i = 0; i < n; i += 5) a[i] = 0; }
int r29 (int n) { int s = 0; for (int i = 0; i < n; i++) s += i * i; return s; }
void r30 (int **a, int n) { for (int i = 0; i < n; i++) *a[i] = 0; }
long r31 (const char *a, const char *b, int n) { long k = 0; for (int i = 0; i < n; i++) k += a[i] == b[i]; return k; }
void r32 (int *a, int n) { for (int i = 0; i < n; i++) switch (a[i]) { case 1: a[i] = 9; break; case 5: a[i] = f (i); break; default: a[i]++; } }
void r33 (unsigned char *a, int n) { for (int i = 0; i < n; i++) a[i] = (unsigned char) ((a[i] * 77) >> 8); }
void r34 (double *a, const double *b, const double *c, int n) { for (int i = 0; i < n; i++) a[i] = b[i] * c[i]; }
void r35 (int *a, int n) { int k = 0; for (int i = 0; i < n; i++) if (a[i]) a[k++] = a[i]; }
void r36 (float *a, int n) { for (int i = 0; i < n; i++) a[i] = powf (a[i], 3.3f); }
void r37 (int *a, const int *b) { for (int i = 0; i < 1024; i++) a[i] = b[i] + 5; }
void r38 (void) { for (int i = 0; i < 1000; i++) table[i] = map[i] * 5; }
void r39 (unsigned long *a, int n) { for (int i = 0; i < n; i++) a[i] = __builtin_popcountl (a[i]); }
int r40 (int x) { int k = 0; while (x != 1) { x = x & 1 ? 3 * x + 1 : x / 2; k++; } return k; }
void r41 (_Complex float *a, int n) { for (int i = 0; i < n; i++) a[i] *= 2.5f; }
void r42 (int *a, int n) { for (int i = 0; i < n; i++) { a[i] = i; flag = i; } }
void r43 (struct point *a, const struct point *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
long r44 (const long *a, int n) { long s = 1; for (int i = 0; i < n; i++) s *= a[i]; return s; }
