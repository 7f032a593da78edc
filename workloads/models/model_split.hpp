// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace mimus::workloads {

/// How one replica of a model is split over GPUs (Narayanan et al., SC'21). Not split: 1 × 1. A
/// grid is split in slabs by its "layers", and has one replica.
struct ModelSplit {
  int tensor = 1;                      ///< GPUs that share every layer
  int pipeline = 1;                    ///< stages of consecutive layers
  bool sequence_parallel = true;       ///< tokens between the shared layers are divided, too
  bool distributed_optimiser = false;  ///< its state is divided among replicas
  /// GPUs of one replica; gangs are multiples of it.
  [[nodiscard]] int gpus() const { return tensor * pipeline; }
  bool operator==(const ModelSplit&) const = default;
};

/// "gpt@t2p4" is the model "gpt" with two GPUs per layer and four stages. Behind the numbers, "o"
/// divides the optimiser's state, "w" leaves tokens whole. "claire@n512t8" is a solver on a grid of
/// 512 points along each side in eight slabs.
struct SplitName {
  std::string model;
  std::int64_t points = 0;  ///< 0: those of the model's file
  ModelSplit split;
};

/// Nothing for a name without "@". UsageError saying what is allowed when what follows it is no
/// split of at least two GPUs, and no number of points.
[[nodiscard]] std::optional<SplitName> parse_split_name(std::string_view name);

}  // namespace mimus::workloads
