// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/recovery/recovery.hpp"

namespace mimus::scheduler {

/// Retries a fixed number of times, as Philly did (Jeon et al., ATC'19 §2.3). A node that goes
/// down is not the job's fault and costs no retry. Running out of memory again is certain with the
/// same batch, so the per-GPU batch is halved (the total is kept by accumulating more often) until
/// it reaches the model's lower limit, or the job is given up; such halvings cost no retry.
class Retry final : public Recovery {
 public:
  enum class OnMemory { halve_batch, give_up };
  struct Settings {
    int retries = 3;
    Duration delay{};
    OnMemory on_memory = OnMemory::halve_batch;
    std::optional<Quarantine::Settings> quarantine{};
  };
  explicit Retry(Settings settings) : settings_(settings) {}

  [[nodiscard]] RecoveryDecision after(const JobView& job, const AttemptEnded& end,
                                       Duration ran) override;
  [[nodiscard]] std::optional<Quarantine::Settings> quarantine() const override {
    return settings_.quarantine;
  }

 private:
  [[nodiscard]] RecoveryDecision after_memory(const JobView& job) const;
  [[nodiscard]] RecoveryDecision after_failure(const JobView& job, const AttemptEnded& end) const;

  Settings settings_;
};

}  // namespace mimus::scheduler
