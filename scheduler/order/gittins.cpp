// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/gittins.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace mimus::scheduler {
namespace {

/// The last queue is split where service doubles, as long as a Duration can represent it.
std::vector<Duration> class_limits(std::vector<Duration> limits) {
  while (limits.back() <= Duration::max() / 2) limits.push_back(2 * limits.back());
  return limits;
}

}  // namespace

Gittins::Gittins(Settings settings)
    : settings_(std::move(settings)),
      classes_({.limits = class_limits(settings_.limits), .promote = settings_.promote}),
      limits_(class_limits(settings_.limits)),
      history_(settings_.given.value_or(ServiceHistory{})) {
  fit();
}

void Gittins::fit() {
  history_.fit();
  indexes_.assign(limits_.size() + 1, 0.0);
  if (history_.size() < static_cast<std::size_t>(settings_.warm_up)) return;
  for (std::size_t i = 0; i < indexes_.size(); ++i) {
    const double attained = i == 0 ? 0.0 : to_seconds(limits_[i - 1]);
    const bool ends = i < settings_.limits.size();
    const double more =
        ends ? to_seconds(limits_[i]) - attained : std::numeric_limits<double>::infinity();
    indexes_[i] = history_.gittins_index(attained, more);
  }
}

Rank Gittins::rank(const JobView& job, Instant now) const {
  Rank rank = classes_.rank(job, now);
  const auto class_of_service = static_cast<std::size_t>(rank.major);
  rank.major = static_cast<WideInteger>(std::min(class_of_service, settings_.limits.size()));
  rank.tie = rank.minor;  // when it first started
  // Non-negative floating-point numbers have the same order as their bits.
  rank.minor = -std::bit_cast<std::int64_t>(indexes_[class_of_service]);
  return rank;
}

Instant Gittins::next_change(const JobView& job, Instant now) const {
  return classes_.next_change(job, now);
}

void Gittins::refresh(const JobView& waiting, Instant now) {
  classes_.refresh(waiting, now);
}

Instant Gittins::overtaken_at(const JobView& running, const JobView& waiting, Instant now) const {
  return classes_.overtaken_at(running, waiting, now);
}

bool Gittins::learn(const JobView& finished, Instant now) {
  if (settings_.given) return false;
  history_.add(static_cast<double>(finished.service(now).count()) / 1e9);
  const int due = history_.size() == 0 ? settings_.warm_up : settings_.refit;
  if (history_.added() < static_cast<std::size_t>(due)) return false;
  fit();
  return true;
}

void Gittins::left(JobId job) {
  classes_.left(job);
}

}  // namespace mimus::scheduler
