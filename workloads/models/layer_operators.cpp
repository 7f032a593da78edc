// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_operators.hpp"

#include <fmt/format.h>

namespace mimus::workloads {
namespace {

using K = LayerKeys;

constexpr Limits kDimension = between(1, 1e6);

Field<K> dimension(const char* name, std::int64_t K::*member, const char* summary) {
  return required_field(name, member, kDimension, summary);
}

/// A dimension that is 1 by default.
Field<K> dimension_or_one(const char* name, std::int64_t K::*member, const char* summary) {
  return field_or(name, member, 1, kDimension, summary);
}

Field<K> extent(const char* name, Extent K::*member, const char* summary) {
  return required_field(name, member, {}, summary);
}

Field<K> extent_or_one(const char* name, Extent K::*member, const char* summary) {
  return field(name, member, {}, summary);
}

Field<K> flag(const char* name, bool K::*member, bool fallback, const char* summary) {
  return field_or(name, member, fallback, {}, summary);
}

Field<K> saves(std::optional<Saves> fallback) {
  return field_or("saves", &K::saves, fallback,
                  {{"none", Saves::none},
                   {"input", Saves::input},
                   {"output", Saves::output},
                   {"both", Saves::both}},
                  "tensor that the backward pass keeps because of this layer");
}

std::vector<NamedLayer> read_inputs(YamlReader& reader) {
  std::vector<NamedLayer> inputs;
  for (const ConfigNode& item : reader.sequence("inputs")) {
    const auto path = fmt::format("{}[{}]", reader.child_path("inputs"), inputs.size());
    inputs.push_back({read_scalar<std::string>(item, path), item.where, path});
  }
  return inputs;
}

Field<K> inputs(const std::string& op) {
  const bool joins = op == "residual_add" || op == "concat";
  const ValueSpec spec{.form = ValueSpec::Form::list, .beyond = "names of earlier layers"};
  return {{"inputs", spec, joins ? "" : "the layer before",
           joins ? "layers that end the branches"
                 : "layers whose output it reads; [] the model's input"},
          [](YamlReader& reader, K& keys) {
            if (reader.has("inputs")) keys.inputs = read_inputs(reader);
          }};
}

void check_one_size(YamlReader& reader, const K& keys) {
  if (!keys.stated_elements) {
    (void)reader.node("channels");
    return;
  }
  for (const char* key : {"channels", "size"}) {
    if (reader.has(key))
      reader.fail(key, "cannot be combined with \"elements\": state the size once");
  }
}

/// Keys of layers that are bound by memory: `elements`, or `channels` and `size`.
Fields<K> tensor(const Fields<K>& more) {
  return all_of<K>(
      {{field("elements", &K::stated_elements, between(1, 1e12),
              "elements of the output, per sample"),
        optional_field("channels", &K::out, kDimension,
                       "channels of the output image, instead of elements"),
        extent_or_one("size", &K::size, "size of the output image").then(check_one_size)},
       more});
}

LayerOperator convolution() {
  return {"convolution",
          "convolution of an image",
          {dimension("in", &K::in, "input channels"), dimension("out", &K::out, "output channels"),
           extent("kernel", &K::kernel, "size of the filter"),
           extent_or_one("stride", &K::stride, "stride of the filter"),
           extent("size", &K::size, "size of the output image"),
           flag("bias", &K::bias, false, "adds a bias per channel"),
           flag("input_gradient", &K::input_gradient, true, "false for the first layer"),
           saves(Saves::none)},
          make_convolution};
}

LayerOperator linear() {
  return {"linear",
          "dense layer",
          {dimension("in", &K::in, "input features"), dimension("out", &K::out, "output features"),
           dimension_or_one("rows", &K::rows, "rows of a sample, e.g. its tokens"),
           flag("bias", &K::bias, true, "adds a bias per feature"),
           flag("tied", &K::tied, false,
                "shares the weights of an earlier embedding of out entries of in features"),
           saves(Saves::input)},
          make_linear};
}

LayerOperator batched_matmul() {
  return {"batched_matmul",
          "products without weights, e.g. of attention",
          {dimension("rows", &K::rows, "rows of the product"),
           dimension("columns", &K::columns, "columns of the product"),
           dimension("inner", &K::inner, "dimension that is summed over"),
           dimension("count", &K::count, "products per sample"), saves(Saves::input)},
          make_batched_matmul};
}

Field<K> half_reserve() {
  return Field<K>(
             optional_field("half_reserve", &K::half_reserve, kNotNegative, "the same in 16 bits"))
      .or_else("reserve")
      .then([](YamlReader& reader, K& keys) {
        if (!reader.has("half_reserve")) keys.half_reserve = keys.reserve;
      });
}

LayerOperator gru() {
  return {"gru",
          "gated recurrent unit",
          {dimension("in", &K::in, "input features"),
           dimension("hidden", &K::hidden, "features of the state"),
           dimension("steps", &K::steps, "time steps"),
           field("directions", &K::directions, between(1, 2), "2 for a bidirectional layer"),
           field_or("reserve", &K::reserve, 6.0, kNotNegative,
                    "state kept per step, in units of hidden"),
           half_reserve(), saves(Saves::both)},
          make_gru};
}

LayerOperator embedding() {
  return {
      "embedding",
      "table lookup",
      {required_field("entries", &K::entries, between(1, 1e9), "entries of the table"),
       dimension("features", &K::out, "features of an entry"),
       dimension_or_one("rows", &K::rows, "rows that are looked up per sample"),
       flag("broadcast", &K::broadcast, false, "looked up once for all samples, as positions are")},
      make_embedding};
}

LayerOperator elementwise() {
  return {
      "elementwise", "any other operation that is bound by memory",
      tensor({required_field("forward", &K::forward_crossings, kNotNegative,
                             "reads plus writes of the tensor"),
              required_field("backward", &K::backward_crossings, kNotNegative,
                             "reads plus writes of the tensor"),
              field("forward_kernels", &K::forward_kernels, between(0, 1e4), "kernel launches"),
              field("backward_kernels", &K::backward_kernels, between(0, 1e4), "kernel launches"),
              flag("strided", &K::strided, false, "copies that rearrange the tensor"),
              flag("masked", &K::masked, false,
                   "adds fp32 numbers before a softmax, which then takes fp32"),
              saves(Saves::none)}),
      make_elementwise};
}

std::vector<LayerOperator> normalisations() {
  return {{"batch_norm",
           "normalisation over the batch",
           {dimension("channels", &K::out, "channels of the image"),
            extent_or_one("size", &K::size, "size of the image"),
            flag("channels_first", &K::channels_first, false,
                 "whether channels come first in memory, PyTorch's default layout of images"),
            saves(Saves::input)},
           make_batch_norm},
          {"layer_norm",
           "normalisation over the features",
           {dimension("features", &K::out, "features of a row"),
            dimension_or_one("rows", &K::rows, "rows of a sample"), saves(Saves::input)},
           make_layer_norm}};
}

Field<K> function() {
  return required_field("function", &K::function,
                        {{"relu", Activation::relu},
                         {"leaky_relu", Activation::leaky_relu},
                         {"hardtanh", Activation::hardtanh},
                         {"sigmoid", Activation::sigmoid},
                         {"gelu", Activation::gelu}},
                        "which function");
}

/// Declared after the stride, because keys are read in order.
Field<K> window() {
  return Field<K>(optional_field("window", &K::kernel, {}, "size of the pooling window"))
      .or_else("the stride")
      .then([](YamlReader& reader, K& keys) {
        if (!reader.has("window")) keys.kernel = keys.stride;
      });
}

std::vector<LayerOperator> streaming() {
  return {
      {"activation", "pointwise function",
       tensor({function(),
               flag("in_place", &K::in_place, true, "overwrites the normalised tensor before it"),
               saves({}).or_else("by function")}),
       make_activation},
      {"residual_add", "sum of two branches", tensor({saves(Saves::none)}), make_residual_add},
      {"softmax", "softmax over the last dimension", tensor({saves(Saves::output)}), make_softmax},
      {"dropout", "dropout with a mask of one byte per element", tensor({}), make_dropout},
      {"max_pool", "max pooling, which keeps indices",
       tensor({extent("stride", &K::stride, "size of the input divided by that of the output"),
               window()}),
       make_max_pool},
      {"average_pool", "average pooling",
       tensor({extent("stride", &K::stride, "size of the input divided by that of the output"),
               saves(Saves::none)}),
       make_average_pool},
      {"upsample", "upsampling of an image",
       tensor({extent("factor", &K::stride, "size of the output divided by that of the input"),
               saves(Saves::none)}),
       make_upsample},
      {"concat", "concatenation of several tensors", tensor({saves(Saves::output)}), make_concat}};
}

}  // namespace

const std::vector<LayerOperator>& layer_operators() {
  static const std::vector<LayerOperator> all = [] {
    std::vector<LayerOperator> table{convolution(), linear(), batched_matmul(), gru(), embedding()};
    for (const auto& group : {normalisations(), streaming(), grid_operators()}) {
      table.insert(table.end(), group.begin(), group.end());
    }
    table.push_back(elementwise());
    for (LayerOperator& op : table) {
      if (op.name != "embedding") op.keys.push_back(inputs(op.name));
      op.keys.push_back(field("name", &K::name, {}, "name of the layer; default: its op"));
    }
    return table;
  }();
  return all;
}

const Fields<LayerGroup>& layer_group_fields() {
  static const Fields<LayerGroup> fields{
      required_field("repeat", &LayerGroup::repeat, between(1, 1000),
                     "how often the layers are repeated"),
      layers_field(&LayerGroup::layers)};
  return fields;
}

}  // namespace mimus::workloads
