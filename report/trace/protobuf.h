/* SPDX-License-Identifier: MIT */
/* protobuf.h: fields of protocol buffers in their wire format (protobuf.dev/programming-guides/encoding). It knows no
 * message. */
#ifndef PROFPLUG_PROTOBUF_H
#define PROFPLUG_PROTOBUF_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct message { /* zero-initialised is empty; free `byte` */
    unsigned char *byte;
    size_t count, capacity;
};

void message_clear(struct message *message);
void message_number(struct message *message, unsigned field, uint64_t value); /* nothing for 0, the default */
void message_always(struct message *message, unsigned field, uint64_t value); /* also for 0: of a oneof */
void message_fixed(struct message *message, unsigned field, uint64_t value); /* 8 bytes */
void message_text(struct message *message, unsigned field, const char *text); /* as for people: valid UTF-8 */
void message_inner(struct message *message, unsigned field, const struct message *inner);
void message_bytes(struct message *message, unsigned field, const void *bytes, size_t count);
void message_packed(struct message *message, uint64_t value); /* one of a repeated field, into a message of its own */
void message_print(FILE *out, unsigned field, const struct message *inner); /* a field of the outermost message */

#endif
