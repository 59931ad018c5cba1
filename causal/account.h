/* SPDX-License-Identifier: MIT */
/* account.h: what each thread owes. Whoever is in the target is ahead of all others by a share of the time that it
 * spends there; they pause until they have lost as much. It must not know what the target is. */
#ifndef PROFPLUG_CAUSAL_ACCOUNT_H
#define PROFPLUG_CAUSAL_ACCOUNT_H

#include <profplug/abi/causal.h>
#include <stdbool.h>
#include <stdint.h>

#define LEAST_NS 20000 /* shorter debts are left for later: a pause takes that long to begin and end */

extern struct pp_causal_result *result; /* NULL: nothing is slowed in this process */
extern char account_folder[];           /* of the request and the results */

/* Maps the process's result. False: this is no experiment, or it cannot be made here. */
bool account_start(struct pp_causal_request *request);
void account_stop(void); /* in a fork's child */

/* The calling thread's account, made if it has none. NULL: it has none. */
struct pp_causal_account *account_self(void);
/* Makes one that begins with that delay: a thread's creator's. */
void account_begin(uint64_t delay_ns);
void account_end(void);

/* Pauses until the thread has lost what the others are ahead. Keeps errno. */
void account_pay(void);
/* How much the account lacks. */
int64_t account_debt(const struct pp_causal_account *account);
/* It is ahead by that much more. */
void account_credit(struct pp_causal_account *account, uint64_t ns);

/* Around a call that another thread ends. Who ended it has lost the time that passed meanwhile, so the caller need not
 * lose it again, if the call was ended so and not by its time limit. */
uint64_t account_block(void);
void account_wake(uint64_t before_ns, bool by_thread);

uint64_t clock_now_ns(void);
#endif
