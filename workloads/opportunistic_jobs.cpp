// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/opportunistic_jobs.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::workloads {
namespace {

class ClassedStream final : public JobStream {
 public:
  ClassedStream(std::unique_ptr<JobStream> origin, double share, std::uint64_t seed)
      : origin_(std::move(origin)), share_(share), lots_(seed, "opportunistic") {}

  [[nodiscard]] std::optional<Job> next() override {
    auto job = origin_->next();
    if (job && lots_.at(job->id.value()).uniform() < share_) job->opportunistic = true;
    return job;
  }
  [[nodiscard]] std::optional<std::int64_t> size() const override { return origin_->size(); }
  [[nodiscard]] std::string source() const override { return origin_->source(); }
  [[nodiscard]] std::string source_hash() const override {
    return fmt::format(
        "{:016x}", stable_hash(fmt::format("{};opportunistic {}", origin_->source_hash(), share_)));
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return origin_->notes(); }

 private:
  std::unique_ptr<JobStream> origin_;
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

}  // namespace mimus::workloads
