// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/placement/best_fit.hpp"
#include "scheduler/placement/pack.hpp"

namespace mimus::scheduler {

/// Consolidates the gangs of models whose tensors differ much in size, because a slow network slows
/// these most: Tiresias (Gu et al., NSDI'19 §3.3). A model's skew is its largest tensor over the
/// sum of all. Above `limit` a gang goes to the fewest nodes (Pack), otherwise anywhere.
///
/// Tiresias measures the skew in a job's first run. Here users state it with the model
/// (ModelFacts::tensor_skew), and jobs without it are consolidated. Tiresias fits the limit to past
/// runs; here it is fixed. The publication leaves open which GPUs "anywhere" means: here the
/// fullest nodes (BestFit), so that whole nodes stay free for gangs that need them.
class Skew final : public Placement {
 public:
  struct Settings {
    double limit =
        0.3;  ///< of the skew, between those of VGG and AlexNet and of Inception and ResNet
  };
  explicit Skew(Settings settings) : settings_(settings) {}

  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] bool counts_only() const override { return true; }
  [[nodiscard]] int level(const JobView& waiting, Instant now) const override;

 private:
  Settings settings_;
  Pack consolidated_;
  BestFit anywhere_;
};

}  // namespace mimus::scheduler
