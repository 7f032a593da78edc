// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/yaml_reader.hpp"
#include "workloads/jobs/run_times.hpp"
#include "workloads/models/model.hpp"

namespace mimus::workloads {

/// What tables and lists of jobs may state. Parts of a sample come from run times that are scaled.
inline constexpr Limits kStatedSamples{.min = kPositive.min, .max = 1e18};

/// How much a job has to do, as its description states it.
struct Work {
  enum class Unit { samples, run_time, training };
  Unit unit = Unit::samples;
  double value = 0.0;  ///< samples, seconds on the gang, or fraction of the published training

  [[nodiscard]] double samples(const Model& model, int gang, std::int64_t total_batch,
                               const RunTimes& run_times) const;
};

/// Reads exactly one of `samples:`, `duration:` and `fraction:`. Throws ConfigError.
[[nodiscard]] Work read_work(YamlReader& reader);

enum class BatchChoice {
  reference,  ///< M₀, raised where a GPU would fall below its least batch
  scaled,     ///< M₀ per GPU, within the limits per GPU and in total
};

/// Total batch in samples; at least one per GPU.
[[nodiscard]] std::int64_t total_batch(const Model& model, int gang, BatchChoice choice);

}  // namespace mimus::workloads
