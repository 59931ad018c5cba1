/* SPDX-License-Identifier: MIT */
/* tinywrites.c: many system calls that write little each, such as a write per item or a flush per line. */
#include "rule/judge.h"

void rule_tinywrites(struct model *model)
{
    judge_tiny(model, &(struct tiny){ "tinywrites", "write", "collect them in a buffer", PP_METRIC_WRITES,
                                      PP_METRIC_WRITE_BYTES, THRESHOLD_WRITES, false });
}
