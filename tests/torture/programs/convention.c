/* SPDX-License-Identifier: MIT */
/* The conventions of another system on the command line (-mabi=ms): freestanding, and its own entry calls it. */
#include <profplug.h>
PROFPLUG_STAGE("x") __attribute__((noipa)) int f(int n, long b){ int s=0; PROFPLUG_LOOP("l") for(int i=0;i<n;i++) s+=i*b; { PROFPLUG_SCOPE("sc"); s+=2;} profplug_begin("r"); s++; profplug_end("r"); return s; }
__attribute__((noipa)) int k(int n, long b) { return n + b; }
__attribute__((sysv_abi)) int entry(int n){ return f(n,3) + k(n, 1); }
__attribute__((sysv_abi)) int printf(const char *, ...);
__attribute__((sysv_abi)) int main(void){ printf("%d\n", entry(10)); return 5; }
