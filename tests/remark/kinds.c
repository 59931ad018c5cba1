/* SPDX-License-Identifier: MIT */
/* kinds.c: statements that the compiler remarks, and their twins that it does not. A comment at the line's end names the
 * kinds of remarks that stand there, with their detail or value; no other kinds may. */
#include <iconv.h>
#include <math.h>
#include <regex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

struct big { double x[8]; long n; };
struct small { long a, b; };
struct node { struct node *next; long value; };
struct conf { double scale; int n; };
extern void use (void *);
extern int other (int); 
extern double grid[300][200];
_Atomic long total;
long plain;
volatile int ready;
int shared;
pthread_mutex_t mutex;
static inline void lock (void) { pthread_mutex_lock (&mutex); } // call pthread_mutex_lock, locks pthread_mutex_lock
static inline void unlock (void) { pthread_mutex_unlock (&mutex); } // call pthread_mutex_unlock, unlocks pthread_mutex_unlock

void divide (double *a, int n, double d) { for (int i = 0; i < n; i++) a[i] /= d; } // division d
void divide_twin (double *a, int n, double d) { d = 1 / d; for (int i = 0; i < n; i++) a[i] *= d; }
void modulo (unsigned *a, int n, unsigned d) { for (int i = 0; i < n; i++) a[i] %= d; } // division d
void modulo_twin (unsigned *a, int n) { for (int i = 0; i < n; i++) a[i] %= 10; }
void quotients (double *restrict a, const double *restrict b, int n) { for (int i = 0; i < n; i++) a[i] /= b[i]; }
void roots (double *a, int n, double v) { for (int i = 0; i < n; i++) a[i] *= sqrt (v); } // square_root v, repeated_call sqrt
void roots_twin (double *a, int n, double v) { v = sqrt (v); for (int i = 0; i < n; i++) a[i] *= v; }
void mixed (float *a, int n, float f) { for (int i = 0; i < n; i++) a[i] = a[i] * 0.5123 + f; } // conversion
void mixed_twin (float *a, int n, float f) { for (int i = 0; i < n; i++) a[i] = a[i] * 0.5123f + f; } // decay a[i]
double sum (const double *a, int n) { double s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; } // accumulation s
long sum_twin (const long *a, int n) { long s = 0; for (int i = 0; i < n; i++) s += a[i]; return s; }
double horner (const double *a, int n, double x) { double p = 0; for (int i = 0; i < n; i++) p = p * x + a[i]; return p; } // accumulation p, decay p
int apply (int (*f) (int), int n) { int s = 0; for (int i = 0; i < n; i++) s += f (i); return s; } // indirect_call f
__attribute__ ((noinline)) int heavy (int x) { return x * 3 + (x >> 2); }
static inline int light (int x) { return x * 3 + (x >> 2); }
int direct (int n) { int s = 0; for (int i = 0; i < n; i++) s ^= heavy (i); return s; } // call heavy
int direct_twin (int n) { int s = 0; for (int i = 0; i < n; i++) s ^= light (i); return s; }
int elsewhere (int n) { int s = 0; for (int i = 0; i < n; i++) s ^= other (i); return s; } // call other
void count (int n) { for (int i = 0; i < n; i++) total++; } // atomic
void count_twin (int n) { long k = 0; for (int i = 0; i < n; i++) k++; total += k; }
long loads (int n) { long k = 0; for (int i = 0; i < n; i++) k += total; return k; }
void above (int *a, int n, int t) { for (int i = 0; i < n; i++) if (a[i] > t) plain += (long) a[i] * a[i]; } // branch a[i] > t
long moved (const int *a, int n, int t) { long k = 0; for (int i = 0; i < n; i++) if (a[i] > t) k = i; return k; }
void above_twin (int *a, int n, int t) { for (int i = 0; i < n; i++) if (i > t) plain += (long) a[i] * a[i]; }
void scale (double *out, const struct conf *c, int n) { for (int i = 0; i < n; i++) out[i] = c->scale; } // reload c->scale
void scale_twin (double *out, const struct conf *c, int n) { double s = c->scale; for (int i = 0; i < n; i++) out[i] = s; }
void scale_other (double *restrict out, const struct conf *restrict c, int n) { for (int i = 0; i < n; i++) out[i] = c->scale; }
void copies (struct big *a, const struct big *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; } // structure_copy 72
void copies_twin (struct small *a, const struct small *b, int n) { for (int i = 0; i < n; i++) a[i] = b[i]; }
void copy_once (struct big *a, const struct big *b) { *a = *b; } // structure_copy 72
void lower (char *s) { for (size_t i = 0; i < strlen (s); i++) s[i] |= 32; } // repeated_call strlen
void lower_twin (char *s) { size_t n = strlen (s); for (size_t i = 0; i < n; i++) s[i] |= 32; }
long lines (FILE *f) {
    char text[200];
    long k = 0;
    while (fgets (text, sizeof text, f)) // call fgets
        k += (long) strlen (text);
    return k;
}
int matches (const char **l, int n) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        regex_t r;
        regcomp (&r, "^a.*b$", REG_EXTENDED); // repeated_call regcomp, call regcomp
        k += !regexec (&r, l[i], 0, 0, 0); // call regexec
        regfree (&r); // call regfree
    }
    return k;
}
int matches_twin (const char **l, int n) {
    int k = 0;
    regex_t r;
    regcomp (&r, "^a.*b$", REG_EXTENDED);
    for (int i = 0; i < n; i++)
        k += !regexec (&r, l[i], 0, 0, 0); // call regexec
    regfree (&r);
    return k;
}
int patterns (const char **p, int n) {
    int k = 0;
    for (int i = 0; i < n; i++) {
        regex_t r;
        k += !regcomp (&r, p[i], REG_EXTENDED); // call regcomp
        regfree (&r); // call regfree
    }
    return k;
}
void bright (unsigned char *a, int n) { for (int i = 0; i < n; i++) a[i] = 255 * pow (a[i] * 0.004, 2.2); } // few_values pow
void bright_twin (double *a, int n) { for (int i = 0; i < n; i++) a[i] = 255 * pow (a[i] * 0.004, 2.2); }
void curved (const short *a, double *b, int n, double g) { for (int i = 0; i < n; i++) b[i] = pow (a[i] + 40000, g); } // few_values pow
void curved_twin (const int *a, double *b, int n, double g) { for (int i = 0; i < n; i++) b[i] = pow (a[i], g); }
void beside (double *a, int n) { for (int i = 0; i < n; i++) a[i] = pow (0.5, i & 7) * pow (a[i], 3.1); }
double lit (unsigned char a) { return log (a + 1.0); } // few_values log
double lit_twin (unsigned char a, double g) { return pow (a, g); }
void waves (double *a, int n) { for (int i = 0; i < n; i++) for (int k = 0; k < 16; k++) a[i * 16 + k] *= cos (k * 0.3); } // few_values cos, trips 15
void waves_twin (double *a, int n) { for (int i = 0; i < n; i++) for (int k = 0; k < 16; k++) a[i * 16 + k] *= cos (k * 0.3 + i); } // trips 15
void tones (int *out, int *last) { for (int k = 0; k < 250; k++) { for (int i = 0; i < 16384; i++) out[i] = sin ((k * 16384.0 + i) / 48000) * 99; *last += out[k]; } } // division 48000, trips 16383
double lent (const double *pay, double rate, int n, int every) { double sum = 0; for (int i = n; i > 0; i -= every) sum += pay[i] * pow (1 + rate, -i / 12.0); return sum; } // factors pow, accumulation sum, division 12
void faded (float *a, float by, int n) { for (int i = 0; i < n; i++) a[i] *= expf (-by * i); } // factors expf
void faded_by (float *a, const float *by, int n) { for (int i = 0; i < n; i++) a[i] *= expf (by[i] * i); }
void faded_to (double *a, double by, const int *to, int n) { for (int i = 0; i < n; i++) a[i] *= pow (by, to[i]); }
double aged (const int *years, int n) { double sum = 0; for (int i = 0; i < n; i++) sum += exp (-0.03 * years[i]); return sum; } // accumulation sum
void tens (double *a, const int *e, int n) { for (int i = 0; i < n; i++) a[i] *= pow (10, e[i]); } // few_values pow
void tens_twin (double *a, const double *e, int n) { for (int i = 0; i < n; i++) a[i] *= pow (10, e[i]); }
int inside (const double *a, int n)
{ int k = 0; for (int i = 0; i < n; i++) k += hypot (a[i], a[i + n]) <= 1; return k; } // compared hypot
int inside_than (const double *a, int n, double r)
{ int k = 0; for (int i = 0; i < n; i++) k += hypot (a[i], a[i + n]) <= r; return k; } // compared hypot
double nearest (const double *a, int n)
{ double d = 1e9; for (int i = 0; i < n; i++) { double h = hypot (a[i], a[i + n]); if (h < d) d = h; } return d; }
void cubes (double *a, int n) { for (int i = 0; i < n; i++) a[i] = pow (a[i], 3); } // power pow
void cubes_twin (double *a, int n) { for (int i = 0; i < n; i++) a[i] = pow (a[i], 3.1); }
void inverse_roots (double *a, int n) { for (int i = 0; i < n; i++) a[i] = pow (a[i], -0.5); } // power pow
void fade (double *a, int n, double t) { for (int i = 0; i < n; i++) a[i] *= exp (-t); } // repeated_call exp
void look (void) { while (!ready) usleep (1000); } // watch ready, call usleep
void look_locked (void) { lock (); while (!shared) { unlock (); usleep (1000); lock (); } unlock (); } // watch shared, call usleep
void look_atomic (long *n, long most) { while (total < most) usleep (1000); } // watch total, call usleep
void look_works (void) { while (!shared) { use (&shared); usleep (1000); } } // call use, call usleep
void look_asks (void) { while (!other (1)) usleep (1000); } // call other, call usleep
void beat (int n) { for (int i = 0; i < n; i++) usleep (1000); } // pace, call usleep
void beat_songs (void) { for (int i = 0; i < shared; i++) for (int k = 0; k < 4; k++) usleep (1000); } // pace, call usleep
void beat_looks (int n) { while (!ready) for (int k = 0; k < n; k++) usleep (1000); } // call usleep
int debug (int n) { int k = 0; for (int i = 0; i < n; i++) if (getenv ("DEBUG")) k++; return k; } // repeated_call getenv, call getenv
void join (char *out, const char **w, int n) { out[0] = 0; for (int i = 0; i < n; i++) strcat (out, w[i]); } // growing_string
void join_twin (char *out, const char **w, int n) { for (int i = 0; i < n; i++) out = stpcpy (out, w[i]); }
void anew (char *out, const char **w, int n) {
    for (int i = 0; i < n; i++) {
        out[0] = 0;
        strcat (out, w[i]);
        strcat (out, w[i + 1]);
        use (out); // call use
    }
}
void put (char *out, const char **w, int n) { out[0] = 0; for (int i = 0; i < n; i++) strcpy (out + strlen (out), w[i]); } // growing_string
extern struct { char code[8]; double rate; } place[300];
int found (const char *code) { for (int i = 0; i < 300; i++) if (!strcmp (place[i].code, code)) return i; return -1; } // search place[i].code
/* inlined behind another: a debug statement that stands for the call before it begins the search's loop */
static inline void lowered (char *s) { for (; *s; s++) *s = (char) other (*s); } // call other
struct roll { struct { char *code; long count; } *v; int n; };
static inline long *counted (struct roll *r, const char *code) {
    for (int i = 0; i < r->n; i++)
        if (!strcmp (r->v[i].code, code)) return &r->v[i].count; // search r.v[i].code
    return &r->v[r->n++].count;
}
static int taken (struct roll *r, char *line) {
    char *from = strchr (line, '<'); // same_text strchr
    if (!from) return -1;
    lowered (from); // piece
    ++*counted (r, from); // piece
    return 0;
}
int all_taken (FILE *file) {
    struct roll r = { 0 };
    char line[512];
    int skipped = 0;
    while (fgets (line, sizeof line, file)) skipped += taken (&r, line);
    use (&r);
    return skipped;
}
/* begins where a hash says */
extern struct slot { unsigned key, count; } slot[1024];
static inline struct slot *probed (unsigned key) {
    unsigned at = (key * 2654435761u >> 8) % 1024;
    while (slot[at].key != key) {
        if (!slot[at].key) return &slot[at];
        if (++at == 1024) at = 0;
    }
    return &slot[at];
}
void all_probed (unsigned n) { for (unsigned i = 0; i < n; i++) probed (i * 7919u + 1)->count++; }
int from_there (unsigned key, unsigned from) {
    for (unsigned at = from; at < 1024; at++) if (slot[at].key == key) return 1; // search slot[at].key
    return 0;
}
/* the key is an array of the function that it was inlined into */
struct guest { struct guest *next; char *name; };
extern struct guest *guests[101];
static inline struct guest *guest_of (const char *name, unsigned h) {
    for (struct guest *g = guests[h]; g; g = g->next) // chase g->next
        if (strcmp (g->name, name) == 0) return g; // search g->name
    return NULL;
}
int known_guests (FILE *file) {
    char name[64];
    int known = 0;
    while (fscanf (file, "%63s", name) == 1) known += guest_of (name, (unsigned char) name[0] % 101) != NULL;
    return known;
}
/* what is written anew at each step is no key */
struct guest *rendered (struct guest *g) {
    char text[64];
    for (; g; g = g->next) { // chase g->next
        snprintf (text, sizeof text, "%p", (void *) g);
        if (strcmp (g->name, text) == 0) return g;
    }
    return NULL;
}
/* what ends a walk is no key that is looked for */
struct guest *last_guest (struct guest *g) {
    for (; g; g = g->next) // chase g->next
        if (strcmp (g->name, "last") == 0) break;
    return g;
}
double columns (int j) { double s = 0; for (int i = 0; i < 300; i++) s += grid[i][j]; return s; } // column 1600, trips 300, accumulation s
void rows (int i) { for (int j = 0; j < 200; j++) grid[i][j] += 1; } // trips 200
struct shrub { int key; struct shrub *left, *right; };
int member (const struct shrub *t, int key)
{ while (t && t->key != key) t = key < t->key ? t->left : t->right; return t != 0; } // fork t->left
struct shrub **leaf (struct shrub **t, int key)
{
    while (*t) t = key < (*t)->key ? &(*t)->left : &(*t)->right; // fork ...->left, branch ...->key > key
    return t;
}
int leftmost (const struct shrub *t) { while (t->left) t = t->left; return t->key; } // chase t->left, search t->left
long list (const struct node *n) { long s = 0; for (; n; n = n->next) s += n->value; return s; } // chase n->next
long unrolled (const long *a) { long s = 0; for (int i = 0; i < 3; i++) s += a[i]; return s; }
struct tree { struct tree *left, *right; };
extern int shorter[100];
long ways (int n) { return n < 2 ? 1 : ways (n - 1) + ways (n - 2); } // recursion, call ways
int least (int a, int b) { return a < b ? a : b; }
int edits (const char *a, const char *b, int i, int j) {
    if (!a[i] || !b[j])
        return 9;
    int skipped = least (edits (a, b, i + 1, j), edits (a, b, i, j + 1));
    return least (skipped, edits (a, b, i + 1, j + 1) + (a[i] != b[j])); // recursion
}
int packs (int n, int room) { return n < 0 ? 0 : room < shorter[n] ? packs (n - 1, room) : least (packs (n - 1, room), packs (n - 1, room - shorter[n])); } // recursion
long ways_twin (int n) { static long kept[90]; return n < 2 ? 1 : kept[n] ? kept[n] : (kept[n] = ways_twin (n - 1) + ways_twin (n - 2)); }
long halves (const long *a, int from, int to) { return to - from < 2 ? a[from] : halves (a, from, (from + to) / 2) + halves (a, (from + to) / 2, to); } // call halves
int height (const struct tree *t) { return t ? 1 + least (height (t->left), height (t->right)) : 0; }
int queens (unsigned free, unsigned down, unsigned up) { return !free ? 1 : queens (free & (free - 1), down << 1, up >> 1) + queens (free & ~down, down << 1, up >> 1); } // call queens
int heap (int i) { return i > 99 ? 0 : shorter[i] + heap (2 * i) + heap (2 * i + 1); } // call heap
int chain (int i) { return i > 99 ? 0 : chain (shorter[i]) + chain (shorter[i + 1]); } // call chain

