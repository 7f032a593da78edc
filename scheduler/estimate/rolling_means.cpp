// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/estimate/rolling_means.hpp"

#include <algorithm>
#include <vector>

#include "scheduler/estimate/name_similarity.hpp"

namespace mimus::scheduler {
namespace {

constexpr double kAlike = 0.6;
constexpr std::size_t kNames = 2;

}  // namespace

void RollingMeans::add(const JobView& finished, double seconds) {
  by_user_and_gang_[{finished.user, finished.gang}][finished.group].add(seconds);
  users_[finished.user].add(seconds);
  names_[finished.group].add(seconds);
  all_.add(seconds);
}

std::optional<double> RollingMeans::of_like_names(const Names& names,
                                                  const std::string& name) const {
  std::vector<std::pair<double, const RunningMean*>> alike;
  for (const auto& [other, mean] : names) {
    if (other.empty()) continue;
    const double similarity = name_similarity(other, name);
    if (similarity >= kAlike) alike.emplace_back(similarity, &mean);
  }
  std::stable_sort(alike.begin(), alike.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  RunningMean both;
  for (std::size_t i = 0; i < std::min(kNames, alike.size()); ++i) {
    both.sum += alike[i].second->sum;
    both.count += alike[i].second->count;
  }
  if (both.count == 0) return std::nullopt;
  return both.mean();
}

std::optional<double> RollingMeans::of(const JobView& arriving) const {
  const std::string& name = arriving.group;
  const auto like = by_user_and_gang_.find({arriving.user, arriving.gang});
  if (like != by_user_and_gang_.end() && !name.empty()) {
    if (const auto mean = of_like_names(like->second, name)) return mean;
  }
  if (const auto user = users_.find(arriving.user); user != users_.end()) {
    return user->second.mean();
  }
  const auto known = names_.find(name);
  if (known != names_.end() && !name.empty()) return known->second.mean();
  if (all_.count == 0) return std::nullopt;
  return all_.mean();
}

}  // namespace mimus::scheduler
