// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "base/config_tree.hpp"
#include "base/parameter.hpp"
#include "base/time.hpp"
#include "scheduler/estimate/oracle.hpp"
#include "scheduler/estimate/throughput_estimate.hpp"
#include "scheduler/jobs/job_view.hpp"

namespace mimus::scheduler {

class Admission;
class Estimator;
class Order;
class Planner;
class Batching;
class Placement;
class Sharing;
class Preemption;
class Recovery;
class Power;
class Cache;

/// A policy: one choice per seam (see scheduler/README.md). A published system is such a
/// combination. Jobs start from a queue, by order and preemption, or by the plan of a planner.
struct Policy {
  std::unique_ptr<Admission> admission;
  std::unique_ptr<Estimator> estimate;
  std::shared_ptr<Order> order;      ///< of the queue; with a planner that ranks jobs, its own
  std::unique_ptr<Planner> planner;  ///< null: jobs start from a queue
  std::unique_ptr<Batching> batch;
  std::unique_ptr<Placement> placement;
  std::unique_ptr<Sharing> sharing;
  std::unique_ptr<Preemption> preemption;
  std::unique_ptr<Recovery> recovery;
  std::unique_ptr<Power> power;
  std::unique_ptr<Cache> cache;
  std::string label;  ///< e.g. "fifo/pack/exclusive/fixed"

  Policy();
  Policy(Policy&&) noexcept;
  Policy& operator=(Policy&&) noexcept;
  ~Policy();

  /// Maximum number of tenants per GPU that the sharing choice or the planner can request.
  [[nodiscard]] int max_tenants() const;
  /// True if jobs occupy the shares of GPUs that they request. Planners assign whole GPUs.
  [[nodiscard]] bool divides_gpus() const;
  /// True if jobs may request cores and memory of nodes, and no GPU at all. Planners assign only
  /// GPUs.
  [[nodiscard]] bool places_hosts() const;
  /// True if another choice uses the estimate; otherwise it has no effect.
  [[nodiscard]] bool asks_estimate() const;
  /// True if another choice uses the estimated utilisation.
  [[nodiscard]] bool asks_utilisation() const;
  /// True if the estimate learns from what running jobs measure, and another choice uses it.
  [[nodiscard]] bool estimate_learns() const;
  /// How often the agents of jobs measure, for the estimate, batch choice or planner;
  /// Duration::max() if nothing is learned from it.
  [[nodiscard]] Duration sample_interval() const;
  /// Minimum time between two reports of a job on which some choice acts; Duration::max() for
  /// never.
  [[nodiscard]] Duration report_interval() const;
  [[nodiscard]] bool wants_samples() const { return sample_interval() != Duration::max(); }
  /// The seams whose choices ask an oracle, e.g. "estimate, planner"; "none" when the policy
  /// decides on beliefs alone.
  [[nodiscard]] std::string asks_oracle() const;
  /// The share of each of its GPUs that the job occupies.
  [[nodiscard]] MilliGpus share_of(const JobView& job) const;
  /// Whether all gangs have the size that their users request.
  [[nodiscard]] bool keeps_gangs() const;
  /// Whether gangs that change their size remain whole replicas of a split model.
  [[nodiscard]] bool counts_replicas() const;
  /// Whether rigid jobs keep their gang.
  [[nodiscard]] bool spares_rigid() const;
  /// Whether gangs stay within the range that users allow.
  [[nodiscard]] bool keeps_to_ranges() const;
  [[nodiscard]] bool resizes_in_place() const;
  [[nodiscard]] bool planner_moves() const;
};

/// Reads the `policy:` value of a campaign: a mapping of seams, where missing ones take their
/// default choice, the name of a preset, or a mapping with `preset` (see merge_preset). The label
/// is the preset's name only if all choices are the preset's. `inputs` are passed to the choices
/// that need them and may be null for those that do not. Throws ConfigError for an unknown choice
/// or parameter.
[[nodiscard]] Policy read_policy(const ConfigNode& node, const std::string& path,
                                 const PolicyInputs& inputs);

/// One line per registered choice of every seam, for `mimus policies` and the documentation.
struct PolicyDescription {
  std::string seam;
  std::string choice;
  std::string summary;
  bool is_default = false;
  std::vector<ParameterInfo> parameters;
};
[[nodiscard]] std::vector<PolicyDescription> describe_policies();

}  // namespace mimus::scheduler
