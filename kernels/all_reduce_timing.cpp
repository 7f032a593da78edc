// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/all_reduce_timing.hpp"

#include <thread>

#include "base/error.hpp"

namespace mimus::kernels {

std::vector<Duration> time_all_reduces(HostOrderedCollective& collective,
                                       const AllReduceSeries& series) {
  std::vector<Duration> times;
  WallInstant begin = wall_now();
  for (int i = 0; i < series.warm_up + series.count; ++i) {
    const std::int64_t number = collective.enqueue(CollectiveOp::all_reduce, series.size, begin);
    for (WallInstant now = begin; collective.completed() < number; now = wall_now()) {
      collective.progress(now);
      if (now - begin > series.deadline) {
        throw TimeoutError("all-reduce", now - begin, "a member of the gang may be gone");
      }
      std::this_thread::yield();  // another member may need this core
    }
    const WallInstant end = wall_now();
    if (i >= series.warm_up) times.push_back(end - begin);
    begin = end;
  }
  return times;
}

}  // namespace mimus::kernels
