// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/summary.hpp"

namespace mimus::results {

/// A complete live cell with one run, whose times follow from its mean JCT.
inline CellSummary cell_named(const std::string& label, double jct) {
  CellSummary cell;
  cell.cell = "000-" + label;
  cell.label = label;
  cell.status = "complete";
  cell.path = "out/" + label + ".h5";
  cell.jobs = 20;
  cell.finished = 19;
  cell.failed = 1;
  cell.jct_mean = jct;
  cell.jct_p50 = jct / 2;
  cell.jct_p90 = jct * 2;
  cell.jct_p99 = jct * 3;
  cell.preemptions = 7;
  cell.engine = "live";
  cell.queueing_mean = 7.5;
  cell.queueing_p50 = 4;
  cell.queueing_p90 = 20;
  cell.queueing_p99 = 30;
  cell.queueing_by_cause = {{"capacity", 5.0}, {"fragmentation", 2.5}};
  cell.makespan = jct * 5;
  cell.drain = 120;
  cell.gpu_allocated_arriving = 0.6;
  cell.gpu_allocated = 0.5;
  cell.gpu_busy = 0.25;
  cell.throughput = 1234.5;
  cell.efficiency = 0.9;
  cell.goodput = 1111.05;
  cell.goodput_normalised = 0.75;
  return cell;
}

}  // namespace mimus::results
