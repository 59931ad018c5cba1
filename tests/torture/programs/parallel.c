/* SPDX-License-Identifier: MIT */
/* OpenMP: regions, tasks, sections, simd, with a stage, a scope and a loop among them. */
#include <profplug.h>
#include <omp.h>
#include <stdio.h>
int leaf(int i); __attribute__((noipa)) int leaf(int i){ return i&3; }
PROFPLUG_STAGE("par") int par(int n){ int s=0;
#pragma omp parallel for reduction(+:s) num_threads(4)
 for(int i=0;i<n;i++) { PROFPLUG_SCOPE("it"); s+=leaf(i);} return s; }
int task(int n){ if(n<2) return n; int a,b;
#pragma omp task shared(a)
 a=task(n-1);
#pragma omp task shared(b)
 b=task(n-2);
#pragma omp taskwait
 return a+b; }
int simd(int*a,int n){ int s=0;
#pragma omp simd reduction(+:s)
 for(int i=0;i<n;i++) s+=a[i]; return s; }
#pragma omp declare simd
int ds(int x){ return x*2; }
int main(){ int r=0,a[64]; for(int i=0;i<64;i++)a[i]=ds(i);
#pragma omp parallel num_threads(3)
#pragma omp single
 r=task(12);
 int sec=0;
#pragma omp parallel sections num_threads(2) reduction(+:sec)
 { sec+=leaf(1);
#pragma omp section
  sec+=leaf(2); }
#pragma omp target map(tofrom:sec)
 sec+=leaf(3);
 PROFPLUG_LOOP("ol") for(int i=0;i<5;i++) {
#pragma omp critical
 sec+=i; }
 printf("%d %d %d %d\n",par(1000),r,simd(a,64),sec); return 0; }
