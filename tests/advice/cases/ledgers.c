/* SPDX-License-Identifier: MIT */
/* rule: pauses */
/* sizes: 0.3 1 3 */
/* ledgers.c: payments go to accounts, and after every 2048th all accounts are sealed anew; in the twin only those are
 * that were paid, which takes a fifth of the run and does nothing in vain. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ACCOUNTS 16000u
#define OFTEN 2048u

static uint32_t paid[ACCOUNTS], seal[ACCOUNTS];
static unsigned changed[OFTEN], entered;

__attribute__((noinline)) static void account_seal(unsigned account)
{
    uint32_t ink = paid[account];
    for (unsigned i = 0; i < 120; i++)
        ink = (ink ^ ink >> 13) * 0x5bd1e995u;
    seal[account] = ink;
}

static void ledger_seal(void)
{
#ifdef FIXED
    for (unsigned i = 0; i < entered; i++)
        account_seal(changed[i]);
#else
    for (unsigned i = 0; i < ACCOUNTS; i++) /* @ */
        account_seal(i);                    /* @ */
#endif
    entered = 0;
}

static void payment_enter(unsigned number)
{
    uint32_t account = number;
    for (unsigned i = 0; i < 600; i++)
        account = account * 1664525u + 1013904223u;
    account = (account >> 8) % ACCOUNTS;
    paid[account] += number;
    changed[entered] = account;
    if (++entered == OFTEN)
        ledger_seal(); /* @ */
}

int main(int argc, char **argv)
{
    unsigned payments = (unsigned)(500000 * (argc > 1 ? atof(argv[1]) : 1)) / OFTEN * OFTEN;
    uint64_t sum = 0;
    for (unsigned i = 0; i < ACCOUNTS; i++)
        account_seal(i);
    for (unsigned i = 0; i < payments; i++)
        payment_enter(i);
    for (unsigned i = 0; i < ACCOUNTS; i++)
        sum = sum * 31 + seal[i];
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
