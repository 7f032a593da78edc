// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gandiva/packing.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

double samples_of(const JobSample& sample) {
  const auto batch = sample.batch.total(static_cast<std::size_t>(sample.gpus));
  return static_cast<double>(sample.steps * batch);
}

}  // namespace

void Packing::observe(const JobView& job, const JobSample& sample) {
  profiles_.insert(job.id, {});
  Profile& profile = *profiles_.find(job.id);
  const Duration time = sample.end - sample.begin;
  if (time <= Duration::zero()) return;
  if (sample.co_tenants == 0) {
    profile.alone = samples_of(sample) / to_seconds(time);
    profile.utilisation = sample.utilisation;
  } else {
    profile.packed_samples += samples_of(sample);
    profile.packed_time += time;
  }
}

void Packing::forget_others(const PlanQuery& query) {
  IdMap<JobId, Profile> present;
  std::set<JobId> ids;
  for (const PlanJob& job : query.jobs) {
    ids.insert(job.view->id);
    if (const Profile* profile = profiles_.find(job.view->id)) {
      present.insert(job.view->id, *profile);
    }
  }
  profiles_ = std::move(present);
  const auto is_split = [&ids](const Pair& pair) {
    return !ids.contains(pair.first) || !ids.contains(pair.second);
  };
  std::erase_if(trials_, [&](const Trial& trial) { return is_split(trial.pair); });
  std::erase_if(refused_, is_split);
}

Packing::Trial* Packing::trial_in(const Seat& seat) {
  const auto is_here = [&seat](const Trial& trial) { return seat.hosts(trial.pair.first); };
  const auto found = std::ranges::find_if(trials_, is_here);
  return found == trials_.end() ? nullptr : &*found;
}

bool Packing::is_candidate(const Turn& turn) const {
  if (turn.size() != 1) return false;
  const Profile* profile = profiles_.find(turn.front());
  return profile != nullptr && profile->alone > 0.0;
}

void Packing::try_pair(Seat& seat, Instant now) {
  if (seat.turns.size() < 2 || trial_in(seat) != nullptr) return;
  std::vector<std::pair<double, JobId>> jobs;
  for (const Turn& turn : seat.turns) {
    if (!is_candidate(turn)) continue;
    jobs.emplace_back(profiles_.at(turn.front()).utilisation, turn.front());
  }
  std::ranges::sort(jobs);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    for (std::size_t k = i + 1; k < jobs.size(); ++k) {
      const Pair pair = std::minmax(jobs[i].second, jobs[k].second);
      if (refused_.contains(pair)) continue;
      std::erase_if(seat.turns, [&](const Turn& turn) {
        return turn == Turn{pair.first} || turn == Turn{pair.second};
      });
      seat.turns.push_front({pair.first, pair.second});
      for (const JobId job : {pair.first, pair.second}) {
        profiles_.find(job)->packed_samples = 0.0;
        profiles_.find(job)->packed_time = {};
      }
      trials_.push_back({pair, now + trial_});
      return;
    }
  }
}

double Packing::speed_packed(JobId job) const {
  const Profile& profile = profiles_.at(job);
  if (profile.packed_time == Duration::zero()) return 0.0;
  return profile.packed_samples / to_seconds(profile.packed_time) / profile.alone;
}

/// A trial in which one of the two has not been measured yet goes on.
Instant Packing::review(Seat& seat, Instant now) {
  Trial* trial = trial_in(seat);
  if (trial == nullptr) return kNever;
  const auto [first, second] = trial->pair;
  const bool is_measured = speed_packed(first) > 0.0 && speed_packed(second) > 0.0;
  if (now >= trial->over && !is_measured) trial->over = now + trial_;
  if (now < trial->over) return trial->over;
  constexpr double kOfTurns = 1.01;  // measured over steps that begin or end beside nobody
  if (speed_packed(first) + speed_packed(second) <= kOfTurns) {
    refused_.insert(trial->pair);
    std::erase(seat.turns, Turn{first, second});
    seat.turns.push_back({first});
    seat.turns.push_back({second});
  }
  trials_.erase(trials_.begin() + (trial - trials_.data()));
  return kNever;
}

}  // namespace mimus::scheduler
