/* SPDX-License-Identifier: MIT */
/* A ledger: transfers between accounts are checked, booked, and written to a file that is to survive a crash. Prints
 * the balances' sum of squares and the file's length. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ACCOUNTS 256u
#define GROUP 64u

struct transfer {
    uint32_t from, to, cents, number;
    uint64_t seal;
};

static int64_t balances[ACCOUNTS];
static struct transfer group[GROUP];
static unsigned grouped;

static int ledger_open(void)
{
    const char *folder = getenv("TMPDIR");
    char path[4096];
    snprintf(path, sizeof path, "%s/ledger.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd >= 0) unlink(path);
    return fd;
}

static uint64_t transfer_seal(const struct transfer *transfer)
{
    uint64_t h = transfer->from ^ (uint64_t)transfer->to << 20 ^ (uint64_t)transfer->cents << 40;
    for (int i = 0; i < 400000; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

static int group_write(int ledger)
{
    ssize_t length = (ssize_t)(grouped * sizeof *group);
    grouped = 0;
    return write(ledger, group, (size_t)length) != length || fdatasync(ledger); /* @ */
}

static int transfer_book(int ledger, struct transfer transfer)
{
    transfer.seal = transfer_seal(&transfer);
    balances[transfer.from] -= transfer.cents;
    balances[transfer.to] += transfer.cents;
    group[grouped++] = transfer;
#ifdef FIXED
    return grouped == GROUP && group_write(ledger);
#else
    return group_write(ledger); /* @ */
#endif
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned transfers = (unsigned)(280 * scale) + 1;
    int ledger = ledger_open();
    if (ledger < 0) return 1;
    for (uint32_t i = 0; i < transfers; i++) {
        uint32_t seed = i * 2654435761u + 31;
        struct transfer transfer = { seed >> 24, seed >> 16 & 255, seed & 0xffff, i, 0 };
        if (transfer_book(ledger, transfer)) return 1;
    }
    if (grouped && group_write(ledger)) return 1;
    int64_t squares = 0;
    for (unsigned i = 0; i < ACCOUNTS; i++) squares += balances[i] * balances[i];
    printf("%lld %lld\n", (long long)squares, (long long)lseek(ledger, 0, SEEK_END));
    close(ledger);
    return 0;
}
