// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/launch/micro_batch_launches.hpp"
#include "kernels/layers/layer_sizes.hpp"
#include "kernels/layers/layer_stage.hpp"
#include "kernels/layers/replica_layout.hpp"
#include "kernels/pytorch/allocation_log.hpp"

namespace mimus::kernels {

/// What each layer of a model has given and autograd has saved: written by the forward pass, read
/// and emptied by the backward pass. Layers are counted as in the model; all references must
/// outlive it. Sizes are those of the plan [bytes, elements], and which layer reads what is the
/// model's graph.
class AutogradTape {
 public:
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
    Layers sources;
    std::vector<Tensor> saved;  ///< for the backward pass
    Tensor gradient = kNone;    ///< of the output, as far as it is summed up
  };

  AutogradTape(const workloads::Model& model, const ReplicaLayout& layout,
               const PlanSettings& settings);

  [[nodiscard]] AllocationLog& log() { return log_; }
  [[nodiscard]] std::size_t size() const { return nodes_.size(); }
  [[nodiscard]] Node& node(std::size_t i) { return nodes_[i]; }
  [[nodiscard]] const LayerSizes& sizes(std::size_t i) const { return sizes_[i]; }
  /// The layer that is the loss, at which the forward pass ends; kInput before.
  [[nodiscard]] std::size_t loss() const { return loss_; }
  void set_loss(std::size_t i) { loss_ = i; }

  [[nodiscard]] const workloads::Model& model() const { return model_; }
  [[nodiscard]] const ReplicaLayout& layout() const { return layout_; }
  [[nodiscard]] bool mixed() const { return settings_.mixed(); }
  [[nodiscard]] std::int64_t batch() const { return settings_.batch; }
  [[nodiscard]] const workloads::LayerGeometry& geometry(std::size_t i) const {
    return model_.layers[i].geometry;
  }
  [[nodiscard]] std::int64_t elements(std::size_t i) const {
    return sizes_[i].output / layout_.widths[i].own;
  }
  [[nodiscard]] std::int64_t own_width() const;
  [[nodiscard]] std::int64_t parameter_bytes(std::size_t i, std::size_t tensor) const;
  [[nodiscard]] std::int64_t parameters_bytes(std::size_t i) const;
  [[nodiscard]] bool is_scores(std::size_t i) const;
  [[nodiscard]] const AttentionRun* run_at(std::size_t i) const;

  [[nodiscard]] Layers sources_of(std::size_t i) const;
  [[nodiscard]] std::size_t source_of(std::size_t i) const { return sources_of(i).front(); }
  [[nodiscard]] std::optional<std::size_t> value_of(std::size_t i) const;
  [[nodiscard]] bool is_consumed(std::size_t i) const;
  [[nodiscard]] std::int64_t input_elements(std::size_t i, std::size_t source) const;
  [[nodiscard]] Tensor output_of(std::size_t i) const;
  [[nodiscard]] std::int64_t width_of(std::size_t i) const;

  void set_output(std::size_t i, Tensor output, std::int64_t width, const Layers& sources);
  void release(std::size_t i);
  void take_sources(std::size_t i);

 private:
  const workloads::Model& model_;
  const ReplicaLayout& layout_;
  PlanSettings settings_;
  std::vector<LayerSizes> sizes_;
  std::vector<Node> nodes_;
  AllocationLog log_;
  std::size_t loss_ = kInput;
};

}  // namespace mimus::kernels
