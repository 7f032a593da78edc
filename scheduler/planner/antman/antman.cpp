// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/antman/antman.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "scheduler/batch/batch_split.hpp"
#include "scheduler/planner/handout.hpp"
#include "scheduler/planner/node_room.hpp"
#include "scheduler/planner/replica_memory.hpp"

namespace mimus::scheduler {
namespace {

constexpr Bytes kLeastMemory{1e6};  ///< with which an opportunistic job may go on

}  // namespace

/// What one plan is made from.
struct AntMan::Round {
  struct Gpu {
    const JobView* guaranteed = nullptr;
    std::vector<const JobView*> opportunistic;
  };
  Round(const PlanQuery& asked, int residents)
      : query(asked),
        handout(asked.admission, residents * asked.placer.usable_gpus(),
                asked.cluster.shape().gpus()),
        gpus(asked.cluster.gpus().size()) {}

  const PlanQuery& query;
  Handout handout;
  std::vector<Gpu> gpus;
  std::vector<const PlanJob*> placed, waiting;
  IdMap<JobId, bool> promoted;
  IdMap<JobId, Bytes> memory;  ///< limits of opportunistic jobs
  Plan plan;

  [[nodiscard]] bool is_opportunistic(const JobView& job) const {
    return job.opportunistic && promoted.find(job.id) == nullptr;
  }

