// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/planner/philly/defragmentation.hpp"
#include "scheduler/planner/philly/probes.hpp"
#include "scheduler/planner/philly/tries.hpp"
#include "scheduler/planner/philly/virtual_clusters.hpp"
#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A queue per virtual cluster. Virtual clusters furthest below their quota come first. In each one
/// jobs are tried in order of arrival, and jobs that cannot start are passed over. A job is
/// schedulable while its quota has room for it. Beyond its quota it borrows idle GPUs, if admission
/// allows it and no job of a virtual cluster below its quota could use them now. Gangs wait for
/// locality, see Tries. When nearly all GPUs are held, a job within its quota that does not fit
/// takes GPUs from virtual clusters above their quotas, see reclaim(). Source: Philly (Jeon et al.,
/// ATC'19 §2.3). The order of victims, the relaxation in two steps and the time of the back-off are
/// not published.
class Philly final : public Planner {
 public:
  /// A gang that fits into one node goes to the one that it fills best, or to the emptiest one.
  enum class Nodes { packed, dedicated };
  struct Settings {
    Tries::Settings tries;
    /// Share of the GPUs held above which GPUs are reclaimed; 1: never.
    double reclaim_above = 0.9;
    /// Jobs with at least this estimated run time never relax their locality.
    std::optional<Duration> strict_from;
    Nodes nodes = Nodes::packed;
    Defragmentation::Settings defragmentation;
    Probes::Settings probes;
  };
  explicit Philly(Settings settings)
      : settings_(settings),
        tries_(settings.tries),
        defragmentation_(settings.defragmentation),
        probes_(settings.probes) {}

  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override {
    return {
        .arrivals = true, .ends = true, .stops = true, .starts = probes_.is_on(), .failures = true};
  }
  [[nodiscard]] bool keeps_gangs() const override { return !probes_.is_on(); }
  [[nodiscard]] bool spares_rigid() const override { return true; }
  [[nodiscard]] bool names_gpus() const override { return true; }
  [[nodiscard]] std::unique_ptr<Placement> placement() const override;
  [[nodiscard]] bool moves() const override { return defragmentation_.is_on(); }
  [[nodiscard]] bool asks_estimate() const override { return settings_.strict_from.has_value(); }
  void left(JobId job) override;

 private:
  struct Pass;

  void end_probes(Pass& pass) const;
  void keep_promises(Pass& pass);
  void try_all(Pass& pass, const std::function<bool(const JobView&)>& which);
  void try_to_probe(Pass& pass, VirtualCluster& cluster, const JobView& job);
  void try_to_start(Pass& pass, VirtualCluster& cluster, const PlanJob& job);
  /// Whether the job may have this much now, if there is a place.
  [[nodiscard]] bool is_schedulable(Pass& pass, const VirtualCluster& cluster, const JobView& job,
                                    MilliGpus demand);
  [[nodiscard]] static bool may_borrow(const Pass& pass, const VirtualCluster& cluster,
                                       const JobView& job, MilliGpus demand);
  [[nodiscard]] bool is_wanted_below_quota(Pass& pass);
  /// Makes a place for a job that has none: others are stopped or moved for it.
  [[nodiscard]] std::optional<Allocation> make_room(Pass& pass, VirtualCluster& cluster,
                                                    const PlanJob& job);
  [[nodiscard]] bool reclaims(const Pass& pass, const VirtualCluster& cluster,
                              const JobView& job) const;
  /// The subject of the placer's next answers.
  void ask_for(Pass& pass, const PlanJob& job);

  Settings settings_;
  Tries tries_;
  Defragmentation defragmentation_;
  Probes probes_;
  std::unordered_map<JobId, Allocation> promises_;  ///< of jobs that wait for others to leave
  /// State after the last plan: the jobs with GPUs, or with a promise of some, and the usable GPUs.
  std::pair<std::vector<JobId>, MilliGpus> seen_;
};

}  // namespace mimus::scheduler
