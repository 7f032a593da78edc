// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/opportunistic_jobs.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/random.hpp"
#include "workloads/jobs/changed_stream.hpp"

namespace mimus::workloads {
namespace {

class ClassedStream final : public ChangedStream {
 public:
  ClassedStream(std::unique_ptr<JobStream> origin, double share, std::uint64_t seed)
      : ChangedStream(std::move(origin)), share_(share), lots_(seed, "opportunistic") {}

  [[nodiscard]] std::string source_hash() const override {
    return fmt::format(
        "{:016x}", stable_hash(fmt::format("{};opportunistic {}", origin().source_hash(), share_)));
  }

 private:
  void change(Job& job) const override {
    if (lots_.at(job.id.value()).uniform() < share_) job.opportunistic = true;
  }

  double share_;
  NumberedStreams lots_;
};

}  // namespace

Workload OpportunisticJobs::make(const WorkloadContext& context) const {
  return drain(*open(context));
}

std::unique_ptr<JobStream> OpportunisticJobs::open(const WorkloadContext& context) const {
  return std::make_unique<ClassedStream>(origin_->open(context), share_, context.seed);
}

std::unique_ptr<JobStream> OpportunisticJobs::begin(const WorkloadContext& context) const {
  return std::make_unique<ClassedStream>(origin_->begin(context), share_, context.seed);
}

}  // namespace mimus::workloads
