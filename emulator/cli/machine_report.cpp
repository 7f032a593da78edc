// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/cli/machine_report.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "base/log.hpp"
#include "base/quantity_text.hpp"
#include "emulator/campaign/campaign_models.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"

namespace mimus::emulator::cli {
namespace {

/// Above this error the host cannot explain the steps, because the kernels of the base do not fit.
constexpr double kBadFit = 0.1;

std::string error_percent(double share) {
  return fmt::format("{:.2f} %", 100.0 * share);
}

std::string table_of(const MachineType& machine, int width) {
  using Align = TextTable::Align;
  TextTable table({{"model"},
                   {"batches"},
                   {"host per step", Align::right},
                   {"per sample", Align::right},
                   {"host times"},
                   {"mean error", Align::right},
                   {"worst", Align::right},
                   {fmt::format("as {}", machine.base), Align::right}});
  for (const auto& [model, steps, fit] : machine.fits) {
    std::vector<std::int64_t> batches;
    for (const SoloStep& step : steps) batches.push_back(step.batch);
    table.add_row({model, fmt::format("{}", fmt::join(batches, ",")),
                   format_duration(fit.host.per_step), format_duration(fit.host.per_sample),
                   name(fit.kind), error_percent(fit.error), error_percent(fit.worst),
                   error_percent(fit.base_error)});
  }
  std::string text = machine.fits.empty() ? std::string{} : table.render(width);
  for (const EffectiveLink& link : machine.links) {
    text += fmt::format("{}: effective {:.4g} GB/s ({})\n", link.link, link.rate.value / 1e9,
                        source_text(link));
  }
  return text;
}

nlohmann::ordered_json as_json(const MachineType& machine, const std::string& path) {
  nlohmann::ordered_json document{{"file", path}, {"name", machine.name}, {"like", machine.base}};
  document["models"] = nlohmann::ordered_json::array();
  for (const auto& [model, steps, fit] : machine.fits) {
    document["models"].push_back({{"model", model},
                                  {"steps", steps.size()},
                                  {"per_step_s", to_seconds(fit.host.per_step)},
                                  {"per_sample_s", to_seconds(fit.host.per_sample)},
                                  {"host_times", name(fit.kind)},
                                  {"error_mean", fit.error},
                                  {"error_worst", fit.worst},
                                  {"error_of_base", fit.base_error}});
  }
  document["links"] = nlohmann::ordered_json::array();
  for (const EffectiveLink& link : machine.links) {
    document["links"].push_back({{"link", link.link}, {"bytes_per_s", link.rate.value}});
  }
  document["not_taken"] = machine.notes;
  return document;
}

}  // namespace

void write_machine_of(const MachineTypeRequest& request, const std::string& path,
                      const std::vector<std::string>& models, MachineOutput output) {
  const MachineType machine = machine_type_of(request, catalogue_with(models));
  write_machine_type(machine, path);
  if (output == MachineOutput::json) print(json_text(as_json(machine, path), 2) + "\n");
  if (output == MachineOutput::table) {
    print(table_of(machine, std::max(terminal_width(), 120)));
    print(fmt::format("\nmachine type {}: {}\n", machine.name, path));
  }
  for (const std::string& note : machine.notes) log::warn("not taken: {}", note);
  for (const auto& [model, steps, fit] : machine.fits) {
    if (fit.error <= kBadFit) continue;
    log::warn(
        "{}: no host explains its steps to less than {} on the kernels of {}: state efficiencies "
        "in the file, or use another base (--like)",
        model, error_percent(fit.error), machine.base);
  }
}

}  // namespace mimus::emulator::cli
