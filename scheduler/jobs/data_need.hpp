// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "base/units.hpp"

namespace mimus::scheduler {

/// What a job reads: one data set, all of it in each epoch.
struct DataNeed {
  std::string set;  ///< its name; empty: it reads none
  Bytes size{};
  /// The rate at which its gang reads while it waits for no sample, as measured by a profiler.
  BytesPerSecond rate{};
};

/// The amount of a data set that the cluster's cache keeps.
struct KeptData {
  std::string set;
  Bytes amount{};
  bool operator==(const KeptData&) const = default;
};

}  // namespace mimus::scheduler
