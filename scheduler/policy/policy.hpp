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

/// A row of choices, one per seam (see scheduler/README.md). A named system is such a row. Jobs are
/// started from a queue, by order and preemption, or as a planner says.
struct Policy {
  std::unique_ptr<Admission> admission;
  std::unique_ptr<Estimator> estimate;
  std::shared_ptr<Order> order;      ///< of the queue; with a planner that ranks jobs, its own
  std::unique_ptr<Planner> planner;  ///< null when jobs are started from a queue
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

  /// Most tenants per GPU that the sharing choice or the planner can ask for.
  [[nodiscard]] int max_tenants() const;
  /// True when jobs occupy the shares of GPUs that they ask for. A planner hands out whole GPUs.
  [[nodiscard]] bool divides_gpus() const;
  /// True when jobs may ask for cores and memory of nodes, and for no GPU at all. Planners hand out
  /// GPUs only.
  [[nodiscard]] bool places_hosts() const;
  /// True when another choice asks what is believed of jobs; else the estimate has no effect.
  [[nodiscard]] bool asks_estimate() const;
  /// True when it asks how much of a GPU's time jobs are believed to use.
  [[nodiscard]] bool asks_utilisation() const;
  /// True when the estimate learns from what running jobs measure, and another choice asks for it.
  [[nodiscard]] bool estimate_learns() const;
  /// How often the agents of jobs are to measure, for the estimate, batch choice or planner;
  /// Duration::max() when nothing is learned from it.
  [[nodiscard]] Duration sample_interval() const;
  /// Least time between two reports of a job that some choice acts on; Duration::max() for never.
  [[nodiscard]] Duration report_interval() const;
  [[nodiscard]] bool wants_samples() const { return sample_interval() != Duration::max(); }
  /// The seams whose choices ask an oracle, e.g. "estimate, planner"; "none" when the policy
  /// decides on beliefs alone.
  [[nodiscard]] std::string asks_oracle() const;
  /// Of each of its GPUs that the job occupies.
  [[nodiscard]] MilliGpus share_of(const JobView& job) const;
  /// Whether all gangs are of the size that their users ask for.
  [[nodiscard]] bool keeps_gangs() const;
  /// Whether gangs that change their size remain whole replicas of a split model.
  [[nodiscard]] bool counts_replicas() const;
  /// Whether rigid jobs keep their gang.
  [[nodiscard]] bool spares_rigid() const;
  [[nodiscard]] bool resizes_in_place() const;
  [[nodiscard]] bool planner_moves() const;
};

/// Reads the `policy:` value of a campaign: a mapping of seams, where those left out take their
/// default choice, the name of a preset, or a mapping with `preset` (see merge_preset). The label
/// is the preset's name only while the row is the preset's. `inputs` are handed to the choices that
/// need them and may be null for those that do not. Throws ConfigError for an unknown choice or
/// parameter.
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
