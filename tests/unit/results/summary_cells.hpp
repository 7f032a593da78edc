// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "results/summary/summary.hpp"

namespace mimus::results {

/// A complete live cell with one run, whose times follow from its mean JCT.
inline CellSummary cell_named(const std::string& label, double jct) {
  CellSummary cell;
  cell.cell = "000-" + label;
  cell.label = label;
  cell.status = "complete";
  cell.path = "out/" + label + ".h5";
  cell.set("jobs", 20);
  cell.set("jobs_finished", 19);
  cell.set("jobs_failed", 1);
  for (const char* none :
       {"jobs_rejected", "jobs_unfinished", "last_end", "off_solo_median", "late_share"}) {
    cell.set(none, 0);
  }
  cell.set("jct_mean", jct);
  cell.set("jct_p50", jct / 2);
  cell.set("jct_p90", jct * 2);
  cell.set("jct_p99", jct * 3);
  cell.set("preemptions", 7);
  cell.engine = "live";
  cell.set("queueing_mean", 7.5);
  cell.set("queueing_p50", 4);
  cell.set("queueing_p90", 20);
  cell.set("queueing_p99", 30);
  cell.set("queueing_capacity_mean", 5);
  cell.set("queueing_fragmentation_mean", 2.5);
  cell.set("makespan", jct * 5);
  cell.set("drain", 120);
  cell.set("gpu_allocated_arriving", 0.6);
  cell.set("gpu_allocated", 0.5);
  cell.set("gpu_busy", 0.25);
  cell.set("throughput", 1234.5);
  cell.set("efficiency", 0.9);
  cell.set("goodput", 1111.05);
  cell.set("goodput_normalised", 0.75);
  cell.set("rho_mean", 1.25);
  cell.set("rho_unfair", 0.2);
  cell.set("restarts_per_hour", 0.5);
  return cell;
}

}  // namespace mimus::results
