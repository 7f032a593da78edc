// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/generate/derived_stream.hpp"

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::workloads {

std::optional<Job> DerivedStream::next() {
  auto job = derive();
  if (job) job->id = JobId{next_id_++};
  return job;
}

std::string DerivedStream::source_hash() const {
  return fmt::format("{:016x}", stable_hash(origin_->source_hash() + ";" + what_));
}

std::vector<std::string> DerivedStream::notes() const {
  std::vector<std::string> notes = origin_->notes();
  notes.push_back(what_);
  return notes;
}

}  // namespace mimus::workloads
