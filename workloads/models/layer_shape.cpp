// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/layer_shape.hpp"

#include <optional>

#include <fmt/format.h>

#include "base/quantity_text.hpp"

namespace mimus::workloads {
namespace {

constexpr std::int64_t kLargestDimension = 1'000'000;
constexpr Limits kDimension{.min = 1.0, .max = 1e6};

std::optional<std::int64_t> parse_side(std::string_view text) {
  const auto side = parse_integer(text);
  return side && *side >= 1 && *side <= kLargestDimension ? side : std::nullopt;
}

}  // namespace

std::int64_t read_dimension(YamlReader& reader, std::string_view key) {
  return reader.get<std::int64_t>(key, kDimension);
}

std::int64_t read_dimension_or(YamlReader& reader, std::string_view key, std::int64_t fallback) {
  return reader.get_or<std::int64_t>(key, fallback, kDimension);
}

Extent read_extent(YamlReader& reader, std::string_view key) {
  const auto text = reader.get<std::string>(key);
  const std::size_t cross = text.find('x');
  const auto height = parse_side(std::string_view(text).substr(0, cross));
  const auto width =
      cross == std::string::npos ? height : parse_side(std::string_view(text).substr(cross + 1));
  if (!height || !width) {
    reader.fail(key, fmt::format("expected a side such as 7 or height x width such as 41x11, each "
                                 "from 1 to 1000000, got \"{}\"",
                                 text));
  }
  return {*height, *width};
}

Extent read_extent_or(YamlReader& reader, std::string_view key, Extent fallback) {
  return reader.has(key) ? read_extent(reader, key) : fallback;
}

void read_saved(YamlReader& reader, Layer& layer, const char* fallback, double input_bytes,
                double output_bytes) {
  const auto what = reader.choice_or("saves", {"none", "input", "output", "both"}, fallback);
  layer.geometry.saves_input = what == "input" || what == "both";
  layer.geometry.saves_output = what == "output" || what == "both";
  layer.saved_activations = Bytes{};
  if (layer.geometry.saves_input) layer.saved_activations += Bytes{input_bytes};
  if (layer.geometry.saves_output) layer.saved_activations += Bytes{output_bytes};
}

}  // namespace mimus::workloads