/* What fades may come near 0, unless a constant is added in each step. */
struct comb { float *line, back, damp, kept; int length, at; };
float combs_run (struct comb *c, int n, float in)
{
    float sum = 0;
    for (int i = 0; i < n; i++) {
        float out = c[i].line[c[i].at];
        c[i].kept = out * (1 - c[i].damp) + c[i].kept * c[i].damp; // decay c[i].kept
        c[i].line[c[i].at] = in + c[i].kept * c[i].back;
        sum += out;                            // accumulation sum
    }
    return sum;
}
float ebb (const float *in, int n, float by) { float y = 0; for (int i = 0; i < n; i++) y = y * by + in[i]; return y; } // decay y, accumulation y
float lift (const float *in, int n, float by) { float y = 0; for (int i = 0; i < n; i++) y = y * by + (in[i] + 0.5f) * by; return y; } // accumulation y

/* A kernel of a few steps: the walk is that of the loop around it. Where that one goes along a row, or over blocks that
 * lie side by side, or has no neighbour, nothing is remarked. */
void kernel_columns (float *to, const float *from, int w, int h)
{
    for (int x = 1; x < w - 1; x++)
        for (int y = 1; y < h - 1; y++) {
            float sum = 0;
            for (int k = -1; k <= 1; k++)
                for (int l = -1; l <= 1; l++)  // trips 3
                    sum += from[(y + k) * w + x + l]; // column_around, accumulation, window
            to[y * w + x] = sum;
        }
}
/* Limits keep an index within the picture: between them it moves as without. */
static inline int within (int at, int most) { return at < 0 ? 0 : at > most ? most : at; }
void kernel_within (float *to, const float *from, int w, int h)
{
    for (int x = 0; x < w; x++)
        for (int y = 0; y < h; y++) {
            float sum = 0;
            for (int k = -3; k <= 3; k++)      // trips 7
                sum += from[within (y + k, h - 1) * w + x]; // column_around, accumulation
            to[y * w + x] = sum;
        }
}
void kernel_within_rows (float *to, const float *from, int w, int h)
{
    for (int y = 0; y < h; y++)
        for (int x = 0; x < w; x++) {
            float sum = 0;
            for (int k = -3; k <= 3; k++)      // trips 7
                sum += from[within (y + k, h - 1) * w + within (x + k, w - 1)]; // accumulation
            to[y * w + x] = sum;
        }
}
float column_within (const float (*from)[700], int h)
{
    float sum = 0;
    for (int x = 0; x < 700; x++)
        for (int y = 0; y < h; y++)
            sum += from[within (y - 5, h - 9)][x]; // column 2800, accumulation
    return sum;
}
/* Small tables, and what seldom moves, are none. */
float column_short (const float (*from)[700], int h)
{
    float sum = 0;
    for (int x = 0; x < 700; x++)
        for (int y = 0; y < h; y++)
            sum += from[y > 15 ? 15 : y][x];   // accumulation
    return sum;
}
float column_chosen (const float (*from)[700], const int *wanted, int h)
{
    float sum = 0;
    for (int x = 0; x < 700; x++)
        for (int y = 0; y < h; y++)
            sum += from[wanted[y] > 7 ? y : 0][x]; // accumulation
    return sum;
}
void kernel_rows (float *to, const float *from, int w, int h)
{
    for (int y = 1; y < h - 1; y++)
        for (int x = 1; x < w - 1; x++) {
            float sum = 0;
            for (int k = -1; k <= 1; k++)
                for (int l = -1; l <= 1; l++)  // trips 3
                    sum += from[(y + k) * w + x + l]; // accumulation, window
            to[y * w + x] = sum;
        }
}
void kernel_blocks (float *to, const float *from, int w, int blocks)
{
    for (int y = 0; y < w; y += 8)
        for (int b = 0; b < blocks; b++) {
            float sum = 0;
            for (int k = 0; k < 8; k++)
                for (int l = 0; l < 8; l++)
                    sum += from[(y + k) * w + b * 8 + l];
            to[b] += sum;
        }
}
void kernel_items (float (*item)[6][5], float *to, int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = 0; k < 6; k++)
            for (int l = 0; l < 5; l++)
                sum += item[i][k][l];
        to[i] = sum;
    }
}

