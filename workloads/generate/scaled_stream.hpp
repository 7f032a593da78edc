// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "workloads/generate/derived_stream.hpp"
#include "workloads/generate/sampled_stream.hpp"
#include "workloads/jobs/run_times.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::workloads {

/// How a workload is stretched.
struct ScaleSettings {
  double arrivals = 1.0;             ///< the rate is multiplied by it: arrival times are divided
  double run_times = 1.0;            ///< run times, work and estimates are multiplied by it
  double gangs = 1.0;                ///< gang sizes are multiplied by it, rounded, at least 1
  std::optional<int> max_gang = {};  ///< then cut down to it
  std::int64_t repeat = 1;           ///< so many times one after the other
};

/// A workload with other arrivals, run times or gangs. A gang of another size runs as long as
/// before on the cluster of `run_times`: work and batch of a job with a model follow the gang. Each
/// repetition begins one mean gap after the last arrival of the one before. Shares of a GPU end
/// where a gang grows above 1.
class ScaledStream final : public DerivedStream {
 public:
  /// `models` must outlive it.
  ScaledStream(OpenStream open, const ScaleSettings& settings, const ModelCatalogue& models,
               RunTimes run_times = {});

 protected:
  [[nodiscard]] std::optional<Job> derive() override;

 private:
  void scale_gang(Job& job) const;
  void scale_times(Job& job) const;

  OpenStream open_;
  ScaleSettings settings_;
  const ModelCatalogue& models_;
  RunTimes run_times_;
  std::int64_t repetition_ = 0;
  std::int64_t jobs_ = 0;  ///< of this repetition so far
  Duration first_{};       ///< arrival of its first job, as given
  Duration last_{};        ///< and of its latest
  Duration shift_{};       ///< of this repetition, before scaling
};

/// The factor on arrivals that gives the offered load `load` of `gpus` GPUs to the jobs that
/// ScaledStream makes with the other settings. Throws UsageError when all jobs arrive at once.
[[nodiscard]] double arrivals_for_load(const OpenStream& open, ScaleSettings settings, double load,
                                       int gpus, const ModelCatalogue& models,
                                       const RunTimes& run_times = {});

}  // namespace mimus::workloads
