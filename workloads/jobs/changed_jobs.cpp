// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/jobs/changed_jobs.hpp"

#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::workloads {
namespace {

class ChangedStream final : public JobStream {
 public:
  ChangedStream(std::unique_ptr<JobStream> origin, JobChange change)
      : origin_(std::move(origin)), change_(std::move(change)) {}

  [[nodiscard]] std::optional<Job> next() override {
    auto job = origin_->next();
    if (job) change_.apply(*job);
    return job;
  }
  [[nodiscard]] Hears hears() const override { return origin_->hears(); }
  [[nodiscard]] Answer hear(const JobNews& news) override {
    Answer answer = origin_->hear(news);
    for (Job& job : answer.submitted) change_.apply(job);
    return answer;
  }
  [[nodiscard]] std::optional<std::int64_t> size() const override { return origin_->size(); }
  [[nodiscard]] std::string source() const override { return origin_->source(); }
  [[nodiscard]] std::string source_hash() const override {
    return fmt::format("{:016x}",
                       stable_hash(fmt::format("{};{}", origin_->source_hash(), change_.settings)));
  }
  [[nodiscard]] std::vector<std::string> notes() const override { return origin_->notes(); }

 private:
  std::unique_ptr<JobStream> origin_;
  JobChange change_;
};

}  // namespace

Workload ChangedJobs::make(const WorkloadContext& context) const {
  return drain(*open(context));
}

std::unique_ptr<JobStream> ChangedJobs::open(const WorkloadContext& context) const {
  return std::make_unique<ChangedStream>(origin_->open(context), make_change_(context));
}

std::unique_ptr<JobStream> ChangedJobs::begin(const WorkloadContext& context) const {
  return std::make_unique<ChangedStream>(origin_->begin(context), make_change_(context));
}

std::unique_ptr<JobStream> ChangedJobs::population(const WorkloadContext& context) const {
  return std::make_unique<ChangedStream>(origin_->population(context), make_change_(context));
}

}  // namespace mimus::workloads
