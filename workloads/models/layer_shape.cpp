// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_shape.hpp"

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus {
namespace {

constexpr std::int64_t kLargestSide = 1'000'000;

std::optional<std::int64_t> parse_side(std::string_view text) {
  const auto side = parse_integer(text);
  return side && *side >= 1 && *side <= kLargestSide ? side : std::nullopt;
}

}  // namespace

workloads::Extent Domain<workloads::Extent>::read(const ConfigNode& node,
                                                  const std::string& path) const {
  const auto text = read_scalar<std::string>(node, path);
  const std::size_t cross = text.find('x');
  const auto height = parse_side(std::string_view(text).substr(0, cross));
  const auto width =
      cross == std::string::npos ? height : parse_side(std::string_view(text).substr(cross + 1));
  if (height && width) return {*height, *width};
  throw ConfigError(node.where, path,
                    fmt::format("expected a side such as 7 or height x width such as 41x11, each "
                                "from 1 to 1000000, got \"{}\"",
                                text));
}

std::string Domain<workloads::Extent>::text(const workloads::Extent& extent) const {
  if (extent.height == extent.width) return fmt::format("{}", extent.height);
  return fmt::format("{}x{}", extent.height, extent.width);
}

}  // namespace mimus

namespace mimus::workloads {

void keep_for_backward(Layer& layer, Saves saves, double input_bytes, double output_bytes) {
  layer.geometry.saves_input = saves == Saves::input || saves == Saves::both;
  layer.geometry.saves_output = saves == Saves::output || saves == Saves::both;
  layer.saved_activations = Bytes{};
  if (layer.geometry.saves_input) layer.saved_activations += Bytes{input_bytes};
  if (layer.geometry.saves_output) layer.saved_activations += Bytes{output_bytes};
}

}  // namespace mimus::workloads
