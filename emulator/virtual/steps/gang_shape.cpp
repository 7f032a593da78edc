// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/virtual/steps/gang_shape.hpp"

#include <charconv>
#include <numeric>

namespace mimus::emulator {
namespace {

/// Removes a positive number and the character after it from the front of `text`. Returns 0 if
/// there is none.
int take_number(std::string_view& text, char after) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number <= 0) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  if (text.empty()) return number;
  if (text.front() != after || text.size() == 1) return 0;
  text.remove_prefix(1);
  return number;
}

}  // namespace

int GangShape::replicas() const {
  return std::accumulate(per_node.begin(), per_node.end(), 0);
}

std::optional<GangShape> parse_shape(std::string_view text) {
  constexpr std::string_view kRacks = "racks:";
  GangShape shape;
  if (text.starts_with(kRacks)) {
    text.remove_prefix(kRacks.size());
    shape.racks = take_number(text, '/');
    if (shape.racks == 0 || text.empty()) return std::nullopt;
  }
  while (!text.empty()) {
    shape.per_node.push_back(take_number(text, '+'));
    if (shape.per_node.back() == 0) return std::nullopt;
  }
  if (shape.per_node.empty()) return std::nullopt;
  return shape;
}

}  // namespace mimus::emulator
