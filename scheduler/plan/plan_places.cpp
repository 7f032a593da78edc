// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/plan/plan_places.hpp"

#include <algorithm>

#include "scheduler/books/resize.hpp"
#include "scheduler/plan/plan_check.hpp"
#include "scheduler/plan/scratch.hpp"

namespace mimus::scheduler {
namespace {

/// Whether both have the same GPUs in any order.
bool same_gpus(const Allocation& a, const Allocation& b) {
  return a.slots.size() == b.slots.size() &&
         std::is_permutation(a.slots.begin(), a.slots.end(), b.slots.begin(),
                             [](const Slot& x, const Slot& y) { return x.gpu == y.gpu; });
}

/// Whether the job runs, or is suspended, with everything that the target says.
bool is_settled(const ClusterShape& shape, const JobView& job, const Target& target) {
  const bool retunes = target.batch && *target.batch != job.batch;
  const Suspension wanted = target.suspended ? Suspension::suspended : Suspension::none;
  return stays(job) && reached(shape, job, target) && !retunes && job.suspension == wanted &&
         job.limits == target.limits;
}

/// Whether the job is to get GPUs that it does not have.
bool needs_place(const Books& books, const JobRecord& job, const Target& target) {
  const auto gpus = static_cast<std::size_t>(gpus_of(target));
  return kept_gpus(books, job, &target) < gpus;
}

/// Releases the GPUs that running jobs give up.
void release_what_yields(Books& books, const Targets& targets, std::span<JobRecord* const> jobs,
                         Scratch& scratch) {
  for (const JobRecord* job : jobs) {
    if (!stays(job->view)) continue;
    Allocation kept = job->view.allocation;
    const std::size_t held = kept.slots.size();
    kept.slots.resize(kept_gpus(books, *job, target_of(targets, *job)));
    if (kept.slots.size() == held) continue;
    scratch.release(job->view.attempt);
    if (!kept.slots.empty()) scratch.book(job->view.id, kept);
  }
}

/// Where the job is to start or to grow, and keeps that from the others.
std::optional<Allocation> find_place(Books& books, const Target& target, JobRecord& job,
                                     Scratch& scratch, Instant now) {
  if (const auto* exact = std::get_if<Allocation>(&target.gpus)) return *exact;
  if (job.resize) return std::nullopt;
  if (stays(job.view) && resizes(books, job, target)) {
    auto all = place_to_grow(books, job, gpus_of(target), now);
    if (!all) return all;
    const auto held = static_cast<std::ptrdiff_t>(job.view.allocation.slots.size());
    scratch.book(target.job, {{all->slots.begin() + held, all->slots.end()}});
    return all;
  }
  scratch.ask_for({&job.view, job.group}, gpus_of(target));
  if (const auto type = type_of(books.cluster.shape(), target)) scratch.only_on(*type);
  auto place = scratch.find();
  if (place) scratch.book(target.job, *place);
  return place;
}

/// Those of jobs that do not have what the plan gives them.
std::vector<Pursuit> unsettled(Books& books, const Plan& plan, const Targets& targets,
                               std::span<JobRecord* const> jobs, Instant now) {
  Scratch scratch(books);
  release_what_yields(books, targets, jobs, scratch);
  for (const Target& target : plan.targets) {
    const auto* place = std::get_if<Allocation>(&target.gpus);
    const bool is_new = place != nullptr && needs_place(books, books.jobs.at(target.job), target);
    if (is_new) scratch.book(target.job, *place);
  }
  std::vector<Pursuit> pursuits;
  for (const Target& target : plan.targets) {
    JobRecord& job = books.jobs.at(target.job);
    if (is_settled(books.cluster.shape(), job.view, target)) continue;
    Pursuit pursuit{target.job, target, {}};
    if (needs_place(books, job, target)) {
      pursuit.place = find_place(books, target, job, scratch, now);
      if (!pursuit.place && !job.view.holds_gpus()) continue;  // it waits
    }
    pursuits.push_back(std::move(pursuit));
  }
  return pursuits;
}

}  // namespace

bool begins_with(const Allocation& place, const Allocation& first) {
  return place.slots.size() >= first.slots.size() &&
         std::equal(first.slots.begin(), first.slots.end(), place.slots.begin(),
                    [](const Slot& x, const Slot& y) { return x.gpu == y.gpu; });
}

bool stays(const JobView& job) {
  return job.holds_gpus() && job.state != JobState::stopping;
}

std::optional<int> type_of(const ClusterShape& shape, const Target& target) {
  const auto* counts = std::get_if<TypeCounts>(&target.gpus);
  return counts == nullptr ? std::nullopt : shape.type_named(counts->begin()->first);
}

bool reached(const ClusterShape& shape, const JobView& job, const Target& target) {
  const auto* place = std::get_if<Allocation>(&target.gpus);
  if (place != nullptr) return same_gpus(job.allocation, *place);
  if (job.gpus() != gpus_of(target)) return false;
  const auto type = type_of(shape, target);
  return !type || !job.holds_gpus() || shape.type_of(job.allocation.slots.front().gpu) == *type;
}

bool resizes(const Books& books, const JobRecord& job, const Target& target) {
  if (!can_resize(books, job)) return false;
  const ClusterShape& shape = books.cluster.shape();
  const auto type = type_of(shape, target);
  if (type && shape.type_of(job.view.allocation.slots.front().gpu) != *type) return false;
  const auto* place = std::get_if<Allocation>(&target.gpus);
  return place == nullptr || begins_with(*place, job.view.allocation) ||
         begins_with(job.view.allocation, *place);
}

bool moves(const Books& books, const JobRecord& job, const Target& target) {
  const auto* place = std::get_if<Allocation>(&target.gpus);
  if (place == nullptr || target.suspended || !can_move(books, job)) return false;
  const auto& held = job.view.allocation.slots;
  return std::ranges::none_of(place->slots, [&held](const Slot& slot) {
    return std::ranges::find(held, slot.gpu, &Slot::gpu) != held.end();
  });
}

std::size_t kept_gpus(const Books& books, const JobRecord& job, const Target* target) {
  if (target == nullptr || !stays(job.view)) return 0;
  const int held = job.view.gpus();
  if (reached(books.cluster.shape(), job.view, *target)) return static_cast<std::size_t>(held);
  const bool in_place = resizes(books, job, *target);
  return in_place ? static_cast<std::size_t>(std::min(held, gpus_of(*target))) : 0;
}

const Target* target_of(const Targets& targets, const JobRecord& job) {
  const Target* const* found = targets.find(job.view.id);
  return found == nullptr ? nullptr : *found;
}

std::vector<Pursuit> pursuits_of(Books& books, const Plan& plan, const Targets& targets,
                                 std::span<JobRecord* const> jobs, Instant now) {
  const bool all_settled = std::ranges::all_of(plan.targets, [&](const Target& target) {
    return is_settled(books.cluster.shape(), books.jobs.at(target.job).view, target);
  });
  std::vector<Pursuit> pursuits;
  if (!all_settled) pursuits = unsettled(books, plan, targets, jobs, now);
  for (const JobRecord* job : jobs) {
    const bool is_to_leave = job->view.holds_gpus() && target_of(targets, *job) == nullptr;
    if (is_to_leave) pursuits.push_back({job->view.id, std::nullopt, {}});
  }
  return pursuits;
}

}  // namespace mimus::scheduler
