// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema/schema.hpp"

// Tables that replace the others if those are not recorded.

namespace mimus::results {

template <>
const Table<TotalRow>& table_of<TotalRow>() {
  static const Table<TotalRow> table{
      "totals",
      "One metric over a group of rows, updated in place with every flush. Groups are "
      "`all`, the gang classes of jobs by the GPUs asked for (`1`, `2-4`, `5-8`, `>8`) and pairs "
      "(`resnet50 beside bert-base`). A process that is killed inside a flush may leave some "
      "values a flush behind the others.",
      "The file has not been flushed yet.",
      RecordLevel::summary,
      {{"metric", &TotalRow::metric, 24, "which one; see below"},
       {"group", &TotalRow::group, 192, "group of rows"},
       {"value", &TotalRow::value, "", "in the unit of the metric"}}};
  return table;
}

template <>
const Table<QuantileRow>& table_of<QuantileRow>() {
  static const Table<QuantileRow> table{
      "quantiles",
      "One quantile over a group of rows, written when the cell stops: of `jct` (finished jobs) "
      "and `queueing`, exact, for `all` and for each gang class with jobs; and of "
      "`decision_latency`, within 0.4 %. Fractions are 0, 0.005 … "
      "1 and 0.999; values between "
      "two order statistics are interpolated linearly. Of `job_slowdown` (bounded) 0.99 is known, "
      "of `rho` 0.5 and 1.",
      "The cell has not stopped, or no job has ended.",
      RecordLevel::summary,
      {{"metric", &QuantileRow::metric, 24, "jct, queueing, decision_latency, job_slowdown or rho"},
       {"group", &QuantileRow::group, 16, "all, or a gang class"},
       {"fraction", &QuantileRow::fraction, "", "of the rows, 0 … 1"},
       {"value", &QuantileRow::value, "",
        "value that this fraction of the rows does not exceed; times in s"}}};
  return table;
}

template <>
const Table<FairnessRow>& table_of<FairnessRow>() {
  static const Table<FairnessRow> table{
      "fairness",
      "How one finished job was treated, written when the cell stops. ρ = T_shared ÷ T_isolated "
      "(Mahajan et al., Themis, NSDI 2020): `jct` ÷ (`service` ÷ min(GPUs ÷ `mean_active`, "
      "`gang` × `gpu_share`)); start-ups and lost work count as service, so that under preemption "
      "it is a lower bound. In single precision.",
      "The cell has not stopped, or no job has finished.",
      RecordLevel::jobs,
      {{"job", &FairnessRow::job, "", "id"},
       {"solo", &FairnessRow::solo, "s", "`running` less what co-tenants cost it"},
       {"service", &FairnessRow::service, "GPU s",
        "(`replica_seconds` minus the time lost to co-tenants) × `gpu_share`"},
       {"mean_active", &FairnessRow::mean_active, "jobs",
        "mean number of jobs in the system during its life"},
       {"slowdown", &FairnessRow::slowdown, "", "`jct` ÷ `solo`; NaN: it never ran"},
       {"bounded_slowdown", &FairnessRow::bounded_slowdown, "",
        "max(1, `jct` ÷ max(`solo`, 10 s))"},
       {"rho", &FairnessRow::rho, "", "NaN: it never ran, or the GPUs are not known"}}};
  return table;
}

template <>
const Table<FigureRow>& table_of<FigureRow>() {
  static const Table<FigureRow> table{
      "figures",
      "One figure of the whole run, updated in place with every flush: all that "
      "[metrics](#metrics) lists, in that order. Percentiles and fairness are known when the cell "
      "stops. Figures of a part of the run: `mimus summary --measure`.",
      "The file has not been flushed yet.",
      RecordLevel::summary,
      {{"metric", &FigureRow::metric, 32, "which one"},
       {"value", &FigureRow::value, "", "value in its unit; NaN if the cell has no data for it"},
       {"unit", &FigureRow::unit, 16, "empty for a plain number or a fraction"}}};
  return table;
}

}  // namespace mimus::results
