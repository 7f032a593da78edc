// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/cache/lru.hpp"
#include "scheduler/cache/no_cache.hpp"
#include "scheduler/cache/robus.hpp"

namespace mimus::scheduler {
namespace {

Choice<Cache> robus_choice(std::uint64_t seed) {
  using S = Robus::Settings;
  return choice<Cache, Robus>(
      "robus",
      "in each epoch a set of data sets drawn from a lottery that is fair to the tenants (ROBUS, "
      "SIGMOD'17)",
      {field("epoch", &S::epoch, kPositive, "time after which the content is drawn again"),
       field("objective", &S::objective,
             {{"proportional", Robus::Objective::proportional},
              {"utilitarian", Robus::Objective::utilitarian}},
             "proportionally fair chances, or always the set that is worth most to all together"),
       field("weights", &S::weights, kPositive,
             "weights of virtual clusters; 1 for those not named")
           .beyond("virtual cluster: number > 0"),
       field("draws", &S::draws, between(0, 10'000),
             "with more than twelve data sets: number of random weightings of the tenants for "
             "which sets are sought; 0: five times the square of the number of tenants")},
      [seed](S settings) { return std::make_unique<Robus>(std::move(settings), seed); });
}

}  // namespace

Registry<Cache> cache_choices(const PolicyInputs& inputs) {
  return {"cache",
          {choice<Cache, NoCache>("none", "every job reads its data from storage"),
           choice<Cache, LruCache>(
               "lru", "the most recently read pages, as in a page cache that all tenants share"),
           robus_choice(inputs.seed)}};
}

}  // namespace mimus::scheduler
