/* SPDX-License-Identifier: MIT */
/* The histogram's buckets against what format.h says of them: a bucket holds its values, its middle is within 0.8 %. */
#include "probe/stage.h"
#include <stdio.h>
#include <stdlib.h>

static uint64_t low(uint32_t b)
{
    return b < 64 ? b : (uint64_t)(b % 64 + 64) << (b / 64 - 1);
}

static uint64_t high(uint32_t b)         /* the last value in it */
{
    return b < 64 ? b : ((uint64_t)(b % 64 + 65) << (b / 64 - 1)) - 1;
}

static void value_check(uint64_t v)
{
    uint32_t b = pp_bucket(v);
    double middle = ((double)low(b) + (double)high(b)) / 2, error = v ? (middle - (double)v) / (double)v : middle;
    if (b >= PP_BUCKETS || v < low(b) || v > high(b) || error > 0.008 || error < -0.008) {
        printf("%llu: bucket %u holds %llu to %llu, error %f\n", (unsigned long long)v, b, (unsigned long long)low(b), (unsigned long long)high(b), error);
        exit(1);
    }
}

int main(void)
{
    for (uint64_t v = 0; v < 1000000; v++)
        value_check(v);
    uint64_t x = 12345;
    for (int i = 0; i < 3000000; i++) {
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407u;
        value_check(x >> 17 >> (i % 46));                /* below 2^47 */
    }
    for (uint32_t b = 0; b + 1 < PP_BUCKETS; b++)
        if (pp_bucket(low(b)) != b || pp_bucket(high(b)) != b || high(b) + 1 != low(b + 1)) {
            printf("bucket %u: %llu to %llu, then %llu\n", b, (unsigned long long)low(b), (unsigned long long)high(b), (unsigned long long)low(b + 1));
            return 1;
        }
    if (pp_bucket(UINT64_MAX) != PP_BUCKETS - 1 || pp_bucket(UINT64_C(1) << 47) != PP_BUCKETS - 1) {
        printf("the last bucket does not take what is beyond it\n");
        return 1;
    }
    return 0;
}
