// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <functional>

#include "base/fields.hpp"
#include "scheduler/order/by_utilisation.hpp"
#include "scheduler/order/earliest_deadline.hpp"
#include "scheduler/order/fair_queues.hpp"
#include "scheduler/order/fifo.hpp"
#include "scheduler/order/gittins.hpp"
#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/shortest_job_first.hpp"
#include "scheduler/order/shortest_remaining.hpp"

namespace mimus::scheduler {
namespace {

template <class S>
Field<S> skip_field() {
  return field("skip", &S::skip, "later jobs that fit may pass one that does not");
}

template <class S>
Field<S> unknown_field() {
  return field("unknown", &S::unknown, {{"first", Unknown::first}, {"last", Unknown::last}},
               "position of jobs without an estimate");
}

Choice<Order> remaining_choice(const char* name, const char* summary,
                               ShortestRemaining::Measure measure) {
  using S = ShortestRemaining::Settings;
  return choice<Order, ShortestRemaining>(name, summary, {skip_field<S>(), unknown_field<S>()},
                                          [measure](S settings) {
                                            settings.measure = measure;
                                            return std::make_unique<ShortestRemaining>(settings);
                                          });
}

void check_ascend(const std::vector<Duration>& limits, const YamlReader& reader) {
  if (std::adjacent_find(limits.begin(), limits.end(), std::greater_equal<>{}) != limits.end()) {
    reader.fail("limits", "each limit must be greater than the one before it");
  }
}

template <class S>
Field<S> promote_field() {
  return field("promote", &S::promote, kPositive,
               "a job returns to the first queue after waiting this multiple of its executed time; "
               "default: never");
}

std::unique_ptr<Order> make_las(LeastAttainedService::Settings settings, const YamlReader& reader) {
  const auto& limits = settings.limits;
  check_ascend(limits, reader);
  if (settings.promote && limits.empty()) {
    reader.fail("promote",
                "only jobs in queues are promoted; give the queues with \"limits\", too");
  }
  if (settings.within != LeastAttainedService::Within::first_start && limits.empty()) {
    reader.fail(
        "within",
        "without queues, jobs are ordered by service alone; give the queues with \"limits\"");
  }
  return std::make_unique<LeastAttainedService>(std::move(settings));
}

Choice<Order> las_choice() {
  using S = LeastAttainedService::Settings;
  using Within = LeastAttainedService::Within;
  return choice<Order, LeastAttainedService>(
      "las", "least attained service (GPUs x time) first: 2D-LAS (Tiresias, NSDI'19)",
      {field("limits", &S::limits, kPositive,
             "GPU time at which a job moves to the next queue; without limits, by service itself")
           .beyond("ascending, > 0"),
       field("quantum", &S::quantum, kNotNegative,
             "service counts up to the last multiple of this; 0 s is exact"),
       promote_field<S>(),
       field("within", &S::within,
             {{"first_start", Within::first_start},
              {"entry", Within::entry},
              {"queue_order", Within::queue_order}},
             "which job goes first in a queue: the first to start, the first to enter it, or "
             "running jobs before waiting ones, as in Tiresias' simulator"),
       skip_field<S>()},
      make_las);
}

std::unique_ptr<Order> make_gittins(Gittins::Settings settings, const YamlReader& reader) {
  check_ascend(settings.limits, reader);
  if (settings.limits.empty()) reader.fail("limits", "must name the end of the first queue");
  if (!settings.samples.empty()) {
    std::string error;
    settings.given = parse_service_history(settings.samples, error);
    if (!settings.given) reader.fail("history", settings.history + ": " + error);
  }
  return std::make_unique<Gittins>(std::move(settings));
}

/// Not shown in labels.
Field<Gittins::Settings> samples_field() {
  return {{"samples",
           {.type = ValueSpec::Type::script},
           "-",
           "text of the history, which results keep in place of the file"},
          [](YamlReader& reader, Gittins::Settings& settings) {
            settings.samples = reader.get_or("samples", std::string{});
          }};
}

Choice<Order> gittins_choice() {
  using S = Gittins::Settings;
  return choice<Order, Gittins>(
      "gittins",
      "highest Gittins index of the GPU time taken first: 2D-Gittins (Tiresias, NSDI'19)",
      {field("limits", &S::limits, kPositive, "GPU time at which a job moves to the next queue")
           .beyond("ascending, > 0"),
       promote_field<S>(),
       optional_field(
           "history", &S::history, {},
           "file with the GPU-seconds of past jobs, one per line; default: jobs as they finish"),
       field("refit", &S::refit, kAtLeastOne, "number of jobs that finish between two fits"),
       field("warm_up", &S::warm_up, kAtLeastOne, "with fewer past jobs the order is that of las"),
       skip_field<S>(), samples_field()},
      make_gittins);
}

template <class S>
Field<S> look_ahead_field(const char* name) {
  return field(name, &S::look_ahead, between(1, 1e6),
               "number of jobs that do not fit after which later jobs are not tried");
}

Choice<Order> by_utilisation_choice() {
  using S = ByUtilisation::Settings;
  using First = ByUtilisation::First;
  return choice<Order, ByUtilisation>(
      "utilisation", "by the share of a GPU's time that a job is believed to use (Horus, TPDS'22)",
      {field("first", &S::first, {{"lowest", First::lowest}, {"highest", First::highest}},
             "which jobs go first; equal ones by arrival"),
       look_ahead_field<S>("look_ahead")});
}

Choice<Order> fair_queues_choice() {
  using S = FairQueues::Settings;
  return choice<Order, FairQueues>(
      "fair_queues", "weighted fair queues of similar jobs (Horus+, TPDS'22)",
      {field("queues", &S::queues, between(1, 64),
             "number of queues into which waiting jobs are clustered"),
       field("batch", &S::batch, between(1, 1e6),
             "number of jobs that are taken from all queues in turn"),
       look_ahead_field<S>("look_ahead"),
       field("reserve_after", &S::reserve_after, kPositive,
             "waiting time after which a job goes first, and no other job passes it")});
}

}  // namespace

Instant Order::next_change(const JobView&, Instant) const {
  return kNever;
}

bool Order::reserves(const JobView&, Instant) const {
  return false;
}

void Order::arrange(std::span<const JobView* const>, Instant) {}

std::int64_t Order::drift(const JobView&, Instant) const {
  return 0;
}

bool Order::learn(const JobView&, Instant) {
  return false;
}

void Order::left(JobId) {}

void Order::refresh(const JobView&, Instant) {}

Instant Order::overtaken_at(const JobView& running, const JobView&, Instant now) const {
  return next_change(running, now);
}

const Registry<Order>& order_choices() {
  using Remaining = ShortestRemaining::Measure;
  using Sjf = ShortestJobFirst::Settings;
  using Measure = ShortestJobFirst::Measure;
  static const Registry<Order> table(
      "order",
      {choice<Order, Fifo>("fifo", "by arrival", {skip_field<Fifo::Settings>()}),
       choice<Order, ShortestJobFirst>(
           "sjf", "shortest estimated run time first",
           {field("measure", &Sjf::measure,
                  {{"time", Measure::time}, {"service", Measure::service}},
                  "by run time, or by service: run time x GPUs"),
            skip_field<Sjf>(), unknown_field<Sjf>()}),
       remaining_choice("srtf", "shortest remaining time first", Remaining::time),
       remaining_choice("srsf", "shortest remaining time x GPUs first (Tiresias, NSDI'19)",
                        Remaining::service),
       choice<Order, EarliestDeadline>("edf", "earliest deadline first; jobs without one last",
                                       {skip_field<EarliestDeadline::Settings>()}),
       las_choice(), gittins_choice(), by_utilisation_choice(), fair_queues_choice()});
  return table;
}

}  // namespace mimus::scheduler
