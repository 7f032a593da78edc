// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>

#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// An application by its name, or a job that is one by itself.
using ApplicationKey = std::pair<std::string, JobId>;

[[nodiscard]] inline ApplicationKey application_of(const JobView& job) {
  return {job.application, job.application.empty() ? job.id : JobId{}};
}

}  // namespace mimus::scheduler
