// SPDX-License-Identifier: MIT
// An organ's register: stops with their pipes; a piece asks for stops and the organ sounds them. Prints the pipes that
// sounded and a sum over their tones.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

struct stop {
    std::string name;
    std::vector<int> pipes;
    bool drawn = false;
};

class organ {
public:
    explicit organ(unsigned stops)
    {
        for (unsigned i = 0; i < stops; i++) {
            stop one;
            one.name = "Prinzipal der " + std::to_string(i) + ". Reihe im Hauptwerk";
            for (unsigned k = 0; k < 40; k++) one.pipes.push_back(int(i * 61 + k));
            one.drawn = i % 3 == 0;
            stops_[one.name] = one;
        }
    }

    std::uint64_t sound(unsigned chord)
    {
        std::uint64_t tone = chord;
#ifdef FIXED
        for (const auto &entry : stops_) {
#else
        for (auto entry : stops_) { /* @ */
#endif
            if (!entry.second.drawn) continue;
            for (unsigned k = 0; k < entry.second.pipes.size(); k += 2)
                tone = (tone ^ unsigned(entry.second.pipes[k])) * 1099511628211ULL;
            sounded_++;
        }
        return tone;
    }

    void draw(unsigned which)
    {
        unsigned at = 0;
        for (auto &entry : stops_)
            if (at++ == which % stops_.size()) entry.second.drawn = !entry.second.drawn;
    }

    std::uint64_t sounded() const { return sounded_; }

private:
    std::map<std::string, stop> stops_;
    std::uint64_t sounded_ = 0;
};

static std::uint64_t reverberate(std::uint64_t tone)
{
    for (unsigned i = 0; i < 6000; i++) tone = tone * 6364136223846793005ULL + i;
    return tone >> 20;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? std::atof(argv[1]) : 1.0;
    unsigned chords = unsigned(10000 * scale) + 1;
    organ instrument(48);
    std::uint64_t sum = 0;
    for (unsigned chord = 0; chord < chords; chord++) {
        if (chord % 16 == 0) instrument.draw(chord * 7);
        sum += reverberate(instrument.sound(chord));
    }
    std::printf("%llu %llu\n", (unsigned long long)instrument.sounded(), (unsigned long long)sum);
    return 0;
}
