// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "row_choices.hpp"

#include "scheduler/policy/policy.hpp"

namespace mimus::scheduler::test {

Seams all_choices() {
  Seams seams;
  for (const auto& line : describe_policies()) {
    if (line.choice == "python" || line.choice == "search") continue;  // a user's file; see above
    seams[line.seam].push_back(line.choice);
  }
  const auto add = [&](const char* seam, const char* choice) { seams[seam].emplace_back(choice); };
  add("admission", kBorrowing);
  add("order", "{name: fifo, skip: true}");
  add("order", "{name: sjf, skip: false}");
  add("order", "{name: las, quantum: 7 s}");
  add("order", "{name: las, limits: [30 s, 120 s], promote: 4}");
  add("order", "{name: las, limits: [50 s], promote: 2, within: entry, quantum: 5 s}");
  add("order", "{name: las, limits: [30 s, 90 s], promote: 3, within: queue_order}");
  add("order", "{name: gittins, limits: [20 s], promote: 3, warm_up: 3, refit: 2}");
  add("order", kSoonReserved);
  add("placement", kQuicklyRelaxed);
  add("placement", kByModel);
  add("placement", kSoonElsewhere);
  add("preemption", "{name: checkpoint, min_run: 1 s}");
  add("sharing", "{name: fraction, per_gpu: 3, prefer: idle}");
  add("sharing", kSameGang);
  add("sharing", kPairs);
  add("power", kSoonAsleep);
  add("power", kSoonSized);
  add("recovery", kSoonOut);
  add("cache", kSoonDrawn);
  add("planner", kInPlace);
  add("planner", kRankedBySize);
  add("planner", kRankedByService);
  add("planner", kSmallSearch);
  add("planner", kSoonPacked);
  add("planner", kSoonJoined);
  add("planner", kManyLanes);
  add("planner", kShortestInLane);
  add("planner", kSoonReclaimed);
  add("planner", kProbing);
  add("planner", kOftenConfigured);
  add("planner", kShortLeases);
  add("planner", kShortMakespan);
  add("planner", kShortWindows);
  return seams;
}

}  // namespace mimus::scheduler::test
