// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/batch/fixed.hpp"
#include "scheduler/batch/goodput.hpp"
#include "scheduler/batch/linear.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Batching> make_goodput(YamlReader& reader) {
  Goodput::Settings settings;
  settings.interval = reader.get_or("interval", settings.interval, kNotNegative);
  settings.gain = reader.get_or("gain", settings.gain, kAtLeastOne);
  return std::make_unique<Goodput>(settings);
}

Choice<Batching> fixed_choice() {
  return {"fixed",
          "the total batch the user asked for",
          {{"measurable", "boolean", "false", "true or false",
            "one replica with more than M0 samples takes two micro-batches (Pollux)"}},
          [](YamlReader& reader) {
            return std::make_unique<Fixed>(reader.get_or("measurable", false));
          }};
}

Choice<Batching> linear_choice() {
  return {"linear", "the model's reference batch on every GPU", {}, [](YamlReader&) {
            return std::make_unique<Linear>();
          }};
}

Choice<Batching> goodput_choice() {
  return {"goodput",
          "the batch with the greatest throughput x statistical efficiency (Pollux, OSDI'21)",
          {{"interval", "duration", "30 s", ">= 0", "least time between two evaluations of a job"},
           {"gain", "number", "1.05", ">= 1", "predicted gain that a switch must exceed"}},
          make_goodput};
}

}  // namespace

std::optional<BatchPlan> Batching::retune(const BatchQuery&) const {
  return std::nullopt;
}

const Registry<Batching>& batch_choices() {
  static const Registry<Batching> table{"batch",
                                        {fixed_choice(), linear_choice(), goodput_choice()}};
  return table;
}

}  // namespace mimus::scheduler
