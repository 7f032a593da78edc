// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "base/registry.hpp"
#include "scheduler/jobs/event.hpp"
#include "scheduler/recovery/quarantine.hpp"

namespace mimus::scheduler {

struct RecoveryDecision {
  bool retry = true;
  Duration delay{};                ///< before the job may start again
  std::int64_t per_gpu_batch = 0;  ///< new upper limit of its per-GPU batch; 0 keeps the old one
  std::string reason;              ///< why the job is given up
};

/// Decides what happens after a failure. Called when an attempt ended with `failed`,
/// `out_of_memory`, `node_down` or `worker_lost`. The view's counters already include this failure,
/// its batch is the failed one, and its last failure is the previous one.
class Recovery {
 public:
  virtual ~Recovery() = default;
  /// `ran`: time for which the attempt had its GPUs.
  [[nodiscard]] virtual RecoveryDecision after(const JobView& job, const AttemptEnded& end,
                                               Duration ran) = 0;
  /// When nodes on which attempts keep failing are taken out.
  [[nodiscard]] virtual std::optional<Quarantine::Settings> quarantine() const { return {}; }
};

[[nodiscard]] const Registry<Recovery>& recovery_choices();

}  // namespace mimus::scheduler
