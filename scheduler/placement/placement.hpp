// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>

#include "base/registry.hpp"
#include "scheduler/estimate/oracle.hpp"
#include "scheduler/jobs/placement_request.hpp"
#include "scheduler/placement/free_gpus.hpp"
#include "scheduler/placement/nodes/node_placer.hpp"

namespace mimus::scheduler {

/// Chooses GPUs: for the whole gang or not at all, and all of one type. A choice is asked for one
/// type after the other. Every choice must place any gang that is not larger than the cluster's
/// GPUs of the type when all of them are usable, and must not fit fewer requests when more GPUs are
/// usable: the scheduler remembers what did not fit until something is freed.
class Placement {
 public:
  virtual ~Placement() = default;
  /// The cluster on which jobs will be placed; once, before anything else.
  virtual void begin(const ClusterShape& /*shape*/) {}
  [[nodiscard]] virtual std::optional<Allocation> place(const FreeGpus& free,
                                                        const PlacementRequest& request) const = 0;
  /// True if a gang fits as soon as this many GPUs are usable, wherever they are: whether it fits
  /// is then a comparison of two numbers.
  [[nodiscard]] virtual bool counts_only() const { return false; }
  /// The traits of jobs by which it scores places; requests then contain their kind.
  [[nodiscard]] virtual KindTraits kind_traits() const { return {}; }
  /// A choice that looks at whole nodes, of all types, and at what is left of their GPUs, cores and
  /// memory, makes a placer for each cluster, and place() is not called. Null for any other choice.
  /// Both arguments outlive the placer.
  [[nodiscard]] virtual std::unique_ptr<NodePlacer> placer(const Cluster& /*cluster*/,
                                                           const Sharing& /*sharing*/) const {
    return nullptr;
  }
  /// True if it makes placers: jobs may then request cores and memory of nodes.
  [[nodiscard]] virtual bool places_hosts() const { return false; }
  /// True if it may give whole GPUs to jobs that request parts.
  [[nodiscard]] virtual bool takes_whole_gpus() const { return false; }
  /// True if jobs may get GPU types that their users do not name.
  [[nodiscard]] virtual bool relaxes_types() const { return false; }
  /// The level of a waiting job's request at `now`.
  [[nodiscard]] virtual int level(const JobView& /*waiting*/, Instant /*now*/) const { return 0; }
  /// The GPU types for which it asks, of JobView::types.
  [[nodiscard]] virtual GpuTypes types(const JobView& waiting, Instant /*now*/) const {
    return waiting.types;
  }
  /// The next instant after `now` at which its level or types change, or kNever.
  [[nodiscard]] virtual Instant next_level(const JobView& /*waiting*/, Instant /*now*/) const {
    return kNever;
  }
};

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Placement> placement_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
