// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "emulator/virtual/contention/interference_model.hpp"

namespace mimus::emulator {

/// What attempts share with each other: GPUs (interference), links and the hosts'
/// cores and input pipelines. Reports which running attempts are affected by a change, so that only
/// their steps are computed again.
class Contention {
 public:
  /// All arguments must outlive this object.
  Contention(const ClusterConfig& cluster, const StepTimeModel& steps,
             const InterferenceModel& interference);
  ~Contention();
  Contention(const Contention&) = delete;
  Contention& operator=(const Contention&) = delete;

  // Each appends the other attempts whose co-tenants or costs have changed, by ascending id, to
  // `changed`. `attempt` must stay valid until it has left.
  void enter(const Attempt& attempt, std::vector<AttemptId>& changed);
  void leave(AttemptId attempt, std::vector<AttemptId>& changed);
  /// The attempt's batch has changed in place.
  void retuned(AttemptId attempt, std::vector<AttemptId>& changed);

  /// Appends the others on the attempt's GPUs, by ascending id; it may have left them.
  void neighbours(const Attempt& attempt, std::vector<AttemptId>& out) const;
  [[nodiscard]] const Surroundings& of(AttemptId attempt) const;
  /// Largest number of other tenants on any of the attempt's GPUs.
  [[nodiscard]] int co_tenants(AttemptId attempt) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace mimus::emulator
