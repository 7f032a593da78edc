// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/muri/muri.hpp"

#include <algorithm>
#include <chrono>
#include <tuple>
#include <utility>

#include "scheduler/planner/handout.hpp"

namespace mimus::scheduler {
namespace {

double seconds_of(WideDuration time) {
  return static_cast<double>(time.count()) * 1e-9;
}

/// That a replica may need, whether the job goes on as it is or starts anew.
Bytes replica_memory_of(const JobView& job) {
  const Bytes asked = job.model.memory(job.requested_per_gpu());
  return job.holds_gpus() ? std::max(asked, job.model.memory(job.batch.per_gpu)) : asked;
}

std::vector<GpuId> held_gpus(const JobView& job) {
  std::vector<GpuId> gpus;
  for (const Slot& slot : job.allocation.slots) gpus.push_back(slot.gpu);
  return gpus;
}

/// A running member whose GPUs the group could have.
bool take_those_of_a_member(JobGroup& group, std::span<const PlanJob* const> ranked,
                            NodeRoom& room) {
  for (const std::size_t member : group.members) {
    const JobView& job = *ranked[member]->view;
    if (!job.holds_gpus()) continue;
    std::vector<GpuId> gpus = held_gpus(job);
    if (gpus.size() != group.gpus.size() || !room.take(gpus)) continue;
    group.gpus = std::move(gpus);
    return true;
  }
  return false;
}

/// Gives all groups GPUs anew, the large ones first: those of a running member if `keep`, else the
/// first ones. False when that leaves one without.
bool place_large_first(std::vector<JobGroup>& groups, std::span<const PlanJob* const> ranked,
                       NodeRoom room, bool keep) {
  std::vector<JobGroup*> order;
  for (JobGroup& group : groups) order.push_back(&group);
  std::ranges::stable_sort(order, std::greater<>{},
                           [](const JobGroup* group) { return group->gpus.size(); });
  std::vector<JobGroup*> others;
  for (JobGroup* group : order) {
    if (!keep || !take_those_of_a_member(*group, ranked, room)) others.push_back(group);
  }
  for (JobGroup* group : others) {
    auto gpus = room.take(static_cast<int>(group->gpus.size()));
    if (!gpus) return false;
    group->gpus = std::move(*gpus);
  }
  return true;
}

/// Where the large groups do not find room, they stay where they were by rank.
void place_well(std::vector<JobGroup>& groups, std::span<const PlanJob* const> ranked,
                const NodeRoom& room) {
  for (const bool keep : {true, false}) {
    std::vector<JobGroup> placed = groups;
    if (!place_large_first(placed, ranked, room, keep)) continue;
    groups = std::move(placed);
    return;
  }
}

}  // namespace

Plan Muri::plan(const PlanQuery& query) {
  follow(query);
  const std::vector<const PlanJob*> ranking = ranked(query);
  std::vector<Contender> contenders;
  contenders.reserve(ranking.size());
  for (const PlanJob* job : ranking) {
    contenders.push_back({job->view->gang, stages_of(*job->view), replica_memory_of(*job->view)});
  }
  Plan plan;
  for (const JobGroup& group : groups(query, ranking, contenders)) {
    note_slowdowns(group, ranking, contenders);
    for (const std::size_t member : group.members) {
      plan.targets.push_back({.job = ranking[member]->view->id, .gpus = allocation_on(group.gpus)});
    }
  }
  return plan;
}

/// Takes account of what has been trained since the last plan, at the speed of that plan's groups.
/// The device's share of a step is the compute stage, what it waits for after its last kernel the
/// network stage, and the rest, for which it waits for the host, the input stage.
void Muri::observe(const JobView& job, const JobSample& sample) {
  if (!settings_.profiles || sample.co_tenants > 0) return;
  const double step = to_seconds(sample.step);
  const double compute = sample.utilisation * step;
  const double network = to_seconds(sample.sync);
  profiles_[kind_of(job)] = {.input = std::max(0.0, step - compute - network),
                             .compute = compute,
                             .network = network,
                             .iteration = step};
}

std::optional<StageTimes> Muri::stages_of(const JobView& job) const {
  if (job.stages) return job.stages;
  const auto found = profiles_.find(kind_of(job));
  return found == profiles_.end() ? std::nullopt : std::optional(found->second);
}

void Muri::follow(const PlanQuery& query) {
  IdMap<JobId, Course> present;
  for (const PlanJob& job : query.jobs) {
    const Course* known = courses_.find(job.view->id);
    Course course = known == nullptr ? Course{} : *known;
    const double trained =
        seconds_of(job.view->training_time(query.now)) / static_cast<double>(job.view->gpus());
    course.done = std::max(0.0, course.done + (trained - course.trained) / course.slowdown);
    course.trained = trained;
    present.insert(job.view->id, course);
  }
  courses_ = std::move(present);
}

/// In GPU × seconds. A job of which no run time is believed has none left.
double Muri::key(const JobView& job, Instant now) const {
  if (settings_.order == By::las) return seconds_of(job.service(now));
  const double left = to_seconds(job.estimated_run_time) - courses_.at(job.id).done;
  return std::max(0.0, left) * job.gang;
}

std::vector<const PlanJob*> Muri::ranked(const PlanQuery& query) const {
  std::vector<std::tuple<double, Instant, JobId, const PlanJob*>> keys;
  for (const PlanJob& job : query.jobs) {
    keys.emplace_back(key(*job.view, query.now), job.view->arrival, job.view->id, &job);
  }
  std::ranges::sort(keys);
  std::vector<const PlanJob*> jobs;
  for (const auto& entry : keys) jobs.push_back(std::get<3>(entry));
  return jobs;
}

std::vector<JobGroup> Muri::groups(const PlanQuery& query, std::span<const PlanJob* const> ranking,
                                   std::span<const Contender> contenders) const {
  const NodeRoom room(query.cluster.shape(), query.placer);
  Handout handout(query.admission, settings_.residents * room.left(), query.cluster.shape().gpus());
  JobGroups maker(contenders, room,
                  {.members = static_cast<std::size_t>(settings_.residents),
                   .gpu_memory = query.cluster.shape().gpu_memory});
  std::vector<JobGroup> groups = maker.make([&](std::size_t i) {
    return handout.give(*ranking[i], contenders[i].gang) == Handout::Answer::given;
  });
  place_well(groups, ranking, room);
  return groups;
}

void Muri::note_slowdowns(const JobGroup& group, std::span<const PlanJob* const> ranking,
                          std::span<const Contender> contenders) {
  for (const std::size_t member : group.members) {
    double slowdown = 1.0;
    if (group.members.size() > 1) {
      std::vector<StageTimes> stages{*contenders[member].stages};
      for (const std::size_t other : group.members) {
        if (other != member) stages.push_back(*contenders[other].stages);
      }
      slowdown = interleaving_slowdown(stages);
    }
    courses_.find(ranking[member]->view->id)->slowdown = slowdown;
  }
}

}  // namespace mimus::scheduler
