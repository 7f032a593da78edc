// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/launch_commands.hpp"

#include <variant>

#include "kernels/launch/batch_norm_tiling.hpp"
#include "kernels/launch/column_sum.hpp"
#include "kernels/launch/sorted_rows.hpp"

namespace mimus::kernels {
namespace {

bool sorts(const Embedding& lookup) {
  return lookup.function == Embedding::Function::scatter_add && lookup.rows > kRowsInOrder;
}

/// Whether blocks that share a column meet, by numbers that are cleared first.
bool blocks_meet(const Reduction& reduction) {
  using enum Reduction::Function;
  switch (reduction.function) {
    case batch_statistics:
    case batch_gradient_sums:
      return reduction.image == 0 &&
             BatchNormTiling(reduction.rows, reduction.columns).scratch_bytes > 0;
    case column_sum:
      return reduction.columns > 1 && ColumnSumScratch(reduction.rows, reduction.columns).bytes > 0;
    default:
      return false;
  }
}

}  // namespace

std::int64_t kernels_of(const Launch& launch) {
  const auto* lookup = std::get_if<Embedding>(&launch);
  return lookup != nullptr && sorts(*lookup) ? SortedRows::kKernels : 1;
}

std::int64_t most_fills_of(const Launch& launch) {
  const auto* lookup = std::get_if<Embedding>(&launch);
  if (lookup != nullptr && sorts(*lookup)) return SortedRows::kFills;
  const auto* reduction = std::get_if<Reduction>(&launch);
  return reduction != nullptr && blocks_meet(*reduction) ? 1 : 0;
}

}  // namespace mimus::kernels