void fill (unsigned char *to, int value, unsigned long n)
{
    __builtin_memset (to, value, n);           // fill value
}
void clear (unsigned char *to, unsigned long n)
{
    __builtin_memset (to, 0, n);
}

long pread (int fd, void *to, unsigned long bytes, long place);
long lseek (int fd, long place, int from);
long places (int fd, char *to, long at)
{
    long sum = pread (fd, to, 16, 0);          // fixed_place pread
    sum += pread (fd, to, 16, at);
    sum += lseek (fd, 64, 0);                  // fixed_place lseek
    sum += lseek (fd, 64, 1);                  // other_place lseek
    sum += lseek (fd, 0, 2);
    return sum + lseek (fd, at, 0);            // other_place lseek
}

int gzread (void *from, void *to, unsigned bytes);
long pieces (FILE *from, char *to, unsigned n)
{
    long sum = fread (to, 8, 2, from);         // few_bytes fread
    sum += fread (to, 8, 4, from);
    sum += fread (to, 1, n, from);
    sum += gzread (from, to, n);
    return sum + gzread (from, to, 1);         // few_bytes gzread
}

int setvbuf (FILE *to, char *buffer, int kind, unsigned long bytes);
void setbuf (FILE *to, char *buffer);
void buffers (FILE *to, FILE *other, char *buffer, int kind)
{
    setvbuf (to, 0, 2, 0);                     // unbuffered setvbuf
    setvbuf (to, 0, 0, 65536);
    setvbuf (other, 0, kind, 0);
    setbuf (other, 0);                         // unbuffered setbuf
    setbuf (to, buffer);
    fprintf (to, "%d\n", kind);
    fprintf (stderr, "%d buffers\n", kind);    // stderr fprintf
}

