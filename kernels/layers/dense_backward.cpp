// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/alignment.hpp"
#include "kernels/layers/dense_launches.hpp"
#include "kernels/layers/small_launches.hpp"

namespace mimus::kernels {
namespace {

using workloads::GemmShape;
using workloads::LayerGeometry;
using workloads::Operator;

/// Autocast widens each gradient in a separate kernel.
void append_gradient_cast(std::vector<Launch>& launches, const LayerStage& stage, std::size_t i) {
  if (!stage.casts_parameters()) return;
  const TensorSpan& tensor = stage.parameters.at(i);
  launches.push_back(
      cast(stage.product_gradient(i), kHalfFloat, stage.gradient(i), kFloat, tensor.elements));
}

void append_convolution(std::vector<Launch>& launches, const LayerStage& stage) {
  if (stage.geometry.input_gradient) {
    launches.push_back(convolution_pass(stage, Convolution::Pass::input_gradient));
    append_input_gradient(launches, stage);
  }
  launches.push_back(convolution_pass(stage, Convolution::Pass::weight_gradient));
  append_gradient_cast(launches, stage, 0);
}

/// gradient(out × in) = dyᵀ · x
Product weight_gradient(const LayerStage& stage, std::size_t tensor, std::int64_t out,
                        std::int64_t in, std::int64_t rows) {
  Product launch = product(stage, out, in, rows);
  launch.transpose_left = true;
  launch.out = stage.product_gradient(tensor);
  return launch;
}

/// Sums are in fp32. In mixed precision a kernel also casts the sum.
void append_bias_gradient(std::vector<Launch>& launches, const LayerStage& stage) {
  const std::size_t tensor = stage.parameters.size() - 1;
  Reduction sum;
  sum.function = Reduction::Function::column_sum;
  sum.rows = stage.batch * stage.geometry.rows;
  sum.columns = stage.geometry.out;
  sum.bytes = stage.bytes;
  sum.dy = stage.places.output_gradient;
  sum.out = stage.casts_parameters() ? stage.places.spare : stage.gradient(tensor);
  sum.scratch = behind(stage.places.spare, align_up(kFloat * stage.geometry.out));
  launches.push_back(sum);
  if (!stage.casts_parameters()) return;
  launches.push_back(cast(sum.out, kFloat, stage.gradient(tensor), kFloat, stage.geometry.out));
}

void append_linear(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  const std::int64_t rows = stage.batch * g.rows;
  Product input = product(stage, rows, g.in, g.out);
  input.left = stage.places.output_gradient;
  input.right = stage.weight(0);
  input.out = stage.places.cast_gradient;
  launches.push_back(input);
  append_input_gradient(launches, stage);
  Product weights = weight_gradient(stage, 0, g.out, g.in, rows);
  weights.left = stage.places.output_gradient;
  weights.right = stage.places.input;
  launches.push_back(weights);
  append_gradient_cast(launches, stage, 0);
  if (g.bias) append_bias_gradient(launches, stage);
}

/// Gradients of both operands, the second after the first.
void append_batched(std::vector<Launch>& launches, const LayerStage& stage) {
  const GemmShape& shape = stage.layer.gemm;
  const std::int64_t count = stage.batch * shape.count;
  const TensorRef& dy = stage.places.output_gradient;
  Product left = product(stage, shape.rows, shape.inner, shape.columns);
  left.count = count;
  left.transpose_right = !is_scores(shape);
  left.left = dy;
  left.right = stage.places.second;
  left.out = stage.places.cast_gradient;
  launches.push_back(left);

  const bool stored_by_rows = is_scores(shape);  // columns × inner
  Product right = stored_by_rows ? product(stage, shape.columns, shape.inner, shape.rows)
                                 : product(stage, shape.inner, shape.columns, shape.rows);
  right.count = count;
  right.transpose_left = true;
  right.left = stored_by_rows ? dy : stage.places.input;
  right.right = stored_by_rows ? stage.places.input : dy;
  const std::int64_t left_bytes = stage.widths.arriving * stage.input_elements;
  right.out = behind(stage.places.input_gradient, align_up(left_bytes));
  launches.push_back(right);
  append_input_gradient(launches, stage);
}

/// The gates and the gradient of the state, in reverse order of the steps.
void append_gru_steps(std::vector<Launch>& launches, const LayerStage& stage,
                      std::int64_t direction) {
  const LayerGeometry& g = stage.geometry;
  for (std::int64_t step = 0; step < g.steps; ++step) {
    GruStep at = gru_step(stage, direction, step);
    at.state.region = stage.places.output_gradient.region;
    at.state.offset += stage.places.output_gradient.offset - stage.places.output.offset;
    launches.push_back(GruCell{.gradient = true,
                               .batch = stage.batch,
                               .hidden = g.hidden,
                               .bytes = stage.bytes,
                               .gates = at.gates,
                               .state_gates = at.state_products,
                               .state = at.state,
                               .reserve = at.reserve});
    Product states = product(stage, stage.batch, g.hidden, 3 * g.hidden);
    states.left = at.gates;
    states.right = stage.weight(static_cast<std::size_t>(4 * direction) + 1);
    states.out = at.state;
    launches.push_back(states);
  }
}

/// The two biases of a direction have the same gradient.
void append_gru_bias_gradient(std::vector<Launch>& launches, const LayerStage& stage,
                              std::size_t bias) {
  Reduction sum;
  sum.function = Reduction::Function::column_sum_in_turn;
  sum.rows = stage.geometry.steps * stage.batch;
  sum.columns = 3 * stage.geometry.hidden;
  sum.bytes = stage.bytes;
  sum.dy = stage.places.spare;
  sum.out = stage.gradient(bias);
  launches.push_back(sum);
}

/// After the steps: the gradients of the input, the two weights and the biases, over all steps at
/// once.
void append_gru(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  const std::int64_t rows = g.steps * stage.batch;
  for (std::int64_t direction = 0; direction < g.directions; ++direction) {
    const auto first = static_cast<std::size_t>(4 * direction);
    append_gru_steps(launches, stage, direction);
    Product input = product(stage, rows, g.in, 3 * g.hidden);
    input.left = stage.places.spare;
    input.right = stage.weight(first);
    input.out = stage.places.cast_gradient;
    input.accumulate = direction > 0;
    launches.push_back(input);
    Product of_input = weight_gradient(stage, first, 3 * g.hidden, g.in, rows);
    of_input.left = stage.places.spare;
    of_input.right = stage.places.input;
    launches.push_back(of_input);
    Product of_state = weight_gradient(stage, first + 1, 3 * g.hidden, g.hidden, rows);
    of_state.left = stage.places.spare;
    of_state.right = gru_step(stage, direction, 0).state;
    launches.push_back(of_state);
    append_gru_bias_gradient(launches, stage, first + 2);
    for (std::size_t i = first; i < first + 4; ++i) append_gradient_cast(launches, stage, i);
  }
  append_input_gradient(launches, stage);
}

}  // namespace

void append_dense_backward(std::vector<Launch>& launches, const LayerStage& stage) {
  switch (stage.geometry.op) {
    case Operator::convolution:
      append_convolution(launches, stage);
      break;
    case Operator::linear:
      append_linear(launches, stage);
      break;
    case Operator::batched_matmul:
      append_batched(launches, stage);
      break;
    case Operator::gru:
      append_gru(launches, stage);
      break;
    default:
      break;
  }
}

}  // namespace mimus::kernels
