// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "base/fields.hpp"
#include "scheduler/batch/adabatch.hpp"
#include "scheduler/batch/cabs.hpp"
#include "scheduler/batch/fixed.hpp"
#include "scheduler/batch/goodput.hpp"
#include "scheduler/batch/linear.hpp"
#include "scheduler/batch/noise_scale_batch.hpp"
#include "scheduler/batch/planned.hpp"

namespace mimus::scheduler {
namespace {

Choice<Batching> fixed_choice() {
  return choice<Batching, Fixed>(
      "fixed", "the total batch the user asked for",
      with_learning_rate<Fixed::Settings>(
          {field("measurable", &Fixed::Settings::measurable,
                 "one replica with more than M0 samples takes two micro-batches (Pollux)")}));
}

Choice<Batching> goodput_choice() {
  using S = Goodput::Settings;
  return choice<Batching, Goodput>(
      "goodput",
      "the batch with the greatest throughput x statistical efficiency (Pollux, OSDI'21)",
      with_learning_rate<S>(
          {field("interval", &S::interval, kNotNegative,
                 "minimum time between two evaluations of a job"),
           field("gain", &S::gain, kAtLeastOne, "predicted gain that a switch must exceed"),
           field(
               "first", &S::first,
               {{"requested", Goodput::First::requested}, {"reference", Goodput::First::reference}},
               "total batch until a noise scale is measured: the user's, or the model's M0")}));
}

/// Of every agent.
template <class S>
Field<S> report_interval() {
  return field("interval", &S::interval, kPositive, "time between reports of a job to its agent");
}

Choice<Batching> adabatch_choice() {
  using S = AdaBatch::Settings;
  return choice<Batching, AdaBatch>(
      "adabatch",
      "the user's batch, multiplied by a factor at fixed numbers of epochs (AdaBatch, 2017)",
      with_learning_rate<S>(
          {field("every", &S::every, kPositive, "epochs between two changes"),
           field("factor", &S::factor, kAtLeastOne, "factor by which the batch grows each time"),
           report_interval<S>()}));
}

Choice<Batching> planned_choice() {
  using S = Planned::Settings;
  return choice<Batching, Planned>(
      "planned", "the batch that the job's user plans for each epoch (batch_plan of a job)",
      with_learning_rate<S>({report_interval<S>()}));
}

Choice<Batching> cabs_choice() {
  using S = Cabs::Settings;
  return choice_from<Batching, S>(
      "cabs", "factor x learning rate x gradient variance / loss (CABS, UAI'17)",
      with_learning_rate<S>(
          {field("factor", &S::factor, kPositive, "c of the rule"),
           field("least", &S::least, kAtLeastOne, "smallest batch, in samples"),
           field("most", &S::most, kAtLeastOne, "largest batch, in samples").beyond(">= least"),
           field("decay", &S::decay, between(0.0, 0.9999), "decay of moving averages, per step"),
           report_interval<S>()}),
      [](S settings, const YamlReader& reader) {
        if (settings.most < settings.least) reader.fail("most", "is less than \"least\"");
        return std::make_unique<Cabs>(settings);
      });
}

Choice<Batching> noise_scale_choice() {
  using S = NoiseScaleBatch::Settings;
  return choice<Batching, NoiseScaleBatch>(
      "noise_scale", "the gradient noise scale that the job has measured (KungFu, OSDI'20)",
      with_learning_rate<S>(
          {field("decay", &S::decay, between(0.0, 0.9999), "decay of moving averages, per step"),
           report_interval<S>()}));
}

}  // namespace

std::optional<BatchPlan> Batching::retune(const BatchQuery&) const {
  return std::nullopt;
}

const Registry<Batching>& batch_choices() {
  static const Registry<Batching> table{
      "batch",
      {fixed_choice(),
       choice<Batching, Linear>("linear", "the model's reference batch on every GPU",
                                with_learning_rate<Linear::Settings>({})),
       goodput_choice(), planned_choice(), adabatch_choice(), cabs_choice(), noise_scale_choice()}};
  return table;
}

}  // namespace mimus::scheduler
