// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/replica_layout.hpp"

#include <algorithm>
#include <optional>

#include "kernels/launch/alignment.hpp"
#include "kernels/launch/launch_commands.hpp"
#include "kernels/layers/gradient_sizes.hpp"
#include "kernels/layers/kept_tensors.hpp"

namespace mimus::kernels {
namespace {

using workloads::Activation;
using workloads::Model;
using workloads::Operator;

/// What a layer keeps for the backward pass.
struct Saved {
  std::optional<TensorRef> input;
  std::optional<TensorRef> output;
};

class Layout {
 public:
  Layout(const Model& model, const PlanSettings& settings) : model_(model), settings_(settings) {
    layout_.parameters = lay_out_parameters(model);
    layout_.layers.resize(model.layers.size());
    saved_.resize(model.layers.size());
    in_run_.resize(model.layers.size(), false);
    layout_.widths = layer_widths(model, settings.arithmetic);
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
      sizes_.push_back(layer_sizes(model.layers[i], settings.batch, layout_.widths[i]));
    }
    if (settings.fused_attention) layout_.attention = find_attention(model);
  }

  ReplicaLayout take() {
    for (const auto& run : layout_.attention) {
      for (std::size_t i = run.first; i <= run.last; ++i) in_run_[i] = true;
    }
    place_parameters();
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_saved(i);
    for (const auto& run : layout_.attention) place_run(run);
    list_kept();
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_output(i);
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

  TensorRef keep(std::int64_t bytes) {
    layout_.kept += align_up(bytes);
    return working(bytes);
  }

  void place_parameters() {
    const std::int64_t bytes = kFloat * layout_.parameters.elements;
    (void)allot(Region::weights, bytes);
    (void)allot(Region::gradients, bytes);
    (void)allot(Region::moments, moments(model_.optimiser) * updated_bytes());
    if (settings_.replicated) {
      // Buffers are broadcast from where buckets will be.
      (void)allot(Region::buckets, std::max(bytes, buffer_bytes(model_)));
    }
    (void)allot(Region::temporary, temporary_bytes());
    if (settings_.mixed()) place_half_weights();
  }

  [[nodiscard]] std::int64_t temporary_bytes() const {
    // Without one there is still a flag: whether a gradient is not finite.
    if (!settings_.optimiser_temporary) return kTensorAlignment;
    if (model_.optimiser != workloads::Optimiser::lamb) return updated_bytes();
    const auto tensors = tensors_of_part(layout_.parameters, settings_.optimiser_parts);
    return align_up(updated_bytes()) + norm_bytes(tensors.size());
  }

  [[nodiscard]] std::int64_t updated_bytes() const {
    return kFloat * part_elements(layout_.parameters, settings_.optimiser_parts);
  }

  /// Tensors of their own, though laid out as the weights are: each lives for a time of its own.
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
    // Layers that share an input cast it each for itself; what follows the loss keeps its cast.
    const bool own_cast =
        casts(i) && (shares_input(model_.layers[i]) || (i > 0 && is_loss(model_, i - 1)));
    if (geometry.saves_input || own_cast) saved_[i].input = keep(s.input);
    if (s.second > 0) places.second = keep(s.second);
    const bool recurrent = geometry.op == Operator::gru;  // its reserve is what it keeps
    const bool pooled = geometry.op == Operator::max_pool;
    if ((geometry.saves_output && !recurrent) || pooled) saved_[i].output = keep(s.output);
    if (s.kept > 0) places.kept = keep(s.kept);
    if (s.indices > 0) places.kept = allot(Region::indices, s.indices);
  }

  /// Query, key, value, result and a number per row, in place of what the run's layers would keep.
  /// The result is what the projection after the run keeps: a transposition between them is a view.
  void place_run(const AttentionRun& run) {
    LayerPlaces& scores = layout_.layers[run.first];
    LayerPlaces& context = layout_.layers[run.last];
    scores.input = keep(sizes_[run.first].input);
    scores.second = keep(sizes_[run.first].second);
    context.second = keep(sizes_[run.last].second);
    layout_.statistics.push_back(keep(kFloat * settings_.batch * run.heads * run.rows));
    const std::int64_t result = sizes_[run.last].output;
    for (std::size_t i = run.last + 1; i < std::min(run.last + 3, saved_.size()); ++i) {
      if (saved_[i].input && sizes_[i].input == result) saved_[run.last].output = saved_[i].input;
    }
    if (!saved_[run.last].output) saved_[run.last].output = keep(result);
  }

  void list_kept() {
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const std::int64_t element = layout_.widths[i].own;
      if (saved_[i].input) kept_.add({i, *saved_[i].input, sizes_[i].input, element});
      if (saved_[i].output) kept_.add({i, *saved_[i].output, sizes_[i].output, element});
    }
  }

  /// A layer writes where it, or the layer after it, keeps its output; an activation that works in
  /// place takes its input where its output is kept.
  void place_output(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    if (saved_[i].output) {
      places.output = *saved_[i].output;
      return;
    }
    if (i + 1 < saved_.size() && !in_run_[i + 1]) {
      const Saved& next = saved_[i + 1];
      const LayerSizes& room = sizes_[i + 1];
      const auto& geometry = model_.layers[i + 1].geometry;
      const bool in_place =
          geometry.op == Operator::activation && geometry.function != Activation::gelu;
      if (next.input && !casts(i + 1) && room.input >= sizes_[i].output) {
        places.output = *next.input;
        return;
      }
      if (next.output && in_place && room.output >= sizes_[i].output) {
        places.output = *next.output;
        return;
      }
    }
    places.output = working(sizes_[i].output);
  }

