// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/units.hpp"

namespace mimus::scheduler {

/// What the computation graph of a model shows before it has run, as in the ONNX file that Horus
/// reads (Yeung et al., TPDS 33(1), 2022 §4): sums over its operators, for a whole replica on one
/// GPU. All zero if the graph is not known.
struct ModelGraph {
  Flop forward{};       ///< per sample
  Bytes activations{};  ///< per sample, outputs that the backward pass reads
  Bytes input{};        ///< per sample
  double parameters = 0.0;
  int operators = 0;
  int convolutions = 0;
  int moments = 0;  ///< numbers that the optimiser keeps for every parameter

  [[nodiscard]] bool known() const { return operators > 0; }
};

/// Memory of a replica on its GPU, linear in its batch.
struct ReplicaMemory {
  Bytes base{};
  Bytes per_sample{};  ///< of the per-GPU batch
  [[nodiscard]] Bytes at(double per_gpu_batch) const { return base + per_gpu_batch * per_sample; }
};

}  // namespace mimus::scheduler
