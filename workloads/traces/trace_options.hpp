// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "workloads/models/model_reference.hpp"
#include "workloads/traces/trace_traits.hpp"

namespace mimus::workloads {

/// A footprint to give to jobs that name none, and to which of them.
struct DrawnModel {
  ModelReference model;
  double weight = 1.0;
  Duration min_gpu_time{};  ///< run time × gang
  Duration max_gpu_time = Duration::max();
};

/// What a user is taken to say about the run time.
enum class StatedEstimate { none, exact, noisy, column };

enum class Oversized { refuse, clamp, drop };

/// Options that every trace has. They are applied to the parsed rows, so cells that differ in them
/// share one parse.
struct TraceOptions {
  bool skip_bad_rows = false;
  std::optional<bool> keep_origin;  ///< else as the format has it
  std::optional<std::int64_t> first;
  std::optional<Duration> from, until;  ///< since the first submission
  double compress_arrivals = 1.0;
  double scale_run_times = 1.0;
  Duration min_run_time{};
  std::optional<std::int64_t> max_gang;
  Oversized oversized = Oversized::refuse;
  std::vector<std::string> virtual_clusters, users;  ///< to keep; empty for all
  StatedEstimate estimate = StatedEstimate::none;
  std::size_t estimate_column = 0;  ///< into TraceTraits::estimates
  double estimate_error = 0.5;      ///< sigma of the logarithm, for noisy
  bool keep_models = true;          ///< that the trace names
  std::vector<DrawnModel> models;
  std::vector<std::string> rigid_models;  ///< whose jobs keep the gang and batch asked for
  SourceLocation rigid_models_at;
  double work_fraction = 1.0;  ///< of the published training, for formats that state no work
};

[[nodiscard]] Fields<TraceOptions> trace_option_fields(const TraceTraits& traits);

}  // namespace mimus::workloads
