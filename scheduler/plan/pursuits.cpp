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

enum class Readiness {
  ready,
  waits,  ///< a job that is being stopped still has one of the GPUs
  lost,   ///< a GPU is down, or a job that stays has it
};

/// The readiness of the GPUs of `place`, from the one at `first` on.
Readiness readiness_of(const Books& books, const Allocation& place, std::size_t first) {
  bool waits = false;
  for (std::size_t i = first; i < place.slots.size(); ++i) {
    const GpuState& gpu = books.cluster.gpu(place.slots[i].gpu);
    if (!books.cluster.usable(gpu.id)) return Readiness::lost;
    for (const Tenant& tenant : gpu.tenants) {
      if (books.jobs.at(tenant.job).view.state != JobState::stopping) return Readiness::lost;
      waits = true;
    }
  }
  return waits ? Readiness::waits : Readiness::ready;
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

void Pursuits::advance(Instant now, Decision& decision) {
  for (Pursuit& pursuit : pursuits_) pursuit.done = leave(pursuit, now, decision);
  for (Pursuit& pursuit : pursuits_) {
    if (!pursuit.done) pursuit.done = enter(pursuit, now, decision);
  }
  std::erase_if(pursuits_, [](const Pursuit& pursuit) { return pursuit.done; });
}

/// Handles targets of jobs that have GPUs, except growth.
bool Pursuits::leave(const Pursuit& pursuit, Instant now, Decision& decision) {
  JobRecord* job = books_.jobs.find(pursuit.job);
  if (job == nullptr || job->left) return true;
  const JobView& view = job->view;
  if (!stays(view)) return !pursuit.target && !view.holds_gpus();
  if (pursuit.target && reached(view, *pursuit.target)) {
    const std::optional<BatchPlan>& batch = pursuit.target->batch;
    if (batch && *batch != view.batch) retune_attempt(books_, *job, *batch, decision);
    return true;
  }
  if (!pursuit.target || !resizes(books_, *job, *pursuit.target)) {
    stop_attempt(books_, *job, reason_to_stop(view, pursuit.target), now, decision);
    return !pursuit.target;
  }
  if (gpus_of(*pursuit.target) > view.gpus()) return false;
  shrink_attempt(books_, *job, gpus_of(*pursuit.target), now, decision);
  return true;
}

bool Pursuits::enter(Pursuit& pursuit, Instant now, Decision& decision) {
  JobRecord& job = books_.jobs.at(pursuit.job);
  if (job.view.state == JobState::stopping) return false;
  if (job.view.holds_gpus()) return grow(pursuit, job, now, decision);
  if (job.request == nullptr) return true;  // held back by recovery
  return start(pursuit, job, now, decision);
}

bool Pursuits::grow(Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision) {
  const Allocation& held = job.view.allocation;
  const bool is_known = pursuit.place && begins_with(*pursuit.place, held);
  const Readiness readiness =
      is_known ? readiness_of(books_, *pursuit.place, held.slots.size()) : Readiness::lost;
  if (readiness == Readiness::waits) return false;
  if (readiness == Readiness::lost) pursuit.place = another_place(pursuit, job, now);
  if (!pursuit.place) return true;
  Allocation all = on_free_lanes(books_.cluster, *pursuit.place, held.slots.size());
  std::copy(held.slots.begin(), held.slots.end(), all.slots.begin());
  return grow_attempt(books_, job, std::move(all), now, decision) || books_.stopping.empty();
}

bool Pursuits::start(Pursuit& pursuit, JobRecord& job, Instant now, Decision& decision) {
  const Readiness readiness =
      pursuit.place ? readiness_of(books_, *pursuit.place, 0) : Readiness::lost;
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
  if (books_.policy.admission->admit(job.view, usage).verdict == Verdict::accept) {
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
  room.ask_for(request);
  return room.find();
}

}  // namespace mimus::scheduler
