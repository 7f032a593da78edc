// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace mimus::scheduler {

/// A training whose own code changes its batch from epoch to epoch, as measured by a profiler in an
/// earlier run. The present run may use other batches.
struct EpochProfile {
  /// One of its batches.
  struct Mode {
    std::int64_t batch = 1;   ///< of a GPU [samples]
    double rate = 0.0;        ///< iterations/s of its gang; on the first of its GPU types
    double epoch_time = 0.0;  ///< [s]
  };
  std::vector<Mode> modes;            ///< the training begins with the first one
  double iterations = 0.0;            ///< of the whole training with the first mode
  std::vector<std::size_t> of_epoch;  ///< the mode of each epoch
};

/// What the code of such a training reports.
struct EpochReport {
  double epochs = 0.0;           ///< made
  double iterations_left = 0.0;  ///< with its current batch
  std::size_t mode = 0;          ///< current mode
  double samples = 0.0;          ///< per GPU, made since its last report
  double trained = 0.0;          ///< time in which it made them [s]
};

}  // namespace mimus::scheduler
