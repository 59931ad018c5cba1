// SPDX-License-Identifier: MIT
/* rule: dearcalls */
/* sizes: 0.3 1 3 */
/* base: 15 */
/* titled: type */
// collages.cc: steps of a pipeline are told apart by dynamic_cast, for each number that goes through them.
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace {

struct step {
    virtual ~step() = default;
    int kind = 0;
};

struct scale : step {
    float factor;
    explicit scale(float by) : factor(by) { kind = 1; }
};

struct shift : step {
    float amount;
    explicit shift(float by) : amount(by) { kind = 2; }
};

float applied(const step &s, float value)
{
#ifdef FIXED
    switch (s.kind) {
    case 1: return value * static_cast<const scale &>(s).factor;
    case 2: return value + static_cast<const shift &>(s).amount;
    default: return value;
    }
#else
    if (auto *one = dynamic_cast<const scale *>(&s)) /* @ */
        return value * one->factor;
    if (auto *one = dynamic_cast<const shift *>(&s)) /* @ */
        return value + one->amount;
    return value;
#endif
}

} // namespace

int main(int argc, char **argv)
{
    int numbers = static_cast<int>(700000 * (argc > 1 ? std::atof(argv[1]) : 1));
    std::vector<std::unique_ptr<step>> steps;
    steps.push_back(std::make_unique<scale>(0.5f));
    steps.push_back(std::make_unique<shift>(2.0f));
    steps.push_back(std::make_unique<scale>(0.75f));
    steps.push_back(std::make_unique<shift>(-1.0f));
    double sum = 0;
    for (int i = 0; i < numbers; i++) {
        auto value = static_cast<float>(i % 1000);
        for (const auto &s : steps)
            value = applied(*s, value);
        sum += value;
    }
    std::printf("%.3f\n", sum);
    return 0;
}
