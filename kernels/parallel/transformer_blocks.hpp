// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "workloads/models/model.hpp"

namespace mimus::kernels {

/// How tensor parallelism divides a layer.
enum class ShardRole {
  tokens,      ///< whole, or its tokens divided (sequence parallelism)
  column,      ///< dense layer whose outputs are divided
  within,      ///< between a column and a row layer: heads or features divided
  row,         ///< dense layer whose inputs are divided; its outputs are sums over ranks
  vocabulary,  ///< embedding table, head and loss: entries divided
};

/// A transformer's layers, by block and role.
struct TransformerLayers {
  std::vector<ShardRole> roles;     ///< per layer
  std::vector<std::size_t> begins;  ///< first layer of each block; the last entry ends the last one
  std::int64_t hidden = 0;          ///< features between blocks
  std::int64_t tokens = 0;          ///< of a sample
  std::int64_t heads = 0;
};

/// Throws UsageError if the model has no blocks of attention and two dense layers.
[[nodiscard]] TransformerLayers find_transformer(const workloads::Model& model);

}  // namespace mimus::kernels
