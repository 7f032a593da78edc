// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <optional>

#include "base/random.hpp"
#include "workloads/generate/derived_stream.hpp"

namespace mimus::workloads {

/// Which jobs a sample takes.
struct SampleSettings {
  std::optional<std::int64_t> jobs = {};  ///< so many; all of the window when absent
  std::optional<Duration> from = {};      ///< of arrival, since the workload's zero
  std::optional<Duration> until = {};
  bool stratified = false;  ///< each gang size keeps its share of the jobs, to within one
  std::uint64_t seed = 0;
};

/// Opens the same jobs each time it is called.
using OpenStream = std::function<std::unique_ptr<JobStream>()>;

/// A part of a workload, drawn without replacement. Jobs keep their arrivals (a window's begin
/// becomes zero), so a uniform sample of a Poisson process is one of lower rate, and busy hours
/// stay busy. Reads the workload twice: first to count (Knuth, TAOCP vol. 2, algorithm 3.4.2 S).
class SampledStream final : public DerivedStream {
 public:
  /// Throws UsageError when there are fewer jobs than asked for.
  SampledStream(const OpenStream& open, const SampleSettings& settings);

 protected:
  [[nodiscard]] std::optional<Job> derive() override;

 private:
  /// Jobs of one gang size, or all of them.
  struct Stratum {
    std::int64_t left = 0;    ///< still to come
    std::int64_t wanted = 0;  ///< still to take
  };
  [[nodiscard]] bool in_window(const Job& job) const;
  [[nodiscard]] Stratum& stratum_of(const Job& job);
  void count(JobStream& jobs);
  void allot();

  SampleSettings settings_;
  RandomStream random_;
  std::map<int, Stratum> strata_;  ///< by gang size; one, under 0, without strata
};

}  // namespace mimus::workloads
