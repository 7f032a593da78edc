// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/watch/grid.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/random.hpp"

namespace mimus::emulator::cli {
namespace {

struct Tenant {
  char letter;
  const std::string* model;
};
using TenantsOfGpu = std::vector<std::vector<Tenant>>;

TenantsOfGpu tenants_of(const CellProgress& state) {
  const WatchedCell& cell = state.cell();
  TenantsOfGpu tenants(static_cast<std::size_t>(cell.gpus()));
  for (const auto& [id, attempt] : state.running()) {
    for (const std::int64_t gpu : attempt.gpus) {
      const auto index = static_cast<std::size_t>(gpu);
      if (index < tenants.size())
        tenants[index].push_back({letter_of(attempt.job), &attempt.model});
    }
  }
  return tenants;
}

std::size_t most_tenants(const TenantsOfGpu& tenants) {
  std::size_t most = 1;
  for (const auto& gpu : tenants) most = std::max(most, gpu.size());
  return most;
}

/// The layout of nodes: `gpus` per line within a node, `nodes` side by side, behind the name of
/// their type in a column of width `types`.
struct Layout {
  std::size_t lanes, types, digits, gpus, nodes;
};

/// No column where all nodes are of one type.
std::size_t width_of_types(const WatchedCell& cell) {
  if (cell.gpus_by_type.size() < 2) return 0;
  std::size_t longest = 0;
  for (const auto& [type, count] : cell.gpus_by_type) longest = std::max(longest, type.size());
  return longest + 2;
}

Layout layout_of(const CellProgress& state, std::size_t lanes, int columns) {
  constexpr std::size_t kFieldGap = 3;
  const std::size_t types = width_of_types(state.cell());
  const auto all = static_cast<std::size_t>(std::max(columns, 20));
  const std::size_t width = std::max(all, 20 + types) - types;
  const std::size_t digits = std::to_string(state.cell().nodes() - 1).size();
  const auto per_node = static_cast<std::size_t>(state.cell().most_per_node);
  const std::size_t fitting = std::max<std::size_t>(1, (width - digits) / (lanes + 1));
  const std::size_t gpus = std::min(per_node, fitting);
  const std::size_t field = digits + gpus * (lanes + 1);
  const std::size_t beside = gpus < per_node ? 1 : (width + kFieldGap) / (field + kFieldGap);
  return {lanes, types, digits, gpus, std::max<std::size_t>(1, beside)};
}

char free_place(const CellProgress& state, std::int64_t node) {
  const auto found = state.marked_nodes().find(node);
  return found == state.marked_nodes().end() ? '.' : mark_of(*found->second.begin());
}

std::string gpu_text(const std::vector<Tenant>& tenants, char free, std::size_t lanes,
                     const ViewSize& size) {
  std::string text = " ";
  for (const Tenant& tenant : tenants) {
    text += coloured(std::string(1, tenant.letter), *tenant.model, size);
  }
  return text + std::string(lanes - tenants.size(), free);
}

/// A node as one line, or as several if its GPUs do not fit one.
std::vector<std::string> node_lines(const CellProgress& state, const TenantsOfGpu& tenants,
                                    std::int64_t node, const Layout& layout, const ViewSize& size) {
  const auto& first_gpus = state.cell().first_gpus;
  const auto first = static_cast<std::size_t>(first_gpus[static_cast<std::size_t>(node)]);
  const auto end = static_cast<std::size_t>(first_gpus[static_cast<std::size_t>(node) + 1]);
  const char free = free_place(state, node);
  std::vector<std::string> lines{fmt::format("{:>{}}", node, layout.digits)};
  for (std::size_t i = 0; i < end - first; ++i) {
    if (i > 0 && i % layout.gpus == 0) lines.emplace_back(layout.digits, ' ');
    lines.back() += gpu_text(tenants[first + i], free, layout.lanes, size);
  }
  // Nodes of several sizes stand in columns.
  if (layout.nodes > 1 && end - first < layout.gpus) {
    lines.back().append((layout.gpus - (end - first)) * (layout.lanes + 1), ' ');
  }
  return lines;
}

}  // namespace

char mark_of(NodeMark mark) {
  switch (mark) {
    case NodeMark::down:
      return '#';
    case NodeMark::quarantined:
      return '!';
    case NodeMark::asleep:
      return '~';
    case NodeMark::booting:
      return '^';
  }
  return '.';
}

std::string coloured(const std::string& text, const std::string& model, const ViewSize& size) {
  // Entries of the 256-colour table that are distinguishable with all common kinds of colour
  // vision, on dark and light backgrounds.
  constexpr std::array kColours{32, 172, 36, 168, 75, 136, 103, 66};
  if (!size.colour || model.empty()) return text;
  const auto colour = kColours.at(stable_hash(model) % kColours.size());
  return fmt::format("\x1b[38;5;{}m{}\x1b[0m", colour, text);
}

std::vector<std::string> grid(const CellProgress& state, const ViewSize& size, std::size_t rows) {
  const TenantsOfGpu tenants = tenants_of(state);
  const Layout layout = layout_of(state, most_tenants(tenants), size.columns);
  const std::int64_t nodes = state.cell().nodes();
  const std::string blank(layout.types, ' ');
  std::vector<std::string> lines;
  std::string type;
  std::size_t beside = 0;  // nodes on the last line
  for (std::int64_t node = 0; node < nodes; ++node) {
    const std::string& own = state.cell().gpu_types[static_cast<std::size_t>(node)];
    const bool begins_type = node == 0 || own != type;
    const auto more = node_lines(state, tenants, node, layout, size);
    if (!begins_type && beside < layout.nodes) {
      lines.back() += "   " + more.front();
      ++beside;
      continue;
    }
    if (node > 0 && lines.size() + more.size() >= rows) {
      lines.push_back(fmt::format("and {} more nodes", nodes - node));
      break;
    }
    const bool is_named = begins_type && layout.types > 0;
    const std::string heading = fmt::format("{:<{}}", is_named ? own : "", layout.types);
    for (const std::string& line : more) {
      lines.push_back((&line == &more.front() ? heading : blank) + line);
    }
    type = own;
    beside = 1;
  }
  return lines;
}

}  // namespace mimus::emulator::cli
