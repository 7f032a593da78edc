// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/batch/fixed.hpp"
#include "scheduler/batch/goodput.hpp"
#include "scheduler/batch/linear.hpp"

namespace mimus::scheduler {
namespace {

Choice<Batching> fixed_choice() {
  return choice<Batching, Fixed>(
      "fixed", "the total batch the user asked for",
      {field("measurable", &Fixed::Settings::measurable,
             "one replica with more than M0 samples takes two micro-batches (Pollux)")});
}

Choice<Batching> goodput_choice() {
  using S = Goodput::Settings;
  return choice<Batching, Goodput>(
      "goodput",
      "the batch with the greatest throughput x statistical efficiency (Pollux, OSDI'21)",
      {field("interval", &S::interval, kNotNegative,
             "minimum time between two evaluations of a job"),
       field("gain", &S::gain, kAtLeastOne, "predicted gain that a switch must exceed"),
       field("first", &S::first,
             {{"requested", Goodput::First::requested}, {"reference", Goodput::First::reference}},
             "total batch until a noise scale is measured: the user's, or the model's M0")});
}

}  // namespace

std::optional<BatchPlan> Batching::retune(const BatchQuery&) const {
  return std::nullopt;
}

const Registry<Batching>& batch_choices() {
  static const Registry<Batching> table{
      "batch",
      {fixed_choice(),
       choice<Batching, Linear>("linear", "the model's reference batch on every GPU"),
       goodput_choice()}};
  return table;
}

}  // namespace mimus::scheduler
