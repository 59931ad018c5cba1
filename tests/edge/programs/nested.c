/* SPDX-License-Identifier: MIT */
/* Nested functions: annotated like any other, left by non-local goto through loops and scopes, called through trampolines.
 * expect: stage nested 12
 * expect: stage outer 6
 * expect: stage inner 18
 * expect: stage scope 18 */
#include <profplug.h>
#include <stdio.h>

PROFPLUG_STAGE("outer") static int outer(int n)
{
    __label__ out;
    int left = 3;
    PROFPLUG_STAGE("inner") auto int inner(int k);
    int inner(int k)
    {
        PROFPLUG_SCOPE("scope");
        if (k == 0)
            goto out;
        PROFPLUG_LOOP("nested") for (int i = 0; i < 3; i++)
            left += inner(k - 1);
        return 1;
    }
    if (n == 3)
        left += inner(0);
    else
        left += inner(n);
    return -1;
out:
    return left + n;
}

static int apply(int (*f)(int), int x) { return f(x); }

static int closure(int n)
{
    int add(int y) { return y + n; }
    return apply(add, n);
}

int main(void)
{
    for (int i = 0; i < 6; i++)
        printf("%d %d\n", outer(i), closure(i));
    return 0;
}
