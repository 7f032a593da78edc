// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace mimus::emulator {

/// Ratios of measured to modelled steps of one model, at the measured points and between them. A
/// model's errors are similar for similar gangs: a ratio between points is the geometric mean of
/// theirs, each weighted by the inverse fourth power of its distance (Shepard, ACM National
/// Conference, 1968). Distances are of logarithms; a change in the number of nodes counts twice,
/// one of the batch one and a half times as much as one in the number of GPUs. The weights were
/// chosen on public step times of six models (held_out_steps_test.cpp), whose errors they change
/// little.
class MeasuredRatios {
 public:
  struct Point {
    int nodes = 1;
    int replicas = 1;
    std::int64_t per_gpu_batch = 1;
    int accumulation = 1;
  };
  /// `ratio`: measured ÷ modelled step time, > 0.
  void add(const Point& point, double ratio);
  /// 1 without any point.
  [[nodiscard]] double at(const Point& asked) const;

 private:
  struct Known {
    double nodes = 0.0;  ///< these four: scaled logarithms, whose differences are distances
    double replicas = 0.0;
    double batch = 0.0;
    double accumulation = 0.0;
    double log_ratio = 0.0;
  };
  [[nodiscard]] static Known place_of(const Point& point);

  std::vector<Known> known_;
};

}  // namespace mimus::emulator
