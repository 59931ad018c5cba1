/* SPDX-License-Identifier: MIT */
/* A thumbnail server: one thread renders what is asked for and looks up each picture in a catalogue, another keeps the
 * catalogue's ranking. Prints a sum over the thumbnails and one over the rankings. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PICTURES 4096u
#define SIDE 64u
#define THUMB 16u

struct picture {
    uint32_t id, width, height, weight;
    uint64_t digest;
};

static struct picture catalogue[PICTURES];
static pthread_mutex_t catalogue_lock = PTHREAD_MUTEX_INITIALIZER;
static unsigned requests, rankings;
static uint64_t ranking_sum;

static uint64_t mix(uint64_t h)
{
    h ^= h >> 33;
    h *= 0xff51afd7ed558ccdULL;
    h ^= h >> 29;
    return h;
}

static void catalogue_fill(void)
{
    for (uint32_t i = 0; i < PICTURES; i++) {
        struct picture p = { i, 640 + i % 320, 480 + i % 240, i % 97 + 1, mix(i + 1) };
        catalogue[i] = p;
    }
}

static struct picture picture_find(uint32_t id)
{
    pthread_mutex_lock(&catalogue_lock);
    struct picture found = catalogue[id % PICTURES];
    pthread_mutex_unlock(&catalogue_lock);
    return found;
}

static uint64_t thumbnail_render(const struct picture *p)
{
    static uint8_t pixels[SIDE * SIDE], thumb[THUMB * THUMB];
    uint64_t seed = p->digest;
    for (unsigned i = 0; i < SIDE * SIDE; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        pixels[i] = (uint8_t)(seed >> 56);
    }
    uint64_t sum = 0;
    for (unsigned y = 0; y < THUMB; y++)
        for (unsigned x = 0; x < THUMB; x++) {
            unsigned grey = 0;
            for (unsigned dy = 0; dy < SIDE / THUMB; dy++)
                for (unsigned dx = 0; dx < SIDE / THUMB; dx++)
                    grey += pixels[(y * 4 + dy) * SIDE + x * 4 + dx];
            thumb[y * THUMB + x] = (uint8_t)(grey / 16);
            sum += thumb[y * THUMB + x] * (uint64_t)(x + y + p->weight);
        }
    return sum;
}

static uint64_t ranking_score(const struct picture *pictures)
{
    uint64_t score = 0;
    for (unsigned pass = 0; pass < 40; pass++)
        for (unsigned i = 0; i < PICTURES; i++)
            score += mix(pictures[i].digest + pass) % (pictures[i].weight + 13);
    return score;
}

static void *ranking_thread(void *unused)
{
    static struct picture copy[PICTURES];
    for (unsigned i = 0; i < rankings; i++) {
        pthread_mutex_lock(&catalogue_lock);
        memcpy(copy, catalogue, sizeof copy);
#ifdef FIXED
        pthread_mutex_unlock(&catalogue_lock);
        ranking_sum += ranking_score(copy);
#else
        ranking_sum += ranking_score(copy); /* @ */
        pthread_mutex_unlock(&catalogue_lock);
#endif
        for (unsigned k = 0; k < PICTURES; k++)
            ranking_sum ^= mix(copy[k].digest ^ i) >> 40;
    }
    return unused;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    requests = (unsigned)(42000 * scale) + 1;
    rankings = (unsigned)(900 * scale) + 1;
    catalogue_fill();
    pthread_t ranker;
    if (pthread_create(&ranker, NULL, ranking_thread, NULL)) return 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < requests; i++) {
        struct picture found = picture_find((uint32_t)mix(i));
        sum += thumbnail_render(&found);
    }
    pthread_join(ranker, NULL);
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)ranking_sum);
    return 0;
}
