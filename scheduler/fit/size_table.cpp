// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/fit/size_table.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/error.hpp"

namespace mimus::scheduler {
namespace {

using Place = std::pair<double, double>;  ///< (GPUs, throughput)

Place place_of(const std::pair<const int, std::deque<double>>& size) {
  const double sum = std::accumulate(size.second.begin(), size.second.end(), 0.0);
  return {size.first, sum / static_cast<double>(size.second.size())};
}

}  // namespace

void SizeTable::add(int gpus, double throughput) {
  constexpr std::size_t kSamples = 5;
  std::deque<double>& samples = sizes_[gpus];
  samples.push_back(throughput);
  if (samples.size() > kSamples) samples.pop_front();
}

double SizeTable::at(int gpus) const {
  ensure(!sizes_.empty(), "a throughput is asked of a table without any");
  auto above = sizes_.lower_bound(gpus);
  if (above == sizes_.end()) above = std::prev(above);  // along the last two
  const Place high = place_of(*above);
  const Place low = above == sizes_.begin() ? Place{0.0, 0.0} : place_of(*std::prev(above));
  const double share = (gpus - low.first) / (high.first - low.first);
  return std::max(low.second + share * (high.second - low.second), 0.0);
}

}  // namespace mimus::scheduler
