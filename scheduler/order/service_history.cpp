// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/service_history.hpp"

#include <algorithm>
#include <cmath>
#include <sstream>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::scheduler {

void ServiceHistory::fit() {
  const auto old = static_cast<std::ptrdiff_t>(samples_.size());
  samples_.insert(samples_.end(), new_.begin(), new_.end());
  new_.clear();
  std::sort(samples_.begin() + old, samples_.end());
  std::inplace_merge(samples_.begin(), samples_.begin() + old, samples_.end());
  sums_.assign(samples_.size() + 1, 0.0);
  for (std::size_t i = samples_.size(); i-- > 0;) sums_[i] = sums_[i + 1] + samples_[i];
}

double ServiceHistory::gittins_index(double attained, double more) const {
  const auto above = [&](double bound) {
    const auto found = std::upper_bound(samples_.begin(), samples_.end(), bound);
    return static_cast<std::size_t>(found - samples_.begin());
  };
  const std::size_t first = above(attained);
  const std::size_t beyond = above(attained + more);
  if (first == beyond) return 0.0;
  const auto end_within = static_cast<double>(beyond - first);
  double expected = sums_[first] - sums_[beyond] - end_within * attained;
  if (beyond < size()) expected += static_cast<double>(size() - beyond) * more;
  return end_within / expected;
}

std::optional<ServiceHistory> parse_service_history(const std::string& text, std::string& error) {
  ServiceHistory history;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    const auto value = parse_number(line);
    if (!value && number == 1) continue;
    if (!value || !std::isfinite(*value) || *value < 0.0) {
      error = fmt::format("line {}: \"{}\" is not a number of GPU-seconds >= 0", number, line);
      return std::nullopt;
    }
    history.add(*value);
  }
  if (history.added() == 0) {
    error = "holds no number; write the GPU-seconds of past jobs, one per line";
    return std::nullopt;
  }
  history.fit();
  return history;
}

}  // namespace mimus::scheduler
