// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/schema.hpp"

// The tables that stand for all others when those are not recorded.

namespace mimus::results {

template <>
const Table<TotalRow>& table_of<TotalRow>() {
  static const Table<TotalRow> table{
      "totals",
      "One metric over a group of rows, brought up to date in place with every flush. Groups are "
      "`all`, the gang classes of jobs by the GPUs asked for (`1`, `2-4`, `5-8`, `>8`) and pairs "
      "(`resnet50 beside bert-base`). A process that is killed inside a flush may leave some "
      "values a flush behind the others.",
      "The file has not been flushed yet.",
      RecordLevel::summary,
      {{"metric", &TotalRow::metric, 24, "which one; see below"},
       {"group", &TotalRow::group, 192, "over which rows"},
       {"value", &TotalRow::value, "", "in the unit of the metric"}}};
  return table;
}

template <>
const Table<QuantileRow>& table_of<QuantileRow>() {
  static const Table<QuantileRow> table{
      "quantiles",
      "One quantile over a group of rows, written when the cell stops: of `jct` (finished jobs) "
      "and `queueing`, exact, for `all` and for each gang class with jobs; and of "
      "`decision_latency`, within 0.4 %. Fractions are 0, 0.005 … 1 and 0.999; values between "
      "two order statistics are interpolated linearly.",
      "The cell has not stopped, or no job has ended.",
      RecordLevel::summary,
      {{"metric", &QuantileRow::metric, 24, "jct, queueing or decision_latency"},
       {"group", &QuantileRow::group, 16, "all, or a gang class"},
       {"fraction", &QuantileRow::fraction, "", "of the rows, 0 … 1"},
       {"value", &QuantileRow::value, "s", "which that fraction of the rows does not exceed"}}};
  return table;
}

}  // namespace mimus::results
