// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/launch_commands.hpp"

#include <numeric>
#include <variant>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/batch_norm_tiling.hpp"
#include "kernels/launch/column_sum.hpp"
#include "kernels/launch/sorted_rows.hpp"

namespace mimus::kernels {
namespace {

bool sorts(const Embedding& lookup) {
  return lookup.function == Embedding::Function::scatter_add && lookup.rows > kRowsInOrder;
}

/// Whether the blocks that share a column synchronise by counters, which are cleared first.
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

/// Whether the counters are cleared by a kernel, as in PyTorch's own 16-bit norms, and not by a
/// fill.
bool clears_by_kernel(const Reduction& reduction) {
  return reduction.function != Reduction::Function::column_sum && reduction.bytes != kFloat;
}

std::int64_t tables_of(const MultiTensor& update) {
  const auto chunks =
      std::accumulate(update.tensors.begin(), update.tensors.end(), std::int64_t{0},
                      [](auto sum, const auto& one) { return sum + chunks_of(one.elements); });
  const int most = knows_tensors(update.function) ? kTensorTableChunks : kTableChunks;
  return (chunks + most - 1) / most;
}

}  // namespace

TensorRef norms_of(const MultiTensor& launch) {
  return {Region::temporary, align_up(kFloat * launch.parameters)};
}

std::int64_t norm_bytes(std::size_t tensors) {
  return 2 * kFloat * static_cast<std::int64_t>(tensors);
}

std::int64_t kernels_of(const Launch& launch) {
  if (const auto* lookup = std::get_if<Embedding>(&launch)) {
    return sorts(*lookup) ? SortedRows::kKernels : 1;
  }
  if (const auto* reduction = std::get_if<Reduction>(&launch)) {
    return blocks_meet(*reduction) && clears_by_kernel(*reduction) ? 2 : 1;
  }
  if (const auto* update = std::get_if<MultiTensor>(&launch)) return tables_of(*update);
  return 1;
}

std::int64_t most_fills_of(const Launch& launch) {
  if (const auto* lookup = std::get_if<Embedding>(&launch)) {
    return sorts(*lookup) ? SortedRows::kFills : 0;
  }
  if (const auto* update = std::get_if<MultiTensor>(&launch)) {
    return update->function == MultiTensor::Function::lamb_norms ? 1 : 0;
  }
  const auto* reduction = std::get_if<Reduction>(&launch);
  if (reduction == nullptr || !blocks_meet(*reduction)) return 0;
  return clears_by_kernel(*reduction) ? 0 : 1;
}

}  // namespace mimus::kernels
