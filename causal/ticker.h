/* SPDX-License-Identifier: MIT */
/* ticker.h: the thread that looks a thousand times a second who is in the target. */
#ifndef PROFPLUG_CAUSAL_TICKER_H
#define PROFPLUG_CAUSAL_TICKER_H

#include <profplug/abi/causal.h>

void ticker_start(const struct pp_causal_request *request);
#endif
