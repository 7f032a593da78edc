// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/workload/workload_cell.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/quantity_text.hpp"
#include "base/yaml_reader.hpp"
#include "emulator/campaign/campaign_document.hpp"
#include "emulator/campaign/campaign_machines.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "emulator/campaign/cell_id.hpp"
#include "emulator/campaign/config_keys.hpp"
#include "emulator/campaign/sweep.hpp"

namespace mimus::emulator::cli {
namespace {

/// Ids begin with the cell's number: "003-fifo-1a2b3c4d".
const SweepPoint& chosen_point(const std::vector<SweepPoint>& points, const std::string& id) {
  if (id.empty()) return points.front();
  std::string digits = id.substr(0, id.find('-'));
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
  const auto number = parse_integer(digits);
  for (const SweepPoint& point : points) {
    if (number && point.number == *number) return point;
  }
  throw UsageError(fmt::format("no cell \"{}\"; numbers go from {} to {}, see mimus expand", id,
                               points.front().number, points.back().number));
}

}  // namespace

UnreadCell unread_cell(const std::string& path, const std::vector<Override>& overrides,
                       const std::string& id) {
  const ConfigNode document = load_document(path, overrides);
  YamlReader root(document, "");
  const auto seed = root.get_or<std::int64_t>("seed", 0, kNotNegative);
  const std::vector<SweepPoint> points = expand(read_sweep(document.find("sweep"), overrides));
  const SweepPoint& point = chosen_point(points, id);
  ConfigNode swept = document;
  for (const auto& [key, value] : point.values) set_key(swept, key, value);
  describe_machines(swept, own_machines(root));
  UnreadCell out;
  out.cell.config = resolved_cell(swept);
  out.cell.id = fmt::format("{:03}", point.number);
  out.cell.repetition = first_repetition(root);
  out.cell.seed = cell_seed(static_cast<std::uint64_t>(seed), *out.cell.config.find("workload"),
                            out.cell.repetition);
  out.models = workloads::ModelCatalogue::built_in();
  (void)emulator::add_models(model_files(root), out.models);
  return out;
}

}  // namespace mimus::emulator::cli
