// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_operators.hpp"

#include "workloads/models/layer_shape.hpp"

namespace mimus::workloads {
namespace {

using Parameters = std::vector<ParameterInfo>;

ParameterInfo dimension(const char* name, const char* summary, const char* fallback = "") {
  return {name, "integer", fallback, ">= 1 and <= 1000000", summary};
}

ParameterInfo extent(const char* name, const char* summary, const char* fallback = "") {
  return {name, "extent", fallback, "a side such as 7, or height x width such as 41x11", summary};
}

ParameterInfo flag(const char* name, const char* fallback, const char* summary) {
  return {name, "boolean", fallback, "true, false", summary};
}

ParameterInfo saves(const char* fallback) {
  return {"saves", "text", fallback, "none, input, output, both",
          "tensor that the backward pass keeps because of this layer"};
}

ParameterInfo inputs(const std::string& op) {
  const bool joins = op == "residual_add" || op == "concat";
  return {"inputs", "list of text", joins ? "" : "the layer before", "names of earlier layers",
          joins ? "layers that end the branches"
                : "layers whose output it reads; [] the model's input"};
}

/// Of layers that are bound by memory: `elements`, or `channels` and `size`.
Parameters tensor(const Parameters& more) {
  Parameters all{{"elements", "number", "-", ">= 1 and <= 1e12", "of the output, per sample"},
                 dimension("channels", "instead of elements: of the output image", "-"),
                 extent("size", "of the output image", "1")};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

LayerOperator convolution() {
  return {"convolution",
          "convolution of an image",
          {dimension("in", "input channels"), dimension("out", "output channels"),
           extent("kernel", "of the filter"), extent("stride", "of the filter", "1"),
           extent("size", "of the output image"), flag("bias", "false", "adds a bias per channel"),
           flag("input_gradient", "true", "false for the first layer"), saves("none")},
          read_convolution};
}

LayerOperator linear() {
  return {"linear",
          "dense layer",
          {dimension("in", "input features"), dimension("out", "output features"),
           dimension("rows", "of a sample, e.g. its tokens", "1"),
           flag("bias", "true", "adds a bias per feature"),
           flag("tied", "false",
                "shares the weights of an earlier embedding of out entries of in features"),
           saves("input")},
          read_linear};
}

LayerOperator batched_matmul() {
  return {"batched_matmul",
          "products without weights, e.g. of attention",
          {dimension("rows", "of the product"), dimension("columns", "of the product"),
           dimension("inner", "dimension that is summed over"),
           dimension("count", "products per sample"), saves("input")},
          read_batched_matmul};
}

LayerOperator gru() {
  return {"gru",
          "gated recurrent unit",
          {dimension("in", "input features"),
           dimension("hidden", "features of the state"),
           dimension("steps", "in time"),
           {"directions", "integer", "1", ">= 1 and <= 2", "2 for a bidirectional layer"},
           {"reserve", "number", "6", ">= 0", "state kept per step, in units of hidden"},
           {"half_reserve", "number", "reserve", ">= 0", "likewise, in 16 bits"},
           saves("both")},
          read_gru};
}

LayerOperator embedding() {
  return {"embedding",
          "table lookup",
          {{"entries", "integer", "", ">= 1 and <= 1e9", "of the table"},
           dimension("features", "of an entry"),
           dimension("rows", "looked up per sample", "1"),
           flag("broadcast", "false", "looked up once for all samples, as positions are")},
          read_embedding};
}

LayerOperator elementwise() {
  return {
      "elementwise", "anything else that crosses tensors",
      tensor({{"forward", "number", "", ">= 0", "tensor crossings, reads plus writes"},
              {"backward", "number", "", ">= 0", "tensor crossings, reads plus writes"},
              {"forward_kernels", "integer", "1", ">= 0 and <= 10000", "launches"},
              {"backward_kernels", "integer", "1", ">= 0 and <= 10000", "launches"},
              flag("strided", "false", "copies that rearrange the tensor"),
              flag("masked", "false", "adds fp32 numbers before a softmax, which so takes fp32"),
              saves("none")}),
      read_elementwise};
}

std::vector<LayerOperator> normalisations() {
  return {
      {"batch_norm",
       "normalisation over the batch",
       {dimension("channels", "of the image"), extent("size", "of the image", "1"),
        flag("channels_first", "false", "in memory; PyTorch's default layout of images"),
        saves("input")},
       read_batch_norm},
      {"layer_norm",
       "normalisation over the features",
       {dimension("features", "of a row"), dimension("rows", "of a sample", "1"), saves("input")},
       read_layer_norm}};
}

std::vector<LayerOperator> streaming() {
  return {{"activation", "pointwise function",
           tensor({{"function", "text", "", "relu, leaky_relu, hardtanh, sigmoid, gelu", "which"},
                   flag("in_place", "true", "overwrites the normalised tensor before it"),
                   {"saves", "text", "by function", "none, input, output, both",
                    "tensor that the backward pass keeps because of this layer"}}),
           read_activation},
          {"residual_add", "sum of two branches", tensor({saves("none")}), read_residual_add},
          {"softmax", "over the last dimension", tensor({saves("output")}), read_softmax},
          {"dropout", "with a mask of a byte per element", tensor({}), read_dropout},
          {"max_pool", "pooling that keeps indices",
           tensor({extent("stride", "input over output"),
                   extent("window", "places of the input that compete", "the stride")}),
           read_max_pool},
          {"average_pool", "pooling",
           tensor({extent("stride", "input over output"), saves("none")}), read_average_pool},
          {"upsample", "of an image",
           tensor({extent("factor", "output over input"), saves("none")}), read_upsample},
          {"concat", "of several tensors", tensor({saves("output")}), read_concat}};
}

}  // namespace

const std::vector<LayerOperator>& layer_operators() {
  static const std::vector<LayerOperator> all = [] {
    std::vector<LayerOperator> table{convolution(), linear(), batched_matmul(), gru(), embedding()};
    for (const auto& group : {normalisations(), streaming()}) {
      table.insert(table.end(), group.begin(), group.end());
    }
    table.push_back(elementwise());
    for (LayerOperator& op : table) {
      if (op.name != "embedding") op.parameters.push_back(inputs(op.name));
    }
    return table;
  }();
  return all;
}

}  // namespace mimus::workloads
