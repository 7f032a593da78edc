// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "workloads/jobs/job_stream.hpp"

namespace mimus::workloads {

/// The jobs of another stream, each of them changed.
class ChangedStream : public JobStream {
 public:
  explicit ChangedStream(std::unique_ptr<JobStream> origin) : origin_(std::move(origin)) {}

  [[nodiscard]] std::optional<Job> next() final {
    auto job = origin_->next();
    if (job) change(*job);
    return job;
  }
  [[nodiscard]] Hears hears() const final { return origin_->hears(); }
  [[nodiscard]] Answer hear(const JobNews& news) final {
    Answer answer = origin_->hear(news);
    for (Job& job : answer.submitted) change(job);
    return answer;
  }
  [[nodiscard]] std::optional<std::int64_t> size() const final { return origin_->size(); }
  [[nodiscard]] std::string source() const final { return origin_->source(); }
  [[nodiscard]] std::vector<std::string> notes() const final { return origin_->notes(); }

 protected:
  virtual void change(Job& job) const = 0;
  [[nodiscard]] const JobStream& origin() const { return *origin_; }

 private:
  std::unique_ptr<JobStream> origin_;
};

}  // namespace mimus::workloads
