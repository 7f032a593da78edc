// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/layers/attention_runs.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::kernels {
namespace {

using workloads::Layer;
using workloads::Model;
using workloads::Operator;

/// Whether the layer is a kernel that is fused with the products around it.
bool streams(const Layer& layer, std::int64_t scores) {
  const Operator op = layer.geometry.op;
  return layer.geometry.elements == scores &&
         (op == Operator::elementwise || op == Operator::softmax || op == Operator::dropout);
}

std::optional<AttentionRun> run_from(const Model& model, std::size_t first) {
  const auto& scores = model.layers[first].gemm;
  if (model.layers[first].geometry.op != Operator::batched_matmul) return std::nullopt;
  if (scores.rows != scores.columns) return std::nullopt;
  bool softmax = false;
  std::size_t last = first + 1;
  const std::int64_t elements = model.layers[first].geometry.elements;
  for (; last < model.layers.size() && streams(model.layers[last], elements); ++last) {
    softmax = softmax || model.layers[last].geometry.op == Operator::softmax;
  }
  if (!softmax || last == model.layers.size()) return std::nullopt;
  const Layer& context = model.layers[last];
  const bool closes = context.geometry.op == Operator::batched_matmul &&
                      context.gemm.count == scores.count && context.gemm.rows == scores.rows &&
                      context.gemm.inner == scores.rows && context.gemm.columns == scores.inner;
  if (!closes) return std::nullopt;
  return AttentionRun{first, last, scores.count, scores.rows, scores.inner};
}

}  // namespace

std::vector<AttentionRun> find_attention(const Model& model) {
  std::vector<AttentionRun> runs;
  for (std::size_t i = 0; i < model.layers.size(); ++i) {
    if (const auto run = run_from(model, i)) {
      runs.push_back(*run);
      i = run->last;
    }
  }
  return runs;
}

void check_fused_attention(const Model& model) {
  for (const AttentionRun& run : find_attention(model)) {
    if (run.features == 64 || run.features == 128) continue;
    throw UsageError(fmt::format(
        "model \"{}\", layer {}: fused attention of heads of {} features; 64 and 128 are possible: "
        "set engine.cuda.attention: eager",
        model.name, model.layers[run.first].name, run.features));
  }
}

}  // namespace mimus::kernels
