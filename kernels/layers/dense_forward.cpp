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

/// Autocast makes a 16-bit copy of each parameter in a separate kernel.
void append_casts(std::vector<Launch>& launches, const LayerStage& stage) {
  for (std::size_t i = 0; i < stage.parameters.size(); ++i) {
    const TensorSpan& tensor = stage.parameters[i];
    launches.push_back(cast({Region::weights, kFloat * tensor.first}, kFloat, stage.weight(i),
                            kHalfFloat, tensor.elements));
  }
}

void append_linear(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  Product launch = product(stage, stage.batch * g.rows, g.out, g.in);
  launch.transpose_right = true;  // weights are stored out × in
  launch.bias = g.bias;
  launch.left = stage.places.input;
  launch.right = stage.weight(0);
  launch.out = stage.places.output;
  launches.push_back(launch);
}

void append_batched(std::vector<Launch>& launches, const LayerStage& stage) {
  const GemmShape& shape = stage.layer.gemm;
  Product launch = product(stage, shape.rows, shape.columns, shape.inner);
  launch.count = stage.batch * shape.count;
  launch.transpose_right = is_scores(shape);
  launch.left = stage.places.input;
  launch.right = stage.places.second;
  launch.out = stage.places.output;
  launches.push_back(launch);
}

/// Per direction: the products of all inputs at once, then for each step a product of the state and
/// the gates.
void append_gru(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  for (std::int64_t direction = 0; direction < g.directions; ++direction) {
    const auto first = static_cast<std::size_t>(4 * direction);
    Product inputs = product(stage, g.steps * stage.batch, 3 * g.hidden, g.in);
    inputs.transpose_right = true;
    inputs.left = stage.places.input;
    inputs.right = stage.weight(first);
    inputs.out = stage.places.spare;
    launches.push_back(inputs);
    for (std::int64_t step = g.steps; step-- > 0;) {
      const GruStep at = gru_step(stage, direction, step);
      Product states = product(stage, stage.batch, 3 * g.hidden, g.hidden);
      states.transpose_right = true;
      states.left = at.state;
      states.right = stage.weight(first + 1);
      states.out = at.state_products;
      launches.push_back(states);
      launches.push_back(GruCell{.gradient = false,
                                 .batch = stage.batch,
                                 .hidden = g.hidden,
                                 .bytes = stage.bytes,
                                 .gates = at.gates,
                                 .state_gates = at.state_products,
                                 .state = at.state,
                                 .reserve = at.reserve});
    }
  }
}

}  // namespace

Convolution convolution_pass(const LayerStage& stage, Convolution::Pass pass) {
  const LayerGeometry& g = stage.geometry;
  const bool forward = pass == Convolution::Pass::forward;
  const bool weights = pass == Convolution::Pass::weight_gradient;
  Convolution launch;
  launch.pass = pass;
  launch.batch = stage.batch;
  launch.in = g.in;
  launch.out = g.out;
  launch.kernel_height = g.kernel.height;
  launch.kernel_width = g.kernel.width;
  launch.stride_height = g.stride.height;
  launch.stride_width = g.stride.width;
  launch.height = g.size.height;
  launch.width = g.size.width;
  launch.arithmetic = stage.arithmetic;
  const bool input_gradient = pass == Convolution::Pass::input_gradient;
  launch.input = input_gradient ? stage.places.cast_gradient : stage.places.input;
  launch.filter = weights ? stage.product_gradient(0) : stage.weight(0);
  launch.output = forward ? stage.places.output : stage.places.output_gradient;
  return launch;
}

Product product(const LayerStage& stage, std::int64_t rows, std::int64_t columns,
                std::int64_t inner) {
  Product launch;
  launch.rows = rows;
  launch.columns = columns;
  launch.inner = inner;
  launch.arithmetic = stage.arithmetic;
  return launch;
}

GruStep gru_step(const LayerStage& stage, std::int64_t direction, std::int64_t step) {
  const LayerGeometry& g = stage.geometry;
  const std::int64_t gates = gate_stride(g, stage.batch, stage.bytes);
  const std::int64_t reserve = reserve_stride(g, stage.batch, stage.bytes);
  // A state is smaller than a slice of gates. Output rows hold all steps and directions.
  const std::int64_t state = align_down(stage.batch * g.hidden * stage.bytes);
  GruStep at;
  at.gates = behind(stage.places.spare, step * gates);
  at.state_products = behind(at.gates, gates);
  at.state = behind(stage.places.output, (direction * g.steps + step) * state);
  at.reserve = behind(stage.places.kept, (direction * g.steps + step) * reserve);
  return at;
}

void append_dense_forward(std::vector<Launch>& launches, const LayerStage& stage) {
  if (stage.casts_parameters()) append_casts(launches, stage);
  switch (stage.geometry.op) {
    case Operator::convolution:
      launches.push_back(convolution_pass(stage, Convolution::Pass::forward));
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
