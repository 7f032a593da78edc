// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <fmt/format.h>
#include <rapidcheck.h>

#include "tests/unit/kernels/launch_support.hpp"

namespace mimus::kernels::test {

inline int any(int least, int most) {
  return *rc::gen::inRange(least, most + 1);
}

inline std::string any_product(const std::string& saves) {
  switch (any(0, 3)) {
    case 0:
      return fmt::format(
          "op: convolution, in: {}, out: {}, kernel: 3, stride: {}, size: {}, bias: {}", any(1, 20),
          any(1, 20), any(1, 2), any(1, 9), any(0, 1) == 1);
    case 1:
      return fmt::format("op: linear, in: {}, out: {}, rows: {}, saves: {}", any(1, 40), any(1, 40),
                         any(1, 9), saves);
    case 2:
      return fmt::format("op: batched_matmul, rows: {}, columns: {}, inner: {}, count: {}",
                         any(1, 20), any(1, 20), any(1, 20), any(1, 4));
    default:
      return fmt::format("op: gru, in: {}, hidden: {}, steps: {}, directions: {}, reserve: {}",
                         any(1, 20), any(1, 20), any(1, 5), any(1, 2), any(0, 9));
  }
}

inline std::string any_image(const std::string& saves) {
  const std::string image = fmt::format("channels: {}, size: {}", any(1, 20), 2 * any(1, 5));
  switch (any(0, 3)) {
    case 0:
      return fmt::format("op: batch_norm, {}, saves: {}", image, saves);
    case 1:
      return fmt::format("op: max_pool, {}, stride: {}", image, any(1, 3));
    case 2:
      return fmt::format("op: average_pool, {}, stride: {}", image, any(1, 3));
    default:
      return fmt::format("op: upsample, {}, factor: 2", image);
  }
}

/// A layer, and one that joins what it gives with the same once more.
inline std::string joined(int elements, const char* op, int together, const std::string& saves) {
  return fmt::format(
      "op: softmax, name: part, elements: {}}}\n- {{op: {}, elements: {}, saves: {}, inputs: "
      "[part, "
      "part]",
      elements, op, together, saves);
}

inline std::string any_stream(const std::string& saves) {
  const int elements = any(1, 900);
  const auto op = *rc::gen::elementOf(std::vector<std::string>{
      "softmax", "activation, function: relu", "activation, function: gelu"});
  switch (any(0, 4)) {
    case 0:
      return joined(elements, "residual_add", elements, saves);
    case 1:
      return joined(elements, "concat", 2 * elements, saves);
    case 2:
      return fmt::format("op: {}, elements: {}, saves: {}", op, elements, saves);
    case 3:
      return fmt::format("op: dropout, elements: {}", elements);
    default:
      return fmt::format(
          "op: elementwise, elements: {}, forward: {}, backward: {}, forward_kernels: {}, "
          "backward_kernels: {}, strided: {}, saves: {}",
          elements, any(0, 99), any(0, 99), any(0, 9), any(0, 9), any(0, 1) == 1, saves);
  }
}

/// A line of a model file, or two, with a layer that need not fit the one before it.
inline std::string any_layer() {
  const auto saves =
      *rc::gen::elementOf(std::vector<std::string>{"none", "input", "output", "both"});
  switch (any(0, 4)) {
    case 0:
      return any_product(saves);
    case 1:
      return any_image(saves);
    case 2:
      return fmt::format("op: embedding, entries: {}, features: {}, rows: {}", any(1, 50),
                         any(1, 20), any(1, 9));
    case 3:
      return fmt::format("op: layer_norm, features: {}, rows: {}", any(1, 40), any(1, 9));
    default:
      return any_stream(saves);
  }
}

/// Layers that compute with several tensors read any two before them, others sometimes one that is
/// not the last.
inline void read_others(workloads::Layer& layer) {
  const auto back = [] { return static_cast<std::size_t>(any(1, 5)); };
  using workloads::Operator;
  const Operator op = layer.geometry.op;
  if (op == Operator::residual_add || op == Operator::concat || op == Operator::elementwise) {
    layer.inputs = {back(), back()};
  } else if (any(0, 2) == 0) {
    layer.inputs = {back()};
  }
}

inline workloads::Model any_model() {
  std::string yaml;
  const int layers = any(1, 12);
  for (int i = 0; i < layers; ++i) yaml += "- {" + any_layer() + "}\n";
  workloads::Model model = model_of(yaml);
  for (workloads::Layer& layer : model.layers) read_others(layer);
  model.optimiser =
      *rc::gen::element(workloads::Optimiser::adam, workloads::Optimiser::sgd_momentum);
  model.bucket_rule = {Bytes{100.0 * any(1, 9)}, Bytes{1000.0 * any(1, 9)}};
  model.buffer_bytes = Bytes{4.0 * any(0, 9'999)};
  return model;
}

}  // namespace mimus::kernels::test
