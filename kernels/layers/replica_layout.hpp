// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "kernels/launch/launch.hpp"
#include "kernels/layers/attention_runs.hpp"
#include "kernels/layers/layer_graph.hpp"
#include "kernels/layers/layer_sizes.hpp"
#include "kernels/layers/parameter_layout.hpp"

namespace mimus::kernels {

/// Settings of a plan that are decided before its launches.
struct PlanSettings {
  std::int64_t batch = 1;
  Arithmetic arithmetic = Arithmetic::fp32;
  bool fused_attention = false;
  bool optimiser_temporary = false;  ///< of the size of the parameters
  bool replicated = false;
  int optimiser_parts = 1;  ///< ranks that divide the optimiser's state and work
  /// 16-bit activations and products, weights in fp32.
  [[nodiscard]] bool mixed() const { return element_bytes(arithmetic) == 2; }
};

/// Where the launches of a layer find their operands.
struct LayerPlaces {
  TensorRef arriving;  ///< cast into `input`; the same place if nothing is cast
  TensorRef input;
  TensorRef second;  ///< right operand of a product without weights
  TensorRef other;   ///< the further operand of a kernel, e.g. the other branch of a sum
  TensorRef output;
  TensorRef kept;             ///< as in LayerSizes
  TensorRef output_gradient;  ///< read by the backward pass
  TensorRef input_gradient;   ///< written by it
  TensorRef cast_gradient;    ///< cast into that; the same place if nothing is cast
  TensorRef spare;            ///< work space
  TensorRef wide;             ///< crossed by a kernel that covers more than the output
  /// Replace `other` and `spare` in the backward pass, where `wide` is the output's gradient.
  TensorRef other_gradient, gradient_spare;
};

/// A tensor of Region::working, [bytes].
struct WorkingTensor {
  std::int64_t offset = 0;
  std::int64_t bytes = 0;
};

/// A replica's memory. In Region::working every tensor has its own place; the launches decide which
/// of them may overlap (memory_packing.hpp).
struct ReplicaLayout {
  LayerGraph graph;
  ParameterLayout parameters;
  std::vector<AttentionRun> attention;  ///< fused runs; their layers launch nothing themselves
  std::vector<TensorRef> statistics;    ///< of each run
  std::vector<LayerPlaces> layers;
  std::vector<LayerWidths> widths;
  TensorRef half_weights;  ///< copies of the weights in 16 bits, laid out alike
  TensorRef counters;
  std::vector<WorkingTensor> working;  ///< ascending
  std::int64_t kept = 0;  ///< bytes of those that a micro-batch keeps for its backward pass
  std::array<std::int64_t, kRegions> region{};
};

/// Of a model's buffers, which are broadcast between replicas.
[[nodiscard]] inline std::int64_t buffer_bytes(const workloads::Model& model) {
  return static_cast<std::int64_t>(model.buffer_bytes.value);
}

[[nodiscard]] ReplicaLayout lay_out_replica(const workloads::Model& model,
                                            const PlanSettings& settings);

}  // namespace mimus::kernels
