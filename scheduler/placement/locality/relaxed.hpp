// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/locality/levelled.hpp"

namespace mimus::scheduler {

/// Strict locality that is relaxed by waiting, counted from the start of the present wait: up to
/// `rack_after` as Strict; then any nodes of one rack; from `any_after` on any nodes.
/// Source: Philly (Jeon et al., ATC'19), which relaxes after two to three minutes.
class Relaxed final : public Levelled {
 public:
  struct Settings {
    Duration rack_after = std::chrono::seconds(120);
    Duration any_after = std::chrono::seconds(240);
  };
  explicit Relaxed(Settings settings) : settings_(settings) {}

  [[nodiscard]] int level(const JobView& waiting, Instant now) const override;
  [[nodiscard]] Instant next_level(const JobView& waiting, Instant now) const override;

 private:
  Settings settings_;
};

}  // namespace mimus::scheduler
