// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "results/metrics/metric.hpp"

namespace mimus::results {

namespace {

const char* name_of(Better better) {
  switch (better) {
    case Better::lower:
      return "lower";
    case Better::higher:
      return "higher";
    case Better::neither:
      break;
  }
  return "neither";
}

const char* suffix(const Metric& metric) {
  if (metric.unit == "s") return "_s";
  if (metric.unit == "samples/s") return "_samples_per_s";
  if (metric.unit == "J") return "_joules";
  return metric.shown == Shown::percent ? "_fraction" : "";
}

}  // namespace

std::string json_key(const Metric& metric) {
  return metric.key.empty() ? metric.name + suffix(metric) : metric.key;
}

std::vector<FigureRow> figure_rows(const std::vector<Figure>& figures) {
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  std::vector<FigureRow> rows;
  for (std::size_t i = 0; i < figures.size(); ++i) {
    const Metric& metric = metrics()[i];
    rows.push_back({metric.name, figures[i].value_or(kUnknown), metric.unit});
  }
  return rows;
}

std::string metrics_markdown() {
  std::string text = "| metric | unit | better | what | formula |\n|---|---|---|---|---|\n";
  for (const Metric& metric : metrics()) {
    text += fmt::format("| `{}` | {} | {} | {} | {} |\n", metric.name,
                        metric.unit.empty() ? "–" : metric.unit,
                        metric.better == Better::neither ? "–" : name_of(metric.better),
                        metric.title, metric.formula);
  }
  return text;
}

std::string metrics_json() {
  using nlohmann::ordered_json;
  ordered_json document;
  document["format"] = "mimus-metrics";
  document["format_version"] = 1;
  for (const Metric& metric : metrics()) {
    document["metrics"].push_back(
        {{"name", metric.name},
         {"unit", metric.unit},
         {"better", name_of(metric.better)},
         {"is_share", metric.shown == Shown::percent},
         {"title", metric.title},
         {"heading", metric.column.empty() ? metric.title : metric.column},
         {"formula", metric.formula}});
    if (!metric.cause.empty()) document["causes"].push_back(metric.cause);
  }
  document["gang_classes"] = kGangClasses;
  document["late_share"] = kLateShare;
  return json_text(document, 2);
}

}  // namespace mimus::results
