// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/recovery/retry.hpp"

namespace mimus::scheduler {

/// Whether starting a failed job again may help, by what its log says.
enum class FailureCause {
  of_user,    ///< in the job's own code, input or settings: it fails again
  transient,  ///< of machines, network or storage
  unknown,
};
/// By the classes of Philly's failures (Jeon et al., ATC'19 §4.2); unknown for any other text.
[[nodiscard]] FailureCause cause_of_failure(const std::string& reason);

/// Retries by what has failed, as the study of Philly proposes (Jeon et al., ATC'19 §5): errors of
/// users not at all, transient ones after a delay that doubles every time, others once. A job that
/// fails as before, about as long after its start, is given up in any case. How often and how long
/// is not published. Memory and lost nodes are treated as by Retry.
class Adaptive final : public Recovery {
 public:
  struct Settings {
    int transient_retries = 5;
    int unknown_retries = 1;
    Duration delay = std::chrono::minutes(1);  ///< before the first retry
    double alike = 0.2;  ///< largest difference of two times to failure that are taken as equal
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
