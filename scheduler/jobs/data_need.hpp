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
  /// At which its gang reads while no sample is waited for, as a profiler has found it.
  BytesPerSecond rate{};
};

/// Of a data set, what the cluster's cache is to keep.
struct KeptData {
  std::string set;
  Bytes amount{};
  bool operator==(const KeptData&) const = default;
};

}  // namespace mimus::scheduler
