// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>

namespace mimus::scheduler {

/// A job's throughput by its number of GPUs [samples/s], as in ONES (Bian et al., SC'21): the mean
/// of the last five samples of each number, linear between numbers that were measured and beyond
/// the last of them. Without GPUs it is 0, so that a number that was never tried seems to scale in
/// proportion from the largest one.
class SizeTable {
 public:
  /// `gpus` >= 1.
  void add(int gpus, double throughput);
  [[nodiscard]] bool empty() const { return sizes_.empty(); }
  /// InternalError while it is empty. Never below 0.
  [[nodiscard]] double at(int gpus) const;

 private:
  std::map<int, std::deque<double>> sizes_;
};

}  // namespace mimus::scheduler
