// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "base/quantity_text.hpp"
#include "emulator/cli/machine_report.hpp"
#include "emulator/cli/profile_report.hpp"
#include "emulator/cli/text/number_range.hpp"
#include "emulator/cli/text/one_of.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kCalibrateExamples =
    "  mimus calibrate -o profile.h5                 every model on one emulated GPU\n"
    "  mimus calibrate --models resnet50,bert-base --batches 16,32 --pairs\n"
    "  mimus calibrate --shapes 1,2,2+2 --set cluster.nodes=2 --time-scale 60\n"
    "  mimus calibrate campaign.yaml --pairs -n      what it would measure there";

/// Values as given on the command line.
struct CalibrateArguments {
  CampaignArguments campaign;
  CalibrateOptions options;
  std::string models, batches, shapes = "1", pair_batches = "reference";
  std::string interval = "2%";
  std::string device, gpu;
  std::string machine;  ///< file of the machine type to write, or ""
  double timeout_s = 60.0;
  bool json = false;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> out;
  std::size_t begin = 0;
  while (begin <= text.size()) {
    const std::size_t end = std::min(text.find(separator, begin), text.size());
    out.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

std::int64_t positive(const std::string& text, const std::string& option,
                      const std::string& example) {
  const auto value = parse_integer(text);
  if (value && *value >= 1 && *value <= 1'000'000'000) return *value;
  throw UsageError(fmt::format("{}: expected whole numbers from 1 on, e.g. {}, got \"{}\"", option,
                               example, text));
}

BatchSelection read_batches(const std::string& text) {
  BatchSelection out;
  if (text.empty()) return out;
  if (text == "all") {
    out.kind = BatchSelection::Kind::all;
    return out;
  }
  out.kind = BatchSelection::Kind::listed;
  for (const std::string& word : split(text, ',')) {
    out.listed.push_back(positive(word, "--batches", "16,32 or all"));
  }
  return out;
}

std::vector<std::vector<int>> read_shapes(const std::string& text) {
  std::vector<std::vector<int>> out;
  for (const std::string& word : split(text, ',')) {
    std::vector<int> shape;
    for (const std::string& node : split(word, '+')) {
      shape.push_back(static_cast<int>(positive(node, "--shapes", "1,2,2+2")));
    }
    std::sort(shape.rbegin(), shape.rend());
    out.push_back(std::move(shape));
  }
  return out;
}

/// Accepts "2%", "2 %" or "0.02".
double read_interval(const std::string& text) {
  const bool percent = text.ends_with('%');
  std::string number = percent ? text.substr(0, text.size() - 1) : text;
  while (number.ends_with(' ')) number.pop_back();
  const auto value = parse_number(number);
  const double share = value.value_or(-1.0) / (percent ? 100.0 : 1.0);
  if (share > 0.0 && share < 1.0) return share;
  throw UsageError(fmt::format(
      "--interval: expected a share of the mean between 0 and 1, e.g. 2% or 0.02, got \"{}\"",
      text));
}

void add_selection(CLI::App& verb, CalibrateArguments& arguments) {
  const char* group = "Measurements";
  verb.add_option("--models", arguments.models, "models to measure, or none; all if not given")
      ->option_text("NAMES")
      ->group(group);
  verb.add_option(
          "--batches", arguments.batches,
          "per-GPU batches; if not given: the smallest, the largest that fits and two between")
      ->option_text("16,32|all")
      ->group(group);
  verb.add_option("--shapes", arguments.shapes, "replicas per node of each allocation (1)")
      ->option_text("1,2,2+2")
      ->group(group);
  verb.add_flag("--pairs", arguments.options.pairs,
                "also measure every pair of models on one shared GPU")
      ->group(group);
  verb.add_flag(
          "--links", arguments.options.links,
          "also measure all-reduces within a node and across nodes; only these with --models none")
      ->group(group);
  verb.add_option("--pair-batches", arguments.pair_batches, "batches of the pairs (reference)")
      ->option_text("reference|max")
      ->check(one_of({"reference", "max"}))
      ->group(group);
  verb.add_flag("-n,--dry-run", arguments.options.dry_run, "print what would be measured")
      ->group(group);
}

void add_stopping(CLI::App& verb, CalibrateArguments& arguments) {
  const char* group = "Stopping";
  StoppingLimits& limits = arguments.options.limits;
  verb.add_option("--interval", arguments.interval,
                  "half width of the 95 % interval of a mean step at which to stop (2%)")
      ->option_text("SHARE")
      ->group(group);
  verb.add_option("--warm-up", limits.warm_up, "executed steps to leave out at the beginning (3)")
      ->option_text("N")
      ->check(CLI::Range(0, 1'000'000))
      ->group(group);
  verb.add_option("--min-steps", limits.min_steps,
                  "executed steps before the first check of the interval (20)")
      ->option_text("N")
      ->check(CLI::Range(2, 1'000'000))
      ->group(group);
  verb.add_option("--max-steps", limits.max_steps, "maximum number of executed steps (400)")
      ->option_text("N")
      ->check(CLI::Range(2, 1'000'000))
      ->group(group);
  verb.add_option("--timeout", arguments.timeout_s, "seconds that one measurement may take (60)")
      ->option_text("SECONDS")
      ->check(number_between(0.1, 86400.0))
      ->group(group);
}

void add_bed(CLI::App& verb, CalibrateArguments& arguments) {
  const char* group = "Campaign";
  CampaignArguments& campaign = arguments.campaign;
  verb.add_option("CAMPAIGN", campaign.path,
                  "campaign file (YAML) whose cluster, engine and models are used");
  verb.add_option("--set", campaign.settings,
                  "set one key; takes precedence over the file; repeatable")
      ->option_text("PATH=VALUE")
      ->expected(1)
      ->take_all()
      ->allow_extra_args(false)
      ->group(group);
  verb.add_option("--device", arguments.device, "short for --set engine.device=NAME")
      ->option_text("cpu|cuda")
      ->check(one_of({"cpu", "cuda"}))
      ->group(group);
  verb.add_option("--gpu", arguments.gpu, "short for --set cluster.gpu=NAME")
      ->option_text("NAME")
      ->group(group);
  verb.add_option("--time-scale", campaign.time_scale,
                  "emulated seconds per wall second, or max; short for --set engine.time_scale=X")
      ->option_text("X")
      ->group(group);
  verb.add_option("--precision", arguments.options.precision,
                  "arithmetic of all models; short for --set engine.cuda.precision=NAME")
      ->option_text("model|fp32|tf32|fp16|bf16")
      ->check(one_of({"model", "fp32", "tf32", "fp16", "bf16"}))
      ->group(group);
}

CalibrateOptions resolved(const CalibrateArguments& arguments, const Session& session) {
  CalibrateOptions options = arguments.options;
  options.campaign_path = arguments.campaign.path;
  options.overrides = arguments.campaign.overrides();
  if (!arguments.device.empty()) options.overrides.push_back({"engine.device", arguments.device});
  if (!arguments.gpu.empty()) options.overrides.push_back({"cluster.gpu", arguments.gpu});
  if (options.precision != "model") {
    options.overrides.push_back({"engine.cuda.precision", options.precision});
  }
  if (!arguments.models.empty()) options.models = split(arguments.models, ',');
  options.batches = read_batches(arguments.batches);
  options.shapes = read_shapes(arguments.shapes);
  options.largest_pair_batches = arguments.pair_batches == "max";
  options.limits.interval = read_interval(arguments.interval);
  options.limits.max_steps = std::max(options.limits.max_steps, options.limits.min_steps);
  options.timeout = from_seconds(arguments.timeout_s);
  options.verbosity = session.verbosity;
  options.command_line = session.argv;
  options.report = [json = arguments.json,
                    machine = arguments.machine](const std::string& profile) {
    json ? print_profile_json(profile) : print_profile_table(profile);
    if (machine.empty()) return;
    write_machine_of({.profile = profile}, machine, {},
                     json ? MachineOutput::nothing : MachineOutput::table);
  };
  return options;
}

}  // namespace

Verb add_calibrate(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<CalibrateArguments>();
  CLI::App* verb =
      add_verb(app, session, "calibrate", "Measure models alone and in pairs and write a profile.",
               kCalibrateExamples);
  add_selection(*verb, *arguments);
  add_stopping(*verb, *arguments);
  add_bed(*verb, *arguments);
  verb->add_option("-o,--output", arguments->options.output, "the profile (profile.h5)")
      ->option_text("FILE")
      ->group("Output");
  verb->add_option("--machine", arguments->machine,
                   "also write the machine type that follows from it, as mimus machine does")
      ->option_text("FILE")
      ->group("Output");
  verb->add_flag("--json", arguments->json, "the profile as JSON on stdout")->group("Output");
  verb->add_option("--mpirun-args", arguments->options.mpirun_args,
                   "options for the mpirun that mimus starts")
      ->option_text("'ARGS'")
      ->group("Launch");
  return {verb, [arguments, &session] { return run_calibration(resolved(*arguments, session)); }};
}

}  // namespace mimus::emulator::cli
