// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

namespace mimus::kernels {

/// The bandwidth of one link, divided max-min fairly: none gets more than it can use, and what it
/// leaves is divided evenly among the others.
class FairShare {
 public:
  struct Demand {
    double load = 1.0;      ///< share of the bandwidth that it can use, (0, 1]
    double presence = 1.0;  ///< share of the time for which it is there, 0..1
  };

  void clear() { demands_.clear(); }
  void add(const Demand& demand) { demands_.push_back(demand); }
  /// Divides the link among all that were added.
  void divide();
  /// How many times as long as alone one of them takes that can use `load`; at least 1.
  [[nodiscard]] double stretch(double load) const;

 private:
  std::vector<Demand> demands_;
  double left_ = 1.0;   ///< for those that get less than they can use
  double among_ = 0.0;  ///< number of these
};

}  // namespace mimus::kernels
