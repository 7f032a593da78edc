// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <fmt/format.h>

#include "base/config_tree.hpp"
#include "workloads/models/layer_reader.hpp"
#include "workloads/models/model.hpp"

namespace mimus::kernels::test {

/// Layers of gpt(), to be filled in.
inline constexpr const char* kGptLayers = R"(layers:
- {{op: embedding, name: words, entries: {v}, features: {h}, rows: {s}}}
- {{op: embedding, name: positions, entries: {s}, features: {h}, rows: {s}}}
- {{op: residual_add, inputs: [positions, words], elements: {sh}}}
- {{op: dropout, name: hidden, elements: {sh}}}
- repeat: {blocks}
  layers:
    - {{op: layer_norm, features: {h}, rows: {s}}}
    - {{op: linear, in: {h}, out: {h3}, rows: {s}}}
    - {{op: batched_matmul, count: {a}, rows: {s}, columns: {s}, inner: 64}}
    - {{op: softmax, elements: {ass}}}
    - {{op: dropout, elements: {ass}}}
    - {{op: batched_matmul, count: {a}, rows: {s}, columns: 64, inner: {s}}}
    - {{op: linear, in: {h}, out: {h}, rows: {s}}}
    - {{op: dropout, elements: {sh}}}
    - {{op: residual_add, name: hidden, inputs: [dropout, hidden], elements: {sh}}}
    - {{op: layer_norm, features: {h}, rows: {s}}}
    - {{op: linear, in: {h}, out: {h4}, rows: {s}}}
    - {{op: activation, function: gelu, elements: {sh4}}}
    - {{op: linear, in: {h4}, out: {h}, rows: {s}}}
    - {{op: dropout, elements: {sh}}}
    - {{op: residual_add, name: hidden, inputs: [dropout, hidden], elements: {sh}}}
- {{op: layer_norm, features: {h}, rows: {s}}}
- {{op: linear, in: {h}, out: {v}, rows: {s}, bias: false, tied: true}}
- {{op: softmax, elements: {sv}}}
)";

/// A GPT of `blocks` pre-norm blocks with heads of 64 features, in bf16.
inline workloads::Model gpt(int blocks, std::int64_t hidden, std::int64_t tokens = 2048,
                            std::int64_t words = 51'200) {
  const std::int64_t heads = hidden / 64;
  const std::string yaml =
      fmt::format(kGptLayers, fmt::arg("blocks", blocks), fmt::arg("h", hidden),
                  fmt::arg("h3", 3 * hidden), fmt::arg("h4", 4 * hidden), fmt::arg("s", tokens),
                  fmt::arg("v", words), fmt::arg("sv", tokens * words),
                  fmt::arg("sh", tokens * hidden), fmt::arg("sh4", 4 * tokens * hidden),
                  fmt::arg("a", heads), fmt::arg("ass", tokens * tokens * heads));
  const ConfigNode document = parse_yaml(yaml, "gpt.yaml");
  YamlReader reader(document, "");
  workloads::Model model;
  model.name = "gpt-test";
  model.optimiser = workloads::Optimiser::adam;
  model.precision = workloads::Precision::bf16;
  model.layers = workloads::read_layers(reader.sequence("layers"), "layers");
  return model;
}

}  // namespace mimus::kernels::test
