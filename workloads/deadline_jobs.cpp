// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/deadline_jobs.hpp"

#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/random.hpp"
#include "workloads/jobs/changed_stream.hpp"

namespace mimus::workloads {
namespace {

class DeadlineStream final : public ChangedStream {
 public:
  DeadlineStream(std::unique_ptr<JobStream> origin, const std::vector<double>& factors,
                 const WorkloadContext& context)
      : ChangedStream(std::move(origin)),
        factors_(factors),
        models_(context.models),
        run_times_(context.run_times),
        draws_(context.seed, "deadlines") {}

  [[nodiscard]] std::string source_hash() const override {
    return fmt::format("{:016x}", stable_hash(fmt::format("{};deadlines {}", origin().source_hash(),
                                                          fmt::join(factors_, ","))));
  }

 private:
  void change(Job& job) const override {
    if (job.deadline > Duration{}) return;
    RandomStream draw = draws_.at(job.id.value());
    const auto factor = static_cast<std::size_t>(draw.below(std::ssize(factors_)));
    job.deadline = scale(run_times_.of(job, models_), factors_[factor]);
  }

  std::vector<double> factors_;
  const ModelCatalogue& models_;
  RunTimes run_times_;
  NumberedStreams draws_;
};

}  // namespace

Workload DeadlineJobs::make(const WorkloadContext& context) const {
  return drain(*open(context));
}

std::unique_ptr<JobStream> DeadlineJobs::open(const WorkloadContext& context) const {
  return std::make_unique<DeadlineStream>(origin_->open(context), factors_, context);
}

std::unique_ptr<JobStream> DeadlineJobs::begin(const WorkloadContext& context) const {
  return std::make_unique<DeadlineStream>(origin_->begin(context), factors_, context);
}

}  // namespace mimus::workloads
