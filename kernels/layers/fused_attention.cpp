// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/fused_attention.hpp"

#include "kernels/launch/alignment.hpp"
#include "kernels/layers/layer_stage.hpp"

namespace mimus::kernels {

Launch fused_attention(const ReplicaLayout& layout, const PlanSettings& settings, std::size_t run,
                       bool gradient) {
  const AttentionRun& shape = layout.attention[run];
  const LayerPlaces& scores = layout.layers[shape.first];
  const LayerPlaces& context = layout.layers[shape.last];
  FusedAttention launch;
  launch.batch = settings.batch;
  launch.heads = shape.heads;
  launch.rows = shape.rows;
  launch.features = shape.features;
  launch.gradient = gradient;
  launch.arithmetic = settings.arithmetic;
  launch.query = scores.input;
  launch.key = scores.second;
  launch.value = context.second;
  launch.out = context.output;
  launch.statistics = layout.statistics[run];
  if (!gradient) return launch;
  // The run's gradients are written, one after another, to where the previous layer reads them.
  const std::int64_t bytes = align_up(settings.batch * shape.heads * shape.rows * shape.features *
                                      element_bytes(settings.arithmetic));
  launch.out_gradient = context.output_gradient;
  launch.query_gradient = scores.input_gradient;
  launch.key_gradient = behind(launch.query_gradient, bytes);
  launch.value_gradient = behind(launch.query_gradient, 2 * bytes);
  return launch;
}

}  // namespace mimus::kernels
