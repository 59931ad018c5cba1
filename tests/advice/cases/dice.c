/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* rule: lockcalls */
/* libraries: -pthread */
/* does: rand_r */
/* says: rand */
/* least: 30 */
/* dice.c: two players throw dice, and count how often each number comes. All take their numbers from one generator,
 * which the library keeps under a lock; in the twin each has one. The croupier takes few, and alone. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLAYERS 2

struct player {
    unsigned seed, throws, count[6];
    uint64_t luck;
    char apart[128];
};

static struct player player[PLAYERS];

#ifdef FIXED
#define NUMBER(p) rand_r(&(p)->seed)
#else
#define NUMBER(p) rand()
#endif

static void dice_throw(struct player *p)
{
    for (unsigned i = 0; i < p->throws; i++)
        p->count[(unsigned)NUMBER(p) / 7 % 6]++; /* @ */
}

static void luck_weigh(struct player *p)
{
    for (unsigned i = 0; i < p->throws; i++)
        p->luck = (p->luck ^ i) * 1099511628211ULL >> 1;
}

static void *player_play(void *at)
{
    dice_throw(at);
    luck_weigh(at);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[PLAYERS];
    unsigned throws = (unsigned)(12000000 * (argc > 1 ? atof(argv[1]) : 1)), colours = 0, sixes = 0;
    for (unsigned i = 0; i < throws / 20; i++)
        colours += (unsigned)rand() >> 30;
    for (unsigned i = 0; i < PLAYERS; i++) {
        player[i].seed = 17 * i + 1;
        player[i].throws = throws;
        pthread_create(&thread[i], NULL, player_play, &player[i]);
    }
    for (unsigned i = 0; i < PLAYERS; i++) {
        pthread_join(thread[i], NULL);
        sixes += player[i].count[5];
    }
    printf("%u %u %.1f %llu\n", throws, colours, 10.0 * sixes / PLAYERS / throws, (unsigned long long)player[0].luck);
    return 0;
}
