// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <tuple>

#include "emulator/virtual/step_measurements.hpp"

namespace mimus::emulator {

/// The steps that one run has recorded of attempts without co-tenants, by model, shape and batch:
/// the mean over all of them, and the measured solo baseline where there was none. Or those of a
/// profile. Between two per-GPU batches of one model, shape and accumulation it is linear.
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
  [[nodiscard]] double nearest_ratio(const Attempt& attempt,
                                     const StepTimeModel& modelled) const override;
  [[nodiscard]] std::string missing(const Attempt& attempt) const override;

  /// One measured step [s]; `modelled` is what the footprint model said of it then.
  struct Step {
    double step = 0.0;
    double exposed = 0.0;
    double busy = 0.0;
    double modelled = 0.0;
  };
  using Key = std::tuple<std::string, std::string, std::int64_t>;  ///< model, shape, accumulation
  using Table = std::map<Key, std::map<std::int64_t, Step>>;       ///< by per-GPU batch

 private:
  [[nodiscard]] Key key_of(const Attempt& attempt) const;

  scheduler::ClusterShape shape_;
  std::string name_;
  Table table_;
};

}  // namespace mimus::emulator
