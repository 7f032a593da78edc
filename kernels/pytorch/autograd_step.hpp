// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/launch/micro_batch_launches.hpp"
#include "kernels/layers/layer_sizes.hpp"
#include "kernels/layers/layer_stage.hpp"
#include "kernels/layers/replica_layout.hpp"
#include "kernels/pytorch/allocation_log.hpp"

namespace mimus::kernels {

/// Forward and backward pass of a model as PyTorch runs them, as far as its allocator is concerned:
/// modules, their variables, autocast and autograd, of which each keeps tensors for a time of its
/// own. After traces of PyTorch 2.11's allocator. Sizes are those of the plan, and which layer
/// reads what is the model's graph.
class AutogradStep {
 public:
  AutogradStep(const workloads::Model& model, const ReplicaLayout& layout,
               const PlanSettings& settings, const MicroBatchLaunches& launches);
  [[nodiscard]] std::vector<AllocationEvent> take();

 private:
  using Tensor = AllocationLog::Tensor;
  using Layers = LayerGraph::Layers;
  static constexpr Tensor kNone = AllocationLog::kNone;
  static constexpr std::size_t kInput = LayerGraph::kModelInput;  ///< no layer

  /// A layer, and what becomes of its output.
  struct Node {
    Tensor output = kNone;
    std::int64_t elements = 0;
    std::int64_t width = kFloat;  ///< bytes of an element
    std::size_t taken = 0;        ///< how many of the layers that read it have done so
    bool released = false;        ///< by the variable that it was assigned to
    bool view = false;            ///< of what its source has; nothing is computed
    bool in_place = false;
    Layers sources;
    std::vector<Tensor> saved;  ///< for the backward pass
    Tensor gradient = kNone;    ///< of the output, as far as it is summed up
  };

  // autograd_step.cpp
  [[nodiscard]] const workloads::LayerGeometry& geometry(std::size_t i) const;
  [[nodiscard]] std::int64_t own_width() const;
  [[nodiscard]] std::int64_t parameter_bytes(std::size_t i, std::size_t tensor) const;
  [[nodiscard]] std::int64_t parameters_bytes(std::size_t i) const;
  [[nodiscard]] bool is_scores(std::size_t i) const;
  [[nodiscard]] const AttentionRun* run_at(std::size_t i) const;
  void note_work(std::size_t i, Pass pass, Convolution::Pass convolution);
  void note_rest() { log_.note(AllocationEvent::Kind::rest, 0); }
  void note_product(Pass pass);

  // autograd_operands.cpp
  [[nodiscard]] Layers sources_of(std::size_t i) const;
  [[nodiscard]] std::size_t source_of(std::size_t i) const { return sources_of(i).front(); }
  [[nodiscard]] std::optional<std::size_t> value_of(std::size_t i) const;
  [[nodiscard]] bool is_consumed(std::size_t i) const;
  [[nodiscard]] std::int64_t input_elements(std::size_t i, std::size_t source) const;
  [[nodiscard]] Tensor output_of(std::size_t i) const;
  [[nodiscard]] std::int64_t width_of(std::size_t i) const;
  void release(std::size_t i);

  // autograd_forward.cpp
  void forward();
  void set_output(std::size_t i, Tensor output, std::int64_t width, const Layers& sources);
  void take_sources(std::size_t i);
  void forward_layer(std::size_t i);
  void forward_dense(std::size_t i);
  void forward_scores(std::size_t i);
  void forward_context(std::size_t i);
  void forward_fused(std::size_t i, const AttentionRun& run);
  void forward_gru(std::size_t i);
  void forward_normalisation(std::size_t i);
  void forward_map(std::size_t i);
  void forward_pooling(std::size_t i);
  void forward_addition(std::size_t i);
  void forward_elementwise(std::size_t i);
  void forward_masked(std::size_t i);
  void forward_kernels(std::size_t i, std::int64_t elements);
  void forward_joined(std::size_t i, Layers joined);
  void forward_loss(std::size_t i);

  // autograd_backward.cpp
  void backward();
  void deliver(std::size_t layer, Tensor gradient);
  [[nodiscard]] Tensor cast_gradient(Tensor gradient, std::size_t i, std::int64_t width);
  void keep_gradient(Tensor gradient, std::int64_t bytes);
  void backward_layer(std::size_t i, Tensor gradient);
  void backward_linear(std::size_t i, Tensor gradient);
  void backward_convolution(std::size_t i, Tensor gradient);
  void backward_scores(std::size_t i, Tensor gradient);
  void backward_context(std::size_t i, Tensor gradient);
  void backward_fused(std::size_t i, const AttentionRun& run, Tensor gradient);
  void hand_to_projections(std::size_t i, Tensor query, Tensor key, Tensor value);
  void backward_gru(std::size_t i, Tensor gradient);
  void backward_normalisation(std::size_t i, Tensor gradient);
  void backward_embedding(std::size_t i, Tensor gradient);
  void add_sorted(std::int64_t rows, std::int64_t features, std::int64_t entries);
  void hand_on(std::size_t i, Tensor gradient);
  void backward_elementwise(std::size_t i, Tensor gradient);
  void backward_loss(std::size_t i);
  /// The usual: a gradient of the input's size.
  void backward_map(std::size_t i, Tensor gradient, std::int64_t scratch = 0);

  const workloads::Model& model_;
  const ReplicaLayout& layout_;
  PlanSettings settings_;
  const MicroBatchLaunches& launches_;
  std::vector<LayerSizes> sizes_;
  std::vector<Node> nodes_;
  AllocationLog log_;
  std::size_t loss_ = kInput;            ///< the layer that is the loss
  std::vector<Tensor> weight_casts_;     ///< autocast keeps them until it is left
  std::vector<Tensor> model_variables_;  ///< of the model's forward function
  std::vector<Tensor> block_variables_;  ///< of that of a block of layers around attention
  std::vector<Tensor> attention_variables_;
  int block_sums_ = 0;  ///< residual sums since its attention
  Tensor value_gradient_ = kNone;
  std::array<bool, 2> multiplied_{};  ///< whether a pass has
};

/// Parameters and buffers of a model as its modules make them. A recurrent layer copies its weights
/// into one array for cuDNN.
[[nodiscard]] std::vector<AllocationEvent> model_allocations(const workloads::Model& model,
                                                             const ParameterLayout& parameters);

}  // namespace mimus::kernels
