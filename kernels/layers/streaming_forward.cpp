// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "kernels/layers/layer_sizes.hpp"
#include "kernels/layers/small_launches.hpp"
#include "kernels/layers/streaming_launches.hpp"

namespace mimus::kernels {
namespace {

using workloads::Activation;
using workloads::LayerGeometry;
using workloads::Operator;
using Function = Elementwise::Function;

Function function_of(Activation activation) {
  switch (activation) {
    case Activation::relu:
      return Function::relu;
    case Activation::leaky_relu:
      return Function::leaky_relu;
    case Activation::hardtanh:
      return Function::hardtanh;
    case Activation::sigmoid:
      return Function::sigmoid;
    case Activation::gelu:
      return Function::gelu;
  }
  return Function::relu;
}

std::int64_t area(const LayerStage& stage) {
  return stage.batch * stage.geometry.size.height * stage.geometry.size.width;
}

void append_reduction(std::vector<Launch>& launches, const LayerStage& stage,
                      Reduction::Function function, std::int64_t rows, std::int64_t columns) {
  Reduction launch = reduction(stage, function, rows, columns);
  launch.x = stage.places.input;
  launch.out = stage.places.output;
  launches.push_back(launch);
}

void append_normalisation(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerGeometry& g = stage.geometry;
  using enum Reduction::Function;
  if (g.op == Operator::batch_norm) {
    launches.push_back(count_launch(stage.counters));  // the number of batches
    append_reduction(launches, stage, batch_statistics, area(stage), g.out);
    // Updates the running statistics. cuDNN's norms, which PyTorch uses in fp32, do it themselves.
    if (stage.bytes < kFloat) {
      const TensorRef& statistics = stage.places.kept;
      launches.push_back(cast(statistics, kFloat, statistics, kFloat, 2 * g.out));
    }
    append_reduction(launches, stage, batch_norm, area(stage), g.out);
  } else if (g.op == Operator::layer_norm) {
    append_reduction(launches, stage, layer_norm, stage.batch * g.rows, g.out);
  } else {
    append_reduction(launches, stage, softmax, stage.elements() / stage.row, stage.row);
  }
}

void append_map(std::vector<Launch>& launches, const LayerStage& stage) {
  const LayerPlaces& at = stage.places;
  const Operator op = stage.geometry.op;
  const Function function = op == Operator::activation     ? function_of(stage.geometry.function)
                            : op == Operator::residual_add ? Function::add
                            : op == Operator::dropout      ? Function::dropout
                                                           : Function::copy;
  Elementwise launch = map(stage, function, at.input, at.output);
  if (op == Operator::dropout) launch.mask = at.kept;
  if (op == Operator::residual_add) {
    launch.first_bytes = stage.widths.arriving;
    launch.reads = 2;
    launch.in[1] = at.other;
  }
  launches.push_back(launch);
}

void append_elementwise(std::vector<Launch>& launches, const LayerStage& stage) {
  const int all = stage.layer.forward_kernels;
  const int own = stage.hands_on_mask ? std::max(all - 1, 0) : all;
  const double crossings = stage.geometry.forward_crossings * own / std::max(all, 1);
  append_crossings(launches, stage, crossings, own, stage.places.input, stage.places.output);
}

void append_pooling(std::vector<Launch>& launches, const LayerStage& stage) {
  const Operator op = stage.geometry.op;
  const auto function = op == Operator::max_pool       ? Pooling::Function::max
                        : op == Operator::average_pool ? Pooling::Function::average
                                                       : Pooling::Function::upsample;
  launches.push_back(pooling(stage, function, stage.places.input, stage.places.output));
}

void append_gather(std::vector<Launch>& launches, const LayerStage& stage) {
  launches.push_back(Embedding{.function = Embedding::Function::gather,
                               .rows = lookups(stage.geometry, stage.batch),
                               .features = stage.geometry.out,
                               .entries = stage.geometry.entries,
                               .bytes = 4,
                               .table = stage.weight(0),
                               .values = stage.places.output,
                               .places = stage.places.kept});
}

}  // namespace

void append_streaming_forward(std::vector<Launch>& launches, const LayerStage& stage) {
  switch (stage.geometry.op) {
    case Operator::batch_norm:
    case Operator::layer_norm:
    case Operator::softmax:
      return append_normalisation(launches, stage);
    case Operator::max_pool:
    case Operator::average_pool:
    case Operator::upsample:
      return append_pooling(launches, stage);
    case Operator::embedding:
      return append_gather(launches, stage);
    case Operator::elementwise:
      return append_elementwise(launches, stage);
    default:
      return append_map(launches, stage);
  }
}

}  // namespace mimus::kernels
