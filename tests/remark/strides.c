/* SPDX-License-Identifier: MIT */
/* strides.c: accesses whose strides were worked out by hand: a comment at the line's end has the bytes that each access
 * of the line moves a step, the largest first; "n * 8" where they depend on a variable, "chase" for a list, "none" where
 * the address is not a step further than before. */
struct point { float x, y, z; };                               /* 12 bytes */
struct wide { double a; char name[120]; };                     /* 128 bytes */
struct node { struct node *next; long value; };
struct image { int width, height; unsigned char *pixel; };
extern double grid[300][200];
extern float cube[40][50][60];
extern struct point path[1000];
extern struct wide rows[1000];
extern int table[4096];
extern short narrow[5000];
extern char letters[100000];
long sink;

double s01 (const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } /* 8 */
float s02 (const float *a, int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } /* 4 */
long s03 (const char *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } /* 1 */
long s04 (const short *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } /* 2 */
double s05 (const double *a, int n) { double s = 0; for (int i = 0; i < n; i += 2) s += a[i]; return s; } /* 16 */
double s06 (const double *a, int n) { double s = 0; for (int i = 0; i < n; i += 8) s += a[i]; return s; } /* 64 */
double s07 (const double *a, int n) { double s = 0; for (int i = n - 1; i >= 0; i--) s += a[i]; return s; } /* -8 */
double s08 (const double *a, long n) { double s = 0; for (long i = n; i > 0; i -= 3) s += a[i]; return s; } /* -24 */
double s09 (void) { double s = 0; for (int i = 0; i < 300; i++) s += grid[i][7]; return s; } /* 1600 */
double s10 (void) { double s = 0; for (int j = 0; j < 200; j++) s += grid[7][j]; return s; } /* 8 */
double s11 (void) { double s = 0; for (int i = 0; i < 200; i++) s += grid[i][i]; return s; } /* 1608 */
double s12 (void) { double s = 0; for (int i = 0; i < 199; i++) s += grid[199 - i][i]; return s; } /* -1592 */
float s13 (int j, int k) { float s = 0; for (int i = 0; i < 40; i++) s += cube[i][j][k]; return s; } /* 12000 */
float s14 (int i, int k) { float s = 0; for (int j = 0; j < 50; j++) s += cube[i][j][k]; return s; } /* 240 */
float s15 (int i, int j) { float s = 0; for (int k = 0; k < 60; k++) s += cube[i][j][k]; return s; } /* 4 */
float s16 (int n) { float s = 0; for (int i = 0; i < n; i++) s += path[i].y; return s; } /* 12 */
double s17 (int n) { double s = 0; for (int i = 0; i < n; i++) s += rows[i].a; return s; } /* 128 */
long s18 (int n) { long s = 0; for (int i = 0; i < n; i++) s += rows[i].name[5]; return s; } /* 128 */
long s19 (int n) { long s = 0; for (int i = 0; i < n; i++) s += rows[3].name[i]; return s; } /* 1 */
long s20 (int n) { long s = 0; for (int i = 0; i < n; i++) s += table[i * 16]; return s; } /* 64 */
long s21 (int n) { long s = 0; for (int i = 0; i < n; i++) s += table[i * 15]; return s; } /* 60 */
long s22 (int n) { long s = 0; for (int i = 0; i < n; i++) s += table[4000 - 2 * i]; return s; } /* -8 */
void s23 (int n) { for (int i = 0; i < n; i++) narrow[i * 3] = 1; } /* 6 */
void s24 (int n) { for (int i = 0; i < n; i++) letters[i * 1000] = 'x'; } /* 1000 */
void s25 (int n) { for (int i = 0; i < n; i++) narrow[i] = (short) table[i * 20]; } /* 80 2 */
void s26 (double *restrict a, const double *restrict b, int n) { for (int i = 0; i < n; i++) a[i] = b[i * 10]; } /* 80 8 */
double s27 (const double *a, int n, int cols) { double s = 0; for (int i = 0; i < n; i++) s += a[(long) i * cols]; return s; } /* cols * 8 */
double s28 (const double *p, const double *end) { double s = 0; for (; p < end; p++) s += *p; return s; } /* 8 */
double s29 (const double *p, const double *end) { double s = 0; for (; p < end; p += 9) s += *p; return s; } /* 72 */
long s30 (const char *p) { long s = 0; for (; *p; p++) s += *p; return s; } /* 1 */
long s31 (const struct node *n) { long s = 0; for (; n; n = n->next) s += n->value; return s; } /* chase */
long s32 (const int *index, int n) { long s = 0; for (int i = 0; i < n; i++) s += table[index[i]]; return s; } /* 4 */
long s33 (const struct image *m, int x) { long s = 0; for (int y = 0; y < m->height; y++) s += m->pixel[(long) y * m->width + x]; return s; } /* m->width */
long s34 (const struct image *m, int y) { long s = 0; for (int x = 0; x < m->width; x++) s += m->pixel[(long) y * m->width + x]; return s; } /* 1 */
double s35 (double (*a)[64], int n, int j) { double s = 0; for (int i = 0; i < n; i++) s += a[i][j]; return s; } /* 512 */
double s36 (double **a, int n, int j) { double s = 0; for (int i = 0; i < n; i++) s += a[i][j]; return s; } /* 8 */
void s37 (struct point *p, int n) { for (int i = 0; i < n; i++) p[i].z = p[i].x; } /* 12 12 */
long s38 (const long *a, int n) { long s = 0; for (int i = 1; i < n; i <<= 1) s += a[i]; return s; } /* none */
double s39 (const double *a, unsigned n) { double s = 0; for (unsigned long i = 0; i < n; i += 100) s += a[i]; return s; } /* 800 */
double s40 (void) { double s = 0; for (int i = 1; i < 299; i++) s += grid[i - 1][3] + grid[i + 1][3]; return s; } /* 1600 1600 */
float s41 (float (*a)[3], int n) { float s = 0; for (int i = 0; i < n; i++) s += a[i][1]; return s; } /* 12 */
void s42 (struct wide *to, const struct wide *from, int n) { for (int i = 0; i < n; i++) to[i].a = from[i].a; } /* 128 128 */
