// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/books/resize.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "scheduler/books/attempts.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {
namespace {

/// A suspended attempt comes to no step boundary.
bool can_change_gpus(const JobView& job) {
  return job.state == JobState::running && job.suspension == Suspension::none &&
         job.replica_gpus == 1;
}

/// Requests the job's next attempt and records it.
void ask(Books& books, JobRecord& job, PendingResize resize, Instant now, Decision& decision) {
  JobView& view = job.view;
  view.gang = static_cast<int>(resize.allocation.slots.size());
  const MilliGpus kept = resize.allocation.held() - resize.added;
  mark_stopping(books, job, view.allocation.held() - kept, now);
  decision.actions.emplace_back(ResizeAttempt{view.id, view.attempt, resize.to, resize.allocation,
                                              resize.batch,
                                              is_move(view.allocation, resize.allocation)});
  job.resize = std::move(resize);
  books.cluster.set_memory(
      view.attempt, std::max(books.cluster.holding(view.attempt).memory, needed_memory(job)));
}

/// At most `most` idle GPUs on the nodes of the gang, in the gang's order of nodes.
std::vector<Slot> beside(const Cluster& cluster, const Allocation& gang, std::size_t most) {
  std::vector<Slot> slots;
  std::vector<NodeId> seen;
  for (const Slot& member : gang.slots) {
    const NodeId node = cluster.shape().node_of(member.gpu);
    if (std::find(seen.begin(), seen.end(), node) != seen.end()) continue;
    seen.push_back(node);
    const std::int64_t first = cluster.shape().first_gpu(node);
    for (std::int64_t gpu = first; gpu < first + cluster.shape().gpus_on(node); ++gpu) {
      if (slots.size() == most) return slots;
      const GpuId id{gpu};
      if (cluster.usable(id) && cluster.gpu(id).idle())
        slots.push_back({id, cluster.free_lane(id)});
    }
  }
  return slots;
}

/// Slots for `count` more replicas, or nothing if there are not enough.
std::optional<std::vector<Slot>> more_slots(Books& books, const JobView& job, std::size_t count,
                                            Bytes memory, Instant now) {
  std::vector<Slot> slots = beside(books.cluster, job.allocation, count);
  const auto missing = static_cast<int>(count - slots.size());
  if (missing == 0) return slots;
  std::vector<Slot> taken = job.allocation.slots;  // shared GPUs may have room for more of them
  taken.insert(taken.end(), slots.begin(), slots.end());
  for (const Slot& slot : taken) books.cluster.withhold(slot.gpu);
  const int level = books.policy.placement->level(job, now);
  const int gpus = job.gpus() + static_cast<int>(count);
  auto elsewhere =
      books.fit.find({missing, memory, level, job.share, draw_of(job), books.kinds.of(job, gpus),
                      only_type(books.cluster.shape().type_of(job.allocation.slots.front().gpu))});
  for (const Slot& slot : taken) books.cluster.offer(slot.gpu);
  if (!elsewhere) return std::nullopt;
  slots.insert(slots.end(), elsewhere->slots.begin(), elsewhere->slots.end());
  return slots;
}

bool admitted(Books& books, JobRecord& job, int more) {
  const Admission& admission = *books.policy.admission;
  const auto decision = admission.admit(job.view, more * job.view.share, books.usage(job.group));
  return decision.verdict == Verdict::accept;
}

/// The batch of a gang of `gpus` for the memory of `allocation`, or of idle GPUs if it is null.
BatchPlan batch_of(Books& books, JobRecord& job, int gpus, const Allocation* allocation) {
  const int gang = std::exchange(job.view.gang, gpus);
  const BatchPlan batch = books.batch_of(job, allocation);
  job.view.gang = gang;
  return batch;
}

/// Books the GPUs of `all` from the one at `kept` on beside those that the job has.
bool enlarge(Books& books, JobRecord& job, Allocation all, std::size_t kept, Instant now,
             Decision& decision) {
  JobView& view = job.view;
  const Allocation added{{all.slots.begin() + static_cast<std::ptrdiff_t>(kept), all.slots.end()},
                         view.allocation.share};
  const int gpus = static_cast<int>(all.slots.size());
  if (!admitted(books, job, static_cast<int>(added.slots.size()))) return false;
  const BatchPlan batch = batch_of(books, job, gpus, &all);
  const AttemptId to = books.jobs.next_attempt();
  books.cluster.allocate(view.id, to, added, view.memory(batch), books.kinds.of(view, gpus));
  books.groups.change(job.group, added.held());
  ask(books, job, {to, std::move(all), batch, added.held()}, now, decision);
  return true;
}

}  // namespace

