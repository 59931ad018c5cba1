/* SPDX-License-Identifier: MIT */
/* The unwinder, called by the program itself; cleanups, frame addresses, __builtin_eh_return. */
#include <stdio.h>
#include <unwind.h>
__attribute__((noipa,weak)) void er(long off,void*h){ __builtin_unwind_init(); if(off) __builtin_eh_return(off,h); }
static _Unwind_Reason_Code st(int v,_Unwind_Action a,_Unwind_Exception_Class c,struct _Unwind_Exception*e,struct _Unwind_Context*x,void*p){ return _URC_NO_REASON; }
__attribute__((noipa)) void cl(int*p){ printf("c%d\n",*p); }
__attribute__((noipa)) int cu(int n){ int v __attribute__((cleanup(cl)))=n; if(n) return cu(n-1)+1; return 0; }
static int depth; static _Unwind_Reason_Code tr(struct _Unwind_Context*c,void*d){ depth++; return _URC_NO_REASON; }
__attribute__((noipa)) int bt(int n){ if(n) return bt(n-1)+(depth&0); _Unwind_Backtrace(tr,0); return depth; }
__attribute__((noipa)) void*fa(void){ return __builtin_frame_address(0); }
int main(){ er(0,0); int d=bt(10); printf("%d %d %d\n",cu(3),d>0,fa()!=0); return 0; }
