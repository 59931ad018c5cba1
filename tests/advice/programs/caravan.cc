// SPDX-License-Identifier: MIT
// A caravan of animals of three sorts walks for days. Prints what they ate and a sum over the nights.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct animal {
    explicit animal(uint32_t load) : load(load) {}
    virtual ~animal() = default;
    virtual uint32_t eats(uint32_t day) const = 0;
    uint32_t load;
};

struct camel final : animal {
    using animal::animal;
    uint32_t eats(uint32_t day) const override { return load + (day & 3); }
};

struct donkey final : animal {
    using animal::animal;
    uint32_t eats(uint32_t day) const override { return 2 * load + (day & 1); }
};

struct horse final : animal {
    using animal::animal;
    uint32_t eats(uint32_t day) const override { return 3 * load - (day & 1); }
};

class caravan {
  public:
    explicit caravan(unsigned size)
    {
        uint32_t state = 77;
        for (unsigned i = 0; i < size; i++) {
            state = state * 1664525u + 1013904223u;
            uint32_t load = 1 + (state >> 28), sort = (state >> 24) % 3;
#ifdef FIXED
            if (sort == 0) camels.emplace_back(load);
            else if (sort == 1) donkeys.emplace_back(load);
            else horses.emplace_back(load);
#else
            if (sort == 0) animals.push_back(std::make_unique<camel>(load));
            else if (sort == 1) animals.push_back(std::make_unique<donkey>(load));
            else animals.push_back(std::make_unique<horse>(load));
#endif
        }
    }
    uint64_t feed(uint32_t day) const
    {
        uint64_t sum = 0;
#ifdef FIXED
        for (const camel &one : camels) sum += one.eats(day);
        for (const donkey &one : donkeys) sum += one.eats(day);
        for (const horse &one : horses) sum += one.eats(day);
#else
        for (const auto &one : animals) /* @ */
            sum += one->eats(day); /* @ */
#endif
        return sum;
    }

  private:
#ifdef FIXED
    std::vector<camel> camels;
    std::vector<donkey> donkeys;
    std::vector<horse> horses;
#else
    std::vector<std::unique_ptr<animal>> animals;
#endif
};

uint64_t night(uint64_t stars, unsigned hours)
{
    for (unsigned i = 0; i < hours; i++) stars = (stars ^ i) * 1099511628211u;
    return stars;
}

} // namespace

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned days = static_cast<unsigned>(7000 * scale) + 1;
    caravan all(8000);
    uint64_t eaten = 0, stars = 3;
    for (unsigned day = 0; day < days; day++) {
        eaten += all.feed(day);
        stars = night(stars, 16000);
    }
    printf("%llu %llu\n", static_cast<unsigned long long>(eaten), static_cast<unsigned long long>(stars));
    return 0;
}
