// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/replica_layout.hpp"

#include <algorithm>
#include <optional>

#include "kernels/launch/alignment.hpp"

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
    place_slots();
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_saved(i);
    for (const auto& run : layout_.attention) place_run(run);
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_output(i);
    for (std::size_t i = 0; i < sizes_.size(); ++i) place_operands(i);
    layout_.counters = allot(Region::activations, kTensorAlignment);
    return std::move(layout_);
  }

 private:
  TensorRef allot(Region region, std::int64_t bytes) {
    std::int64_t& end = layout_.region[static_cast<std::size_t>(region)];
    const TensorRef place{region, end};
    end += align_up(bytes);
    return place;
  }

  void place_parameters() {
    const std::int64_t bytes = kFloat * layout_.parameters.elements;
    (void)allot(Region::weights, bytes);
    (void)allot(Region::gradients, bytes);
    const int moments = model_.optimiser == workloads::Optimiser::adam ? 2 : 1;
    (void)allot(Region::moments, moments * updated_bytes());
    if (settings_.replicated) (void)allot(Region::buckets, bytes);
    if (settings_.mixed()) (void)allot(Region::scratch, bytes / 2);  // 16-bit weights
  }

  [[nodiscard]] std::int64_t updated_bytes() const {
    return kFloat * part_elements(layout_.parameters, settings_.optimiser_parts);
  }

  /// Two slots that alternate and one beside them. The optimiser's temporary takes their place.
  void place_slots() {
    std::int64_t alternating = kTensorAlignment;
    std::int64_t spare = kTensorAlignment;
    for (std::size_t i = 0; i < sizes_.size(); ++i) {
      const LayerSizes& s = sizes_[i];
      if (in_run_[i] && !ends_run(i)) continue;
      const Operator op = model_.layers[i].geometry.op;
      const bool branches = op == Operator::residual_add;
      const std::int64_t fused = in_run_[i] ? 3 * align_up(s.output) : 0;  // of query, key, value
      const std::int64_t operands = in_run_[i] ? fused : align_up(s.input) + s.second;
      const std::int64_t arriving = align_up(s.arriving) + s.second;
      const std::int64_t cast = casts(i) ? align_up(s.scratch) + operands : 0;
      alternating = std::max({alternating, operands, arriving, s.output, s.widest});
      spare = std::max({spare, fused, s.scratch + shared_table(i), cast, branches ? s.output : 0,
                        shares_input(model_.layers[i]) ? s.arriving : 0});
    }
    slots_ = {allot(Region::scratch, alternating), allot(Region::scratch, alternating),
              allot(Region::scratch, spare)};
    std::int64_t& scratch = layout_.region[static_cast<std::size_t>(Region::scratch)];
    if (settings_.optimiser_temporary) {
      scratch = std::max(scratch, updated_bytes());
    }
  }

  /// Bytes of an embedding's table that a later layer shares: its two gradients are added up.
  [[nodiscard]] std::int64_t shared_table(std::size_t i) const {
    const auto& g = model_.layers[i].geometry;
    return shares_weights(model_, i) ? align_up(kFloat * g.entries * g.out) : 0;
  }

  [[nodiscard]] bool ends_run(std::size_t i) const {
    return std::any_of(layout_.attention.begin(), layout_.attention.end(),
                       [i](const AttentionRun& run) { return run.last == i; });
  }

  [[nodiscard]] bool casts(std::size_t i) const { return layout_.widths[i].casts; }

  void place_saved(std::size_t i) {
    if (in_run_[i]) return;
    const auto& geometry = model_.layers[i].geometry;
    const LayerSizes& s = sizes_[i];
    // Layers that share an input cast it each for itself.
    if (geometry.saves_input || (casts(i) && shares_input(model_.layers[i]))) {
      saved_[i].input = allot(Region::activations, align_up(s.input) + s.second);
    }
    const bool recurrent = geometry.op == Operator::gru;  // its reserve is what it keeps
    const bool pooled = geometry.op == Operator::max_pool;
    if ((geometry.saves_output && !recurrent) || pooled) {
      saved_[i].output = allot(Region::activations, s.output);
    }
    if (s.kept > 0) layout_.layers[i].kept = allot(Region::activations, s.kept);
    if (s.indices > 0) layout_.layers[i].kept = allot(Region::indices, s.indices);
  }

  /// Query, key, value, result and a number per row, in place of what the run's layers would keep.
  /// The result is what the projection after the run keeps: a transposition between them is a view.
  void place_run(const AttentionRun& run) {
    LayerPlaces& scores = layout_.layers[run.first];
    LayerPlaces& context = layout_.layers[run.last];
    scores.input = allot(Region::activations, sizes_[run.first].input);
    scores.second = allot(Region::activations, sizes_[run.first].second);
    context.second = allot(Region::activations, sizes_[run.last].second);
    layout_.statistics.push_back(
        allot(Region::activations, kFloat * settings_.batch * run.heads * run.rows));
    const std::int64_t result = sizes_[run.last].output;
    for (std::size_t i = run.last + 1; i < std::min(run.last + 3, saved_.size()); ++i) {
      if (saved_[i].input && sizes_[i].input == result) saved_[run.last].output = saved_[i].input;
    }
    if (!saved_[run.last].output) {
      saved_[run.last].output = allot(Region::activations, result);
    }
  }

  /// A layer writes where it, or the layer after it, keeps its output; an activation that works in
  /// place takes its input where its output is kept.
  void place_output(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    places.output = slots_[i % 2];
    if (saved_[i].output) {
      places.output = *saved_[i].output;
      return;
    }
    if (i + 1 == saved_.size() || in_run_[i + 1]) return;
    const Saved& next = saved_[i + 1];
    const LayerSizes& room = sizes_[i + 1];
    const auto& geometry = model_.layers[i + 1].geometry;
    const bool in_place =
        geometry.op == Operator::activation && geometry.function != Activation::gelu;
    if (next.input && !casts(i + 1) && room.input >= sizes_[i].output) {
      places.output = *next.input;
    } else if (next.output && in_place && room.output >= sizes_[i].output) {
      places.output = *next.output;
    }
  }

  void place_operands(std::size_t i) {
    LayerPlaces& places = layout_.layers[i];
    places.output_gradient = slots_[i % 2];
    places.input_gradient = slots_[(i + 1) % 2];
    places.spare = slots_[2];
    places.cast_gradient = places.input_gradient;
    if (in_run_[i]) return;
    const LayerSizes& s = sizes_[i];
    const TensorRef behind_scratch{slots_[2].region, slots_[2].offset + align_up(s.scratch)};
    const bool product = model_.layers[i].gemm.rows > 0;
    if (saved_[i].input) {
      places.input = *saved_[i].input;
    } else if (casts(i)) {
      places.input = behind_scratch;
    } else if (const auto kept = nearest_kept(i, s.input, {}); product && kept) {
      places.input = *kept;  // the weight gradient needs it, so an earlier layer keeps it
    } else if (i > 0 && sizes_[i - 1].output >= s.input) {
      places.input = layout_.layers[i - 1].output;
    } else {
      places.input = slots_[(i + 1) % 2];
    }
    if (s.second > 0) {
      places.second = {places.input.region, places.input.offset + align_up(s.input)};
    } else {
      places.second = nearest_kept(i, s.input, places.input).value_or(slots_[2]);
    }
    places.arriving = places.input;
    if (!casts(i)) return;
    const bool handed_over = i > 0 && sizes_[i - 1].output >= s.arriving;
    places.arriving = handed_over ? layout_.layers[i - 1].output : slots_[(i + 1) % 2];
    places.cast_gradient = behind_scratch;
  }

  /// The latest tensor of exactly `bytes` that a layer before number `i` keeps, other than `but`.
  [[nodiscard]] std::optional<TensorRef> nearest_kept(std::size_t i, std::int64_t bytes,
                                                      const std::optional<TensorRef>& but) const {
    while (i-- > 0) {
      const Saved& saved = saved_[i];
      if (saved.output && sizes_[i].output == bytes && saved.output != but) return saved.output;
      if (saved.input && sizes_[i].input == bytes && saved.input != but) return saved.input;
    }
    return std::nullopt;
  }

  const Model& model_;
  PlanSettings settings_;
  ReplicaLayout layout_;
  std::vector<LayerSizes> sizes_;
  std::vector<Saved> saved_;
  std::vector<bool> in_run_;
  std::array<TensorRef, 3> slots_{};
};

}  // namespace

ReplicaLayout lay_out_replica(const Model& model, const PlanSettings& settings) {
  return Layout(model, settings).take();
}

}  // namespace mimus::kernels
