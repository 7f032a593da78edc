// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/campaign/published.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "results/metrics/metric.hpp"

namespace mimus::emulator {
namespace {

const results::Metric& metric_named(const std::string& name, const ConfigNode& node,
                                    const std::string& place) {
  const auto& metrics = results::metrics();
  const auto found = std::find_if(metrics.begin(), metrics.end(),
                                  [&](const auto& metric) { return metric.name == name; });
  if (found != metrics.end()) return *found;
  std::vector<std::string> names;
  for (const auto& metric : metrics) names.push_back(metric.name);
  throw ConfigError(node.where, place, unknown_name_message("figure", name, names));
}

double value_of(const results::Metric& metric, const ConfigNode& node, const std::string& place) {
  if (metric.unit == "s") return to_seconds(read_scalar<Duration>(node, place, kNotNegative));
  return read_scalar<double>(node, place, kNotNegative);
}

Published read_entry(const ConfigNode& node, const std::string& place, const Sweep& sweep) {
  YamlReader reader(node, place);
  Published entry;
  if (reader.has("cells")) {
    entry.cells = read_match(*node.find("cells"), reader.child_path("cells"), sweep);
  }
  const auto source = reader.get<std::string>("source");
  const YamlReader figures = reader.map("figures");
  for (const auto& [name, value] : figures.mapping().members) {
    const std::string path = figures.child_path(name);
    const results::Metric& metric = metric_named(name, value, path);
    entry.figures.push_back({name, value_of(metric, value, path), source});
  }
  reader.finish();
  return entry;
}

}  // namespace

std::vector<Published> read_published(YamlReader& root, const Sweep& sweep) {
  std::vector<Published> entries;
  if (!root.has("published")) return entries;
  const auto& items = root.sequence("published");
  for (std::size_t i = 0; i < items.size(); ++i) {
    entries.push_back(read_entry(items[i], fmt::format("published[{}]", i), sweep));
  }
  return entries;
}

std::vector<PublishedFigure> published_of(const SweepPoint& point,
                                          const std::vector<Published>& entries) {
  std::vector<PublishedFigure> figures;
  for (const Published& entry : entries) {
    if (entry.cells && !point_matches(point, *entry.cells)) continue;
    figures.insert(figures.end(), entry.figures.begin(), entry.figures.end());
  }
  return figures;
}

std::string published_json(const std::vector<PublishedFigure>& figures) {
  nlohmann::ordered_json out = nlohmann::ordered_json::array();
  for (const PublishedFigure& figure : figures) {
    out.push_back({{"figure", figure.figure}, {"value", figure.value}, {"source", figure.source}});
  }
  return json_text(out);
}

}  // namespace mimus::emulator
