/* SPDX-License-Identifier: MIT */
/* What is not 64-bit: no header of the C library, since there may be none for it. */
#include <profplug.h>
extern int w(int);
PROFPLUG_STAGE("x") int f(int n){ int i, s=0; PROFPLUG_LOOP("l") for(i=0;i<n;i++) s+=w(i); { PROFPLUG_SCOPE("sc"); s+=w(2);} return s; }
