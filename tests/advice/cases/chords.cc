// SPDX-License-Identifier: MIT
/* rule: allocations */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* says: notes_find */
/* does: clear() */
// chords.cc: which notes sound together in pieces of music. A list of notes is made for each bar, and another function
// fills it: what is to be changed is where it is made.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static constexpr int TONES = 12;

struct bar {
    uint8_t loudness[TONES];
};

__attribute__((noipa)) static void notes_find(const bar &from, std::vector<int> &notes)
{
    for (int tone = 0; tone < TONES; tone++)
        if (from.loudness[tone] > 40)
            notes.push_back(tone);
}

static uint64_t piece_play(const bar *bars, unsigned count)
{
    uint64_t sum = 0;
#ifdef FIXED
    std::vector<int> notes;
#endif
    for (unsigned i = 0; i < count; i++) {
#ifdef FIXED
        notes.clear();
#else
        std::vector<int> notes; /* @ */
#endif
        notes_find(bars[i], notes); /* @ */
        for (int tone : notes)
            sum = sum * 31 + uint64_t(tone);
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned rounds = unsigned(600 * (argc > 1 ? std::atof(argv[1]) : 1)) + 1;
    static bar bars[1000];
    uint32_t seed = 9;
    for (bar &one : bars)
        for (uint8_t &loudness : one.loudness)
            loudness = uint8_t((seed = seed * 1664525u + 1013904223u) >> 24);
    uint64_t sum = 0;
    for (unsigned i = 0; i < rounds; i++)
        sum ^= piece_play(bars, 1000) + i;
    std::printf("%llx\n", static_cast<unsigned long long>(sum));
    return 0;
}
