// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// A stretch of time [s].
struct TimeWindow {
  double begin = 0;
  double end = 0;
};

/// Integrates the rows of `utilisation`, given in order of time, over a window that is known only
/// at the end: from the first arrival of a job to the last end. A row in which a job waits or runs
/// lies inside the window, so only the rows up to the first and from the last such row on are kept.
class GpuTime {
 public:
  void add(const UtilisationRow& row);

  struct Sums {
    double held = 0;          ///< ∫ gpus_allocated dt [GPU s]
    double up = 0;            ///< ∫ gpus dt [GPU s]
    double memory = 0;        ///< ∫ memory_used dt [GPU s]
    double memory_known = 0;  ///< ∫ gpus dt while memory_used was known [GPU s]
  };
  [[nodiscard]] Sums within(const TimeWindow& window) const;
  /// A job arrives, not before one that is known; the next sums end here. Call it before rows that
  /// begin later are added.
  void arrived(double time);
  /// From the first arrival to the last known one. Kept row by row, because the last arrival is
  /// known only at the end.
  [[nodiscard]] const Sums& while_arriving() const { return while_arriving_; }
  /// End of the last row [s]; 0 without rows.
  [[nodiscard]] double observed_end() const { return observed_end_; }

 private:
  struct Piece {
    double begin = 0;
    double end = 0;
    double held = 0;
    double up = 0;
    double memory = 0;  ///< below 0: not known
  };
  void add_while_arriving(const Piece& piece);
  static void append(std::vector<Piece>& pieces, const Piece& piece);
  static void add_part(const Piece& piece, const TimeWindow& window, Sums& sums);
  static void integrate(const std::vector<Piece>& pieces, const TimeWindow& window, Sums& sums);

  std::vector<Piece> head_;  ///< up to the first row with a job
  std::vector<Piece> tail_;  ///< from the last row with a job on
  Sums between_;
  std::optional<TimeWindow> arrivals_;  ///< first and last
  Sums since_first_;
  Sums while_arriving_;
  double observed_end_ = 0;
  bool job_seen_ = false;
};

}  // namespace mimus::results