  /// One between every two layers; where a layer has none for its input, it is that of its output.
  /// The last layer's is read from what is kept, as a loss reads what it was given.
  void place_gradients() {
    const GradientSizes sizes(model_, layout_.widths, sizes_, layout_.attention);
    const std::size_t last = sizes_.size();
    std::int64_t room = sizes.needed(last);
    TensorRef gradient = stand_in(last, room, layout_.widths.back().own, {});
    for (std::size_t i = last; i-- > 0;) {
      layout_.layers[i].output_gradient = gradient;
      if (sizes.written_by(i) || sizes.needed(i) > room) {
        room = sizes.needed(i);
        gradient = working(room);
      }
      layout_.layers[i].input_gradient = gradient;
    }
  }

  void place_operands(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    const LayerSizes& s = sizes_[i];
    places.input = input_of(i);
    places.arriving = casts(i) ? arriving_at(i) : places.input;
    places.cast_gradient = casts(i) ? working(std::max(s.input, s.output)) : places.input_gradient;
    if (s.scratch > 0) places.spare = working(s.scratch);
    const std::int64_t gradient_scratch = s.gradient_scratch + shared_table(i);
    if (gradient_scratch > 0) places.gradient_spare = working(gradient_scratch);
    if (s.widest > s.output) places.wide = working(s.widest);
    if (several_operands(i)) place_others(i);
  }

  /// Bytes of an embedding's table that a later layer shares: its two gradients are added up.
  [[nodiscard]] std::int64_t shared_table(std::size_t i) const {
    const auto& g = model_.layers[i].geometry;
    return shares_weights(model_, i) ? align_up(kFloat * g.entries * g.out) : 0;
  }

  TensorRef input_of(std::size_t i) {
    const LayerSizes& s = sizes_[i];
    if (saved_[i].input) return *saved_[i].input;
    if (casts(i)) return working(s.input);
    // The weight gradient needs it, so an earlier layer keeps it.
    const bool product = model_.layers[i].gemm.rows > 0;
    if (product) {
      if (const auto kept = kept_.of_size(i, s.input, {})) return *kept;
    }
    return handed_over(i, s.arriving, layout_.widths[i].arriving);
  }

  TensorRef arriving_at(std::size_t i) {
    const std::int64_t bytes = sizes_[i].arriving;
    const bool shared = shares_input(model_.layers[i]) && i > 0 && sizes_[i - 1].arriving == bytes;
    if (shared) return layout_.layers[i - 1].arriving;
    return handed_over(i, bytes, layout_.widths[i].arriving);
  }

  TensorRef handed_over(std::size_t i, std::int64_t bytes, std::int64_t element) {
    if (i > 0 && sizes_[i - 1].output >= bytes) return layout_.layers[i - 1].output;
    return stand_in(i, bytes, element, {});
  }

  [[nodiscard]] bool several_operands(std::size_t i) const {
    const Operator op = model_.layers[i].geometry.op;
    return op == Operator::residual_add || op == Operator::elementwise || op == Operator::concat ||
           shares_input(model_.layers[i]);
  }

  void place_others(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    const LayerSizes& s = sizes_[i];
    const LayerWidths& widths = layout_.widths[i];
    const auto branch = kept_.of_size(i, s.input, {places.input});
    const std::int64_t most = std::max({s.input, s.output, s.widest});
    const bool adds = model_.layers[i].geometry.op == Operator::residual_add;
    places.other = adds && branch ? *branch : stand_in(i, most, widths.own, {places.input});
    const bool shares = shares_input(model_.layers[i]);
    const auto gradient = adds ? branch_gradient(i) : std::nullopt;
    places.other_gradient =
        gradient ? *gradient
                 : stand_in(i, shares ? s.arriving : most, shares ? widths.arriving : widths.own,
                            {places.output_gradient, places.input_gradient});
  }

  /// What the addition after this one has handed to the branch that begins here.
  [[nodiscard]] std::optional<TensorRef> branch_gradient(std::size_t i) const {
    for (std::size_t j = i + 1; j < sizes_.size(); ++j) {
      const bool adds = model_.layers[j].geometry.op == Operator::residual_add;
      const TensorRef& gradient = layout_.layers[j].output_gradient;
      if (!adds || sizes_[j].output != sizes_[i].output) continue;
      const bool free = !(gradient == layout_.layers[i].output_gradient) &&
                        !(gradient == layout_.layers[i].input_gradient);
      if (free) return gradient;
    }
    return std::nullopt;
  }

  /// A tensor that is kept by then, or else one that nobody writes.
  TensorRef stand_in(std::size_t before, std::int64_t bytes, std::int64_t element,
                     KeptTensors::Others but) {
    const auto kept = kept_.at_least(before, bytes, element, but);
    return kept ? *kept : working(bytes);
  }

  const Model& model_;
  PlanSettings settings_;
  ReplicaLayout layout_;
  std::vector<LayerSizes> sizes_;
  std::vector<Saved> saved_;
  KeptTensors kept_;
  std::vector<bool> in_run_;
};

}  // namespace

ReplicaLayout lay_out_replica(const Model& model, const PlanSettings& settings) {
  return Layout(model, settings).take();
}

}  // namespace mimus::kernels
