// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/sizing/sizing.hpp"

namespace mimus::scheduler {

/// In every round the gangs asked for go to the jobs in order of rank while they fit and admission
/// accepts them; the others wait or are stopped, and only then are jobs started, by rank.
/// In an order that blocks, a job that does not fit keeps all later ones from getting GPUs, and one
/// that admission refuses those of its group. Time slicing as in the
/// simulators that decide in rounds (Tiresias in the one of Pollux, Qiao et al., OSDI'21).
class ByRank final : public Sizing {
 public:
  struct Settings {
    Duration round = std::chrono::seconds(60);
    bool measurable = false;  ///< as in Fixed
  };
  explicit ByRank(Settings settings) : settings_(settings) {}

  [[nodiscard]] BatchPlan plan(const SizingQuery& query) const override;
  [[nodiscard]] Duration round() const override { return settings_.round; }
  [[nodiscard]] std::vector<Allotted> allot(std::span<const Contender> jobs,
                                            const AllotQuery& query) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
