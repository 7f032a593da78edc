// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "kernels/parallel/rank_communication.hpp"

namespace mimus::kernels {

/// The place of a rank in a gang. Ranks count tensor-parallel members first, then replicas, then
/// stages, as in Megatron, so that ranks with the most traffic are closest.
struct RankPlace {
  int tensor = 0;
  int replica = 0;
  int stage = 0;
};
[[nodiscard]] RankPlace place_of(int rank, const ParallelShape& shape);
[[nodiscard]] int rank_at(const RankPlace& place, const ParallelShape& shape);

/// The ranks with which one rank communicates, including itself, in the order of their group; empty
/// if it is alone. Of a pair of neighbours in the pipeline the first sends.
struct RankGroups {
  std::vector<int> tensor, data;
  std::vector<int> tied;                           ///< first and last stage
  std::vector<int> activations_in, gradients_out;  ///< with the previous stage
  std::vector<int> activations_out, gradients_in;  ///< with the next stage
};
[[nodiscard]] RankGroups groups_of(int rank, const ParallelShape& shape);

}  // namespace mimus::kernels
