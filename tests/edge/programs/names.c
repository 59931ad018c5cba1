/* SPDX-License-Identifier: MIT */
/* Names with everything in them that some format or terminal takes for its own.
 * expect: stage quo\"te \\ %s %n 1
 * expect: stage tab\there 1
 * expect: stage line\nbreak\r 1
 * expect: stage <script>&amp;</script>;\u0001\u001b[31m 1
 * expect: stage \u2603 \u00fc 1
 * expect: loop lo\"op\\ % \u2603 {0|1} \nio 3
 * expect: stage sc\n\"\t\u007f %s 1
 * expect: stage be\"gin 1 */
#include <profplug.h>
#include <stdio.h>

PROFPLUG_STAGE("quo\"te \\ %s %n") static int a(void) { return 1; }
PROFPLUG_STAGE("tab\there") static int b(void) { return 1; }
PROFPLUG_STAGE("line\nbreak\r") static int c(void) { return 1; }
PROFPLUG_STAGE("<script>&amp;</script>;\x01\x1b[31m") static int d(void) { return 1; }
PROFPLUG_STAGE("\xe2\x98\x83 \xc3\xbc") static int e(void) { return 1; }
PROFPLUG_STAGE("\xff\xfe no UTF-8") static int f(void) { return 1; }

int main(void)
{
    int n = 0;
    PROFPLUG_LOOP("lo\"op\\ % \xe2\x98\x83 {0|1} \nio") for (int i = 0; i < 3; i++)
        n += i;
    {
        PROFPLUG_SCOPE("sc\n\"\t\x7f %s");
        n += a();
    }
    profplug_begin("be\"gin");
    n += b() + c() + d() + e() + f();
    profplug_end("be\"gin");
    printf("%d\n", n);
    return 0;
}
