/* SPDX-License-Identifier: MIT */
/* Resolvers of indirect functions that call other functions, before the program is relocated; in a static program before it has
 * thread-local storage.
 * with: {optimize}
 * with: {optimize} -Wl,-z,now
 * with: {optimize} -no-pie -fno-pie
 * with: {optimize} -static
 * with: {optimize} -static-pie
 * with: {optimize} -fuse-ld=gold
 * expect: function chosen 2
 * expect: function other 0
 * expect: stage cloned 1 */
#include <profplug.h>
#include <stdio.h>

__attribute__((noipa)) static int deepest(int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += i;
    return s;
}
__attribute__((noipa)) static int deeper(int n) { return deepest(n) + 1; }
static int chosen(int n) { return deeper(n); }
static int other(int n) { return n; }
static int (*resolve(void))(int) { return deeper(3) == 4 ? chosen : other; }
int indirect(int) __attribute__((ifunc("resolve")));
int (*volatile pointer)(int) = indirect;

__attribute__((target_clones("default", "avx2"))) PROFPLUG_STAGE("cloned") int sum(const int *a, int n)
{
    int s = 0;
    for (int i = 0; i < n; i++)
        s += a[i];
    return s;
}

int main(void)
{
    int a[20];
    for (int i = 0; i < 20; i++)
        a[i] = i;
    printf("%d %d %d\n", indirect(10), pointer(10), sum(a, 20));
    return 0;
}
