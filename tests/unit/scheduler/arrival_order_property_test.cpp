// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <chrono>
#include <deque>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "scheduler/books/arrival_order.hpp"
#include "scheduler/books/job_table.hpp"

namespace mimus::scheduler::test {
namespace {

bool came_before(const JobRecord* a, const JobRecord* b) {
  return std::tie(a->view.arrival, a->view.id) < std::tie(b->view.arrival, b->view.id);
}

/// Jobs that come and leave, beside a list of them that is sorted anew each time.
class Arrivals {
 public:
  explicit Arrivals(std::uint64_t seed) : random_(seed, "arrivals") {}

  /// Few instants, so that many jobs share one; and ids that do not follow them.
  void arrive(std::int64_t number) {
    JobView view;
    view.id = JobId{number % 2 == 0 ? number : 1000 - number};
    view.arrival = Instant{std::chrono::seconds{number / 10 + random_.below(3)}};
    present.push_back(&records_.emplace_back(std::move(view)));
    order.add(*present.back());
    std::ranges::sort(present, came_before);
  }
  void leave() {
    if (present.empty()) return;
    const auto job = present.begin() + random_.below(static_cast<std::int64_t>(present.size()));
    order.remove(**job);
    present.erase(job);
  }

  ArrivalOrder order;
  std::vector<JobRecord*> present;

 private:
  RandomStream random_;
  std::deque<JobRecord> records_;
};

TEST(ArrivalOrder, IsThatOfTheJobsThatHaveNotLeft) {
  const bool held = rc::check([](bool many_leave) {
    Arrivals jobs{*rc::gen::inRange<std::uint64_t>(1, 1'000'000)};
    for (std::int64_t number = 1; number <= 200; ++number) {
      jobs.arrive(number);
      if (number % 3 != 0 || many_leave) jobs.leave();
      std::vector<JobRecord*> seen;
      jobs.order.for_each([&](JobRecord& job) { seen.push_back(&job); });
      RC_ASSERT(seen == jobs.present);
      RC_ASSERT(jobs.order.size() == seen.size());
    }
    while (!jobs.present.empty()) jobs.leave();
    RC_ASSERT(jobs.order.size() == 0);
  });
  EXPECT_TRUE(held);
}

}  // namespace
}  // namespace mimus::scheduler::test
