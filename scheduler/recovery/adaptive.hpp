// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/recovery/retry.hpp"

namespace mimus::scheduler {

/// The class of a failure, which decides whether starting the job again may help.
enum class FailureCause {
  of_user,    ///< in the job's own code, input or settings: it fails again
  transient,  ///< of machines, network or storage
  unknown,
};
/// By the classes of Philly's failures (Jeon et al., ATC'19 §4.2) and of Acme's (Hu et al.,
/// NSDI'24, Table 3: infrastructure is transient, scripts are of users); unknown for any other
/// text.
[[nodiscard]] FailureCause cause_of_failure(const std::string& reason);

/// Retries by the class of failure, as the study of Philly proposes (Jeon et al., ATC'19 §5): no
/// retries for errors of users, several for transient failures after a delay that doubles every
/// time, and one for others. A job that fails in the same way about as long after its start is
/// given up in any case. The numbers and times are not published. Memory and lost nodes are treated
/// as by Retry.
class Adaptive final : public Recovery {
 public:
  struct Settings {
    int transient_retries = 5;
    int unknown_retries = 1;
    Duration delay = std::chrono::minutes(1);  ///< before the first retry
    double alike = 0.2;  ///< largest relative difference of two equal times to failure
    Retry::OnMemory on_memory = Retry::OnMemory::halve_batch;
    std::optional<Quarantine::Settings> quarantine{};
  };
  explicit Adaptive(Settings settings)
      : settings_(settings), retry_({.on_memory = settings.on_memory}) {}

  [[nodiscard]] RecoveryDecision after(const JobView& job, const AttemptEnded& end,
                                       Duration ran) override;
  [[nodiscard]] std::optional<Quarantine::Settings> quarantine() const override {
    return settings_.quarantine;
  }

 private:
  [[nodiscard]] bool repeats(const JobView& job, const AttemptEnded& end, Duration ran) const;

  Settings settings_;
  Retry retry_;  ///< for everything but failures
};

}  // namespace mimus::scheduler
