// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/json_text.hpp"
#include "base/quantity_text.hpp"
#include "emulator/bench/prediction_error.hpp"
#include "emulator/cli/text/terminal.hpp"
#include "emulator/cli/text/text_table.hpp"
#include "emulator/cli/workload/workload_input.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadPredictExamples =
    "  mimus workload predict trace.csv                      the last four weeks, four estimates\n"
    "  mimus workload predict trace.csv --held-out '14 d' --estimate '{name: tree, by: [user]}'\n"
    "  mimus workload predict --source pai-like --set jobs=100000 --set mean_interarrival='30 s'\n"
    "A job is predicted when it is submitted, from the jobs that had ended by then; each is taken "
    "to\nstart when it is submitted. Estimates: see mimus policies estimate.";

struct WorkloadPredictArguments {
  WorkloadArguments workload;
  std::string held_out = "28 d";
  std::vector<std::string> estimates;
  bool json = false;
};

struct Predicted {
  std::string estimate;
  PredictionError error;
};

Duration held_out_of(const std::string& text) {
  const auto time = parse_duration(text);
  if (!time || *time <= Duration::zero()) {
    throw UsageError(
        fmt::format("--held-out: expected a duration > 0 s such as 28 d, got \"{}\"", text));
  }
  return *time;
}

std::vector<std::string> estimates_of(const WorkloadPredictArguments& arguments) {
  if (!arguments.estimates.empty()) return arguments.estimates;
  return {"{name: history, by: []}", "{name: history, by: [user, gang]}", "tree", "qssf"};
}

std::string predictions_table(const std::vector<Predicted>& all) {
  using Align = TextTable::Align;
  TextTable table({{"jobs", Align::right},
                   {"within 25 %", Align::right},
                   {"median factor", Align::right},
                   {"RMSLE", Align::right},
                   {"nothing believed", Align::right},
                   {"estimate", Align::left}});
  for (const auto& [estimate, error] : all) {
    table.add_row({fmt::format("{}", error.predictions),
                   fmt::format("{:.2f} %", 100 * error.within_quarter),
                   fmt::format("{:.3f}", error.median_factor), fmt::format("{:.3f}", error.rmsle),
                   fmt::format("{}", error.missing), estimate});
  }
  return table.render(terminal_width());
}

std::string predictions_json(const std::vector<Predicted>& all) {
  auto list = nlohmann::ordered_json::array();
  for (const auto& [estimate, error] : all) {
    list.push_back({{"estimate", estimate},
                    {"jobs", error.predictions},
                    {"within_quarter", error.within_quarter},
                    {"median_factor", error.median_factor},
                    {"rmsle", error.rmsle},
                    {"nothing_believed", error.missing}});
  }
  return json_text(nlohmann::ordered_json{{"predictions", list}}, 2) + "\n";
}

int predict_run_times(const WorkloadPredictArguments& arguments) {
  const Duration held_out = held_out_of(arguments.held_out);
  const auto choices = scheduler::estimate_choices({});
  const WorkloadInput input = find_workload(arguments.workload);
  const workloads::Workload workload = workloads::drain(*input.open());
  std::vector<Predicted> all;
  for (const std::string& text : estimates_of(arguments)) {
    const auto estimate = choices.make(parse_yaml(text, "--estimate"), "estimate");
    if (!estimate->finds_run_times() || estimate->asks_oracle()) {
      throw UsageError(
          fmt::format("--estimate: \"{}\" learns no run times from jobs that have "
                      "ended; history, tree and qssf do",
                      text));
    }
    all.push_back(
        {text, run_time_error(workload, input.models, input.run_times(), *estimate, held_out)});
  }
  print(arguments.json ? predictions_json(all) : predictions_table(all));
  return 0;
}

}  // namespace

Verb add_workload_predict(CLI::App& workload, Session& session) {
  auto arguments = std::make_shared<WorkloadPredictArguments>();
  CLI::App* verb = add_verb(workload, session, "predict",
                            "How well estimates predict the run times of jobs that are held out.",
                            kWorkloadPredictExamples);
  add_workload_options(*verb, arguments->workload);
  verb->add_option("--held-out", arguments->held_out, "end of the workload to predict (28 d)")
      ->option_text("DURATION")
      ->group("Prediction");
  verb->add_option("--estimate", arguments->estimates,
                   "choice of estimate, with its parameters as YAML; repeatable")
      ->option_text("CHOICE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group("Prediction");
  verb->add_flag("--json", arguments->json, "JSON on stdout")->group("Output");
  return {verb, [arguments] { return predict_run_times(*arguments); }};
}

}  // namespace mimus::emulator::cli
