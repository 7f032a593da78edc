// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "base/config_tree.hpp"
#include "workloads/layer_reader.hpp"
#include "workloads/model.hpp"

namespace mimus::kernels::test {

/// Layers of gpt(), to be filled in.
inline constexpr const char* kGptLayers = R"(layers:
- {{op: embedding, name: words, entries: 51200, features: {h}, rows: 2048}}
- {{op: embedding, name: positions, entries: 2048, features: {h}, rows: 2048}}
- {{op: residual_add, elements: {sh}}}
- {{op: dropout, elements: {sh}}}
- repeat: {blocks}
  layers:
    - {{op: layer_norm, features: {h}, rows: 2048}}
    - {{op: linear, in: {h}, out: {h3}, rows: 2048}}
    - {{op: batched_matmul, count: {a}, rows: 2048, columns: 2048, inner: 64}}
    - {{op: softmax, elements: {ass}}}
    - {{op: dropout, elements: {ass}}}
    - {{op: batched_matmul, count: {a}, rows: 2048, columns: 64, inner: 2048}}
    - {{op: linear, in: {h}, out: {h}, rows: 2048}}
    - {{op: dropout, elements: {sh}}}
    - {{op: residual_add, elements: {sh}}}
    - {{op: layer_norm, features: {h}, rows: 2048}}
    - {{op: linear, in: {h}, out: {h4}, rows: 2048}}
    - {{op: activation, function: gelu, elements: {sh4}}}
    - {{op: linear, in: {h4}, out: {h}, rows: 2048}}
    - {{op: dropout, elements: {sh}}}
    - {{op: residual_add, elements: {sh}}}
- {{op: layer_norm, features: {h}, rows: 2048}}
- {{op: linear, in: {h}, out: 51200, rows: 2048, bias: false, tied: true}}
- {{op: softmax, elements: 104857600}}
)";

/// A GPT of `blocks` pre-norm blocks: s = 2048 tokens, heads of 64 features, 51,200 words, bf16.
inline workloads::Model gpt(int blocks, int hidden) {
  const int heads = hidden / 64;
  const std::string yaml = fmt::format(
      kGptLayers, fmt::arg("blocks", blocks), fmt::arg("h", hidden), fmt::arg("h3", 3 * hidden),
      fmt::arg("h4", 4 * hidden), fmt::arg("sh", 2048 * hidden), fmt::arg("sh4", 8192 * hidden),
      fmt::arg("a", heads), fmt::arg("ass", std::int64_t{2048} * 2048 * heads));
  const ConfigNode document = parse_yaml(yaml, "gpt.yaml");
  YamlReader reader(document, "");
  workloads::Model model;
  model.name = "gpt-test";
  model.optimiser = workloads::Optimiser::adam;
  model.precision = workloads::Precision::amp_bf16;
  model.layers = workloads::read_layers(reader.sequence("layers"), "layers");
  return model;
}

}  // namespace mimus::kernels::test
