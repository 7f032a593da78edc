// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/replica_layout.hpp"

#include <algorithm>
#include <optional>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/launch_commands.hpp"
#include "kernels/layers/gradient_sizes.hpp"
#include "kernels/layers/layer_operands.hpp"
#include "kernels/layers/returned_gradients.hpp"

namespace mimus::kernels {
namespace {

using workloads::Activation;
using workloads::Model;
using workloads::Operator;

/// The data that a layer keeps for the backward pass.
struct Saved {
  std::optional<TensorRef> input;
  std::optional<TensorRef> output;
};

ReplicaLayout empty_layout(const Model& model, const PlanSettings& settings) {
  ReplicaLayout layout;
  layout.graph = LayerGraph(model);
  layout.parameters = lay_out_parameters(model);
  layout.layers.resize(model.layers.size());
  layout.widths = layer_widths(model, settings.arithmetic);
  return layout;
}

class Layout {
 public:
  Layout(const Model& model, const PlanSettings& settings)
      : model_(model),
        settings_(settings),
        layout_(empty_layout(model, settings)),
        sizes_(layer_sizes(model, settings.batch, layout_.widths)),
        operands_(model, layout_.graph, layout_.widths, sizes_) {
    saved_.resize(model.layers.size());
    in_run_.resize(model.layers.size(), false);
    if (settings.fused_attention) layout_.attention = find_attention(model);
  }

  ReplicaLayout take() {
    for (const auto& run : layout_.attention) {
      for (std::size_t i = run.first; i <= run.last; ++i) in_run_[i] = true;
    }
    place_parameters();
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_saved(i);
    for (const auto& run : layout_.attention) place_run(run);
    place_output(LayerGraph::kModelInput, model_input_);
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_output(i, layout_.layers[i].output);
    place_gradients();
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      if (!in_run_[i]) place_operands(i);
    }
    layout_.counters = working(kTensorAlignment);
    return std::move(layout_);
  }

 private:
  TensorRef allot(Region region, std::int64_t bytes) {
    std::int64_t& end = layout_.region[static_cast<std::size_t>(region)];
    const TensorRef place{region, end};
    end += align_up(bytes);
    return place;
  }

  TensorRef working(std::int64_t bytes) {
    const TensorRef place = allot(Region::working, std::max(bytes, kTensorAlignment));
    layout_.working.push_back({place.offset, std::max(bytes, kTensorAlignment)});
    return place;
  }

  TensorRef keep(std::int64_t bytes, std::int64_t room = 0) {
    layout_.kept += align_up(bytes);
    return working(std::max(bytes, room));
  }

  void place_parameters() {
    const std::int64_t bytes = kFloat * layout_.parameters.elements;
    (void)allot(Region::weights, bytes);
    (void)allot(Region::gradients, bytes);
    (void)allot(Region::moments, moments(model_.optimiser) * updated_bytes());
    if (settings_.replicated) {
      // Buffers are broadcast from the memory that later holds the buckets.
      (void)allot(Region::buckets, std::max(bytes, buffer_bytes(model_)));
    }
    (void)allot(Region::temporary, temporary_bytes());
    if (settings_.mixed()) place_half_weights();
  }

  [[nodiscard]] std::int64_t temporary_bytes() const {
    // Even without one there is a flag that tells whether a gradient is not finite.
    if (!settings_.optimiser_temporary) return kTensorAlignment;
    if (model_.optimiser != workloads::Optimiser::lamb) return updated_bytes();
    const auto tensors = tensors_of_part(layout_.parameters, settings_.optimiser_parts);
    return align_up(updated_bytes()) + norm_bytes(tensors.size());
  }

  [[nodiscard]] std::int64_t updated_bytes() const {
    return kFloat * part_elements(layout_.parameters, settings_.optimiser_parts);
  }

