// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json_text.hpp"
#include "emulator/bench/held_out_models.hpp"
#include "emulator/cli/bench_verbs.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"

namespace mimus::emulator::cli {
namespace {

using PredictionsOf = std::vector<Prediction> ModelPredictions::*;

std::vector<Prediction> joined(const std::vector<ModelPredictions>& all, PredictionsOf member) {
  std::vector<Prediction> out;
  for (const ModelPredictions& model : all) {
    out.insert(out.end(), (model.*member).begin(), (model.*member).end());
  }
  return out;
}

double mean_actual(std::span<const Prediction> predictions) {
  double sum = 0.0;
  for (const Prediction& p : predictions) sum += p.actual;
  return sum / static_cast<double>(predictions.size());
}

std::string rmsle_text(std::span<const Prediction> predictions) {
  return fmt::format("{:.3f}", error_of(predictions).rmsle);
}

void add_model_row(TextTable& table, const ModelPredictions& model) {
  table.add_row({model.model, fmt::format("{}", model.utilisation.size()),
                 fmt::format("{:.1f}", mean_actual(model.utilisation)),
                 fmt::format("{:.1f}", mean_difference(model.utilisation)),
                 rmsle_text(model.utilisation), rmsle_text(model.known_utilisation),
                 rmsle_text(model.memory), rmsle_text(model.tree_memory)});
}

std::string predictors_table(const std::vector<ModelPredictions>& all) {
  using Align = TextTable::Align;
  TextTable table({{"model held out", Align::left},
                   {"profiles", Align::right},
                   {"busy, %", Align::right},
                   {"mean error, points", Align::right},
                   {"RMSLE", Align::right},
                   {"RMSLE, known", Align::right},
                   {"memory: formula", Align::right},
                   {"trees", Align::right}});
  for (const ModelPredictions& model : all) add_model_row(table, model);
  return table.render(std::max(terminal_width(), 110));
}

std::string predictors_json(const std::vector<ModelPredictions>& all) {
  auto models = nlohmann::ordered_json::array();
  for (const ModelPredictions& model : all) {
    models.push_back({{"model", model.model},
                      {"profiles", model.utilisation.size()},
                      {"utilisation_percent", mean_actual(model.utilisation)},
                      {"mean_error_points", mean_difference(model.utilisation)},
                      {"rmsle", error_of(model.utilisation).rmsle},
                      {"rmsle_known", error_of(model.known_utilisation).rmsle},
                      {"memory_formula_rmsle", error_of(model.memory).rmsle},
                      {"memory_trees_rmsle", error_of(model.tree_memory).rmsle}});
  }
  return json_text(nlohmann::ordered_json{{"predictors", models}}, 2) + "\n";
}

}  // namespace

void print_predictors(const std::string& gpu, bool json) {
  auto all = held_out_models(workloads::ModelCatalogue::built_in(), gpu);
  all.push_back({"all", joined(all, &ModelPredictions::utilisation),
                 joined(all, &ModelPredictions::known_utilisation),
                 joined(all, &ModelPredictions::memory),
                 joined(all, &ModelPredictions::tree_memory)});
  print(json ? predictors_json(all) : predictors_table(all));
}

}  // namespace mimus::emulator::cli
