// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "base/fields.hpp"
#include "workloads/jobs/run_times.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// The work that tables and lists of jobs may state. Fractions of a sample result from scaled run
/// times.
inline constexpr Limits kStatedSamples{.min = kPositive.min, .max = 1e18};

/// The work of a job, as its description states it.
struct Work {
  enum class Unit { samples, run_time, training };
  Unit unit = Unit::samples;
  double value = 0.0;  ///< samples, seconds on the gang, or fraction of the published training

  [[nodiscard]] double samples(const Model& model, int gang, std::int64_t total_batch,
                               const RunTimes& run_times) const;
};

/// Exactly one of them, or none if the work is stated in another way.
struct WorkKeys {
  std::optional<double> samples;
  std::optional<Duration> duration;
  std::optional<double> fraction;

  [[nodiscard]] bool stated() const { return samples || duration || fraction; }
  /// Throws ConfigError at `reader` unless exactly one is given.
  [[nodiscard]] Work work(const YamlReader& reader) const;
};
[[nodiscard]] const Fields<WorkKeys>& work_fields();

enum class BatchChoice {
  reference,  ///< M₀, raised if a GPU would get less than its least batch
  scaled,     ///< M₀ per GPU, within the limits per GPU and in total
};

[[nodiscard]] Domain<BatchChoice> batch_choices();

/// Total batch in samples; at least one per GPU.
[[nodiscard]] std::int64_t total_batch(const Model& model, int gang, BatchChoice choice);

}  // namespace mimus::workloads
