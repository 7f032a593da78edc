// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// How the GPUs of each type were used, over a whole run, and how long jobs waited for them.
class TypeTotals {
 public:
  /// A row without a type counts for none.
  void add(const GpuRow& row);
  /// The energy of a device counts for the type of the GPU that it stands for.
  void add(const EnergyRow& row) { energies_.emplace_back(row.gpu, row.joules); }
  /// A job counts for the type on which it was last.
  void add(const JobRow& row);
  /// Rows of each type in the order of the GPUs; none unless there are several types.
  void append(std::vector<TotalRow>& rows) const;

 private:
  struct Type {
    std::string name;
    double gpus = 0;
    double held = 0;  ///< [GPU s]
    double busy = 0;  ///< [GPU s]
    double cost = 0;  ///< with a tenant, by the price; -1: not known
  };
  struct Jobs {
    std::string type;
    double jobs = 0;
    double queueing = 0;  ///< [s]
  };
  /// [J]; -1: not known, of some device or of all.
  [[nodiscard]] std::vector<double> energies() const;  ///< by type
  [[nodiscard]] Jobs jobs_on(const Type& type) const;

  std::vector<Type> types_;
  std::unordered_map<std::int64_t, std::size_t> type_of_gpu_;
  std::vector<std::pair<std::int64_t, double>> energies_;  ///< [J] of a GPU
  std::vector<Jobs> jobs_;
};

/// Figures of one type.
struct TypeFigures {
  std::string type;
  double gpus = 0;
  double held = 0;  ///< share of its GPUs' time from the first arrival to the last end
  double busy = 0;
  double energy = -1;    ///< [J]; -1: not known
  double jobs = 0;       ///< that were last on them
  double queueing = -1;  ///< of these, mean [s]; -1: there are none
  bool operator==(const TypeFigures&) const = default;
};

/// From the rows of `totals`; none for a run on one type, or for a part of a run.
[[nodiscard]] std::vector<TypeFigures> type_figures(const std::vector<TotalRow>& totals);

}  // namespace mimus::results
