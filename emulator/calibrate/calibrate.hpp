// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "emulator/calibrate/calibrate_interval.hpp"
#include "emulator/campaign/campaign.hpp"

namespace mimus::emulator {

/// Which per-GPU batches of a model are measured.
struct BatchSelection {
  enum class Kind {
    spread,  ///< the smallest, the largest that fits and two between
    all,     ///< every power of two in the model's range, and its ends
    listed,
  };
  Kind kind = Kind::spread;
  std::vector<std::int64_t> listed;
};

/// In place of model names: only links are measured.
inline constexpr const char* kNoModels = "none";

/// The options of `mimus calibrate`.
struct CalibrateOptions {
  std::string campaign_path;  ///< "" for one node of the built-in cluster
  std::vector<Override> overrides;
  std::vector<std::string> models;  ///< all when empty; kNoModels alone for none
  BatchSelection batches;
  std::vector<std::vector<int>> shapes{{1}};  ///< replicas per node, largest first
  bool pairs = false;
  bool links = false;
  bool largest_pair_batches = false;  ///< in place of the reference batch
  StoppingLimits limits;
  Duration timeout = std::chrono::seconds{60};  ///< wall time of one measurement
  std::string precision = "model";
  std::string output = "profile.h5";
  bool dry_run = false;
  int verbosity = 0;
  std::vector<std::string> command_line;  ///< command that an mpirun started by Mimus runs again
  std::string mpirun_args;
  /// Prints the content of a complete profile. Called once, by the process that completed it.
  std::function<void(const std::string& path)> report;
};

/// Measures models alone and in pairs on live ranks and writes a profile. Starts its own mpirun
/// outside MPI. Rows of an unfinished file with the same settings are kept. Returns the exit code
/// of the process on every rank; throws Error.
[[nodiscard]] int run_calibration(const CalibrateOptions& options);

}  // namespace mimus::emulator
