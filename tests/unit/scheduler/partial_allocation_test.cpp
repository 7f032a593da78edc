// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/partial_allocation.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/random.hpp"

namespace mimus::scheduler {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;

template <class Value>
Valuation of(int most, Value&& value) {
  Valuation values;
  for (int k = 0; k <= most; ++k) values.push_back(std::max(1e-6, value(static_cast<double>(k))));
  return values;
}

double linear(double k) {
  return k;
}
double root(double k) {
  return std::sqrt(k);
}
auto up_to(double most) {
  return [most](double k) { return std::min(k, most); };
}

TEST(PartialAllocation, KeepsTheHarmToOthersAsAPayment) {
  const std::vector<Valuation> bidders{of(4, linear), of(4, root)};

  const PartialAllocation allocation = partial_allocation(bidders, 4);

  EXPECT_THAT(allocation.fair, ElementsAre(3, 1));
  EXPECT_THAT(allocation.shares, ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.75, 1e-12)));
}

TEST(PartialAllocation, OfEqualBiddersEachPaysHalf) {
  const std::vector<Valuation> bidders{of(8, linear), of(8, linear)};

  const PartialAllocation allocation = partial_allocation(bidders, 8);

  EXPECT_THAT(allocation.fair, ElementsAre(4, 4));
  EXPECT_THAT(allocation.shares, ElementsAre(DoubleNear(0.5, 1e-12), DoubleNear(0.5, 1e-12)));
}

TEST(PartialAllocation, GivesToThreeWhatMaximisesTheProduct) {
  const std::vector<Valuation> bidders{of(8, linear), of(2, up_to(2.0)), of(8, root)};

  const PartialAllocation allocation = partial_allocation(bidders, 8);

  EXPECT_THAT(allocation.fair, ElementsAre(4, 2, 2));
  EXPECT_THAT(allocation.shares, ElementsAre(DoubleNear(0.5774, 5e-5), DoubleNear(0.6532, 5e-5),
                                             DoubleNear(2.0 / 3.0, 1e-12)));
}

TEST(PartialAllocation, WhoTakesNothingFromOthersPaysNothing) {
  const std::vector<Valuation> bidders{of(8, [](double k) { return 1.0 + k; }),
                                       of(2, [](double k) { return 1.0 + k; })};

  const PartialAllocation allocation = partial_allocation(bidders, 8);

  EXPECT_THAT(allocation.fair, ElementsAre(6, 2));
  EXPECT_THAT(allocation.shares, ElementsAre(DoubleNear(1.0, 1e-12), DoubleNear(7.0 / 9.0, 1e-12)));
}

/// The best product over all divisions, one bidder after another. Bidder `without` gets nothing and
/// does not count.
double best_product(const std::vector<Valuation>& bidders, std::size_t from, int gpus,
                    std::size_t without) {
  if (from == bidders.size()) return 1.0;
  if (from == without) return best_product(bidders, from + 1, gpus, without);
  double best = 0.0;
  const int most = std::min(gpus, static_cast<int>(bidders[from].size()) - 1);
  for (int own = 0; own <= most; ++own) {
    best = std::max(best, bidders[from][static_cast<std::size_t>(own)] *
                              best_product(bidders, from + 1, gpus - own, without));
  }
  return best;
}

TEST(PartialAllocation, IsWhatTryingAllDivisionsFinds) {
  RandomStream random(7, "auction");
  for (int round = 0; round < 200; ++round) {
    const int gpus = static_cast<int>(random.below(7));
    std::vector<Valuation> bidders(static_cast<std::size_t>(1 + random.below(4)));
    for (Valuation& values : bidders) {
      values.push_back(0.1 + random.uniform());
      for (std::int64_t k = random.below(6); k > 0; --k) {
        values.push_back(values.back() + random.uniform());
      }
    }

    const PartialAllocation allocation = partial_allocation(bidders, gpus);

    const std::size_t everybody = bidders.size();
    double product = 1.0;
    int given = 0;
    for (std::size_t p = 0; p < bidders.size(); ++p) {
      given += allocation.fair[p];
      product *= bidders[p][static_cast<std::size_t>(allocation.fair[p])];
    }
    EXPECT_LE(given, gpus);
    EXPECT_NEAR(product, best_product(bidders, 0, gpus, everybody), 1e-9 * product);
    for (std::size_t p = 0; p < bidders.size(); ++p) {
      const double others = product / bidders[p][static_cast<std::size_t>(allocation.fair[p])];
      EXPECT_NEAR(allocation.shares[p], others / best_product(bidders, 0, gpus, p), 1e-9);
    }
  }
}

}  // namespace
}  // namespace mimus::scheduler
