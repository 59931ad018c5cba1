/* SPDX-License-Identifier: MIT */
/* Attributes, conventions, types and jumps that an odd program may have, each in a function of its own. */
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>
#include <string.h>
typedef int v8 __attribute__((vector_size(32)));
typedef union __attribute__((transparent_union)) { int *i; float *f; } tu;
__attribute__((noipa)) int tuf(tu x){ return *x.i; }
__attribute__((noipa,target("avx2"))) v8 vf(v8 a){ return a+1; }
__attribute__((noipa)) v8 vf2(v8 a){ return a+1; }
__attribute__((noipa)) _Complex double cf(_Complex double z){ return z*z; }
__attribute__((noipa)) long double ldf(long double z){ return z*z; }
__attribute__((noipa)) __int128 i128(__int128 z){ return z*z; }
struct big { char c[4096]; }; __attribute__((noipa)) struct big bf(struct big b){ b.c[5]++; return b; }
struct em {}; __attribute__((noipa)) struct em ef(struct em e){ return e; }
__attribute__((noipa)) void inner(int n, void (*f)(int)){ f(n); }
int nest(int n){ __label__ out; int s=0; void g(int k){ s+=k; if(k==3) goto out; inner(k+1,g);} g(0); out: return s; }
int vla(int n){ int a[n], b[n][n]; for(int i=0;i<n;i++){ a[i]=i; for(int j=0;j<n;j++) b[i][j]=i*j; } int s=0; for(int i=0;i<n;i++) s+=a[i]+b[i][n-1]; return s; }
int cg(const unsigned char*p){ static void*t[]={&&a,&&b,&&e}; int s=0; goto *t[*p++]; a: s++; goto *t[*p++]; b: s*=3; goto *t[*p++]; e: return s; }
int ag(int x){ asm goto("test %0,%0; jz %l1"::"r"(x):"cc":z); return 1; z: return 2; }
int ago(int x){ int r; asm goto("mov %1,%0; test %1,%1; jz %l2":"=r"(r):"r"(x):"cc":z); return r; z: return r+2; }
__attribute__((target_clones("default","avx2","arch=haswell"))) int tc(int*a,int n){ int s=0; for(int i=0;i<n;i++) s+=a[i]*3; return s; }
__attribute__((noreturn,noipa)) void die(int n){ exit(n); }
__attribute__((optimize("O3","unroll-loops"))) int o3(int n){ int s=0; for(int i=0;i<n;i++) s+=i*i; return s; }
__attribute__((optimize("O0"))) int o0(int n){ int s=0; for(int i=0;i<n;i++) s+=i*i; return s; }
#pragma GCC push_options
#pragma GCC target("general-regs-only")
__attribute__((noipa)) long gr(long a,long b){ long s=0; for(long i=a;i<b;i++) s+=i^a; return s; }
#pragma GCC pop_options
__attribute__((ms_abi,noipa)) long ms(long a,long b,double c){ return a-b+(long)c; }
__attribute__((regparm(3),noipa)) long rp(long a,long b){ return a-b; }
__attribute__((naked)) int nk(void){ asm("mov $7,%eax; ret"); }
__attribute__((cold,noinline)) int co(int a){ return a*7; } __attribute__((hot,noinline)) int ho(int a){ return a*7+1; }
__attribute__((noipa)) void*ra(void){ return __builtin_return_address(0); }
__attribute__((noipa)) int apply_target(int a,int b,double d){ return a*b+(int)d; }
__attribute__((noipa)) int ap(int a,int b,double d){ void*r=__builtin_apply((void(*)())apply_target,__builtin_apply_args(),128); __builtin_return(r); }
static jmp_buf jb; __attribute__((noipa)) void lj(int n){ if(n) lj(n-1); else longjmp(jb,5); }
void *bj[5]; __attribute__((noipa)) void bl(void){ __builtin_longjmp(bj,1); }
__attribute__((noipa)) int bs(void){ if(__builtin_setjmp(bj)) return 9; bl(); return 1; }
__attribute__((constructor(101))) void c1(void){ putchar('1'); } __attribute__((constructor(65535))) void c2(void){ putchar('2'); } __attribute__((destructor(101))) void d1(void){ puts("d"); }
__attribute__((noipa)) int va(int n,...){ __builtin_va_list a; __builtin_va_start(a,n); double s=0; while(n--) s+=__builtin_va_arg(a,double); __builtin_va_end(a); return s; }
__attribute__((noipa)) int vapack(int n){ return va(3,1.0,2.0,3.0+n); }
extern inline __attribute__((always_inline,gnu_inline)) int pk(const char*f,...){ return printf(f,__builtin_va_arg_pack()); }
__attribute__((noipa)) int tail(int n){ return n? tail(n-1): 0; }
__attribute__((pure,noinline)) int pu(int n){ int s=0; for(int i=0;i<n;i++) s+=i; return s; }
__attribute__((const,noinline)) int cst(int n){ return n*5; }
__attribute__((stack_protect,noipa)) int sp(int n){ char b[n+1]; memset(b,1,n); return b[n-1]; }
__attribute__((force_align_arg_pointer,noipa)) int fa(int n){ return n+1; }
__attribute__((patchable_function_entry(3,1),noipa)) int pf(int n){ return n+1; }
__attribute__((section(".text.mine"),noipa)) int se(int n){ return n+1; }
__attribute__((zero_call_used_regs("all"),noipa)) int zc(int n){ return n+1; }
__attribute__((simd,noinline)) int sm(int n){ return n+1; }
__attribute__((access(read_only,1),noipa,nonnull)) int ac(int*n){ return *n+1; }
__attribute__((no_stack_protector,no_sanitize("all"),noclone,used,weak)) int wk(int n){ return n+1; }
int al(int n) __attribute__((alias("wk")));
int main(void){ int a[30]; for(int i=0;i<30;i++)a[i]=i; v8 v={1,2,3}; float ff=1; struct big b={{0}}; struct em e; e=ef(e);
 unsigned char code[]={0,0,1,0,2};
 printf("%d %d %d %d %d %d %d %d\n", tuf(a+3), vf2(v)[1], (int)__real__ cf(2), (int)ldf(3), (int)i128(4), bf(b).c[5], nest(0), vla(5));
 printf("%d %d %d %d %d %d %d %ld %ld %ld\n", cg(code), ag(0),ag(1),ago(0),tc(a,30),o3(9),o0(9),gr(3,9),ms(9,3,2.0),rp(9,2));
 if(__builtin_cpu_supports("avx2")) printf("%d\n",vf(v)[0]);
 int volatile k=setjmp(jb); if(!k) lj(4);
 printf("%d %d %d %d %d %d %d %d\n", nk(),co(1),ho(2),ra()!=0,ap(2,3,4.0),k,bs(),vapack(1)); pk("%d\n",tail(100000)+pu(5)+cst(4)+sp(4)+fa(1)+pf(1)+se(1)+zc(1)+sm(1)+ac(a)+wk(1)+al(1)); die(6); }
