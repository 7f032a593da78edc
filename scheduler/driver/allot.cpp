// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/driver/allot.hpp"

#include <algorithm>
#include <optional>
#include <unordered_map>

#include "scheduler/driver/placed_handout.hpp"
#include "scheduler/driver/resize.hpp"
#include "scheduler/driver/state.hpp"
#include "scheduler/order/order.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {
namespace {

/// All jobs that have GPUs or could start, by arrival.
std::vector<JobRecord*> candidates(State& state) {
  std::vector<JobRecord*> jobs = state.jobs.all();
  std::erase_if(jobs, [](const JobRecord* job) {
    return !job->view.holds_gpus() && job->request == nullptr;
  });
  std::sort(jobs.begin(), jobs.end(), [](const JobRecord* a, const JobRecord* b) {
    return std::pair(a->view.arrival, a->view.id) < std::pair(b->view.arrival, b->view.id);
  });
  return jobs;
}

std::vector<Contender> contenders_of(const std::vector<JobRecord*>& jobs) {
  std::vector<Contender> contenders;
  contenders.reserve(jobs.size());
  for (const JobRecord* job : jobs) contenders.push_back({&job->view, job->group});
  return contenders;
}

/// GPUs that are up and awake. Whoever holds one is among the candidates.
int usable_gpus(const Cluster& cluster) {
  const auto& gpus = cluster.gpus();
  return static_cast<int>(std::count_if(
      gpus.begin(), gpus.end(), [&](const GpuState& gpu) { return cluster.usable(gpu.id); }));
}

/// Asks the sizing choice anew.
void ask(State& state, const std::vector<JobRecord*>& jobs, Instant now) {
  AllotmentRound& round = state.allotment;
  const auto allot_from = [&](Handout& handout) {
    round.starts = state.policy.sizing->allot(
        contenders_of(jobs), {.now = now, .order = *state.policy.order, .handout = handout});
  };
  const int gpus = usable_gpus(state.cluster);
  if (state.policy.placement->counts_only()) {
    Handout handout(*state.policy.admission, gpus, state.cluster.shape().gpus());
    allot_from(handout);
  } else {
    PlacedHandout handout(state, jobs, gpus, now);
    allot_from(handout);
    round.places = handout.take_places();
  }
}

const char* reason_to_stop(const JobView& job, int gpus) {
  if (gpus == 0) return "yields to other jobs";
  return gpus == job.gpus() ? "moves to other GPUs" : "is resized";
}

void decide(State& state, Instant now, Decision& decision) {
  AllotmentRound& round = state.allotment;
  const auto jobs = candidates(state);
  ask(state, jobs, now);
  std::unordered_map<JobId, int> wanted;
  for (const Allotted& job : round.starts) wanted[job.job] = job.gpus;
  for (JobRecord* job : jobs) {
    if (!job->view.holds_gpus() || job->view.state == JobState::stopping) continue;
    const auto found = wanted.find(job->view.id);
    const int gpus = found == wanted.end() ? 0 : found->second;
    if (gpus == job->view.gpus() && !round.places.contains(job->view.id)) {
      wanted.erase(found);  // keeps what it has
      continue;
    }
    if (gpus > 0 && can_resize(state, *job)) {
      if (gpus > job->view.gpus()) continue;  // when the others have made room
      wanted.erase(found);
      round.stopping.push_back(job->view.attempt);
      shrink_attempt(state, *job, gpus, decision);
      continue;
    }
    round.stopping.push_back(job->view.attempt);
    stop_attempt(state, *job, reason_to_stop(job->view, gpus), now, decision);
  }
  std::erase_if(round.starts,
                [&](const Allotted& job) { return job.gpus == 0 || !wanted.contains(job.job); });
}

bool is_free(const Cluster& cluster, const Allocation& place) {
  return std::all_of(place.slots.begin(), place.slots.end(), [&](const Slot& slot) {
    return cluster.usable(slot.gpu) && cluster.gpu(slot.gpu).idle();
  });
}

/// The place that the round found for the job, if a node has not gone down meanwhile; else any.
std::optional<Allocation> place_of(const State& state, const JobRecord& job, Instant now) {
  const JobView& view = job.view;
  const auto found = state.allotment.places.find(view.id);
  if (found != state.allotment.places.end() && is_free(state.cluster, found->second)) {
    return found->second;
  }
  const int level = state.policy.placement->level(view, now);
  const Bytes memory = view.model.memory(job.plan.per_gpu);
  return state.fit.find({view.gang, memory, level, view.share, draw_of(view)});
}

void start(State& state, JobRecord& job, int gpus, Instant now, Decision& decision) {
  const int before = job.view.gang;
  job.view.gang = gpus;
  job.plan = state.policy.sizing->plan(state.query(job, nullptr));
  const auto verdict = state.policy.admission->admit(job.view, state.usage(job.group)).verdict;
  std::optional<Allocation> place;
  if (verdict == Verdict::accept) place = place_of(state, job, now);
  if (place) {
    start_attempt(state, job, std::move(*place), now, decision);
  } else {
    job.view.gang = before;
  }
}

/// Starts who waits and lets those grow who run; some have left or ended meanwhile, and recovery
/// may hold some back.
void start_all(State& state, Instant now, Decision& decision) {
  for (const Allotted& allotted : state.allotment.starts) {
    JobRecord* job = state.jobs.find(allotted.job);
    if (job == nullptr || job->left) continue;
    if (job->request != nullptr) {
      start(state, *job, allotted.gpus, now, decision);
    } else if (can_resize(state, *job) && allotted.gpus > job->view.gpus()) {
      static_cast<void>(grow_attempt(state, *job, allotted.gpus, now, decision));
    }
  }
  state.allotment.starts.clear();
}

/// The first multiple of `round` that is not before `at`.
Instant multiple_from(Instant at, Duration round) {
  const Duration since = at.time_since_epoch();
  return Instant{(since / round + (since % round == Duration::zero() ? 0 : 1)) * round};
}

}  // namespace

/// On the wall clock a decision comes a little after its multiple.
Instant allot(State& state, Instant now, Decision& decision) {
  AllotmentRound& round = state.allotment;
  const Duration length = state.policy.sizing->round();
  std::erase_if(round.stopping, [&](AttemptId id) { return state.jobs.running(id) == nullptr; });
  if (round.next_at == kNever) round.next_at = multiple_from(now, length);
  if (now >= round.next_at) {
    decide(state, now, decision);
    round.next_at = multiple_from(now + Duration{1}, length);
  }
  if (round.stopping.empty() && !round.starts.empty()) start_all(state, now, decision);
  if (state.unfinished == 0) round.next_at = kNever;
  return round.next_at;
}

}  // namespace mimus::scheduler
