// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "base/registry.hpp"
#include "base/yaml_reader.hpp"
#include "scheduler/admission/admission.hpp"
#include "scheduler/cluster/cluster.hpp"
#include "scheduler/estimate/estimator.hpp"
#include "scheduler/jobs/job_view.hpp"
#include "scheduler/placement/placement.hpp"
#include "scheduler/power/node_value.hpp"
#include "scheduler/preemption/preemption.hpp"

namespace mimus::scheduler {

class Order;

/// A job that has GPUs or could start.
struct PlanJob {
  const JobView* view;
  int group = 0;                ///< group in which admission counts it
  int group_if_guaranteed = 0;  ///< group in which admission would count it
};

/// Tries placements on a scratch copy of the cluster's state, in which every job that is being
/// stopped has ended. What is released and booked here has no effect elsewhere.
class Placer : public WhatIf {
 public:
  /// Number of GPUs that are up and awake, held or not.
  [[nodiscard]] virtual int usable_gpus() const = 0;
  [[nodiscard]] virtual bool usable(GpuId gpu) const = 0;
  /// True if a gang fits as soon as this many GPUs are free, wherever they are.
  [[nodiscard]] virtual bool counts_only() const = 0;
  /// From now on fits() and find() refer to this number of GPUs for this job. Returns the request
  /// to the placement choice. A job that has yet to be stopped counts as one that has just begun to
  /// wait.
  virtual const PlacementRequest& ask_for(const PlanJob& job, int gpus) = 0;
  /// From now on they refer to this level of locality (PlacementRequest::level).
  virtual void relax_to(int level) = 0;
  /// The place that the placement choice selects; nothing if the job does not fit.
  [[nodiscard]] virtual std::optional<Allocation> find() const = 0;
  /// Withholds these GPUs from later questions.
  virtual void book(JobId job, const Allocation& place) = 0;
  /// Number of attempts that are released; restore_down_to() takes the latest releases back.
  [[nodiscard]] virtual std::size_t released() const = 0;
  virtual void restore_down_to(std::size_t mark) = 0;
};

/// Everything that a planner may use: beliefs, never the truth.
struct PlanQuery {
  Instant now;
  std::span<const PlanJob> jobs;  ///< by arrival
  const Cluster& cluster;
  const Admission& admission;
  const Estimator& estimate;
  Placer& placer;
};

/// A number of GPUs, which the placement choice selects. A job that has this number keeps its GPUs.
using GpuCount = int;
/// A number of GPUs of each type, by the type's name.
using TypeCounts = std::map<std::string, int>;

/// What a job has until the next plan. A planner does not choose lanes of GPUs.
struct Target {
  JobId job;
  std::variant<GpuCount, TypeCounts, Allocation> gpus;
  /// Replaces the decision of the batch choice.
  std::optional<BatchPlan> batch{};
  /// The job keeps its GPUs, but makes no steps. A job starts or resumes when the jobs that the
  /// plan suspends or stops on its GPUs make no more steps there.
  bool suspended = false;
  DeviceLimits limits{};
  /// Memory that a job keeps on its GPUs while this plan suspends it. It cannot change until the
  /// job is resumed.
  SuspendedMemory keeps = SuspendedMemory::all;
  /// From now on an opportunistic job counts as a guaranteed one.
  bool is_promoted = false;
};

/// Jobs without a target wait. Jobs start in the order of the targets, each as soon as the jobs
/// that hold its GPUs have left them.
struct Plan {
  std::vector<Target> targets;
  Instant next = kNever;  ///< next time to ask, besides Wakes; after `now`
};

/// When a planner is asked, besides the instants that its plans name.
struct Wakes {
  Duration every{};       ///< at multiples of this while there are jobs; zero: never
  bool arrivals = false;  ///< a job has come
  bool ends = false;      ///< a job has left, or an attempt ended that no plan stopped
  bool stops = false;     ///< an attempt ended that a plan stopped
  bool reports = false;   ///< a job has reported progress
  bool starts = false;    ///< an attempt has made its first step, or has resumed
  bool limits = false;    ///< limits that a plan set are in force
  bool failures = false;  ///< a node has gone down, come up or booted, or a GPU is lost
};

/// Decides for the whole cluster at once which job has which GPUs until the next plan, in place of
/// an order and a preemption choice. A plan that cannot be carried out is refused as a whole, with
/// the reason, and running jobs continue.
class Planner {
 public:
  virtual ~Planner() = default;
  [[nodiscard]] virtual Plan plan(const PlanQuery& query) = 0;
  [[nodiscard]] virtual Wakes wakes() const = 0;
  /// The order by which waiting jobs are listed and their waits are timed; null: order of arrival.
  [[nodiscard]] virtual std::shared_ptr<Order> order() const { return nullptr; }
  /// Replaces the policy's placement choice, for a planner that names GPUs; null: the default
  /// choice.
  [[nodiscard]] virtual std::unique_ptr<Placement> placement() const { return nullptr; }
  /// False if gangs may have other sizes than users request.
  [[nodiscard]] virtual bool keeps_gangs() const { return true; }
  /// Whether it makes gangs that are multiples of JobView::replica_gpus. If it does not, gangs of
  /// split models keep their size.
  [[nodiscard]] virtual bool counts_replicas() const { return false; }
  /// Whether it leaves rigid jobs the gang that they ask for.
  [[nodiscard]] virtual bool spares_rigid() const { return keeps_gangs(); }
  /// Whether gangs stay within JobView::fewest_gpus() and most_gpus().
  [[nodiscard]] virtual bool keeps_to_ranges() const { return spares_rigid(); }
  /// True when GPUs are handed out by number, so that placement must not ask for locality.
  [[nodiscard]] virtual bool counts_only() const { return false; }
  /// Maximum number of jobs that hold a GPU at the same time, including suspended ones. More than
  /// one is possible only if every target names its GPUs.
  [[nodiscard]] virtual int residents() const { return 1; }
  /// True if every target names its GPUs, so that no placement choice is asked.
  [[nodiscard]] virtual bool names_gpus() const { return false; }
  /// True if every job has the batch of its user, unless its target states another one, and no
  /// batch choice is asked. A planner that shares GPUs must know how much memory each job needs.
  [[nodiscard]] virtual bool keeps_batches() const { return residents() > 1; }
  /// Whether a running job continues when its number of GPUs changes, instead of being stopped and
  /// restarted.
  [[nodiscard]] virtual bool resizes_in_place() const { return false; }
  /// Whether a running job moves when its target names other GPUs: its lead sends the state there,
  /// and the job continues instead of being stopped and restarted.
  [[nodiscard]] virtual bool moves() const { return false; }
  /// True if its targets name GPUs of one type, by TypeCounts or exactly, so that it can plan for a
  /// cluster of several types.
  [[nodiscard]] virtual bool knows_types() const { return false; }
  /// True if it uses the estimate (PlanQuery::estimate).
  [[nodiscard]] virtual bool asks_estimate() const { return false; }
  /// True if it needs an estimate of throughput.
  [[nodiscard]] virtual bool needs_estimate() const { return false; }
  /// Whether it can say what nodes are worth, which some power choices ask.
  [[nodiscard]] virtual bool values_nodes() const { return false; }
  /// What nodes are worth to the jobs of the query, which must outlive the result; null if it
  /// cannot say.
  [[nodiscard]] virtual std::unique_ptr<NodeValue> value_nodes(const PlanQuery& /*query*/) {
    return nullptr;
  }
  /// How often the agents of jobs measure for it. Duration::max() if it learns nothing from this:
  /// observe() is then called only with what is measured for other choices.
  [[nodiscard]] virtual Duration sample_interval() const { return Duration::max(); }
  /// Whether JobView::progress, which running jobs report, decides anything.
  [[nodiscard]] virtual bool reads_progress() const { return true; }
  /// A running job has reported what it measured; `job` contains the rest of its report.
  virtual void observe(const JobView& /*job*/, const JobSample& /*sample*/) {}
  /// The job has left the system. No later query contains it.
  virtual void left(JobId /*job*/) {}
  /// True if it asks an oracle for the truth about jobs; recorded in the results.
  [[nodiscard]] virtual bool asks_oracle() const { return false; }
  /// False if it needs an oracle that is missing.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Loads what it needs only for planning. Throws ConfigError if this fails.
  virtual void load() const {}
};

/// Maximum of Planner::residents() in a campaign: each resident is a process in live runs.
inline constexpr Limits kResidents = between(1.0, 16.0);

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Planner> planner_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
