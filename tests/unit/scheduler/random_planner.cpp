// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "random_planner.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "builders.hpp"
#include "scheduler/plan/plan_check.hpp"

namespace mimus::scheduler::test {
namespace {

constexpr Instant kCompared{std::chrono::seconds(21)};

bool runs_on(const JobView& job) {
  return job.holds_gpus() && job.state != JobState::stopping;
}

/// All jobs in order of arrival, each with as many of its GPUs as are left.
Plan first_come(const PlanQuery& query) {
  Plan plan;
  int left = query.placer.usable_gpus();
  for (const PlanJob& job : query.jobs) {
    if (left == 0) break;
    const int gpus = std::min(left, job.view->gang);
    plan.targets.push_back({job.view->id, gpus});
    left -= gpus;
  }
  return plan;
}

std::string held_instead(const JobView& job, const Target* target) {
  if (target == nullptr) return job.holds_gpus() ? fmt::format("{} GPUs for none", job.gpus()) : "";
  if (job.gpus() != gpus_of(*target)) {
    return fmt::format("{} GPUs for {}", job.gpus(), gpus_of(*target));
  }
  const auto* place = std::get_if<Allocation>(&target->gpus);
  if (place != nullptr) {
    auto is = test::gpus_of(job.allocation);
    auto wanted = test::gpus_of(*place);
    std::sort(is.begin(), is.end());
    std::sort(wanted.begin(), wanted.end());
    if (is != wanted) return "other GPUs";
  }
  const bool other_batch = target->batch && *target->batch != job.batch;
  return other_batch ? "another batch" : "";
}

}  // namespace

RandomPlanner::RandomPlanner(std::uint64_t seed, Plans plans, bool in_place)
    : random_(seed, "random plans"), plans_(plans), in_place_(in_place) {}

Wakes RandomPlanner::wakes() const {
  if (plans_ == Plans::two) return {};
  return {.every = seconds(25), .arrivals = true, .ends = true, .reports = true, .failures = true};
}

Plan RandomPlanner::plan(const PlanQuery& query) {
  ++plan_count_;
  fault_.clear();
  const bool two = plans_ == Plans::two;
  const bool is_over = query.now >= (two ? kCompared : at(200));
  if (is_over) {
    if (two && compared_ == 0) compare(query);
    Plan plan = first_come(query);
    plan.next = query.now + seconds(50);
    return plan;
  }
  Plan plan = random_plan(query);
  plan.next = query.now + seconds(1.0 + static_cast<double>(random_.below(15)));
  if (two) plan.next = plan_count_ == 1 ? at(static_cast<double>(1 + random_.below(6))) : kCompared;
  const bool spoils = !two && !query.jobs.empty() && random_.below(6) == 0;
  if (spoils) spoil(query, plan);
  if (!spoils) adopted_ = plan;
  return plan;
}

Plan RandomPlanner::random_plan(const PlanQuery& query) {
  Plan plan;
  for (const auto& [job, gpus] : random_counts(query)) {
    if (random_.below(4) == 0) {
      plan.targets.push_back({job, TypeCounts{{query.cluster.shape().gpu_type, gpus}}});
    } else {
      plan.targets.push_back({job, gpus});
    }
  }
  if (random_.below(2) == 0) std::reverse(plan.targets.begin(), plan.targets.end());
  name_gpus(query, plan);
  add_batches(plan);
  return plan;
}

std::map<JobId, int> RandomPlanner::random_counts(const PlanQuery& query) {
  std::map<JobId, int> counts;
  int left = query.placer.usable_gpus();
  for (const PlanJob& job : query.jobs) {
    if (left == 0 || random_.below(3) == 0) continue;
    const auto most = std::min(left, 6);
    const int held = job.view->gpus();
    const bool keeps = held > 0 && held <= left && random_.below(3) == 0;
    const int gpus = keeps ? held : static_cast<int>(1 + random_.below(most));
    counts.emplace(job.view->id, gpus);
    left -= gpus;
  }
  return counts;
}

/// GPUs with which jobs with counts continue.
std::set<GpuId> RandomPlanner::kept_gpus(const PlanQuery& query, const Plan& plan) const {
  std::set<GpuId> kept;
  for (const Target& target : plan.targets) {
    const auto job =
        std::find_if(query.jobs.begin(), query.jobs.end(),
                     [&](const PlanJob& candidate) { return candidate.view->id == target.job; });
    if (std::holds_alternative<Allocation>(target.gpus) || !runs_on(*job->view)) continue;
    const int gpus = mimus::scheduler::gpus_of(target);
    if (!in_place_ && gpus != job->view->gpus()) continue;
    for (int i = 0; i < std::min(gpus, job->view->gpus()); ++i) {
      kept.insert(job->view->allocation.slots[static_cast<std::size_t>(i)].gpu);
    }
  }
  return kept;
}

/// Gives every third job exact GPUs, as many as it has.
void RandomPlanner::name_gpus(const PlanQuery& query, Plan& plan) {
  std::vector<Target*> exact;
  for (Target& target : plan.targets) {
    if (random_.below(3) != 0) continue;
    const auto gpus = static_cast<std::size_t>(mimus::scheduler::gpus_of(target));
    target.gpus = Allocation{std::vector<Slot>(gpus)};
    exact.push_back(&target);
  }
  const std::set<GpuId> kept = kept_gpus(query, plan);
  std::vector<GpuId> free;
  for (int gpu = 0; gpu < query.cluster.shape().gpus(); ++gpu) {
    if (query.placer.usable(GpuId{gpu}) && !kept.contains(GpuId{gpu})) free.emplace_back(gpu);
  }
  for (Target* target : exact) {
    for (Slot& slot : std::get<Allocation>(target->gpus).slots) {
      const auto pick =
          static_cast<std::ptrdiff_t>(random_.below(static_cast<std::int64_t>(free.size())));
      slot.gpu = free[static_cast<std::size_t>(pick)];
      free.erase(free.begin() + pick);
    }
  }
}

void RandomPlanner::add_batches(Plan& plan) {
  for (Target& target : plan.targets) {
    if (random_.below(4) == 0) target.batch = BatchPlan{8 + random_.below(57), 1};
  }
}

void RandomPlanner::spoil(const PlanQuery& query, Plan& plan) {
  const JobId job = query.jobs.front().view->id;
  std::erase_if(plan.targets, [&](const Target& target) { return target.job == job; });
  const int gpus = query.cluster.shape().gpus();
  switch (random_.below(7)) {
    case 0:
      fault_ = "no such job";
      return plan.targets.push_back({JobId{1000}, 1});
    case 1:
      fault_ = "too many GPUs";
      return plan.targets.push_back({job, gpus + 1});
    case 2:
      fault_ = "no GPU";
      return plan.targets.push_back({job, 0});
    case 3:
      fault_ = "no such GPU";
      return plan.targets.push_back({job, Allocation{{Slot{GpuId{gpus}, {}}}}});
    case 4:
      fault_ = "no such type";
      return plan.targets.push_back({job, TypeCounts{{"V100", 1}}});
    case 5:
      fault_ = "not after now";
      plan.next = query.now;
      return;
    default:
      fault_ = "batch beyond the model's";
      plan.targets.assign({{job, 1, BatchPlan{65, 1}}});
  }
}

void RandomPlanner::compare(const PlanQuery& query) {
  for (const PlanJob& job : query.jobs) {
    const auto target =
        std::find_if(adopted_.targets.begin(), adopted_.targets.end(),
                     [&](const Target& other) { return other.job == job.view->id; });
    const std::string held =
        held_instead(*job.view, target == adopted_.targets.end() ? nullptr : &*target);
    if (!held.empty()) missed_ += fmt::format("job {}: {}\n", job.view->id.value(), held);
    ++compared_;
  }
}

}  // namespace mimus::scheduler::test
