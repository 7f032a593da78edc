// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/alignment.hpp"
#include "kernels/layers/layer_sizes.hpp"
#include "kernels/layers/small_launches.hpp"
#include "kernels/layers/streaming_launches.hpp"

namespace mimus::kernels {
namespace {

using workloads::Activation;
using workloads::LayerGeometry;
using workloads::Operator;
using Function = Elementwise::Function;

void append_gradient(std::vector<Launch>& launches, const LayerStage& stage,
                     Reduction::Function function, std::int64_t rows, std::int64_t columns,
                     const TensorRef& saved) {
  Reduction launch = reduction(stage, function, rows, columns);
  launch.x = saved;
  launch.dy = stage.places.output_gradient;
  launch.out = stage.places.cast_gradient;
  launches.push_back(launch);
}

void append_layer_norm(std::vector<Launch>& launches, const LayerStage& stage) {
  const std::int64_t rows = stage.batch * stage.geometry.rows;
  using enum Reduction::Function;
  append_gradient(launches, stage, layer_norm_gradient, rows, stage.geometry.out,
                  stage.places.input);
  append_gradient(launches, stage, parameter_gradient, rows, stage.geometry.out,
                  stage.places.input);
  // In the layout the shift precedes the scale.
  std::get<Reduction>(launches.back()).out = stage.gradient(1);
  append_input_gradient(launches, stage);
}

/// PyTorch first multiplies the output by its gradient, in a separate kernel. The softmax of the
/// loss takes one kernel.
void append_softmax(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  if (!stage.loss) {
    Elementwise product = map(stage, Function::multiply, at.output_gradient, at.output_gradient);
    product.reads = 2;
    product.in[1] = at.output;
    launches.push_back(product);
  }
  append_gradient(launches, stage, Reduction::Function::softmax_gradient,
                  stage.elements() / stage.row, stage.row, at.output);
  append_input_gradient(launches, stage);
}

/// Most activations need their output and not their input.
void append_activation(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  Elementwise launch =
      map(stage, Function::activation_gradient, at.output_gradient, at.input_gradient);
  launch.reads = 2;
  launch.in[1] = stage.geometry.function == Activation::gelu ? at.input : at.output;
  launches.push_back(launch);
}

void append_dropout(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  Elementwise launch =
      map(stage, Function::dropout_gradient, at.output_gradient, at.input_gradient);
  launch.mask = at.kept;
  launches.push_back(launch);
}

void append_pooling(std::vector<Launch>& launches, const LayerStage& stage) {
  const Operator op = stage.geometry.op;
  const auto function = op == Operator::max_pool       ? Pooling::Function::max_gradient
                        : op == Operator::average_pool ? Pooling::Function::average_gradient
                                                       : Pooling::Function::upsample_gradient;
  launches.push_back(
      pooling(stage, function, stage.places.output_gradient, stage.places.input_gradient));
}

/// The gradient of rows that were looked up once, summed over all samples.
void append_sum_over_samples(std::vector<Launch>& launches, const LayerStage& stage,
                             const TensorRef& sum) {
  Reduction launch =
      reduction(stage, Reduction::Function::column_sum, stage.batch, stage.geometry.elements);
  launch.bytes = kFloat;
  launch.dy = stage.places.output_gradient;
  launch.out = sum;
  launch.scratch = behind(sum, align_up(kFloat * stage.geometry.elements));
  launches.push_back(launch);
}

/// Sets the gradient to zero, then adds the rows. A table that a later layer shares already has a
/// gradient, and the two are added.
void append_scatter(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  const std::int64_t elements = g.entries * g.out;
  const TensorRef gradient = stage.gradient(0);
  const TensorRef target = stage.shares_weights ? stage.places.spare : gradient;
  // After the gradient that is to be added.
  const TensorRef free =
      behind(stage.places.spare, stage.shares_weights ? align_up(kFloat * elements) : 0);
  const std::int64_t rows = lookups(g, stage.batch);
  if (g.broadcast) append_sum_over_samples(launches, stage, free);
  Elementwise fill;
  fill.function = Function::fill;
  fill.elements = elements;
  fill.reads = 0;
  fill.bytes = kFloat;
  fill.out = target;
  launches.push_back(fill);
  launches.push_back(
      Embedding{.function = Embedding::Function::scatter_add,
                .rows = rows,
                .features = g.out,
                .entries = g.entries,
                .bytes = kFloat,
                .table = target,
                .values = g.broadcast ? free : stage.places.output_gradient,
                .places = stage.places.kept,
                .scratch = behind(free, g.broadcast ? align_up(kFloat * rows * g.out) : 0)});
  if (!stage.shares_weights) return;
  Elementwise sum = fill;
  sum.function = Function::add;
  sum.reads = 2;
  sum.in = {target, gradient};
  sum.out = gradient;
  launches.push_back(sum);
}

/// Sums the gradients of both branches of a residual addition.
void append_addition(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  Elementwise launch = map(stage, Function::add, at.output_gradient, at.input_gradient);
  launch.reads = 2;
  launch.in[1] = at.other;
  launches.push_back(launch);
  if (stage.widths.own == stage.widths.arriving) return;
  launches.push_back(cast(at.output_gradient, stage.widths.own, at.input_gradient,
                          stage.widths.arriving, stage.elements()));
}

void append_reduction(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  using enum Reduction::Function;
  if (g.op == Operator::batch_norm) {
    const std::int64_t rows = stage.batch * g.size.height * g.size.width;
    if (!g.channels_first) {
      append_gradient(launches, stage, batch_gradient_sums, rows, g.out, stage.places.input);
    }
    append_gradient(launches, stage, batch_norm_gradient, rows, g.out, stage.places.input);
  } else if (g.op == Operator::layer_norm) {
    append_layer_norm(launches, stage);
  } else {
    append_softmax(launches, stage);
  }
}

}  // namespace

void append_streaming_backward(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  switch (stage.geometry.op) {
    case Operator::batch_norm:
    case Operator::layer_norm:
    case Operator::softmax:
      return append_reduction(launches, stage);
    case Operator::max_pool:
    case Operator::average_pool:
    case Operator::upsample:
      return append_pooling(launches, stage);
    case Operator::embedding:
      return append_scatter(launches, stage);
    case Operator::activation:
      return append_activation(launches, stage);
    case Operator::dropout:
      return append_dropout(launches, stage);
    case Operator::residual_add:
      return append_addition(launches, stage);
    case Operator::concat:  // each of the two tensors gets a part of the gradient
      return append_crossings(launches, stage, 2.0, stage.layer.backward_kernels,
                              at.output_gradient, at.input_gradient);
    default:
      append_crossings(launches, stage, stage.geometry.backward_crossings,
                       stage.layer.backward_kernels, at.output_gradient, at.cast_gradient);
      return append_input_gradient(launches, stage);
  }
}

}  // namespace mimus::kernels
