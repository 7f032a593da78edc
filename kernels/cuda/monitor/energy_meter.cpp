// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/cuda/monitor/energy_meter.hpp"

namespace mimus::kernels::cuda {

std::optional<double> EnergyMeter::update(WallInstant time,
                                          std::optional<unsigned long long> counter,
                                          std::optional<double> power) {
  if (source_ == Source::undecided) begin(time, counter, power);
  switch (source_) {
    case Source::counter:
      return from_counter(counter);
    case Source::power:
      return from_power(time, power);
    case Source::undecided:
      break;
  }
  return std::nullopt;
}

void EnergyMeter::begin(WallInstant time, std::optional<unsigned long long> counter,
                        std::optional<double> power) {
  if (counter) {
    source_ = Source::counter;
    first_counter_ = last_counter_ = *counter;
  } else if (power) {
    source_ = Source::power;
    last_time_ = time;
    last_power_ = *power;
  }
}

std::optional<double> EnergyMeter::from_counter(std::optional<unsigned long long> counter) {
  if (!counter) return std::nullopt;
  if (*counter < last_counter_) counter_was_reset_ = true;
  if (counter_was_reset_) return std::nullopt;
  last_counter_ = *counter;
  return static_cast<double>(*counter - first_counter_) / 1e3;
}

std::optional<double> EnergyMeter::from_power(WallInstant time, std::optional<double> power) {
  if (!power) return std::nullopt;
  total_ += 0.5 * (last_power_ + *power) * to_seconds(time - last_time_);
  last_time_ = time;
  last_power_ = *power;
  return total_;
}

}  // namespace mimus::kernels::cuda
