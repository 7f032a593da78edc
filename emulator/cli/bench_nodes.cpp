// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/mapping_fields.hpp"
#include "emulator/bench/node_sequence.hpp"
#include "emulator/cli/bench_verbs.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator::cli {
namespace {

using scheduler::Ces;
using By = scheduler::ForecastSettings::By;

struct ForecastRow {
  const char* name;
  CesFigures figures;
};

std::vector<ForecastRow> rows_of(const NodeSequence& sequence, StepRange range,
                                 Ces::Settings rule) {
  std::vector<ForecastRow> rows{{"all on", replay_all_on(sequence, range)}};
  for (const auto& [name, by] :
       {std::pair{"flat", By::flat}, {"day_before", By::day_before}, {"profile", By::profile}}) {
    rule.forecast.by = by;
    rows.push_back({name, replay_ces(sequence, range, rule)});
  }
  return rows;
}

std::string nodes_table(const std::vector<ForecastRow>& rows) {
  using Align = TextTable::Align;
  TextTable table({{"forecast", Align::left},
                   {"changes/d", Align::right},
                   {"wake-ups/d", Align::right},
                   {"nodes each", Align::right},
                   {"nodes off", Align::right},
                   {"used/active %", Align::right},
                   {"short steps", Align::right},
                   {"nodes short", Align::right},
                   {"error, nodes", Align::right}});
  for (const auto& [name, f] : rows) {
    table.add_row({name, fmt::format("{:.3f}", f.changes_per_day),
                   fmt::format("{:.3f}", f.wake_ups_per_day), fmt::format("{:.2f}", f.wake_up_size),
                   fmt::format("{:.3f}", f.nodes_off), fmt::format("{:.3f}", 100 * f.used_share),
                   fmt::format("{}", f.short_steps), fmt::format("{}", f.short_nodes),
                   fmt::format("{:.2f}", f.forecast_error)});
  }
  return table.render(std::max(terminal_width(), 110));
}

std::string nodes_json(const std::vector<ForecastRow>& rows) {
  auto all = nlohmann::ordered_json::array();
  for (const auto& [name, f] : rows) {
    all.push_back({{"forecast", name},
                   {"changes_per_day", f.changes_per_day},
                   {"wake_ups_per_day", f.wake_ups_per_day},
                   {"wake_up_nodes", f.wake_up_size},
                   {"nodes_off", f.nodes_off},
                   {"used_share", f.used_share},
                   {"short_steps", f.short_steps},
                   {"short_nodes", f.short_nodes},
                   {"forecast_error_nodes", f.forecast_error}});
  }
  return json_text(nlohmann::ordered_json{{"forecasts", all}}, 2) + "\n";
}

}  // namespace

void print_nodes(const NodesBench& asked, bool json) {
  if (asked.sequence.empty() || asked.from.empty()) {
    throw UsageError("bench nodes needs --sequence FILE and --from DATE");
  }
  const Ces::Settings rule =
      read_mapping(scheduler::ces_fields(), YamlReader(parse_yaml(asked.rule, "--rule"), ""));
  const std::string path = workloads::expanded_path(asked.sequence);
  const NodeSequence sequence =
      read_node_sequence(workloads::read_input_file(path), path, rule.step);
  const auto rows = rows_of(sequence, steps_of(sequence, asked.from, asked.days), rule);
  print(json ? nodes_json(rows) : nodes_table(rows));
}

}  // namespace mimus::emulator::cli
