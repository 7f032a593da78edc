// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "workloads/jobs/job_stream.hpp"

namespace mimus::workloads {

/// Jobs made from those of another stream: new ids from 0, and a note of what was done. Its hash
/// covers that of the other.
class DerivedStream : public JobStream {
 public:
  [[nodiscard]] std::optional<Job> next() final;
  [[nodiscard]] std::optional<std::int64_t> size() const override { return std::nullopt; }
  [[nodiscard]] std::string source() const final { return origin_->source(); }
  [[nodiscard]] std::string source_hash() const final;
  [[nodiscard]] std::vector<std::string> notes() const override;

 protected:
  /// `what` says in words how the jobs come from those of `origin`.
  DerivedStream(std::unique_ptr<JobStream> origin, std::string what)
      : origin_(std::move(origin)), what_(std::move(what)) {}

  /// The next job, its id not yet set.
  [[nodiscard]] virtual std::optional<Job> derive() = 0;
  [[nodiscard]] JobStream& origin() { return *origin_; }
  /// Begins again with the same jobs from another stream.
  void restart(std::unique_ptr<JobStream> origin) { origin_ = std::move(origin); }

 private:
  std::unique_ptr<JobStream> origin_;
  std::string what_;
  std::int64_t next_id_ = 0;
};

}  // namespace mimus::workloads
