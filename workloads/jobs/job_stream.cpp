// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/job_stream.hpp"

namespace mimus::workloads {

const char* name(RecordedOutcome outcome) {
  switch (outcome) {
    case RecordedOutcome::unknown:
      return "unknown";
    case RecordedOutcome::passed:
      return "passed";
    case RecordedOutcome::killed:
      return "killed";
    case RecordedOutcome::failed:
      return "failed";
  }
  return "unknown";
}

std::optional<Job> WorkloadStream::next() {
  if (next_ == workload_.jobs.size()) return std::nullopt;
  return std::move(workload_.jobs[next_++]);
}

std::optional<std::int64_t> WorkloadStream::size() const {
  return static_cast<std::int64_t>(workload_.jobs.size());
}

Workload drain(JobStream& stream) {
  Workload workload;
  if (const auto size = stream.size()) workload.jobs.reserve(static_cast<std::size_t>(*size));
  while (auto job = stream.next()) workload.jobs.push_back(std::move(*job));
  workload.source = stream.source();
  workload.source_hash = stream.source_hash();
  workload.notes = stream.notes();
  return workload;
}

}  // namespace mimus::workloads
