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
#include "scheduler/preemption/preemption.hpp"

namespace mimus::scheduler {

class Order;

/// A job that has GPUs or could start.
struct PlanJob {
  const JobView* view;
  int group = 0;                ///< that admission counts it in
  int group_if_guaranteed = 0;  ///< or would count it in
};

/// Tries placements on a scratch state of the cluster. It begins as the cluster will be once every
/// job that is being stopped has ended. What is released and booked here changes nothing else.
class Placer : public WhatIf {
 public:
  /// How many GPUs are up and awake, held or not.
  [[nodiscard]] virtual int usable_gpus() const = 0;
  [[nodiscard]] virtual bool usable(GpuId gpu) const = 0;
  /// True when a gang fits as soon as that many GPUs are free, wherever they are.
  [[nodiscard]] virtual bool counts_only() const = 0;
  /// From now on fits() and find() are about so many GPUs for this job. Returns what is asked of
  /// the placement choice: a job that has yet to be stopped asks as one that has just begun to
  /// wait.
  virtual const PlacementRequest& ask_for(const PlanJob& job, int gpus) = 0;
  /// From now on they are about this level of locality (PlacementRequest::level).
  virtual void relax_to(int level) = 0;
  /// Where the placement choice puts it; nothing when it does not fit.
  [[nodiscard]] virtual std::optional<Allocation> find() const = 0;
  /// Keeps these GPUs from later questions.
  virtual void book(JobId job, const Allocation& place) = 0;
  /// How many attempts are released; restore_down_to() takes the last releases back.
  [[nodiscard]] virtual std::size_t released() const = 0;
  virtual void restore_down_to(std::size_t mark) = 0;
};

/// Everything that a planner may look at: beliefs, never the truth.
struct PlanQuery {
  Instant now;
  std::span<const PlanJob> jobs;  ///< by arrival
  const Cluster& cluster;
  const Admission& admission;
  const Estimator& estimate;
  Placer& placer;
};

/// So many GPUs, which the placement choice selects. A job that has as many keeps those it has.
using GpuCount = int;
/// So many GPUs of each type, by its name.
using TypeCounts = std::map<std::string, int>;

/// What a job is to have until the next plan. Which lane of a GPU is not the planner's concern.
struct Target {
  JobId job;
  std::variant<GpuCount, TypeCounts, Allocation> gpus;
  /// In place of what the batch choice says.
  std::optional<BatchPlan> batch{};
  /// The job keeps its GPUs, but makes no steps. A job starts or resumes once those that the plan
  /// suspends or stops on its GPUs make no more steps there.
  bool suspended = false;
  DeviceLimits limits{};
  /// On its GPUs, of a job that this plan suspends. A suspended one keeps what it was told then.
  SuspendedMemory keeps = SuspendedMemory::all;
  /// An opportunistic job counts as a guaranteed one from now on.
  bool is_promoted = false;
};

/// Jobs without a target wait. Those that start do so in the order of the targets, each as soon as
/// those who hold its GPUs have left them.
struct Plan {
  std::vector<Target> targets;
  Instant next = kNever;  ///< to be asked then, besides what Wakes says; after `now`
};

/// When a planner is asked, besides the instants that its plans name.
struct Wakes {
  Duration every{};       ///< at the multiples of this while there are jobs; zero: not
  bool arrivals = false;  ///< a job has come
  bool ends = false;      ///< a job has left, or an attempt has ended that no plan has stopped
  bool stops = false;     ///< an attempt has ended that a plan has stopped
  bool reports = false;   ///< a job has reported progress
  bool starts = false;    ///< an attempt has made its first step, or has resumed
  bool limits = false;    ///< limits that a plan asked for hold
  bool failures = false;  ///< a node has gone down, come up or booted, or a GPU is lost
};

/// Who has what until the next plan? Decides for the whole cluster at once, in place of an order
/// and a preemption choice. A plan that cannot be carried out is refused as a whole, with the
/// reason, and what ran goes on.
class Planner {
 public:
  virtual ~Planner() = default;
  [[nodiscard]] virtual Plan plan(const PlanQuery& query) = 0;
  [[nodiscard]] virtual Wakes wakes() const = 0;
  /// By whose ranks the jobs that wait are listed and timed; null for the order of arrival.
  [[nodiscard]] virtual std::shared_ptr<Order> order() const { return nullptr; }
  /// In place of the row's placement choice, for a planner that names GPUs; null for the default
  /// one.
  [[nodiscard]] virtual std::unique_ptr<Placement> placement() const { return nullptr; }
  /// False when gangs of other sizes are made than users ask for.
  [[nodiscard]] virtual bool keeps_gangs() const { return true; }
  /// Whether it makes gangs that are multiples of JobView::replica_gpus. If it does not, gangs of
  /// split models keep their size.
  [[nodiscard]] virtual bool counts_replicas() const { return false; }
  /// Whether it leaves rigid jobs the gang that they ask for.
  [[nodiscard]] virtual bool spares_rigid() const { return keeps_gangs(); }
  /// True when GPUs are handed out by number, so that placement must not ask for locality.
  [[nodiscard]] virtual bool counts_only() const { return false; }
  /// Most jobs that hold a GPU at the same time, suspended ones among them. More than one only
  /// where every target names its GPUs.
  [[nodiscard]] virtual int residents() const { return 1; }
  /// True when every target names its GPUs, so that no placement choice is asked.
  [[nodiscard]] virtual bool names_gpus() const { return false; }
  /// True when every job has the batch that its user asked for, unless its target states another,
  /// and no batch choice is asked: who shares GPUs must know how much memory each job needs.
  [[nodiscard]] virtual bool keeps_batches() const { return residents() > 1; }
  /// Whether a running job whose number of GPUs changes goes on with them, instead of being stopped
  /// and restarted.
  [[nodiscard]] virtual bool resizes_in_place() const { return false; }
  /// Whether a running job whose target names GPUs of which it has none goes on there with the
  /// state that its lead sends over, instead of being stopped and restarted.
  [[nodiscard]] virtual bool moves() const { return false; }
  /// True when its targets name GPUs of one type, by TypeCounts or exactly, so that it may plan for
  /// a cluster of several types.
  [[nodiscard]] virtual bool knows_types() const { return false; }
  /// True when it asks what is believed of jobs (PlanQuery::estimate).
  [[nodiscard]] virtual bool asks_estimate() const { return false; }
  /// True when it is nothing without an estimate of throughput.
  [[nodiscard]] virtual bool needs_estimate() const { return false; }
  /// How often the agents of jobs are to measure for it; Duration::max() when it learns nothing
  /// from that: observe() is then called only with what is measured for other choices.
  [[nodiscard]] virtual Duration sample_interval() const { return Duration::max(); }
  /// A running job has reported what it measured; `job` holds what it reported with it.
  virtual void observe(const JobView& /*job*/, const JobSample& /*sample*/) {}
  /// The job has left the system and will be in no query any more.
  virtual void left(JobId /*job*/) {}
  /// True when it asks an oracle for the truth about jobs; goes into the results.
  [[nodiscard]] virtual bool asks_oracle() const { return false; }
  /// False when an oracle that it needs was not handed in.
  [[nodiscard]] virtual bool ready() const { return true; }
  /// Loads what it only needs to plan. ConfigError when that cannot be.
  virtual void load() const {}
};

/// Of what a campaign may state as Planner::residents(): each is a process in live runs.
inline constexpr Limits kResidents = between(1.0, 16.0);

/// `inputs` are captured by the choices that need them.
[[nodiscard]] Registry<Planner> planner_choices(const PolicyInputs& inputs);

}  // namespace mimus::scheduler
