// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/sizing/fixed.hpp"
#include "scheduler/sizing/goodput.hpp"
#include "scheduler/sizing/linear.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Sizing> make_goodput(YamlReader& reader) {
  Goodput::Settings settings;
  settings.interval = reader.get_or("interval", settings.interval, kNotNegative);
  settings.gain = reader.get_or("gain", settings.gain, kAtLeastOne);
  return std::make_unique<Goodput>(settings);
}

}  // namespace

std::optional<BatchPlan> Sizing::retune(const SizingQuery&) const {
  return std::nullopt;
}

const Registry<Sizing>& sizing_choices() {
  static const Registry<Sizing> table(
      "sizing",
      {{"fixed",
        "the total batch the user asked for",
        {},
        [](YamlReader&) { return std::make_unique<Fixed>(); }},
       {"linear",
        "the model's reference batch on every GPU",
        {},
        [](YamlReader&) { return std::make_unique<Linear>(); }},
       {"goodput",
        "the batch with the greatest throughput x statistical efficiency (Pollux, OSDI'21)",
        {{"interval", "duration", "30 s", ">= 0", "least time between two evaluations of a job"},
         {"gain", "number", "1.05", ">= 1", "predicted gain that a switch must exceed"}},
        make_goodput}});
  return table;
}

}  // namespace mimus::scheduler
