// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/packed_jobs.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

namespace mimus::scheduler {
namespace {

RoundShares::Unit unit_of(JobId a, JobId b) {
  return {std::min(a, b), std::max(a, b)};
}

/// Of a job beside the other one; 0 where it was not measured or cannot run.
double rate_beside(const JobView& job, const JobView& other, const std::string& type) {
  const auto found = job.pair_rates->find({job.kind, other.kind});
  if (found == job.pair_rates->end()) return 0.0;
  const auto rate = std::ranges::find(found->second, type, &TypeRates::value_type::first);
  return rate == found->second.end() ? 0.0 : rate->second;
}

}  // namespace

PackedJobs::PackedJobs(std::span<const PlanJob> jobs, SharedTypes shared, Alike alike)
    : jobs_(jobs), shared_(std::move(shared)) {
  std::map<std::tuple<std::string, std::vector<double>, int, double>, std::size_t> known;
  std::vector<SharedTypes::Jobs> entries;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    SharedTypes::Jobs& job = shared_.jobs[i];
    const std::string kind = alike == Alike::same_kind_and_speed ? jobs[i].view->kind : "";
    const auto [found, is_new] =
        known.try_emplace({kind, job.rates, job.gang, job.least_rate}, entries.size());
    if (is_new || alike == Alike::none) {
      found->second = entries.size();
      entries.push_back(std::move(job));
      members_.emplace_back();
    } else {
      ++entries[found->second].count;
    }
    members_[found->second].push_back(i);
    entry_of_.emplace(jobs[i].view->id, found->second);
  }
  shared_.jobs = std::move(entries);
}

void PackedJobs::add_pairs(const ClusterShape& shape, Pairs which) {
  for (std::size_t a = 0; a < members_.size(); ++a) {
    for (std::size_t b = a; b < members_.size(); ++b) {
      if (shared_.jobs[a].gang != shared_.jobs[b].gang) continue;
      if (a == b && shared_.jobs[a].count < 2) continue;
      if (auto found = pair(a, b, shape, which)) shared_.pairs.push_back(std::move(*found));
    }
  }
}

std::optional<SharedTypes::Pair> PackedJobs::pair(std::size_t a, std::size_t b,
                                                  const ClusterShape& shape, Pairs which) const {
  const std::array views{jobs_[members_[a].front()].view, jobs_[members_[b].front()].view};
  if (!views[0]->pair_rates || !views[1]->pair_rates) return std::nullopt;
  SharedTypes::Pair pair{.jobs = {a, b}, .rates = {}};
  bool runs_anywhere = false;
  for (int type = 0; type < shape.types(); ++type) {
    const double alone_a = shared_.jobs[a].rates[static_cast<std::size_t>(type)];
    const double alone_b = shared_.jobs[b].rates[static_cast<std::size_t>(type)];
    double first = rate_beside(*views[0], *views[1], shape.type_name(type));
    double second = rate_beside(*views[1], *views[0], shape.type_name(type));
    const bool runs = alone_a > 0.0 && alone_b > 0.0 && first > 0.0 && second > 0.0;
    const bool gains = runs && first / alone_a + second / alone_b > 1.0;
    if (!runs || (which == Pairs::that_gain && !gains)) first = second = 0.0;
    runs_anywhere = runs_anywhere || first > 0.0;
    pair.rates[0].push_back(first);
    pair.rates[1].push_back(second);
  }
  return runs_anywhere ? std::optional(std::move(pair)) : std::nullopt;
}

/// Every pair of their jobs gets the same part.
void PackedJobs::spread(const SharedTypes::Pair& pair, const std::vector<double>& together,
                        UnitFractions& fractions) const {
  const auto& [a, b] = pair.jobs;
  const auto count_a = static_cast<double>(members_[a].size());
  const double pairs =
      a == b ? count_a * (count_a - 1.0) / 2.0 : count_a * static_cast<double>(members_[b].size());
  std::vector<double> each;
  for (const double fraction : together) each.push_back(fraction / pairs);
  for (const std::size_t first : members_[a]) {
    for (const std::size_t second : members_[b]) {
      if (a == b && second <= first) continue;
      fractions.emplace(unit_of(jobs_[first].view->id, jobs_[second].view->id), each);
    }
  }
}

UnitFractions PackedJobs::fractions(const TimeFractions& of_entries) const {
  UnitFractions fractions;
  for (std::size_t entry = 0; entry < members_.size(); ++entry) {
    for (const std::size_t job : members_[entry]) {
      fractions.emplace(RoundShares::alone(jobs_[job].view->id), of_entries[entry]);
    }
  }
  for (std::size_t i = 0; i < shared_.pairs.size(); ++i) {
    const std::vector<double>& together = of_entries[members_.size() + i];
    if (std::ranges::any_of(together, [](double fraction) { return fraction > 0.0; })) {
      spread(shared_.pairs[i], together, fractions);
    }
  }
  return fractions;
}

PackedPairs PackedJobs::pairs(const UnitFractions& fractions) const {
  std::map<std::array<std::size_t, 2>, const SharedTypes::Pair*> known;
  for (const SharedTypes::Pair& pair : shared_.pairs) known.emplace(pair.jobs, &pair);
  PackedPairs pairs;
  for (const auto& [unit, of_unit] : fractions) {
    if (!unit.second) continue;
    std::array entries{entry_of_.at(unit.first), entry_of_.at(unit.second)};
    const bool swapped = entries[0] > entries[1];
    if (swapped) std::swap(entries[0], entries[1]);
    PackedPair pair{shared_.jobs[entries[0]].gang, known.at(entries)->rates};
    if (swapped) std::swap(pair.rates[0], pair.rates[1]);
    pairs.emplace(unit, std::move(pair));
  }
  return pairs;
}

}  // namespace mimus::scheduler
