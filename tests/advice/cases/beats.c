/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 2 */
/* rule: sleeps */
/* does: tuned */
/* libraries: -pthread */
/* beats.c: before each song an instrument is tuned by a thread, and the program looks whether it is done. Then it beats
 * time, and a note is played at each beat: that pause is no waiting. In the twin the first wait is none of looks. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int songs, asked, tuned;
static uint32_t strings;

static uint32_t mix(uint32_t value, int rounds)
{
    for (int i = 0; i < rounds; i++)
        value = value * 1664525 + (value >> 13);
    return value;
}

static void *instrument_tune(void *unused)
{
    for (int i = 1; i <= songs; i++) {
        pthread_mutex_lock(&lock);
        while (asked < i)
            pthread_cond_wait(&changed, &lock);
        pthread_mutex_unlock(&lock);
        uint32_t now = mix(strings + (uint32_t)i, 1000000);
        pthread_mutex_lock(&lock);
        strings = now;
        tuned = i;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void song_tune(int song)
{
    pthread_mutex_lock(&lock);
    asked = song;
    pthread_cond_broadcast(&changed);
    while (tuned < song) {
#ifndef FIXED
        pthread_mutex_unlock(&lock);
        usleep(5000); /* @ */
        pthread_mutex_lock(&lock);
#else
        pthread_cond_wait(&changed, &lock);
#endif
    }
    pthread_mutex_unlock(&lock);
}

static uint32_t song_play(int beats)
{
    uint32_t played = 0;
    for (int i = 0; i < beats; i++) {
        played ^= mix(strings + (uint32_t)i, 50000);
        usleep(1500);
    }
    return played;
}

int main(int argc, char **argv)
{
    uint32_t sum = 0;
    pthread_t thread;
    songs = (int)(40 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_create(&thread, NULL, instrument_tune, NULL);
    for (int i = 1; i <= songs; i++) {
        song_tune(i);
        sum = sum * 31 + song_play(4);
    }
    pthread_join(thread, NULL);
    printf("%d songs, %08x\n", songs, sum);
    return 0;
}
