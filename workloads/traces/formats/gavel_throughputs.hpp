// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// Gavel's measured throughputs on one type of GPU of jobs alone and in pairs.
class GavelThroughputs {
 public:
  /// Reads the JSON of Gavel's artifact: {worker type: {"('job type', scale)": {"null": steps/s,
  /// "('other', scale)": [steps/s, steps/s of the other]}}}. Throws ConfigError when it is
  /// something else or does not have the worker type.
  GavelThroughputs(std::string_view text, const std::string& name, const std::string& worker_type);

  /// Steps per second; 0 when the job cannot run there, nothing when it was not measured.
  [[nodiscard]] std::optional<double> steps_per_second(std::string_view job_type,
                                                       std::int64_t scale_factor) const;

  /// Of all pairs with a scale factor that can run, to those of this GPU type in `pairs`.
  void add_pairs(std::int64_t scale_factor, const std::string& gpu_type, PairRates& pairs) const;

 private:
  std::map<std::string, double> alone_;
  std::map<std::pair<std::string, std::string>, double> beside_;  ///< steps/s of the first
};

/// All that were measured with a scale factor; null if none was. `types`: GPU types by their names
/// in a campaign.
[[nodiscard]] std::shared_ptr<const PairRates> gavel_pairs(
    std::span<const std::pair<std::string, GavelThroughputs>> types, std::int64_t scale_factor);

}  // namespace mimus::workloads
