// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/jobs/answer.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// The jobs of a workload, one after the other. A run thus needs memory only for the jobs in the
/// system, not for the whole trace.
class JobStream {
 public:
  virtual ~JobStream() = default;
  /// The next job, or nothing after the last one. Ids ascend from 0 and arrivals do not decrease;
  /// ids of jobs that are submitted in answer to news lie between. Throws ConfigError with file and
  /// line for a row that cannot be used.
  [[nodiscard]] virtual std::optional<Job> next() = 0;
  /// What hear() is to be told.
  [[nodiscard]] virtual Hears hears() const { return Hears::nothing; }
  /// A job has come further, or has left the system.
  [[nodiscard]] virtual Answer hear(const JobNews& /*news*/) { return {}; }
  /// How many jobs there are in all; nothing when that is known only at the end.
  [[nodiscard]] virtual std::optional<std::int64_t> size() const = 0;
  [[nodiscard]] virtual std::string source() const = 0;       ///< see Workload::source
  [[nodiscard]] virtual std::string source_hash() const = 0;  ///< see Workload::source_hash
  /// What was changed or left out on import so far.
  [[nodiscard]] virtual std::vector<std::string> notes() const = 0;
};

/// A workload in memory as a stream.
class WorkloadStream final : public JobStream {
 public:
  explicit WorkloadStream(Workload workload) : workload_(std::move(workload)) {}

  [[nodiscard]] std::optional<Job> next() override;
  [[nodiscard]] std::optional<std::int64_t> size() const override;
  [[nodiscard]] std::string source() const override { return workload_.source; }
  [[nodiscard]] std::string source_hash() const override { return workload_.source_hash; }
  [[nodiscard]] std::vector<std::string> notes() const override { return workload_.notes; }

 private:
  Workload workload_;
  std::size_t next_ = 0;
};

/// Reads a stream to its end.
[[nodiscard]] Workload drain(JobStream& stream);

}  // namespace mimus::workloads
