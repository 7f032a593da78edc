// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace mimus::workloads {

/// Gavel's measured throughputs of jobs that run alone on one type of GPU.
class GavelThroughputs {
 public:
  /// Reads the JSON of Gavel's artifact: {worker type: {"('job type', scale)": {"null": steps/s}}}.
  /// Throws ConfigError when it is something else or does not have the worker type.
  GavelThroughputs(std::string_view text, const std::string& name, const std::string& worker_type);

  /// Steps per second; 0 when the job cannot run there, nothing when it was not measured.
  [[nodiscard]] std::optional<double> steps_per_second(std::string_view job_type,
                                                       std::int64_t scale_factor) const;

 private:
  std::map<std::string, double> alone_;
};

}  // namespace mimus::workloads
