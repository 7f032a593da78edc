// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "results/schema/rows.hpp"

namespace mimus::results {

/// How the GPUs of each type were used, over a whole run.
class TypeTotals {
 public:
  /// A row without a type counts for none.
  void add(const GpuRow& row);
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
  std::vector<Type> types_;
};

/// Figures of one type.
struct TypeFigures {
  std::string type;
  double gpus = 0;
  double held = 0;  ///< share of its GPUs' time from the first arrival to the last end
  double busy = 0;
  bool operator==(const TypeFigures&) const = default;
};

/// From the rows of `totals`; none for a run on one type, or for a part of a run.
[[nodiscard]] std::vector<TypeFigures> type_figures(const std::vector<TotalRow>& totals);

}  // namespace mimus::results
