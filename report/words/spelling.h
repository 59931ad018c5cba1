/* SPDX-License-Identifier: MIT */
/* spelling.h: which of some names somebody may have meant. It must not know what they name. */
#ifndef PROFPLUG_SPELLING_H
#define PROFPLUG_SPELLING_H

#define SPELLINGS 3
struct spelling {
    const char *said;
    const char *name[SPELLINGS]; /* the closest first; NULL: none */
    unsigned distance[SPELLINGS];
};

/* Offers a name, which must live as long as the spelling is used. `said` is set before. */
void spelling_offer(struct spelling *spelling, const char *name);

/* " (did you mean A?)", or an empty text. */
#define SPELLING_BYTES 256
const char *spelling_ask(const struct spelling *spelling, char to[SPELLING_BYTES]);

#endif
