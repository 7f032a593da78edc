// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Plans that suspend and resume at random never lose a job or work, and never over-allocate.
#include <algorithm>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "base/random.hpp"
#include "builders.hpp"
#include "driver.hpp"

namespace mimus::scheduler::test {
namespace {

/// Suspends, resumes, shrinks, grows, stops and places at random for 200 s. Then each GPU has one
/// job, which runs, and others start where there is room.
class RandomSuspender final : public Planner {
 public:
  explicit RandomSuspender(std::uint64_t seed) : random_(seed, "random suspensions") {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override {
    is_over_ = query.now >= at(200);
    held_.clear();
    Plan plan;
    elsewhere_.clear();
    for (const PlanJob& job : query.jobs) keep(*job.view, query, plan);
    for (const JobView* job : elsewhere_) start(*job, query, plan);
    for (const PlanJob& job : query.jobs) {
      if (!job.view->holds_gpus() && (is_over_ || random_.below(2) == 0)) {
        start(*job.view, query, plan);
      }
    }
    plan.next = query.now + seconds(1.0 + static_cast<double>(random_.below(15)));
    return plan;
  }
  [[nodiscard]] Wakes wakes() const override {
    return {.arrivals = true, .ends = true, .starts = true, .failures = true};
  }
  [[nodiscard]] int residents() const override { return 3; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] bool moves() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override { return true; }

 private:
  void keep(const JobView& job, const PlanQuery& query, Plan& plan) {
    if (!job.holds_gpus() || job.state == JobState::stopping) return;
    const auto& slots = job.allocation.slots;
    const bool is_usable = std::all_of(slots.begin(), slots.end(), [&](const Slot& slot) {
      return query.placer.usable(slot.gpu) && has_room(slot.gpu);
    });
    if (!is_usable || (!is_over_ && random_.below(8) == 0)) return;
    if (!is_over_ && random_.below(6) == 0) return elsewhere_.push_back(&job);
    for (const Slot& slot : slots) ++held_[slot.gpu];
    if (!is_over_ && random_.below(5) == 0) return resize(job, query, plan);
    plan.targets.push_back({.job = job.id,
                            .gpus = job.allocation,
                            .suspended = !is_over_ && random_.below(2) == 0,
                            .limits = random_limits(),
                            .keeps = static_cast<SuspendedMemory>(random_.below(3))});
  }

  /// One GPU less, or another one in addition.
  void resize(const JobView& job, const PlanQuery& query, Plan& plan) {
    Allocation place = job.allocation;
    if (place.slots.size() > 1 && random_.below(2) == 0) {
      place.slots.pop_back();
    } else {
      for (int gpu = 0; gpu < query.cluster.shape().gpus(); ++gpu) {
        const GpuId id{gpu};
        const bool is_held = std::ranges::find(place.slots, id, &Slot::gpu) != place.slots.end();
        if (is_held || !query.placer.usable(id) || !has_room(id)) continue;
        ++held_[id];
        place.slots.push_back({id, {}});
        break;
      }
    }
    plan.targets.push_back({.job = job.id, .gpus = std::move(place)});
  }

  DeviceLimits random_limits() {
    DeviceLimits limits{.cap = 0.25 * static_cast<double>(1 + random_.below(4))};
    if (random_.below(2) == 0)
      limits.memory = Bytes{1e6 * static_cast<double>(1 + random_.below(3))};
    return limits;
  }

  void start(const JobView& job, const PlanQuery& query, Plan& plan) {
    Allocation place;
    for (int gpu = 0; gpu < query.cluster.shape().gpus(); ++gpu) {
      const GpuId id{gpu};
      const bool is_wanted = static_cast<int>(place.slots.size()) < job.gang;
      if (is_wanted && query.placer.usable(id) && has_room(id)) {
        place.slots.push_back({id, {}});
      }
    }
    if (static_cast<int>(place.slots.size()) < job.gang) return;
    for (const Slot& slot : place.slots) ++held_[slot.gpu];
    plan.targets.push_back({.job = job.id, .gpus = std::move(place)});
  }

  /// For one more job.
  bool has_room(GpuId gpu) { return held_[gpu] < (is_over_ ? 1 : residents()); }

  RandomStream random_;
  bool is_over_ = false;
  std::map<GpuId, int> held_;
  std::vector<const JobView*> elsewhere_;  ///< jobs that run and are placed anew
};

/// Jobs whose memory is not booked as they hold it.
std::string wrongly_booked(const Scheduler& scheduler) {
  std::string wrong;
  for (const GpuState& gpu : scheduler.cluster().gpus()) {
    for (const Tenant& tenant : gpu.tenants) {
      const JobView& view = scheduler.job(tenant.job);
      if (view.attempt != tenant.attempt) continue;  // it is to go on as this one
      const bool is_suspended = view.suspension == Suspension::suspended;
      const Bytes kept = view.model.kept_memory(view.batch.per_gpu, view.limits, view.keeps);
      const bool is_right =
          is_suspended ? tenant.memory == kept : tenant.memory >= view.memory(view.batch);
      if (!is_right) wrong += fmt::format("memory of job {}\n", tenant.job.value());
    }
  }
  return wrong;
}

/// Whether a row of the choice keeps its promises in a random run.
std::string broken_promises(std::uint64_t seed, Policy row) {
  RandomStream random(seed, "suspensions");
  ClusterShape s = shape(static_cast<int>(1 + random.below(3)), 4, row.max_tenants());
  const Driver::Costs costs{.start = seconds(static_cast<double>(random.below(3))),
                            .stop = seconds(static_cast<double>(random.below(3))),
                            .resume = seconds(static_cast<double>(random.below(2)))};
  Driver driver(s, std::move(row), costs);
  const int jobs = 12;
  for (int id = 0; id < jobs; ++id) {
    const int gang = static_cast<int>(1 + random.below(4));
    driver.submit(job(id, gang, random.uniform(0.0, 150.0)),
                  {.work = seconds(20.0 + static_cast<double>(random.below(150))),
                   .failing_attempts = random.below(5) == 0 ? 1 : 0});
  }
  if (seed % 2 == 0) driver.node_down_at(NodeId{0}, at(40), at(90));
  if (seed % 3 == 0) driver.report_every(seconds(7));
  std::string broken;
  driver.watch([&](std::span<const Event>, Instant, const Decision&) {
    if (broken.empty()) broken = wrongly_booked(driver.scheduler());
  });
  driver.run(20'000);
  for (const auto& violation : driver.violations()) broken += violation + "\n";
  for (const auto& [id, outcome] : driver.outcomes()) {
    if (outcome.finished == outcome.given_up) broken += fmt::format("job {}\n", id.value());
  }
  if (driver.scheduler().unfinished() != 0) broken += "jobs are left\n";
  return broken;
}

TEST(SuspensionProperties, RandomSuspensionsLoseNoJobAndNoWork) {
  EXPECT_TRUE(rc::check("no promise is broken", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    Policy row = policy("{planner: ranked}");
    row.planner = std::make_unique<RandomSuspender>(seed);
    const std::string broken = broken_promises(seed, std::move(row));
    if (!broken.empty()) RC_FAIL(fmt::format("seed {}\n{}", seed, broken));
  }));
}

TEST(SuspensionProperties, TurnsLoseNoJobAndNoWork) {
  EXPECT_TRUE(rc::check("no promise is broken", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const std::string broken =
        broken_promises(seed, policy("{planner: {name: gandiva, slice: 10 s, residents: 3}}"));
    if (!broken.empty()) RC_FAIL(fmt::format("seed {}\n{}", seed, broken));
  }));
}

TEST(SuspensionProperties, LanesLoseNoJobAndNoWork) {
  EXPECT_TRUE(rc::check("no promise is broken", [] {
    const auto seed = *rc::gen::inRange<std::uint64_t>(1, 1'000'000);
    const auto within = *rc::gen::element<std::string>("fifo", "pack", "srtf", "fair");
    const std::string row =
        fmt::format("{{planner: {{name: salus, within: {}, quantum: 5 s, residents: 3}}}}", within);
    const std::string broken = broken_promises(seed, policy(row));
    if (!broken.empty()) RC_FAIL(fmt::format("seed {}, {}\n{}", seed, within, broken));
  }));
}

}  // namespace
}  // namespace mimus::scheduler::test
