/* SPDX-License-Identifier: MIT */
/* Transactional memory. */
#include <stdio.h>
int x,y; __attribute__((transaction_safe,noipa)) int safe(int a){ return a+y; } __attribute__((transaction_pure,noipa)) int pure(int a){ return a*2; }
__attribute__((transaction_callable,noipa)) int call(int a){ y++; return a; }
int tx(int n){ for(int i=0;i<n;i++) { __transaction_atomic { x+=safe(i)+pure(i); if(i==7) __transaction_cancel; y++; } __transaction_relaxed { x+=call(i); } } return x; }
int main(){ printf("%d %d\n",tx(20),y); return 0; }
