// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "results/schema/rows.hpp"
#include "results/totals/allocation_totals.hpp"
#include "results/totals/application_fairness.hpp"
#include "results/totals/class_totals.hpp"
#include "results/totals/cost_totals.hpp"
#include "results/totals/fairness.hpp"
#include "results/totals/gpu_time.hpp"
#include "results/totals/job_sums.hpp"
#include "results/totals/latency_histogram.hpp"
#include "results/totals/node_totals.hpp"
#include "results/totals/reading_totals.hpp"
#include "results/totals/trial_totals.hpp"
#include "results/totals/type_totals.hpp"

namespace mimus::results {

/// One metric of the table `totals`.
struct TotalMetric {
  std::string name;
  std::string groups;  ///< which groups have it
  std::string unit;    ///< "" for a plain number
  std::string description;
};
/// All metrics, in the order of the table.
[[nodiscard]] std::vector<TotalMetric> total_metrics();
/// The fractions of the table `quantiles`: 0, 0.005 … 1, and 0.999.
[[nodiscard]] const std::vector<double>& quantile_fractions();

/// The group of all rows.
inline constexpr const char* kAll = "all";

/// Collects row by row what a summary needs of the tables of one cell, so that the summary does not
/// depend on recording them. Takes some 53 bytes per job. Rows of one table must come in their
/// order in the table. The order of the tables does not matter.
class CellTotals {
 public:
  CellTotals() = default;
  /// GPU time is integrated over `span` instead of from the first arrival to the last end; rows of
  /// utilisation must lie within it.
  explicit CellTotals(const TimeWindow& span) : span_(span) {}

  /// A job arrives [s]; see GpuTime::arrived(). Its row comes when it has ended.
  void arrived(double time);
  /// `mean_active`: mean number of jobs in the system during its life.
  void add(const JobRow& row, double mean_active = 1);
  void add(const UtilisationRow& row) { gpu_time_.add(row); }
  void add(const GpuRow& row);
  /// Device time that no row of `gpus` has [GPU s].
  void add_busy(double seconds) { gpu_busy_seconds_ += seconds; }
  void add(const DecisionRow& row);
  void add(const PairRow& row);
  /// For files whose jobs do not record the causes of their waits; charged only to the group `all`.
  void add(const QueueDelayRow& row);
  void add(const EnergyRow& row) {
    add_energy(row.joules, row.joules);
    types_.add(row);
    if (row.source.starts_with("modelled")) energy_modelled_ += row.joules;
  }
  void add(const NodeStateRow& row) { nodes_.add(row); }
  void add(const NodeRow& row);
  void add(const AllocationRow& row) { allocation_.add(row); }
  void add(const TenantRow& row) { reading_.add(row); }
  void add(const TrialRow& row) { trials_.add(row); }
  /// Energy that the cluster drew, and that of the jobs that are counted [J]; below 0: not known.
  void add_energy(double joules, double of_jobs);
  /// No more rows come. Fairness is judged now, because it needs all rows.
  void close();

  /// Calls `act(FairnessRow)` for each finished job.
  template <class Act>
  void each_fairness(Act act) const {
    fairness_.each(gpus_, act);
  }

  /// Calls `act(ApplicationRow)` for each application that can be judged. None of a part of a run,
  /// to which some of its jobs may not belong.
  void each_application(const std::function<void(const ApplicationRow&)>& act) const;

  /// Always the same rows in the same order, then those of GPU types, where there are several, and
  /// of the pairs in the order of their first appearance.
  [[nodiscard]] std::vector<TotalRow> totals() const;
  /// Sorts all values: n log n. Groups without values have no rows.
  [[nodiscard]] std::vector<QuantileRow> quantiles() const;

 private:
  static constexpr std::size_t kClasses = kGangClasses.size();
  using ValuesByClass = std::array<std::deque<double>, kClasses>;

  /// Values of finished jobs with their sums; see close().
  struct Judged {
    std::vector<double> slowdown, rho;
    double slowdowns = 0, rhos = 0, rho_squares = 0, unfair = 0;
    double applications = 0, application_jct = 0, application_rho = 0, application_rho_max = 0;
  };

  struct Pair {
    std::string name;  ///< "resnet50 beside bert-base"
    double seconds = 0;
    double slowdown_seconds = 0;
    double periods = 0;
  };

  /// First arrival to last end. A cell that was cut off lasts as long as it was observed.
  [[nodiscard]] TimeWindow window() const;
  [[nodiscard]] Pair& pair_of(const PairRow& row);
  void append_jobs(std::vector<TotalRow>& rows) const;
  void judge_classes();
  void judge_applications();
  void append_cell(std::vector<TotalRow>& rows) const;
  void append_pairs(std::vector<TotalRow>& rows) const;
  void append_latencies(std::vector<QuantileRow>& rows) const;
  static void append_quantiles(std::vector<QuantileRow>& rows, const std::string& metric,
                               const ValuesByClass& values);

  std::optional<TimeWindow> span_;
  Fairness fairness_;
  ApplicationFairness applications_;
  Judged judged_;
  std::optional<double> energy_, energy_of_jobs_;
  double energy_modelled_ = 0;
  NodeTotals nodes_;
  AllocationTotals allocation_;
  ReadingTotals reading_;
  TrialTotals trials_;
  std::array<JobSums, kClasses> jobs_;
  ClassTotals classes_;
  JobSums elsewhere_;  ///< sums of jobs whose class is not known
  ValuesByClass jct_;
  ValuesByClass queueing_;
  double first_arrival_ = std::numeric_limits<double>::infinity();
  double last_arrival_ = -1;
  double last_end_ = -1;
  bool all_ended_ = true;
  GpuTime gpu_time_;
  double gpus_ = 0;
  double gpu_busy_seconds_ = 0;
  TypeTotals types_;
  CostTotals costs_;
  double decision_seconds_ = 0;
  LatencyHistogram latencies_;
  std::vector<Pair> pairs_;
  std::map<std::string, std::map<std::string, std::size_t, std::less<>>, std::less<>> pair_index_;
};

}  // namespace mimus::results