  void put(const JobView& job, const std::vector<GpuId>& on) {
    for (const GpuId gpu : on) {
      Gpu& at = gpus[gpu.index()];
      if (job.opportunistic) {
        at.opportunistic.push_back(&job);
      } else {
        at.guaranteed = &job;
      }
    }
  }
  void ask_again_at(Instant at) { plan.next = std::min(plan.next, at); }
};

Plan AntMan::plan(const PlanQuery& query) {
  Round round(query, residents());
  keep_placed(round);
  place_guaranteed(round);
  promote(round);
  place_opportunistic(round);
  share_memory(round);
  wait_for_memory(round);
  for (const PlanJob* job : round.placed) {
    if (places_.find(job->view->id) != nullptr)
      round.plan.targets.push_back(target_of(round, *job->view));
  }
  for (std::size_t gpu = 0; gpu < round.gpus.size(); ++gpu) {
    const bool is_idle =
        round.gpus[gpu].guaranteed == nullptr && round.gpus[gpu].opportunistic.empty();
    if (!is_idle || idle_since_[gpu] == kNever) idle_since_[gpu] = is_idle ? query.now : kNever;
  }
  return std::move(round.plan);
}

Target AntMan::target_of(Round& round, const JobView& job) {
  Target target{.job = job.id, .gpus = allocation_on(places_.at(job.id))};
  target.is_promoted = round.promoted.find(job.id) != nullptr;
  const Bytes* limit = round.memory.find(job.id);
  if (limit != nullptr) target.limits.memory = *limit;
  if (!round.is_opportunistic(job)) return target;
  std::vector<const JobView*> beside;
  for (const GpuId gpu : places_.at(job.id)) {
    const JobView* guaranteed = round.gpus[gpu.index()].guaranteed;
    if (guaranteed != nullptr && guaranteed->trains()) beside.push_back(guaranteed);
  }
  throttle_.adjust(job, beside, round.query.now);
  if (!beside.empty()) round.ask_again_at(round.query.now + settings_.interval);
  if (limit != nullptr) {
    // Its batch does not shrink to what is left: memory spills instead.
    const ClusterShape& shape = round.query.cluster.shape();
    target.batch = job.holds_gpus() ? job.batch
                                    : split_batch(job.requested_batch, job.gang,
                                                  limits_within(job.model, shape.gpu_memory));
  }
  target.limits.cap = throttle_.cap(job.id);
  target.suspended = job.state == JobState::running && throttle_.suspends(job.id);
  return target;
}

/// Jobs that are being stopped are left to end. Those that have no GPUs yet, or none any more, are
/// placed again: others may have been given their place since.
void AntMan::keep_placed(Round& round) {
  idle_since_.resize(round.gpus.size(), Instant{});
  for (const PlanJob& job : round.query.jobs) {
    const JobView& view = *job.view;
    const std::vector<GpuId>* place = places_.find(view.id);
    const bool is_lost = place != nullptr && !std::ranges::all_of(*place, [&](GpuId gpu) {
                           return round.query.placer.usable(gpu);
                         });
    if (is_lost || !view.holds_gpus() || view.state == JobState::stopping) places_.erase(view.id);
    place = places_.find(view.id);
    if (place != nullptr) {
      if (!view.opportunistic) round.handout.count(job, view.gang);
      round.put(view, *place);
      round.placed.push_back(&job);
    } else if (!view.holds_gpus()) {
      round.waiting.push_back(&job);
    }
  }
}

/// On GPUs without any job if there are enough, else also beside opportunistic ones.
void AntMan::place_guaranteed(Round& round) {
  NodeRoom room(round.query.cluster.shape(), round.query.placer);
  NodeRoom idle = room;
  for (std::size_t i = 0; i < round.gpus.size(); ++i) {
    const GpuId gpu{static_cast<GpuId::value_type>(i)};
    const bool has_guaranteed = round.gpus[i].guaranteed != nullptr;
    if (has_guaranteed) static_cast<void>(room.take({&gpu, 1}));
    if (has_guaranteed || !round.gpus[i].opportunistic.empty()) {
      static_cast<void>(idle.take({&gpu, 1}));
    }
  }
  for (const PlanJob* job : round.waiting) {
    const JobView& view = *job->view;
    if (view.opportunistic) continue;
    if (round.handout.would_give(*job, view.gang) != Handout::Answer::given) continue;
    auto gpus = idle.take(view.gang);
    if (gpus) {
      static_cast<void>(room.take(*gpus));
    } else {
      gpus = room.take(view.gang);
      if (!gpus) continue;
      for (const GpuId gpu : *gpus) static_cast<void>(idle.take({&gpu, 1}));
    }
    round.handout.count(*job, view.gang);
    round.put(view, *gpus);
    places_.assign(view.id, std::move(*gpus));
    round.placed.push_back(job);
  }
}

/// Opportunistic jobs that have their GPUs for themselves, whose virtual cluster has room for them
/// in its quota, and none of whose guaranteed jobs waits.
void AntMan::promote(Round& round) {
  const bool has_quotas = settings_.promotes && round.query.admission.limits();
  std::set<int> waiting;  // groups with guaranteed jobs that wait
  for (const PlanJob* job : round.waiting) {
    const bool has_place = places_.find(job->view->id) != nullptr;
    if (!job->view->opportunistic && !has_place) waiting.insert(job->group);
  }
  for (const PlanJob* job : round.placed) {
    const JobView& view = *job->view;
    if (!view.opportunistic) continue;
    const std::vector<GpuId>& place = places_.at(view.id);
    const bool is_alone = std::ranges::all_of(
        place, [&](GpuId gpu) { return round.gpus[gpu.index()].guaranteed == nullptr; });
    JobView promoted = view;
    promoted.opportunistic = false;
    if (has_quotas && is_alone && !waiting.contains(job->group_if_guaranteed) &&
        round.handout.give({&promoted, job->group_if_guaranteed}, view.gang) ==
            Handout::Answer::given) {
      round.promoted.insert(view.id, true);
      for (const GpuId gpu : place) {
        std::erase(round.gpus[gpu.index()].opportunistic, &view);
        round.gpus[gpu.index()].guaranteed = &view;
      }
    } else {
      round.handout.count(*job, view.gang);
    }
  }
}

void AntMan::place_opportunistic(Round& round) {
  for (const PlanJob* job : round.waiting) {
    const JobView& view = *job->view;
    if (!view.opportunistic ||
        round.handout.would_give(*job, view.gang) != Handout::Answer::given) {
      continue;
    }
    auto gpus = underused_gpus(round, view);
    if (!gpus) continue;
    round.handout.count(*job, view.gang);
    round.put(view, *gpus);
    places_.assign(view.id, std::move(*gpus));
    round.placed.push_back(job);
  }
}

/// The least used GPU, or for a gang the first node or nodes with enough underused ones.
std::optional<std::vector<GpuId>> AntMan::underused_gpus(Round& round, const JobView& job) {
  NodeRoom room(round.query.cluster.shape(), round.query.placer);
  std::optional<std::pair<double, GpuId>> least;
  for (const GpuState& gpu : round.query.cluster.gpus()) {
    const auto use = round.query.placer.usable(gpu.id) ? use_of(round, gpu.id, job) : std::nullopt;
    if (!use) {
      static_cast<void>(room.take({&gpu.id, 1}));
    } else if (!least || *use < least->first) {
      least = {*use, gpu.id};
    }
  }
  if (job.gang == 1 && least) return std::vector{least->second};
  return room.take(job.gang);
}

/// How much a GPU is used that an opportunistic job may join, 0..1; nothing if it may not.
std::optional<double> AntMan::use_of(Round& round, GpuId id, const JobView& job) {
  const Round::Gpu& gpu = round.gpus[id.index()];
  const Instant now = round.query.now;
  const Bytes capacity = round.query.cluster.shape().gpu_memory;
  if (static_cast<int>(gpu.opportunistic.size()) >= settings_.opportunistic) return std::nullopt;
  if (gpu.guaranteed == nullptr) {
    Bytes memory = replica_memory(job);
    for (const JobView* other : gpu.opportunistic) memory += replica_memory(*other);
    if (capacity > Bytes{} && memory > capacity) return std::nullopt;
    if (!gpu.opportunistic.empty()) return 1.0;
    const Instant since = idle_since_[id.index()];
    if (since == kNever || now < since + settings_.idle) {
      round.ask_again_at((since == kNever ? now : since) + settings_.idle);
      return std::nullopt;
    }
    return 0.0;
  }
  round.ask_again_at(now + settings_.idle);
  const JobView& guaranteed = *gpu.guaranteed;
  const auto use = throttle_.utilisation(guaranteed.id);
  if (!guaranteed.trains() || now < guaranteed.active_since + settings_.idle) return std::nullopt;
  if (!use || *use >= settings_.busy) return std::nullopt;
  if (capacity == Bytes{}) return use;
  const Bytes used = std::max(replica_memory(guaranteed), throttle_.memory(guaranteed.id));
  return used < settings_.full * capacity ? use : std::nullopt;
}

/// Memory limits of opportunistic jobs beside guaranteed ones. One that would get none, or that
/// would have to give some back while it is suspended, yields.
void AntMan::share_memory(Round& round) {
  const Bytes capacity = round.query.cluster.shape().gpu_memory;
  if (capacity == Bytes{}) return;
  for (const PlanJob* job : round.placed) {
    const JobView& view = *job->view;
    if (!round.is_opportunistic(view)) continue;
    Bytes limit = capacity;
    for (const GpuId gpu : places_.at(view.id)) {
      const JobView* guaranteed = round.gpus[gpu.index()].guaranteed;
      if (guaranteed == nullptr) continue;
      const Bytes used = std::max(replica_memory(*guaranteed), throttle_.memory(guaranteed->id));
      const auto sharing = static_cast<double>(round.gpus[gpu.index()].opportunistic.size());
      limit = std::min(limit, (capacity - used - settings_.margin) / sharing);
    }
    const Bytes need = replica_memory(view);
    const bool is_suspended = view.suspension != Suspension::none;
    if (limit < kLeastMemory || (is_suspended && view.limits.on_device(need) > limit)) {
      places_.erase(view.id);
    } else if (limit < need) {
      round.memory.insert(view.id, limit);
    }
  }
}

/// A job that may have more memory than before keeps its limit until others have left it as much.
void AntMan::wait_for_memory(Round& round) {
  std::vector<Bytes> used;
  for (const GpuState& gpu : round.query.cluster.gpus()) used.push_back(gpu.used_memory());
  for (const PlanJob* job : round.placed) {
    const JobView& view = *job->view;
    const std::vector<GpuId>* place = places_.find(view.id);
    if (place == nullptr || !view.holds_gpus() || !view.limits.memory) continue;
    const Bytes need = replica_memory(view);
    const Bytes* limit = round.memory.find(view.id);
    const Bytes more =
        (limit == nullptr ? need : std::min(need, *limit)) - view.limits.on_device(need);
    const Bytes most = round.query.cluster.shape().gpu_memory - more;
    if (more <= Bytes{}) continue;
    if (std::ranges::any_of(*place, [&](GpuId gpu) { return used[gpu.index()] > most; })) {
      round.memory.assign(view.id, *view.limits.memory);
    } else {
      for (const GpuId gpu : *place) used[gpu.index()] += more;
    }
  }
}

}  // namespace mimus::scheduler
