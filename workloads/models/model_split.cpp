// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/model_split.hpp"

#include <charconv>

#include <fmt/format.h>

#include "base/error.hpp"
#include "workloads/models/grid.hpp"

namespace mimus::workloads {
namespace {

constexpr int kMostParts = 1024;

/// Removes `letter` and the number after it from the front. Returns 1 if the letter is not there,
/// and 0 if no number follows it.
int take_parts(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return 1;
  int parts = 0;
  const char* begin = text.data() + 1;
  const auto [end, error] = std::from_chars(begin, text.data() + text.size(), parts);
  if (error != std::errc{}) return 0;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return parts;
}

bool take_flag(std::string_view& text, char letter) {
  if (text.empty() || text.front() != letter) return false;
  text.remove_prefix(1);
  return true;
}

bool is_possible(int parts) {
  return parts >= 1 && parts <= kMostParts;
}

}  // namespace

std::optional<SplitName> parse_split_name(std::string_view name) {
  const std::size_t at = name.find('@');
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = name.substr(at + 1);
  SplitName out;
  out.model = std::string(name.substr(0, at));
  const bool other_points = !rest.empty() && rest.front() == 'n';
  if (other_points) out.points = take_parts(rest, 'n');
  out.split.tensor = take_parts(rest, 't');
  out.split.pipeline = take_parts(rest, 'p');
  out.split.distributed_optimiser = take_flag(rest, 'o');
  out.split.sequence_parallel = !take_flag(rest, 'w');
  const bool possible =
      is_possible(out.split.tensor) && is_possible(out.split.pipeline) &&
      (!other_points || (out.points >= kFewestPoints && out.points <= kMostPoints));
  if (possible && (out.split.gpus() > 1 || other_points) && rest.empty()) return out;
  throw UsageError(fmt::format(
      "model \"{}\": \"{}\" is not a split; write t and the number of GPUs that share a layer, p "
      "and the number of stages of the pipeline (1 to {} each, more than one GPU in total), then o "
      "to divide the optimiser's state and w to leave tokens whole, e.g. {}@t2p4; of a model with "
      "a "
      "grid, first n and the points along each side ({} to {}), e.g. claire@n512t8",
      name, name.substr(at), kMostParts, out.model, kFewestPoints, kMostPoints));
}

}  // namespace mimus::workloads
