/* SPDX-License-Identifier: MIT */
/* A synthesizer: sound goes through a chain of stages (gain, offset, limit, accent). Prints a sum over the sound. */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

static constexpr int BLOCK = 512;

struct stage {
    virtual ~stage() = default;
    virtual int32_t step(int32_t sound) = 0;
#ifdef FIXED
    virtual void run(int32_t *block) = 0;
#endif
};

template <class OWN> struct staged : stage {
#ifdef FIXED
    void run(int32_t *block) override
    {
        for (int i = 0; i < BLOCK; i++) block[i] = static_cast<OWN *>(this)->OWN::step(block[i]);
    }
#endif
};

struct gain : staged<gain> {
    int32_t factor = 3;
    int32_t step(int32_t sound) override { return sound * factor >> 1; }
};

struct offset : staged<offset> {
    int32_t by = 17;
    int32_t step(int32_t sound) override { return sound + by; }
};

struct limit : staged<limit> {
    int32_t most = 9000;
    int32_t step(int32_t sound) override { return std::max(-most, std::min(most, sound)); }
};

struct accent : staged<accent> {
    int32_t before = 0;
    int32_t step(int32_t sound) override
    {
        int32_t change = sound - before;
        before = sound;
        return sound + change / 4;
    }
};

static void chain_run(const std::vector<std::unique_ptr<stage>> &chain, int32_t *block)
{
    for (const auto &one : chain) {
#ifdef FIXED
        one->run(block);
#else
        for (int i = 0; i < BLOCK; i++) block[i] = one->step(block[i]); /* @ */
#endif
    }
}

static void block_make(int32_t *block, uint32_t &seed)
{
    for (int i = 0; i < BLOCK; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        block[i] = static_cast<int32_t>(seed >> 19) - 4096;
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto blocks = static_cast<unsigned>(60000 * scale) + 1;
    std::vector<std::unique_ptr<stage>> chain;
    for (int i = 0; i < 2; i++) {
        chain.push_back(std::make_unique<gain>());
        chain.push_back(std::make_unique<offset>());
        chain.push_back(std::make_unique<limit>());
        chain.push_back(std::make_unique<accent>());
    }
    std::vector<int32_t> block(BLOCK);
    uint32_t seed = 2463534242u;
    int64_t sum = 0;
    for (unsigned i = 0; i < blocks; i++) {
        block_make(block.data(), seed);
        chain_run(chain, block.data());
        for (int32_t sound : block) sum += sound;
    }
    printf("%lld\n", static_cast<long long>(sum));
    return 0;
}
