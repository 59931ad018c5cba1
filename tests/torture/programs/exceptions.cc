// SPDX-License-Identifier: MIT
// Exceptions: out of signal handlers, through cleanups, rethrown, in function try blocks, past noexcept; virtual thunks, thread-local destructors.
#include <cstdio>
#include <csignal>
#include <stdexcept>
#include <csetjmp>
#include <exception>
struct D{int*p; ~D(){++*p;}};
__attribute__((noipa)) int deref(volatile int*p){ return *p; }
static void h(int){ throw 42; }
int n; 
__attribute__((noipa)) int nce(){ D d{&n}; try { return deref(nullptr); } catch(int k) { return k; } }
__attribute__((noipa)) int rethrow(int a){ try { if(a) throw a; } catch(...) { try { throw; } catch(int b){ D d{&n}; return b+1; } } return 0; }
__attribute__((noipa)) void nest(int a){ D d{&n}; if(a) nest(a-1); else throw std::runtime_error("deep"); }
__attribute__((noipa)) int fnblock(int a) try { nest(a); return 1; } catch(std::exception&e) { return e.what()[0]; }
__attribute__((noipa)) void noex(int a) noexcept { if(a>100) throw a; n++; }
struct B{ virtual ~B(){} virtual B*c(){return this;} }; struct C{ virtual ~C(){} virtual C*cc(){return this;} int z=5; }; struct E:B,C{ E*c()override{return this;} E*cc()override{n++;return this;} };
static int sti=[]{ try { throw 3; } catch(int a){ return a; } }();
thread_local D tl{&n};
int main(){ signal(SIGSEGV,h); struct sigaction sa{}; sa.sa_handler=h; sa.sa_flags=SA_NODEFER; sigaction(SIGSEGV,&sa,nullptr);
 int a=0; for(int i=0;i<3;i++) a+=nce(); a+=rethrow(3)+fnblock(20); noex(1); E e; C*c=&e; a+=c->cc()->z; (void)tl.p; 
 auto l=[&](auto x){ return x+a; }; std::printf("%d %d %d %d\n",a,n,sti,l(2)); std::set_terminate([]{ std::puts("term"); std::fflush(stdout); _Exit(9); }); noex(200); }
