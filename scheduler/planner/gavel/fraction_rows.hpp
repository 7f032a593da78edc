// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "scheduler/planner/gavel/time_fractions.hpp"
#include "scheduler/solve/linear_program.hpp"

namespace mimus::scheduler {

/// The variables of all of Gavel's programs, a time for each job or pair on each type, and the rows
/// that keep jobs and GPUs from being used for more than all of it.
class FractionRows {
 public:
  /// Times are fractions of 1. `prices`: by type, if the objective is what jobs achieve per price.
  explicit FractionRows(const SharedTypes& shared, const std::vector<double>* prices = nullptr);
  /// They are times within `duration`, a variable of the program; see shortest_makespan().
  static FractionRows within_duration(const SharedTypes& shared);

  [[nodiscard]] LinearProgram& program() { return program_; }
  [[nodiscard]] int duration() const { return duration_; }
  /// Terms of factor × the job's rate.
  [[nodiscard]] std::vector<LinearProgram::Term> rate(std::size_t job, double factor) const;
  [[nodiscard]] TimeFractions fractions(const LinearProgram::Solution& solution) const;

 private:
  FractionRows(const SharedTypes& shared, const std::vector<double>* prices, bool within_duration);
  [[nodiscard]] int variable(std::size_t row, std::size_t type) const {
    return first_ + static_cast<int>(row * shared_->gpus.size() + type);
  }
  void add_times(const std::vector<double>* prices);
  void bound_jobs();
  void bound_types();

  const SharedTypes* shared_;
  LinearProgram program_;
  int duration_ = -1;
  int first_ = 0;  ///< time variable
};

}  // namespace mimus::scheduler
