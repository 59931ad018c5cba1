/* SPDX-License-Identifier: MIT */
/* Lighthouses send messages by light, long and short; a station writes the letters down as they come. Prints the length
 * of all messages and a sum over them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOWERS 24u

struct message {
    char *text;
    size_t length, room;
};

static struct message messages[TOWERS];

static void letter_write(struct message *message, char letter)
{
#ifdef FIXED
    if (message->length + 1 >= message->room) {
        message->room = message->room ? message->room * 2 : 64;
        message->text = realloc(message->text, message->room);
    }
#else
    message->text = realloc(message->text, message->length + 2); /* @ */
#endif
    if (!message->text) exit(1);
    message->text[message->length++] = letter;
    message->text[message->length] = '\0';
}

static char letter_read(uint32_t light)
{
    unsigned flashes = 0;
    for (unsigned i = 0; i < 32; i++) flashes = (flashes << 1 ^ light >> i) * 16777619u;
    return (char)('a' + flashes % 26);
}

static uint64_t message_sum(const struct message *message)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < message->length; i++) sum = sum * 31 + (unsigned char)message->text[i];
    return sum;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned nights = (unsigned)(100 * scale) + 1;
    uint64_t length = 0, sum = 0;
    for (unsigned night = 0; night < nights; night++) {
        for (unsigned i = 0; i < 1000 * TOWERS; i++) {
            uint32_t light = (night * 24000u + i) * 2654435761u;
            letter_write(&messages[i % TOWERS], letter_read(light));
        }
        for (unsigned i = 0; i < TOWERS; i++) {
            length += messages[i].length;
            sum += message_sum(&messages[i]);
            free(messages[i].text);
            memset(&messages[i], 0, sizeof messages[i]);
        }
    }
    printf("%llu %llu\n", (unsigned long long)length, (unsigned long long)sum);
    return 0;
}
