/* SPDX-License-Identifier: MIT */
/* hostile.c: every name that a program can give is markup, a script, no UTF-8, or turns the order of writing around.
 * Its lines claim to be in files of such names, and one name is wider than a phone. argv[1]: a file to read. */
#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static volatile unsigned sink;

__attribute__((noinline)) void work(int times) __asm__("script_alert$work");
PROFPLUG_STAGE("<script>alert('stage')</script>", "data_loading")
__attribute__((noinline)) void work(int times)
{
    for (int i = 0; i < times; i++)
        sink = sink * 31 + (unsigned)i; /* </pre></script><script>alert("comment")</script> & <b>"bold"</b> */
    profplug_count("<img src=x onerror=alert(1)>", 1);
}

#line 1 "</script><img src=y onerror=alert(2)>.c"
__attribute__((noinline)) static char *text_make(size_t bytes)
{
    char *text = malloc(bytes);
    return memset(text, 'x', bytes);
}

#line 1 "a folder/a name of a file that is longer than a phone is wide, and where nothing says that it may break_____________.c"
int main(int argc, char **argv)
{
    FILE *file = fopen(argv[argc > 1], "r");
    char line[64];
    PROFPLUG_LOOP("loop \xe2\x80\xae drawkcab")
    for (int i = 0; i < 3; i++) {
        profplug_begin("not utf-8: \xff\xfe <i>");
        work(12000000);
        free(text_make(100000));
        profplug_end("not utf-8: \xff\xfe <i>");
    }
    for (int i = 0; file && fgets(line, sizeof line, file); i++)
        sink += (unsigned char)line[0];
    puts("done");
    return file ? fclose(file) : 1;
}