  /// Placed as separate tensors, although laid out like the weights, because their lifetimes
  /// differ.
  void place_half_weights() {
    layout_.half_weights = allot(Region::working, kHalfFloat * layout_.parameters.elements);
    std::vector<TensorSpan> tensors = registered_tensors(layout_.parameters);
    std::sort(tensors.begin(), tensors.end(),
              [](const TensorSpan& a, const TensorSpan& b) { return a.first < b.first; });
    for (const TensorSpan& tensor : tensors) {
      layout_.working.push_back(
          {layout_.half_weights.offset + kHalfFloat * tensor.first, kHalfFloat * room_of(tensor)});
    }
  }

  [[nodiscard]] bool casts(std::size_t i) const { return layout_.widths[i].casts; }

  void place_saved(std::size_t i) {
    if (in_run_[i]) return;
    const auto& geometry = model_.layers[i].geometry;
    const LayerSizes& s = sizes_[i];
    LayerPlaces& places = layout_.layers[i];
    // Layers that share an input each cast it themselves. What follows the loss keeps its cast.
    const bool own_cast =
        casts(i) && (shares_input(model_, layout_.graph, i) || (i > 0 && is_loss(model_, i - 1)));
    if (geometry.saves_input || own_cast) saved_[i].input = keep(s.input, room_handed_to(i));
    if (s.second > 0) places.second = keep(s.second);
    const bool recurrent = geometry.op == Operator::gru;  // keeps only its reserve
    const bool pooled = geometry.op == Operator::max_pool;
    if ((geometry.saves_output && !recurrent) || pooled)
      saved_[i].output = keep(s.output, operands_.room(i));
    if (s.kept > 0) places.kept = keep(s.kept);
    if (s.indices > 0) places.kept = allot(Region::indices, s.indices);
  }

  /// Query, key, value, result and a number per row, in place of what the run's layers would keep.
  /// The projection after the run keeps the result: a transposition between them is a view.
  void place_run(const AttentionRun& run) {
    LayerPlaces& scores = layout_.layers[run.first];
    LayerPlaces& context = layout_.layers[run.last];
    scores.input = keep(sizes_[run.first].input);
    scores.second = keep(sizes_[run.first].second);
    context.second = keep(sizes_[run.last].second);
    layout_.statistics.push_back(keep(kFloat * settings_.batch * run.heads * run.rows));
    const std::int64_t result = sizes_[run.last].output;
    const LayerGraph& graph = layout_.graph;
    std::size_t reader = run.last;
    for (int after = 0; after < 2 && graph.readers(reader).size() == 1; ++after) {
      reader = graph.readers(reader).front();
      if (saved_[reader].input && sizes_[reader].input == result) {
        saved_[run.last].output = saved_[reader].input;
      }
    }
    if (!saved_[run.last].output) saved_[run.last].output = keep(result);
  }

  /// Whether the layer reads its first operand unchanged and as a whole. The operand may then be
  /// placed where the layer keeps its input.
  [[nodiscard]] bool takes_as_it_is(std::size_t i) const {
    const std::size_t from = operands_.first(i);
    const bool whole = from == LayerGraph::kModelInput || sizes_[i].arriving >= sizes_[from].output;
    return !in_run_[i] && !casts(i) && whole;
  }

  [[nodiscard]] std::int64_t room_handed_to(std::size_t i) const {
    return takes_as_it_is(i) ? operands_.room(operands_.first(i)) : 0;
  }

  /// A layer writes its output where it, or a layer that reads it, keeps that output. An in-place
  /// activation reads its input there, too, unless another layer also reads this input.
  void place_output(std::size_t i, TensorRef& place) {
    if (i != LayerGraph::kModelInput && saved_[i].output) {
      place = *saved_[i].output;
      return;
    }
    const LayerGraph::Layers& readers = layout_.graph.readers(i);
    for (const std::size_t reader : readers) {
      if (!takes_as_it_is(reader) || operands_.first(reader) != i || !saved_[reader].input)
        continue;
      place = *saved_[reader].input;
      return;
    }
    const std::int64_t room = operands_.room(i);
    if (readers.size() == 1 && works_in_place(readers.front()) &&
        sizes_[readers.front()].output >= room) {
      place = *saved_[readers.front()].output;
    } else if (!readers.empty() || i != LayerGraph::kModelInput) {
      place = working(room);
    }
  }

