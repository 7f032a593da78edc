// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "scheduler/placement/alternatives/job_alternatives.hpp"
#include "scheduler/placement/placement.hpp"

namespace mimus::scheduler {

/// Reserving and packing of Alibaba PAI (Weng et al., NSDI'22, §6): a job has an ordered list of
/// alternatives, each a set of GPU types and how they are shared, and waits for the first one for a
/// time before it takes the second one as well, and so on. Jobs that need high-end GPUs have one
/// list, the others another, in which high-end GPUs come last and only while enough are idle.
///
/// A job needs high-end GPUs if its gang is large, if it names no other types, or if it is believed
/// to be so much faster there: by its rates, or else by the throughput estimate. Lists, times and
/// thresholds are not published.
///
/// Not as published: a job that has gone on to the next alternative still takes an earlier one that
/// comes free, and prefers it. After the last one it takes types that none of them names.
class Alternatives final : public Placement {
 public:
  using Settings = AlternativeLists;
  explicit Alternatives(Settings settings,
                        std::shared_ptr<const ThroughputEstimate> throughput = nullptr)
      : settings_(std::move(settings)), throughput_(std::move(throughput)) {}

  void begin(const ClusterShape& shape) override;
  [[nodiscard]] std::optional<Allocation> place(const FreeGpus& free,
                                                const PlacementRequest& request) const override;
  [[nodiscard]] std::unique_ptr<NodePlacer> placer(const Cluster& cluster,
                                                   const Sharing& sharing) const override;
  [[nodiscard]] bool places_hosts() const override { return true; }
  [[nodiscard]] bool relaxes_types() const override;
  [[nodiscard]] bool takes_whole_gpus() const override;
  [[nodiscard]] int level(const JobView& waiting, Instant now) const override;
  [[nodiscard]] GpuTypes types(const JobView& waiting, Instant now) const override;
  [[nodiscard]] Instant next_level(const JobView& waiting, Instant now) const override;

 private:
  Settings settings_;
  std::shared_ptr<const ThroughputEstimate> throughput_;
  std::optional<JobAlternatives> jobs_;  ///< of the cluster, from begin() on
};

}  // namespace mimus::scheduler
