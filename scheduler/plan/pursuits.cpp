// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plan/pursuits.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "scheduler/books/attempts.hpp"
#include "scheduler/books/resize.hpp"
#include "scheduler/books/room.hpp"
#include "scheduler/plan/plan_check.hpp"
#include "scheduler/plan/plan_places.hpp"

namespace mimus::scheduler {
namespace {

/// Between two commands, so that it is not known whether it makes steps.
bool is_changing(const JobView& job) {
  return job.suspension == Suspension::asked || job.suspension == Suspension::resuming;
}

/// The same GPUs. From the one at `first` on, each gets a lane that is free now.
Allocation on_free_lanes(const Cluster& cluster, Allocation place, std::size_t first) {
  for (std::size_t i = first; i < place.slots.size(); ++i) {
    place.slots[i].lane = cluster.free_lane(place.slots[i].gpu);
  }
  return place;
}

bool is_exact(const Pursuit& pursuit) {
  return std::holds_alternative<Allocation>(pursuit.target->gpus);
}

const char* reason_to_stop(const JobView& job, const std::optional<Target>& target) {
  if (!target) return "yields to other jobs";
  return gpus_of(*target) == job.gpus() ? "moves to other GPUs" : "is resized";
}

}  // namespace

enum class Pursuits::Readiness {
  ready,
  waits,  ///< a job that is being stopped or suspended still has one of the GPUs
  lost,   ///< a GPU is down, or jobs that stay have it
};

void Pursuits::advance(Instant now, Decision& decision) {
  yielding_ = {};
  moving_ = {};
  for (const Pursuit& pursuit : pursuits_) {
    const JobRecord* job = books_.jobs.find(pursuit.job);
    const bool is_known = job != nullptr && !job->left && pursuit.target;
    if (is_known && moves(books_, *job, *pursuit.target)) moving_.insert(pursuit.job, true);
  }
  for (Pursuit& pursuit : pursuits_) {
    pursuit.done = leave(pursuit, now, decision);
    const bool yields = !pursuit.target || pursuit.target->suspended;
    if (!pursuit.done && yields) yielding_.insert(pursuit.job, true);
  }
  for (Pursuit& pursuit : pursuits_) {
    if (!pursuit.done) pursuit.done = enter(pursuit, now, decision);
  }
  std::erase_if(pursuits_, [](const Pursuit& pursuit) { return pursuit.done; });
}

/// The readiness for `job` of the GPUs of `place`, from the one at `first` on.
Pursuits::Readiness Pursuits::readiness_of(JobId job, const Allocation& place,
                                           std::size_t first) const {
  const auto residents = static_cast<std::size_t>(books_.policy.planner->residents());
  bool waits = false;
  for (std::size_t i = first; i < place.slots.size(); ++i) {
    const GpuState& gpu = books_.cluster.gpu(place.slots[i].gpu);
    if (!books_.cluster.usable(gpu.id)) return Readiness::lost;
    std::size_t staying = 0;
    bool changes = false;
    for (const Tenant& tenant : gpu.tenants) {
      if (tenant.job == job) continue;
      const JobView& other = books_.jobs.at(tenant.job).view;
      const bool leaves = other.state == JobState::stopping || moving_.find(tenant.job) != nullptr;
      if (!leaves) ++staying;
      changes = changes || leaves || is_to_yield(other) || is_to_be_limited(tenant.job);
    }
    if (staying >= residents) return Readiness::lost;
    if (staying > 0 && !changes && !has_memory_beside(gpu, books_.jobs.at(job))) {
      return Readiness::lost;
    }
    waits = waits || changes;
  }
  return waits ? Readiness::waits : Readiness::ready;
}

/// Whether the plan suspends or stops the job and that has not happened yet.
bool Pursuits::is_to_yield(const JobView& job) const {
  if (job.suspension == Suspension::suspended) return false;
  return job.suspension == Suspension::asked || yielding_.find(job.id) != nullptr;
}

/// Jobs that are to move onto each other's GPUs would wait for each other: one is restarted.
/// A suspended job is limited once it goes on.
bool Pursuits::is_to_be_limited(JobId id) const {
  const JobRecord& job = books_.jobs.at(id);
  if (job.view.suspension == Suspension::suspended) return false;
  const Bytes need = job.view.model.memory(job.view.batch.per_gpu);
  return job.view.limits_asked ||
         job.planned_limits.on_device(need) < job.view.limits.on_device(need);
}

bool Pursuits::meets_another_move(const Pursuit& pursuit) const {
  return std::ranges::any_of(pursuit.place->slots, [&](const Slot& slot) {
    return std::ranges::any_of(books_.cluster.gpu(slot.gpu).tenants, [&](const Tenant& tenant) {
      return moving_.find(tenant.job) != nullptr;
    });
  });
}

/// Whether its GPUs have that much memory beside what others still use: a job that is being stopped
/// or resized, or has yet to obey a limit, uses more than it will by the plan.
bool Pursuits::has_room_for(const JobView& job, Bytes more) const {
  return more <= Bytes{} || std::ranges::all_of(job.allocation.slots, [&](const Slot& slot) {
           const double capacity = books_.cluster.shape().memory_of(slot.gpu).value;
           const double used = books_.cluster.gpu(slot.gpu).used_memory().value;
           return capacity == 0.0 || used + more.value <= capacity * (1.0 + 1e-9);
         });
}

bool Pursuits::has_room_to_resume(const JobView& job) const {
  return has_room_for(job, job.memory(job.batch) - books_.cluster.holding(job.attempt).memory);
}

/// Whether the GPU has memory for the job, at its start with the smallest batch, beside tenants
/// that stay: one that was to move away may not have moved. A job that is on the GPU has its
/// memory.
bool Pursuits::has_memory_beside(const GpuState& gpu, const JobRecord& job) const {
  const Bytes capacity = books_.cluster.shape().memory_of(gpu.id);
  const auto is_own = [&](const Tenant& tenant) { return tenant.job == job.view.id; };
  if (capacity == Bytes{} || std::ranges::any_of(gpu.tenants, is_own)) return true;
  const ModelFacts& model = job.view.model;
  const Bytes need = job.view.holds_gpus()
                         ? job.view.memory(job.view.batch)
                         : job.planned_limits.on_device(model.memory(model.per_gpu_batch_min));
  return (gpu.used_memory() + need).value <= capacity.value * (1.0 + 1e-9);
}

/// Handles targets of jobs that have GPUs, except growth and moves.
bool Pursuits::leave(const Pursuit& pursuit, Instant now, Decision& decision) {
  JobRecord* job = books_.jobs.find(pursuit.job);
  if (job == nullptr || job->left) return true;
  const JobView& view = job->view;
  if (!stays(view)) return !pursuit.target && !view.holds_gpus();
  if (is_changing(view)) return false;
  if (pursuit.target && reached(books_.cluster.shape(), view, *pursuit.target)) {
    return leave_as_planned(*pursuit.target, *job, decision);
  }
  if (moving_.find(pursuit.job) != nullptr && !meets_another_move(pursuit)) return false;
  if (!pursuit.target || !resizes(books_, *job, *pursuit.target)) {
    stop_attempt(books_, *job, reason_to_stop(view, pursuit.target), now, decision);
    return !pursuit.target;
  }
  if (gpus_of(*pursuit.target) > view.gpus()) return false;
  shrink_attempt(books_, *job, gpus_of(*pursuit.target), now, decision);
  return true;
}

/// Whether the job has yet to obey a lower limit of memory, which a suspended one cannot. Asks it
/// to.
bool Pursuits::gives_memory_back(JobRecord& job, const DeviceLimits& limits, Decision& decision) {
  const JobView& view = job.view;
  if (view.limits_asked) return true;
  const Bytes need = view.model.memory(view.batch.per_gpu);
  if (limits.on_device(need) >= view.limits.on_device(need)) return false;
  limit_attempt(books_, job, limits, decision);
  return true;
}

/// The job keeps its GPUs. It may still have to be resumed, once others have been suspended.
bool Pursuits::leave_as_planned(const Target& target, JobRecord& job, Decision& decision) {
  const JobView& view = job.view;
  if (view.suspension == Suspension::suspended) return target.suspended;
  if (target.suspended) {
    if (view.state != JobState::running) return false;  // not before its first step
    if (gives_memory_back(job, target.limits, decision)) return false;
    suspend_attempt(job, target.keeps, "its GPUs are for others now", decision);
    return true;
  }
  if (target.batch && *target.batch != view.batch) {
    retune_attempt(books_, job, *target.batch, decision);
  }
  if (target.limits == view.limits) return true;
  if (view.state != JobState::running || view.limits_asked) return false;
  const Bytes need = view.model.memory(view.batch.per_gpu);
  if (!has_room_for(view, target.limits.on_device(need) - view.limits.on_device(need)))
    return false;
  limit_attempt(books_, job, target.limits, decision);
  return true;
}

bool Pursuits::resume(JobRecord& job, Decision& decision) const {
  const Readiness readiness = readiness_of(job.view.id, job.view.allocation, 0);
  if (readiness == Readiness::waits || !has_room_to_resume(job.view)) return false;
  if (readiness == Readiness::lost) return true;
  resume_attempt(books_, job, decision);
  return job.planned_limits == job.view.limits;
}

bool Pursuits::enter(Pursuit& pursuit, Instant now, Decision& decision) {
  JobRecord& job = books_.jobs.at(pursuit.job);
  if (job.view.state == JobState::stopping || is_changing(job.view)) return false;
  if (job.view.suspension == Suspension::suspended) return resume(job, decision);
  if (pursuit.target->suspended) return false;
  if (job.view.holds_gpus()) {
    if (reached(books_.cluster.shape(), job.view, *pursuit.target))
      return false;  // its limits have yet to be changed
    const bool is_elsewhere = moves(books_, job, *pursuit.target);
    return is_elsewhere ? move(pursuit, job, now, decision) : grow(pursuit, job, now, decision);
  }
  if (job.request == nullptr) return true;  // held back by recovery
  return start(pursuit, job, now, decision);
}

bool Pursuits::grow(Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision) {
  const Allocation& held = job.view.allocation;
  const bool is_known = pursuit.place && begins_with(*pursuit.place, held);
  const Readiness readiness =
      is_known ? readiness_of(pursuit.job, *pursuit.place, held.slots.size()) : Readiness::lost;
  if (readiness == Readiness::waits) return false;
  if (readiness == Readiness::lost) pursuit.place = another_place(pursuit, job, now);
  if (!pursuit.place) return true;
  Allocation all = on_free_lanes(books_.cluster, *pursuit.place, held.slots.size());
  std::copy(held.slots.begin(), held.slots.end(), all.slots.begin());
  return grow_attempt(books_, job, std::move(all), now, decision) || books_.stopping.empty();
}

bool Pursuits::move(const Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision) {
  const Readiness readiness = readiness_of(pursuit.job, *pursuit.place, 0);
  if (readiness == Readiness::waits) return false;
  if (readiness == Readiness::lost) return true;
  Allocation place = on_free_lanes(books_.cluster, *pursuit.place, 0);
  return move_attempt(books_, job, std::move(place), now, decision) || books_.stopping.empty();
}

bool Pursuits::start(Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision) {
  const Readiness readiness =
      pursuit.place ? readiness_of(pursuit.job, *pursuit.place, 0) : Readiness::lost;
  if (readiness == Readiness::waits) return false;
  if (readiness == Readiness::lost) {
    if (is_exact(pursuit)) {
      decision.refused_plan =
          fmt::format("job {}: one of its GPUs is down or taken by now", pursuit.job.value());
    }
    pursuit.place = another_place(pursuit, job, now);
  }
  if (!pursuit.place) return true;
  const int gang = std::exchange(job.view.gang, gpus_of(*pursuit.target));
  const Usage usage = books_.usage(job.group);
  if (books_.policy.admission->admit(job.view, job.view.demand(), usage).verdict ==
      Verdict::accept) {
    Allocation place = on_free_lanes(books_.cluster, *pursuit.place, 0);
    start_attempt(books_, job, std::move(place), now, decision);
    return true;
  }
  job.view.gang = gang;
  return books_.stopping.empty();  // its quota may be in use until others have left
}

/// Used if the place from the plan is lost: any free place that no other job is to have.
std::optional<Allocation> Pursuits::another_place(const Pursuit& pursuit, JobRecord& job,
                                                  Instant now) {
  if (is_exact(pursuit)) return std::nullopt;
  const int gpus = gpus_of(*pursuit.target);
  Room room(books_.cluster, books_.fit);
  for (const Pursuit& other : pursuits_) {
    if (other.job != pursuit.job && !other.done && other.place)
      room.promise(other.job, *other.place);
  }
  if (job.view.holds_gpus()) return place_to_grow(books_, job, gpus, now);
  PlacementRequest request = job.placement_request();
  request.gang = gpus;
  request.kind = books_.kinds.of(job.view, gpus);
  if (const auto type = type_of(books_.cluster.shape(), *pursuit.target)) {
    request.types = only_type(*type);
  }
  room.ask_for(request);
  return room.find();
}

}  // namespace mimus::scheduler
