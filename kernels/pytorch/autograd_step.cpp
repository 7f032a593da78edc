// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/autograd_step.hpp"

#include <algorithm>
#include <variant>

#include "kernels/pytorch/library_memory.hpp"

namespace mimus::kernels {

using workloads::Operator;

AutogradStep::AutogradStep(const workloads::Model& model, const ReplicaLayout& layout,
                           const PlanSettings& settings, const MicroBatchLaunches& launches)
    : model_(model), layout_(layout), settings_(settings), launches_(launches) {
  nodes_.resize(model.layers.size());
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    sizes_.push_back(layer_sizes(model.layers[i], settings.batch, layout.widths[i]));
  }
}

std::vector<AllocationEvent> AutogradStep::take() {
  forward();
  backward();
  return log_.take();
}

const workloads::LayerGeometry& AutogradStep::geometry(std::size_t i) const {
  return model_.layers[i].geometry;
}

std::int64_t AutogradStep::own_width() const {
  return settings_.mixed() ? kHalfFloat : kFloat;
}

std::int64_t AutogradStep::parameter_bytes(std::size_t i, std::size_t tensor) const {
  if (const auto table = tied_table(model_, i)) {
    if (tensor == 0) return kFloat * layout_.parameters.layers[*table].front().elements;
    --tensor;
  }
  const auto& tensors = layout_.parameters.layers[i];
  return tensor < tensors.size() ? kFloat * tensors[tensor].elements : 0;
}

std::int64_t AutogradStep::parameters_bytes(std::size_t i) const {
  std::int64_t bytes = 0;
  for (const TensorSpan& tensor : layout_.parameters.layers[i]) bytes += kFloat * tensor.elements;
  return bytes;
}

bool AutogradStep::is_scores(std::size_t i) const {
  return i + 1 < nodes_.size() && geometry(i + 1).masked;
}

const AttentionRun* AutogradStep::run_at(std::size_t i) const {
  const auto run =
      std::find_if(layout_.attention.begin(), layout_.attention.end(),
                   [i](const AttentionRun& one) { return one.first <= i && i <= one.last; });
  return run == layout_.attention.end() ? nullptr : &*run;
}

/// Recurrent layers are one call of cuDNN in PyTorch, which the first of their launches stands for.
void AutogradStep::note_work(std::size_t i, Pass pass, Convolution::Pass convolution) {
  const bool backward = pass == Pass::backward;
  const auto& launches = backward ? launches_.backward : launches_.forward;
  const auto& ends = backward ? launches_.backward_ends : launches_.forward_ends;
  const std::size_t before = backward ? i + 1 : i - 1;
  const std::size_t begin = before < ends.size() ? ends[before] : 0;
  const std::size_t offset = backward ? launches_.forward.size() : 0;
  const bool recurrent = geometry(i).op == Operator::gru;
  for (std::size_t launch = begin; launch < ends[i]; ++launch) {
    const auto* shape = std::get_if<Convolution>(&launches[launch]);
    if (!recurrent && (shape == nullptr || shape->pass != convolution)) continue;
    if (!recurrent) log_.note(AllocationEvent::Kind::search, offset + launch);
    const bool known = recurrent && settings_.mixed();
    log_.note(AllocationEvent::Kind::work, offset + launch,
              known ? recurrent_work_space(geometry(i), settings_.batch) : 0);
    return;
  }
}

void AutogradStep::note_product(Pass pass) {
  const std::size_t index = pass == Pass::backward ? 1 : 0;
  if (!multiplied_[index]) log_.note(AllocationEvent::Kind::handle, index);
  multiplied_[index] = true;
}

std::vector<AllocationEvent> model_allocations(const workloads::Model& model,
                                               const ParameterLayout& parameters) {
  AllocationLog log;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    const workloads::LayerGeometry& g = model.layers[i].geometry;
    std::vector<AllocationLog::Tensor> tensors;
    std::int64_t all = 0;
    for (const TensorSpan& tensor : parameters.layers[i]) {
      tensors.push_back(log.make(kFloat * tensor.elements));
      all += kFloat * tensor.elements;
    }
    if (g.op == Operator::gru) {
      (void)log.make(all);
      log.drop(tensors);
    } else if (g.op == Operator::batch_norm) {  // mean, variance, count of batches
      for (const std::int64_t bytes : {kFloat * g.out, kFloat * g.out, kIndex}) {
        (void)log.make(bytes);
      }
    }
  }
  return log.take();
}

}  // namespace mimus::kernels
