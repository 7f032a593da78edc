// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/by_rank.hpp"
#include "scheduler/sizing/fixed.hpp"
#include "scheduler/sizing/goodput.hpp"
#include "scheduler/sizing/linear.hpp"
#include "scheduler/sizing/marginal_gain.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Sizing> make_goodput(YamlReader& reader) {
  Goodput::Settings settings;
  settings.interval = reader.get_or("interval", settings.interval, kNotNegative);
  settings.gain = reader.get_or("gain", settings.gain, kAtLeastOne);
  return std::make_unique<Goodput>(settings);
}

template <class Settings>
Settings read_round(YamlReader& reader) {
  Settings settings;
  settings.round = reader.get_or("round", settings.round, kAtLeastOne);
  settings.measurable = reader.get_or("measurable", settings.measurable);
  return settings;
}

ParameterInfo measurable_parameter() {
  return {"measurable", "boolean", "false", "true or false",
          "one replica with more than M0 samples takes two micro-batches (Pollux)"};
}

ParameterInfo round_parameter(const char* fallback) {
  return {"round", "duration", fallback, ">= 1 s", "GPUs are handed out at multiples of this"};
}

Choice<Sizing> fixed_choice() {
  return {"fixed",
          "the total batch the user asked for",
          {measurable_parameter()},
          [](YamlReader& reader) {
            return std::make_unique<Fixed>(reader.get_or("measurable", false));
          }};
}

Choice<Sizing> linear_choice() {
  return {"linear", "the model's reference batch on every GPU", {}, [](YamlReader&) {
            return std::make_unique<Linear>();
          }};
}

Choice<Sizing> goodput_choice() {
  return {"goodput",
          "the batch with the greatest throughput x statistical efficiency (Pollux, OSDI'21)",
          {{"interval", "duration", "30 s", ">= 0", "least time between two evaluations of a job"},
           {"gain", "number", "1.05", ">= 1", "predicted gain that a switch must exceed"}},
          make_goodput};
}

Choice<Sizing> by_rank_choice() {
  return {"by_rank",
          "the batch asked for; GPUs in rounds, by rank, the others yield",
          {round_parameter("60 s"), measurable_parameter()},
          [](YamlReader& reader) {
            return std::make_unique<ByRank>(read_round<ByRank::Settings>(reader));
          }};
}

Choice<Sizing> marginal_gain_choice(const PolicyInputs& inputs) {
  return {"marginal_gain",
          "the batch asked for; as many GPUs as save most time, in rounds (Optimus, EuroSys'18)",
          {round_parameter("600 s"),
           measurable_parameter(),
           {"resize", "text", "restart", "restart, in_place",
            "a running job stops with a checkpoint and starts anew, or its gang grows or shrinks"}},
          [oracle = inputs.oracle](YamlReader& reader) {
            auto settings = read_round<MarginalGain::Settings>(reader);
            settings.in_place =
                reader.choice_or("resize", {"restart", "in_place"}, "restart") == "in_place";
            return std::make_unique<MarginalGain>(settings, oracle);
          }};
}

}  // namespace

std::optional<BatchPlan> Sizing::retune(const SizingQuery&) const {
  return std::nullopt;
}

std::vector<Allotted> Sizing::allot(std::span<const Contender>, const AllotQuery&) const {
  return {};
}

Registry<Sizing> sizing_choices(const PolicyInputs& inputs) {
  return {"sizing",
          {fixed_choice(), linear_choice(), goodput_choice(), by_rank_choice(),
           marginal_gain_choice(inputs)}};
}

}  // namespace mimus::scheduler
