/* SPDX-License-Identifier: MIT */
/* tinywrites.c: many system calls that write little each: a write per item, a stream that is flushed at every line. */
#include "rule/judge.h"

void rule_tinywrites(struct model *model)
{
    judge_tiny(model, &(struct tiny){ "tinywrites", "write", "collect them in a buffer", PP_METRIC_WRITES, PP_METRIC_WRITE_BYTES, THRESHOLD_WRITES, false });
}
