// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/round_shares.hpp"

#include <algorithm>
#include <set>
#include <tuple>

namespace mimus::scheduler {

void RoundShares::add(Unit unit) {
  const auto types = static_cast<std::size_t>(types_);
  courses_.try_emplace(unit, Course{{}, std::vector(types, half_), std::vector(types, 0.0)});
}

void RoundShares::remove(Unit unit) {
  courses_.erase(unit);
}

void RoundShares::renew(const std::map<Unit, std::vector<double>>& fractions, double elapsed) {
  had_by_all_.assign(static_cast<std::size_t>(types_), 0.0);
  for (auto& [unit, course] : courses_) {
    for (std::size_t type = 0; type < course.had.size(); ++type) {
      const double fraction = course.fractions.empty() ? 0.0 : course.fractions[type];
      course.deficits[type] += fraction * elapsed - (course.had[type] - half_);
      course.had[type] = half_;
      had_by_all_[type] += half_;
    }
    const auto found = fractions.find(unit);
    course.fractions = found == fractions.end() ? std::vector<double>{} : found->second;
  }
}

void RoundShares::note(Unit unit, int type, double time) {
  const auto index = static_cast<std::size_t>(type);
  const auto course = courses_.find(unit);
  if (course != courses_.end()) course->second.had[index] += time;
  if (!had_by_all_.empty()) had_by_all_[index] += time;
}

const std::vector<double>* RoundShares::fractions_of(Unit unit) const {
  const auto course = courses_.find(unit);
  const bool has_some = course != courses_.end() && !course->second.fractions.empty();
  return has_some ? &course->second.fractions : nullptr;
}

/// Those of equal rank by arrival.
std::vector<RoundShares::Claim> RoundShares::claims(std::span<const Candidate> candidates,
                                                    int type) const {
  const auto index = static_cast<std::size_t>(type);
  std::vector<Claim> claims;
  for (const Candidate& candidate : candidates) {
    if (!candidate.can_run[index]) continue;
    Claim claim{.of = &candidate};
    const auto course = courses_.find(candidate.unit);
    if (course != courses_.end()) {
      claim.deficit = course->second.deficits[index];
      if (!course->second.fractions.empty()) {
        claim.fraction = course->second.fractions[index];
        claim.priority = claim.fraction / (course->second.had[index] / had_by_all_[index]);
      }
    }
    claims.push_back(claim);
  }
  std::ranges::stable_sort(claims, [](const Claim& a, const Claim& b) {
    return std::tie(a.priority, a.deficit, a.fraction) >
           std::tie(b.priority, b.deficit, b.fraction);
  });
  return claims;
}

std::vector<RoundShares::Choice> RoundShares::choose(std::span<const Candidate> candidates,
                                                     std::span<const int> type_order,
                                                     std::vector<int> gpus) const {
  std::vector<Choice> chosen;
  std::set<JobId> taken;
  for (const int type : type_order) {
    int& left = gpus[static_cast<std::size_t>(type)];
    for (const Claim& claim : claims(candidates, type)) {
      const auto& [first, second] = claim.of->unit;
      if (claim.of->gang > left || taken.contains(first) || taken.contains(second)) continue;
      left -= claim.of->gang;
      taken.insert(first);
      if (second) taken.insert(second);
      if (fractions_of(claim.of->unit) != nullptr) chosen.push_back({claim.of->unit, type});
    }
  }
  return chosen;
}

}  // namespace mimus::scheduler