Bytes needed_memory(const JobRecord& job) {
  const JobView& view = job.view;
  const Bytes now = view.memory(view.batch);
  if (!job.resize || is_move(view.allocation, job.resize->allocation)) return now;
  return std::max(now, view.memory(job.resize->batch));
}

bool can_resize(const Books& books, const JobRecord& job) {
  return can_change_gpus(job.view) && books.policy.resizes_in_place();
}

bool can_move(const Books& books, const JobRecord& job) {
  return can_change_gpus(job.view) && books.policy.planner_moves();
}

void shrink_attempt(Books& books, JobRecord& job, int gpus, Instant now, Decision& decision) {
  Allocation kept = job.view.allocation;
  ensure(gpus >= 1 && gpus < job.view.gpus(), "a gang shrinks to fewer GPUs than it has");
  kept.slots.resize(static_cast<std::size_t>(gpus));
  const BatchPlan batch = batch_of(books, job, gpus, &job.view.allocation);  // booked on all GPUs
  ask(books, job, {books.jobs.next_attempt(), std::move(kept), batch, MilliGpus{}}, now, decision);
}

std::optional<Allocation> place_to_grow(Books& books, JobRecord& job, int gpus, Instant now) {
  JobView& view = job.view;
  const int more = gpus - view.gpus();
  ensure(more >= 1, "a gang grows to more GPUs than it has");
  const Bytes memory = view.memory(batch_of(books, job, gpus, nullptr));
  auto slots = more_slots(books, view, static_cast<std::size_t>(more), memory, now);
  if (!slots) return std::nullopt;
  Allocation all = view.allocation;
  all.slots.insert(all.slots.end(), slots->begin(), slots->end());
  return all;
}

bool grow_attempt(Books& books, JobRecord& job, Allocation all, Instant now, Decision& decision) {
  return enlarge(books, job, std::move(all), job.view.allocation.slots.size(), now, decision);
}

bool move_attempt(Books& books, JobRecord& job, Allocation place, Instant now, Decision& decision) {
  return enlarge(books, job, std::move(place), 0, now, decision);
}

void begin_next(Books& books, JobRecord& job, Instant now) {
  ensure(job.resize.has_value(), "an attempt ends as resized or moved that was not asked to");
  PendingResize resize = std::move(*job.resize);
  cancel_resize(books, job);
  JobView& view = job.view;
  view.batch = resize.batch;
  books.jobs.begin_attempt(job, resize.to);
  books.cluster.allocate(view.id, resize.to, resize.allocation, view.memory(view.batch),
                         books.kinds.of(view, static_cast<int>(resize.allocation.slots.size())));
  books.groups.change(job.group, resize.allocation.held());
  view.state = JobState::starting;
  view.running_since = now;
  view.stepping_since = kNever;
  view.asked_to_stop = kNever;
  view.limits_asked = false;
  ++view.attempts;
  view.allocation = std::move(resize.allocation);
}

void cancel_resize(Books& books, JobRecord& job) {
  if (!job.resize) return;
  const MilliGpus added = job.resize->added;
  if (added > MilliGpus{}) {
    books.cluster.release(job.resize->to);
    books.groups.change(job.group, -added);
  }
  job.resize.reset();
}

}  // namespace mimus::scheduler
