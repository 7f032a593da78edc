// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "emulator/virtual/steps/gang_shape.hpp"
#include "emulator/virtual/steps/step_measurements.hpp"
#include "workloads/pollux/step_grid.hpp"

namespace mimus::emulator {

/// The steps that one run has recorded of attempts alone, by model, shape and batch: the measured
/// solo baseline, else the mean over the steps without others on the same nodes and links, else
/// what an emulated device was paced to. Or those of a profile. Between two per-GPU batches of one
/// model, shape and accumulation it is linear; other gangs take the grid of shapes with as much to
/// exchange (workloads::StepGrid).
class ProfileMeasurements final : public StepMeasurements {
 public:
  /// `path`: a result file or a profile. IoError when it cannot be read, ConfigError when it has no
  /// solo step or does not fit `inputs`; see read_profile().
  ProfileMeasurements(const StepTimeInputs& inputs, const std::string& path);

  [[nodiscard]] std::string name() const override { return name_; }
  [[nodiscard]] bool has_model(const std::string& model) const override;
  [[nodiscard]] std::optional<StepCost> find(const Attempt& attempt) const override;
  /// The model's own curve holds.
  [[nodiscard]] std::optional<MeasuredNoise> noise_scale(const Attempt&, double) const override {
    return std::nullopt;
  }
  [[nodiscard]] std::vector<MeasuredPoint> points(const std::string& model) const override;
  [[nodiscard]] std::string missing(const Attempt& attempt) const override;

  using Key = std::tuple<std::string, std::string, std::int64_t>;  ///< model, shape, accumulation
  using Table = std::map<Key, workloads::TimingLine>;              ///< by per-GPU batch

 private:
  /// Model, racks, whether it crosses nodes, accumulation. A step within a node says little of one
  /// across nodes, and that of a single GPU, which exchanges nothing, little of either.
  using GridKey = std::tuple<std::string, int, bool, std::int64_t>;
  void add_to_grid(const Key& key, const workloads::TimingLine& line);
  [[nodiscard]] std::optional<workloads::StepTiming> in_grid(const Key& key,
                                                             std::int64_t per_gpu_batch) const;
  [[nodiscard]] Key key_of(const Attempt& attempt) const;
  /// Of a key whose shape was read or is an attempt's.
  [[nodiscard]] static GangShape gang_of(const Key& key);

  scheduler::ClusterShape shape_;
  std::string name_;
  Table table_;
  std::map<GridKey, workloads::StepGrid> grids_;
};

}  // namespace mimus::emulator
