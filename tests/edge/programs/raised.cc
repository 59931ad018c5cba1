// SPDX-License-Identifier: MIT
/* Exceptions by the thousand, thrown on, and thrown in destructors, sampled as often as can be: in the unwinder's own frames registers hold small numbers
 * where the table of frames says that there is an address of the stack.
 * run: sample-hz=20000,budget=100
 * expect: stage catcher 6000
 * expect: stage through 3000 */
#include <cstdio>
#include <profplug.h>
#include <stdexcept>

static volatile long work;

PROFPLUG_STAGE("thrower") static int thrower(int n)
{
    PROFPLUG_SCOPE("part");
    if (n == 0)
        throw std::runtime_error("at the bottom");
    work += n;
    return thrower(n - 1) + 1;
}

PROFPLUG_STAGE("catcher") static int catcher(int n)
{
    try {
        return thrower(n % 20);
    } catch (const std::exception &) {
        PROFPLUG_LOOP("after")
        for (int i = 0; i < 3; i++)
            work += i;
        return 1;
    }
}

struct Guard {
    ~Guard()
    {
        PROFPLUG_SCOPE("guard");
        work++;
        try {
            if (work % 3 == 0)
                throw 1;
        } catch (int) {
            work++;
        }
    }
};

PROFPLUG_STAGE("sure") static int sure() noexcept
{
    Guard guard;
    return catcher(3);
}

PROFPLUG_STAGE("through") static void through(int n)
{
    Guard guard;
    try {
        thrower(n);
    } catch (...) {
        if (n)
            throw;
    }
}

int main()
{
    int caught = 0;
    for (int i = 0; i < 3000; i++) {
        caught += catcher(i) + sure();
        try {
            through(i % 5);
        } catch (const std::runtime_error &) {
            caught += 2;
        }
    }
    std::printf("%d\n", caught);
    return 0;
}
