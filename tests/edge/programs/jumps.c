/* SPDX-License-Identifier: MIT */
/* Computed goto and asm goto: within an annotated loop they are its own, into one they make the annotation void.
 * warns: 28 a jump leads into the loop
 * warns: 39 a jump leads into the loop
 * expect: loop machine 29
 * expect: stage step 2 */
#include <profplug.h>
#include <stdio.h>

static int machine(const unsigned char *code)
{
    static void *const table[] = { &&increment, &&twice, &&back, &&end };
    int value = 1, left = 6;
    PROFPLUG_LOOP("machine") for (;;) {
        goto *table[*code++];
    increment: value++; continue;
    twice: value *= 2; continue;
    back: code -= left-- ? 4 : 0; continue;
    end: return value;
    }
}

static int computed(int n)
{
    void *where = n ? &&inside : &&out;
    int bodies = 0;
    goto *where;
    PROFPLUG_LOOP("computed") for (; n < 50; n++) {
    inside:
        bodies++;
    }
out:
    return bodies;
}

static int assembled(int n)
{
    int bodies = 0;
    __asm__ goto("testl %0, %0; jnz %l1" : : "r"(n) : "cc" : inside); PROFPLUG_LOOP("assembled") for (; n < 50; n++) {
    inside:
        bodies++;
    }
    return bodies;
}

PROFPLUG_STAGE("step") static int step(int n)
{
    PROFPLUG_SCOPE("inner");
    __asm__ goto("testl %0, %0; jz %l1" : : "r"(n) : "cc" : zero);
    return 1;
zero:
    return 2;
}

int main(void)
{
    unsigned char code[] = { 0, 1, 0, 2, 3 };
    /* what an iteration would find if the loop's entry were missed */
    char dirt[4096];
    __builtin_memset(dirt, 0x7f, sizeof dirt);
    __asm__ volatile("" : : "r"(dirt) : "memory");
    printf("%d", machine(code));
    printf(" %d", computed(1));
    printf(" %d", assembled(1));
    printf(" %d %d\n", step(0), step(1));
    return 0;
}