void held (pthread_mutex_t *lock, pthread_rwlock_t *other, int *count)
{
    pthread_mutex_lock (lock);                 // locks pthread_mutex_lock
    if (++*count > 5) {
        pthread_mutex_unlock (lock);           // unlocks pthread_mutex_unlock
        return;
    }
    pthread_rwlock_rdlock (other);             // locks pthread_rwlock_rdlock
    pthread_rwlock_unlock (other);             // unlocks pthread_rwlock_unlock
    pthread_mutex_unlock (lock);               // unlocks pthread_mutex_unlock
}

static const char digits[] = "0123456789abcdef";
long digit_of (int c) { return strchr (digits, c) - digits; }    // few_values strchr
long known_of (void) { return strchr (digits, 'x') != 0; }
long place_of (const char *text, int c) { return strchr (text, c) - text; }
int parted (const char *p, const char *parts)
{
    int sum = 0;
    for (; *p; p++)                       // digest
        sum += strchr (parts, *p) != 0;        // few_values strchr, same_text strchr
    return sum;
}
const char *row_of (const char *text, int row)
{
    for (int i = 0; i < row; i++)
        text = strchr (text, 10) + 1;
    return text;
}

unsigned both_of (const unsigned *a, unsigned *to, unsigned long n, unsigned long by)
{
    unsigned sum = 0;
    for (unsigned long i = 0; i < n; i++)
        sum += a[i % by] ^ to[i / by];         // division by
    return sum;
}

