// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "emulator/sharing/slices_law.hpp"
#include "emulator/virtual/contention/contention.hpp"
#include "model_builders.hpp"

namespace mimus::emulator::test {
namespace {

/// Attempts with random GPUs and loads, at most two on a GPU.
std::vector<Attempt> any_attempts(StatedSteps& steps) {
  std::vector<Attempt> attempts;
  std::vector<int> tenants(16, 0);
  for (int id = 1, most = *rc::gen::inRange(1, 12); id <= most; ++id) {
    std::vector<int> gpus;
    for (int gpu = *rc::gen::inRange(0, 16), i = 0; i < 4; ++i, gpu = (gpu + 5) % 16) {
      if (*rc::gen::arbitrary<bool>() && tenants[static_cast<std::size_t>(gpu)] < 2) {
        gpus.push_back(gpu);
        ++tenants[static_cast<std::size_t>(gpu)];
      }
    }
    if (gpus.empty()) continue;
    attempts.push_back(attempt_on(id, gpus));
    steps.stated[AttemptId{id}] = {.busy = *rc::gen::inRange(1, 11) / 10.0,
                                   .uplink = *rc::gen::inRange(0, 11) / 10.0};
  }
  return attempts;
}

/// Whatever attempts may share: GPUs in turns, links and hosts.
struct Shared {
  ClusterConfig cluster = small_cluster();
  StatedSteps steps;
  LawOfTenants law{steps, BytesPerSecond{1e9}, std::make_unique<SlicesLaw>(SlicesLaw::Settings{})};
  Shared() { steps.hosts = true; }
};

using Seen = std::map<AttemptId, Surroundings>;

Seen seen_by(const Contention& contention, const std::vector<Attempt>& attempts) {
  Seen seen;
  for (const auto& attempt : attempts) seen[attempt.id] = contention.of(attempt.id);
  return seen;
}

TEST(ContentionProperties, TheOrderOfEnteringDoesNotMatter) {
  EXPECT_TRUE(rc::check([] {
    Shared shared;
    auto attempts = any_attempts(shared.steps);
    Contention forwards(shared.cluster, shared.steps, shared.law);
    Contention backwards(shared.cluster, shared.steps, shared.law);
    std::vector<AttemptId> changed;
    for (const auto& attempt : attempts) forwards.enter(attempt, changed);
    for (std::size_t i = attempts.size(); i-- > 0;) backwards.enter(attempts[i], changed);
    RC_ASSERT(seen_by(forwards, attempts) == seen_by(backwards, attempts));
  }));
}

TEST(ContentionProperties, LeavingUndoesEnteringExactlyAndBothReportWhoChanged) {
  EXPECT_TRUE(rc::check([] {
    Shared shared;
    const auto attempts = any_attempts(shared.steps);
    RC_PRE(!attempts.empty());
    const auto last = attempts.back();
    const std::vector<Attempt> others(attempts.begin(), attempts.end() - 1);
    Contention contention(shared.cluster, shared.steps, shared.law);
    std::vector<AttemptId> changed;
    for (const auto& attempt : others) contention.enter(attempt, changed);
    const Seen before = seen_by(contention, others);
    std::vector<AttemptId> by_entering;
    contention.enter(last, by_entering);
    std::vector<AttemptId> neighbours;
    contention.neighbours(last, neighbours);
    std::vector<AttemptId> expected;
    for (const auto& [id, was] : before) {
      const bool beside = std::find(neighbours.begin(), neighbours.end(), id) != neighbours.end();
      if (beside || !(contention.of(id) == was)) expected.push_back(id);
    }
    RC_ASSERT(by_entering == expected);
    std::vector<AttemptId> by_leaving;
    contention.leave(last.id, by_leaving);
    RC_ASSERT(by_leaving == expected);
    RC_ASSERT(seen_by(contention, others) == before);
  }));
}

}  // namespace
}  // namespace mimus::emulator::test
