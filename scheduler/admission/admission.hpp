// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/registry.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

/// GPUs in use when a job requests admission: slots held times the share of each.
struct Usage {
  MilliGpus held_by_group{};
  MilliGpus held{};  ///< by all groups
  int gpus = 0;      ///< of the cluster
};

enum class Verdict { accept, hold, reject };

struct AdmissionDecision {
  Verdict verdict = Verdict::accept;
  std::string reason;  ///< of a rejection
};

/// Decides whether a job may use a number of GPUs now. Asked once on arrival with nothing in use,
/// when only `reject` counts, and again whenever the job could start. A verdict may improve only
/// when usage falls.
class Admission {
 public:
  virtual ~Admission() = default;
  /// Jobs of one group are counted together; "" for all jobs.
  [[nodiscard]] virtual std::string group(const JobView& job) const;
  /// GPUs that the job's group may have; nothing if they are not limited.
  [[nodiscard]] virtual std::optional<int> quota(const JobView& job) const;
  /// False if every job is always accepted.
  [[nodiscard]] virtual bool limits() const { return true; }
  /// True if a job is rejected unless the decision on its arrival starts it.
  [[nodiscard]] virtual bool turns_away() const { return false; }
  [[nodiscard]] virtual AdmissionDecision admit(const JobView& job, MilliGpus demand,
                                                const Usage& usage) const = 0;
};

[[nodiscard]] const Registry<Admission>& admission_choices();

}  // namespace mimus::scheduler
