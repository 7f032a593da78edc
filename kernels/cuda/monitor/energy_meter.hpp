// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/time.hpp"

namespace mimus::kernels::cuda {

/// Energy since the first reading [J]. It comes from the device's counter if the first reading has
/// one (Volta and later; it misses nothing between readings), else from the trapezoids under the
/// power readings. The source never changes afterwards, so that all figures of a run mean the same.
class EnergyMeter {
 public:
  enum class Source { undecided, counter, power };

  /// `counter` is NVML's total since the driver was loaded [mJ], `power` the present draw [W]. The
  /// result is absent while the source gives nothing. It stays absent once the counter went
  /// backwards, because the driver was reloaded and the earlier count is lost. After missing power
  /// readings, the next one closes the gap with one trapezoid.
  [[nodiscard]] std::optional<double> update(WallInstant time,
                                             std::optional<unsigned long long> counter,
                                             std::optional<double> power);
  [[nodiscard]] Source source() const { return source_; }
  [[nodiscard]] bool counter_was_reset() const { return counter_was_reset_; }

 private:
  void begin(WallInstant time, std::optional<unsigned long long> counter,
             std::optional<double> power);
  [[nodiscard]] std::optional<double> from_counter(std::optional<unsigned long long> counter);
  [[nodiscard]] std::optional<double> from_power(WallInstant time, std::optional<double> power);

  Source source_ = Source::undecided;
  unsigned long long first_counter_ = 0;  // [mJ]
  unsigned long long last_counter_ = 0;   // [mJ]
  bool counter_was_reset_ = false;
  WallInstant last_time_{};
  double last_power_ = 0.0;  // [W]
  double total_ = 0.0;       // of the trapezoids [J]
};

}  // namespace mimus::kernels::cuda
