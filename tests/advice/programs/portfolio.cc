/* SPDX-License-Identifier: MIT */
/* Values portfolios under several markets, which it makes itself. Prints the best market's number and the sum of all
 * values. */
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

static constexpr unsigned PAPERS = 3000, HELD = 40;

struct holding {
    unsigned paper, count;
};

static std::vector<double> market_make(unsigned number)
{
    std::vector<double> prices(PAPERS);
    uint32_t seed = number * 2654435761u + 1;
    for (double &price : prices) {
        seed = seed * 1664525u + 1013904223u;
        price = (seed >> 20) / 16.0;
    }
    return prices;
}

static std::vector<holding> portfolio_make(unsigned number)
{
    std::vector<holding> portfolio(HELD);
    uint32_t seed = number * 747796405u + 17;
    for (holding &one : portfolio) {
        seed = seed * 1664525u + 1013904223u;
        one = { (seed >> 8) % PAPERS, seed >> 28 };
    }
    return portfolio;
}

#ifdef FIXED
static double portfolio_value(const std::vector<double> &prices, const std::vector<holding> &portfolio)
#else
static double portfolio_value(std::vector<double> prices, std::vector<holding> portfolio) /* @ */
#endif
{
    double value = 0, risk = 0;
    for (const holding &one : portfolio) value += prices[one.paper] * one.count;
    for (int pass = 0; pass < 10; pass++)
        for (const holding &one : portfolio) risk = risk * 0.75 + prices[one.paper] * pass;
    return value - risk / 1024;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    auto portfolios = static_cast<unsigned>(64000 * scale) + 1;
    std::vector<std::vector<double>> markets;
    for (unsigned i = 0; i < 8; i++) markets.push_back(market_make(i));
    std::vector<double> sums(markets.size());
    for (unsigned i = 0; i < portfolios; i++) {
        std::vector<holding> portfolio = portfolio_make(i);
        for (size_t k = 0; k < markets.size(); k++) sums[k] += portfolio_value(markets[k], portfolio); /* @ */
    }
    size_t best = 0;
    double all = 0;
    for (size_t k = 0; k < sums.size(); k++) {
        best = sums[k] > sums[best] ? k : best;
        all += sums[k];
    }
    printf("%zu %.3f\n", best, all);
    return 0;
}