int afresh (const char *text, int wanted, int number) { /* the next number is a constant, and made by no statement */
    int steps = 0;
    do {
        if (number == wanted)
            return steps;
        steps += *text == 'x';
        number = -70000;
    } while (*text++);
    return -1;
}

void neighbours (int *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = 0; k + 1 < n - i; k++)
            if (a[k] > a[k + 1]) { int t = a[k]; a[k] = a[k + 1]; a[k + 1] = t; } // sort a[k + 1]
}
void sinking (char **a, int n)
{
    for (int i = n - 1; i > 0; i--)
        if (strcmp (a[i - 1], a[i]) > 0) { char *t = a[i]; a[i] = a[i - 1]; a[i - 1] = t; } // sort
}
void selected (double *a, int n)
{
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++) // piece
            if (a[k] < a[i]) { double t = a[k]; a[k] = a[i]; a[i] = t; } // sort a[k], branch
}
void inserted (int *a, int n)
{
    for (int i = 1; i < n; i++) {
        int next = a[i], k = i;
        for (; k > 0 && a[k - 1] > next; k--)                            // sort
            a[k] = a[k - 1];
        a[k] = next;
    }
}
void picked (int *a, int n)
{
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int k = i + 1; k < n; k++) // piece
            if (a[k] < a[least])                                         // sort, branch
                least = k;
        int t = a[i]; a[i] = a[least]; a[least] = t;
    }
}
struct card { int rank; char name[20]; };
void dealt (struct card *a, int n, int (*after) (const struct card *, const struct card *))
{
    for (int i = 1; i < n; i++) {
        struct card next = a[i];
        int k = i;
        for (; k > 0 && after (&a[k - 1], &next) > 0; k--)               // sort, indirect_call after
            a[k] = a[k - 1];
        a[k] = next;
    }
}
void sort_twin_front (int *a, int wanted) { int k = 9; for (; k > 0 && a[k - 1] != wanted; k--) a[k] = a[k - 1]; a[k] = wanted; }
void sort_twin_gap (int *a, int n, int at) { for (int i = n; i > at; i--) a[i] = a[i - 1]; } // gap
void sort_twin_ends (int *a, int n) { for (int i = 0, k = n - 1; i < k; i++, k--) { int t = a[i]; a[i] = a[k]; a[k] = t; } }
void sort_twin_highest (int *a, int n) { for (int i = 1; i < n; i++) if (a[i] < a[i - 1]) a[i] = a[i - 1]; } // branch
int sort_twin_split (int *a, int n)
{
    int below = 0, middle = a[n];
    for (int i = 0; i < n; i++)
        if (a[i] < middle) { int t = a[i]; a[i] = a[below]; a[below++] = t; } // branch
    return below;
}
void sort_twin_heap (int *a, int i, int n)
{
    for (int k = 2 * i + 1; k < n; i = k, k = 2 * i + 1) {
        k += k + 1 < n && a[k + 1] > a[k];
        if (a[i] >= a[k])
            return;
        int t = a[i]; a[i] = a[k]; a[k] = t;
    }
}
int sort_twin_least (const int *a, int n) { int least = 0; for (int i = 1; i < n; i++) if (a[i] < a[least]) least = i; return least; }
void sort_twin_drawn (int *a, int *drawn, int n, int times)
{
    for (int i = 0; i < times; i++) {
        int best = 0;
        for (int k = 1; k < n; k++)
            if (a[k] > a[best]) // branch, least a[k]
                best = k;
        drawn[i] = a[best];
        a[best] = 0;
    }
}
void sort_twin_reverse (int *from, int *to) { for (; from < to; from++, to--) { int t = *from; *from = *to; *to = t; } }
void sort_twin_room (struct card *p, struct card *at) { for (; p > at; p--) *p = p[-1]; } // gap
static unsigned ink[64][64];
static void ink_dry (void)
{
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 64; k++) ink[i][k] = ink[k][i] / 3 + 1; // column, trips
}
void piece_every (const int *a, int n)
{
    for (int i = 0; i < n; i++) {
        ink[a[i] & 63][i & 63]++;
        if (i % 1000 == 999) ink_dry (); // piece, regular
    }
}
void piece_some (const int *a, int n)
{
    for (int i = 0; i < n; i++) {
        ink[a[i] & 63][i & 63]++;
        if (a[i] % 1000 == 999) ink_dry (); // piece
    }
}
void piece_twin (const int *a, int n)
{
    for (int i = 0; i < n; i++) {
        ink[a[i] & 63][i & 63]++;
        ink_dry ();
    }
}
unsigned long printed (const unsigned char *text, unsigned bytes)
{
    unsigned long sum = 1;
    for (unsigned i = 0; i < bytes; i++)       // digest
        sum = (sum ^ text[i]) * 31;
    return sum;
}
/* each round begins with what the one before computed from the same bytes */
unsigned long stretched (const unsigned char *key, unsigned bytes, unsigned rounds)
{
    unsigned long sum = 1;
    for (unsigned r = 0; r < rounds; r++)
        for (unsigned i = 0; i < bytes; i++)
            sum = (sum ^ key[i]) * 31;
    return sum;
}
/* all rows together are one walk */
unsigned long printed_rows (const unsigned char *row, unsigned bytes, unsigned rows)
{
    unsigned long sum = 1;
    for (unsigned r = 0; r < rows; r++, row += bytes + 7)
        for (unsigned i = 0; i < bytes; i++)   // digest
            sum = (sum ^ row[i]) * 31;
    return sum;
}
/* multiples of a number, then of the next; and the same in pieces, where each walk goes on where it stopped */
void sift (char *sieve, long n, long most)
{
    for (long step = 2; step <= most; step++)
        for (long i = step; i < n; i += step)
            sieve[i] = 1;                      // multiples sieve[i]
}
void sift_piece (char *sieve, long *at, long end, long most)
{
    for (long step = 2; step <= most; step++)
        for (; at[step] < end; at[step] += step) // reload at[step]
            sieve[at[step]] = 1;
}
void sift_listed (char *sieve, const long *prime, long primes, long n)
{
    for (long k = 0; k < primes; k++)
        for (long i = prime[k]; i < n; i += prime[k]) // reload prime[k]
            sieve[i] = 1;
}
/* an inlined function has its own names, also where its caller's mean something else there */
static double scaled (const double *row, int width, double number)
{
    double sum = 0;
    for (int i = 0; i < width; i++)
        sum += row[i] * sqrt (number); // square_root number, accumulation sum, repeated_call sqrt
    return sum;
}
double scaled_all (const double *rows, double i, int n) { return scaled (rows, n, i) + 1; }
/* what is compared differs from step to step: no key is looked for */
int attacked (const int *queen, int rows, int column)
{
    for (int r = 0; r < rows; r++)
        if (queen[r] == column || queen[r] - column == r - rows || queen[r] - column == rows - r) return 1;
    return 0;
}
/* an element of a list by its number */
struct bead { struct bead *next; };
const struct bead *bead_at (const struct bead *bead, int number)
{
    while (number-- > 0) bead = bead->next; // search number, chase bead->next
    return bead;
}
/* what mktime is given is made anew each time, though it lies at the same place */
long moments (const int *day, int n)
{
    long all = 0;
    for (int i = 0; i < n; i++) {
        struct tm at = { .tm_mday = day[i], .tm_year = 126, .tm_isdst = -1 };
        all += mktime (&at); // call mktime
    }
    return all;
}
long moment (struct tm *at, int n)
{
    long all = 0;
    for (int i = 0; i < n; i++)
        all += mktime (at); // repeated_call mktime, call mktime
    return all;
}
/* one character in many texts, and any in texts that a call fills or that lie at another place each time */
int letters_found (const char *const *texts, int n, char c)
{
    int count = 0;
    for (int i = 0; i < n; i++)
        count += strchr (texts[i], c) != 0;
    return count;
}
int letters_in_lines (FILE *in, char *text, const char *p)
{
    int count = 0;
    for (; *p; p++) {
        if (!fgets (text, 80, in)) // call fgets
            break;
        count += strchr (text, *p) != 0; // same_text strchr
    }
    return count;
}
int letters_in_rest (const char *p, const char *parts)
{
    int count = 0;
    for (; *p; p++, parts++) // digest
        count += strchr (parts, *p) != 0;
    return count;
}
/* how much is to be taken is said in memory */
struct packing { unsigned char *next_out; unsigned avail_out; };
int inflate (struct packing *z, int how);
char *letters_convert (iconv_t by, char *p, size_t n, char *to)
{
    for (size_t i = 0; i < n; i++) {
        size_t left = 1, room = 8;
        iconv (by, &p, &left, &to, &room); // few_bytes iconv, call iconv
    }
    return to;
}
char *letters_convert_twin (iconv_t by, char *p, size_t n, char *to)
{
    size_t left = n, room = 8 * n;
    iconv (by, &p, &left, &to, &room);
    return to;
}
int numbers_unpack (struct packing *z, long *to, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        z->next_out = (unsigned char *) (to + i);
        z->avail_out = sizeof *to;
        sum += inflate (z, 0); // few_bytes inflate, call inflate
    }
    return sum;
}
int numbers_unpack_twin (struct packing *z, long *to, int n)
{
    z->next_out = (unsigned char *) to;
    z->avail_out = n * sizeof *to;
    return inflate (z, 0);
}
/* what is less by one is not more by 4294967295 */
void shares (unsigned *a, unsigned n, int k) { for (int i = 0; i < k; i++) a[i] /= n - 1; } // division n - 1
