// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "results/summary/summary.hpp"
#include "results/totals/recorded_totals.hpp"

namespace mimus::results {

namespace {

using nlohmann::ordered_json;

constexpr const char* kWaits = "queueing_by_cause_mean_s";

ordered_json value_of(const Metric& metric, const Figure& figure) {
  if (!figure) return nullptr;
  if (metric.shown == Shown::whole) return static_cast<std::int64_t>(*figure);
  return *figure;
}

ordered_json cell_json(const CellSummary& cell) {
  ordered_json json;
  json["cell"] = cell.cell;
  json["label"] = cell.label;
  json["repetition"] = cell.repetition;
  json["engine"] = cell.engine;
  json["status"] = cell.status;
  json["status_reason"] = cell.status_reason;
  json["path"] = cell.path;
  json["measured"] = cell.measured.empty() ? "all" : cell.measured;
  for (std::size_t i = 0; i < metrics().size(); ++i) {
    const Metric& metric = metrics()[i];
    const Figure& figure = cell.figures[i];
    if (metric.cause.empty()) {
      json[json_key(metric)] = value_of(metric, figure);
    } else {
      if (!json.contains(kWaits)) json[kWaits] = ordered_json::object();
      if (figure.value_or(0) > 0) json[kWaits][metric.cause] = *figure;
    }
    if (metric.name == "slowdown_worst") {
      const std::string& pair = cell.slowdown_worst_pair;
      json["slowdown_worst_pair"] = pair.empty() ? ordered_json(nullptr) : ordered_json(pair);
    }
  }
  json["gpus_lost"] = cell.gpus_lost;
  for (const TypeFigures& type : cell.types) {
    const auto known = [](double value) {
      return value < 0 ? ordered_json(nullptr) : ordered_json(value);
    };
    json["gpu_types"][type.type] = {{"gpus", static_cast<std::int64_t>(type.gpus)},
                                    {"held", type.held},
                                    {"busy", type.busy},
                                    {"energy", known(type.energy)},
                                    {"jobs", static_cast<std::int64_t>(type.jobs)},
                                    {"queueing_mean", known(type.queueing)}};
  }
  return json;
}

/// Rows as arrays for the Python package, which computes no totals itself.
void add_totals(ordered_json& json, const CellSummary& cell) {
  const MeasuredWindow window =
      cell.measured.empty() ? MeasuredWindow{} : parse_measured_window(cell.measured);
  const MeasuredTotals found = measured_totals(Reader(cell.path), window);
  for (const char* table : {"figures", "totals", "quantiles"}) json[table] = ordered_json::array();
  for (std::size_t i = 0; i < metrics().size(); ++i) {
    const Metric& metric = metrics()[i];
    json["figures"].push_back({metric.name, value_of(metric, cell.figures[i]), metric.unit});
  }
  for (const TotalRow& row : found.totals) {
    json["totals"].push_back({row.metric, row.group, row.value});
  }
  for (const QuantileRow& row : found.quantiles) {
    json["quantiles"].push_back({row.metric, row.group, row.fraction, row.value});
  }
}

}  // namespace

std::string to_json(const std::vector<CellSummary>& cells, JsonParts parts) {
  ordered_json document;
  document["format"] = "mimus-summary";
  document["format_version"] = 1;
  document["cells"] = ordered_json::array();
  for (const auto& cell : cells) {
    ordered_json json = cell_json(cell);
    if (parts == JsonParts::totals) add_totals(json, cell);
    document["cells"].push_back(std::move(json));
  }
  return json_text(document, 2);
}

}  // namespace mimus::results
