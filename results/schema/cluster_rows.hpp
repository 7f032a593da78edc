// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

namespace mimus::results {

// Rows of nodes and tenants; see rows.hpp.

/// A span for which a node took no jobs.
struct NodeStateRow {
  std::int64_t node = -1;
  std::string state;  ///< asleep | booting | down | quarantined
  double begin = 0;
  double end = 0;
};

/// One node over the cell.
struct NodeRow {
  std::int64_t node = -1;
  double on = 0;
  double booting = 0;
  double asleep = 0;
  double used = 0;  ///< with at least one tenant
  std::int64_t boots = 0;
  double joules = -1;  ///< without its GPUs; -1: not known
  std::string source;  ///< modelled | none
};

/// The reading of the jobs of a virtual cluster from their data sets.
struct TenantRow {
  std::string tenant;
  double weight = 1;
  double read = 0;
  double hit = 0;    ///< part of it that was resident
  double worth = 0;  ///< value of the cache for it
  double worth_alone = 0;
  double speed = 0;
  double speed_uncached = 0;
};

}  // namespace mimus::results