  [[nodiscard]] bool works_in_place(std::size_t i) const {
    const auto& geometry = model_.layers[i].geometry;
    return !in_run_[i] && saved_[i].output && geometry.op == Operator::activation &&
           geometry.function != Activation::gelu;
  }

  [[nodiscard]] TensorRef output_of(std::size_t layer) const {
    return layer == LayerGraph::kModelInput ? model_input_ : layout_.layers[layer].output;
  }

  /// One gradient between every two layers. If a layer has none for its input, it is the gradient
  /// of its output. The gradient of the last layer is read from what is kept, because a loss reads
  /// what it was given.
  void place_gradients() {
    const GradientSizes sizes(model_, layout_.widths, sizes_, layout_.attention);
    const std::size_t last = sizes_.size();
    std::int64_t room = sizes.needed(last);
    TensorRef gradient = loss_gradient(last - 1, room);
    for (std::size_t i = last; i-- > 0;) {
      layout_.layers[i].output_gradient = gradient;
      if (sizes.written_by(i) || sizes.needed(i) > room) {
        room = sizes.needed(i);
        gradient = working(room);
      }
      layout_.layers[i].input_gradient = gradient;
    }
  }

  [[nodiscard]] TensorRef loss_gradient(std::size_t last, std::int64_t room) {
    const std::size_t given = operands_.first(last);
    if (saved_[last].output && sizes_[last].output >= room) return *saved_[last].output;
    if (saved_[last].input && sizes_[last].input >= room) return *saved_[last].input;
    const bool whole = given != LayerGraph::kModelInput && sizes_[given].output >= room;
    return whole ? output_of(given) : working(room);
  }

  void place_operands(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    const LayerSizes& s = sizes_[i];
    places.input = input_of(i);
    places.arriving = casts(i) ? output_of(operands_.first(i)) : places.input;
    places.cast_gradient = casts(i) ? working(std::max(s.input, s.output)) : places.input_gradient;
    if (s.scratch > 0) places.spare = working(s.scratch);
    const std::int64_t gradient_scratch = s.gradient_scratch + shared_table(i);
    if (gradient_scratch > 0) places.gradient_spare = working(gradient_scratch);
    if (s.widest > s.output) places.wide = working(s.widest);
    if (several_operands(i)) place_others(i);
  }

  /// Bytes of an embedding table that a later layer shares. The two gradients of the table are
  /// summed.
  [[nodiscard]] std::int64_t shared_table(std::size_t i) const {
    const auto& g = model_.layers[i].geometry;
    return shares_weights(model_, i) ? align_up(kFloat * g.entries * g.out) : 0;
  }

  /// Operands of products without weights are copied so that their rows are contiguous.
  TensorRef input_of(std::size_t i) {
    if (casts(i) || !takes_as_it_is(i)) {
      if (saved_[i].input) return *saved_[i].input;
      if (casts(i)) return working(sizes_[i].input);
    }
    return output_of(operands_.first(i));
  }

  [[nodiscard]] bool several_operands(std::size_t i) const {
    const Operator op = model_.layers[i].geometry.op;
    return op == Operator::residual_add || op == Operator::elementwise || op == Operator::concat ||
           shares_input(model_, layout_.graph, i);
  }

  /// An operand that is not the output of a layer (e.g. a factor that only the operator knows) is a
  /// tensor that no kernel writes.
  void place_others(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    const std::int64_t most = operands_.second_bytes(i);
    const auto second = operands_.second(i);
    places.other = second ? output_of(*second) : working(most);
    const auto gradient = ReturnedGradients(model_, layout_, operands_, sizes_).beside(i);
    places.other_gradient = gradient ? *gradient : working(std::max(most, sizes_[i].arriving));
  }

  const Model& model_;
  PlanSettings settings_;
  ReplicaLayout layout_;
  std::vector<LayerSizes> sizes_;
  LayerOperands operands_;
  TensorRef model_input_;
  std::vector<Saved> saved_;
  std::vector<bool> in_run_;
};

}  // namespace

ReplicaLayout lay_out_replica(const Model& model, const PlanSettings& settings) {
  return Layout(model, settings).take();
}

}  // namespace mimus::kernels
