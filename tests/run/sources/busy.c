/* SPDX-License-Identifier: MIT */
/* busy.c: a library that was not compiled with the plugin; its time belongs to the line that calls it. */
static volatile unsigned sink;
__attribute__((noinline)) static void deeper(unsigned n) { for (unsigned i = 0; i < 100000; i++) sink += i * n; }
void busy(unsigned n);
void busy(unsigned n)
{
    for (unsigned i = 0; i < n; i++) {
        deeper(i);
        sink++;
    }
}
