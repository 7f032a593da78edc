// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <string>

#include <benchmark/benchmark.h>

#include "tests/bench/timed_planner.hpp"

// What a plan for 1,000 jobs on four types of 1,024 GPUs costs when all fractions of time are
// computed anew. Bound, -O2, one core of 2 GHz or more: <= 1 s.

namespace mimus::scheduler {
namespace {

/// One of 26 kinds, as many as Gavel's evaluation has, with 0.3 to 20 iterations/s.
JobView rated_job(int id, bool may_have_gang, RandomStream& random) {
  JobView view = job(id, random);
  if (!may_have_gang) view.gang = 1;
  const auto kind = static_cast<double>(random.below(26));
  view.rates = {{"A100", 20.0 - 0.5 * kind},
                {"V100", 10.0 - 0.2 * kind},
                {"P100", 7.0 - 0.25 * kind},
                {"K80", 1.0 + 0.03 * kind}};
  view.user_estimate = from_seconds(random.uniform(3600.0, 360000.0));
  return view;
}

/// All fractions are computed anew in each round.
void renewed_fractions(benchmark::State& state, const std::string& objective) {
  plan_in_rounds(state, four_types(),
                 "{planner: {name: gavel, renew: 0 s, round: 60 s, objective: " + objective +
                     "}, placement: pack}",
                 std::chrono::seconds{60}, [&](int id, RandomStream& random) {
                   return rated_job(id, objective != "allox", random);
                 });
}

}  // namespace

void register_gavel() {
  for (const std::string objective : {"max_min", "makespan", "ftf", "max_sum", "allox"}) {
    benchmark::RegisterBenchmark(("gavel/" + objective).c_str(), renewed_fractions, objective)
        ->Unit(benchmark::kMillisecond)
        ->Iterations(10);
  }
}

}  // namespace mimus::scheduler
