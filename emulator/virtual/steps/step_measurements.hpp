// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "emulator/virtual/steps/step_time_model.hpp"

namespace mimus::emulator {

/// One measured step of a gang that ran alone.
struct MeasuredPoint {
  std::vector<int> per_node;  ///< replicas on each node
  int racks = 1;              ///< that the nodes are in
  std::int64_t per_gpu_batch = 1;
  int accumulation = 1;
  double step = 0.0;  ///< [s]
};

/// Measured steps of attempts that ran alone.
class StepMeasurements {
 public:
  virtual ~StepMeasurements() = default;
  /// Where they come from, e.g. "quickstart.h5".
  [[nodiscard]] virtual std::string name() const = 0;
  [[nodiscard]] virtual bool has_model(const std::string& model) const = 0;
  /// Nothing if neither it nor enough of its neighbours were measured.
  [[nodiscard]] virtual std::optional<StepCost> find(const Attempt& attempt) const = 0;
  /// See StepTimeModel::noise_scale.
  [[nodiscard]] virtual std::optional<MeasuredNoise> noise_scale(const Attempt& attempt,
                                                                 double fraction) const = 0;
  /// See StepTimeModel::steps_left.
  [[nodiscard]] virtual std::optional<double> steps_left(const workloads::Job&,
                                                         double /*fraction*/) const {
    return std::nullopt;
  }
  /// All measurements of a model; empty without any.
  [[nodiscard]] virtual std::vector<MeasuredPoint> points(const std::string& model) const = 0;
  /// What is missing, for an error message: model, shape and batch, and what there is instead.
  [[nodiscard]] virtual std::string missing(const Attempt& attempt) const = 0;
};

}  // namespace mimus::emulator
