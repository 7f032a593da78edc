// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/parallel/rank_groups.hpp"

namespace mimus::kernels {

RankPlace place_of(int rank, const ParallelShape& shape) {
  return {.tensor = rank % shape.tensor,
          .replica = rank / shape.tensor % shape.data,
          .stage = rank / (shape.tensor * shape.data)};
}

int rank_at(const RankPlace& place, const ParallelShape& shape) {
  return place.tensor + shape.tensor * (place.replica + shape.data * place.stage);
}

RankGroups groups_of(int rank, const ParallelShape& shape) {
  const RankPlace own = place_of(rank, shape);
  const auto in_stage = [&](int stage) { return rank_at({own.tensor, own.replica, stage}, shape); };
  RankGroups groups;
  for (int i = 0; shape.tensor > 1 && i < shape.tensor; ++i) {
    groups.tensor.push_back(rank_at({i, own.replica, own.stage}, shape));
  }
  for (int i = 0; shape.data > 1 && i < shape.data; ++i) {
    groups.data.push_back(rank_at({own.tensor, i, own.stage}, shape));
  }
  const int last = shape.pipeline - 1;
  if (last > 0 && (own.stage == 0 || own.stage == last)) {
    groups.tied = {in_stage(0), in_stage(last)};
  }
  if (own.stage > 0) {
    groups.activations_in = {in_stage(own.stage - 1), rank};
    groups.gradients_out = {rank, in_stage(own.stage - 1)};
  }
  if (own.stage < last) {
    groups.activations_out = {rank, in_stage(own.stage + 1)};
    groups.gradients_in = {in_stage(own.stage + 1), rank};
  }
  return groups;
}

}  // namespace mimus::kernels
