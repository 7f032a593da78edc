// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/fifo.hpp"
#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/shortest_job_first.hpp"
#include "scheduler/order/shortest_remaining.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Order> make_fifo(YamlReader& reader) {
  return std::make_unique<Fifo>(reader.get_or("skip", false));
}

Unknown read_unknown(YamlReader& reader) {
  const bool last = reader.choice_or("unknown", {"first", "last"}, "first") == "last";
  return last ? Unknown::last : Unknown::first;
}

std::unique_ptr<Order> make_sjf(YamlReader& reader) {
  ShortestJobFirst::Settings settings;
  settings.skip = reader.get_or("skip", true);
  settings.unknown = read_unknown(reader);
  return std::make_unique<ShortestJobFirst>(settings);
}

std::unique_ptr<Order> make_remaining(YamlReader& reader, ShortestRemaining::Measure measure) {
  ShortestRemaining::Settings settings;
  settings.measure = measure;
  settings.skip = reader.get_or("skip", true);
  settings.unknown = read_unknown(reader);
  return std::make_unique<ShortestRemaining>(settings);
}

LeastAttainedService::Within read_within(YamlReader& reader) {
  using Within = LeastAttainedService::Within;
  const auto name =
      reader.choice_or("within", {"first_start", "entry", "queue_order"}, "first_start");
  if (name == "queue_order") return Within::queue_order;
  return name == "entry" ? Within::entry : Within::first_start;
}

std::vector<Duration> read_limits(YamlReader& reader) {
  std::vector<Duration> limits;
  if (!reader.has("limits")) return limits;
  for (const ConfigNode& item : reader.sequence("limits")) {
    limits.push_back(read_scalar<Duration>(item, reader.child_path("limits"), kPositive));
    const bool ascending = limits.size() == 1 || limits[limits.size() - 2] < limits.back();
    if (!ascending) reader.fail("limits", "each limit must be greater than the one before it");
  }
  return limits;
}

std::unique_ptr<Order> make_las(YamlReader& reader) {
  LeastAttainedService::Settings settings;
  settings.limits = read_limits(reader);
  settings.quantum = reader.get_or("quantum", Duration::zero(), kNotNegative);
  settings.promote = reader.get_if<double>("promote", kPositive);
  if (settings.promote && settings.limits.empty()) {
    reader.fail("promote", "only jobs in queues are promoted; give the queues with \"limits\" too");
  }
  settings.within = read_within(reader);
  if (settings.within != LeastAttainedService::Within::first_start && settings.limits.empty()) {
    reader.fail("within",
                "without queues jobs go by service alone; give the queues with \"limits\"");
  }
  settings.skip = reader.get_or("skip", true);
  return std::make_unique<LeastAttainedService>(std::move(settings));
}

ParameterInfo skip_parameter(const char* fallback) {
  return {"skip", "boolean", fallback, "true or false",
          "later jobs that fit may pass one that does not"};
}

ParameterInfo unknown_parameter() {
  return {"unknown", "text", "first", "first or last", "where jobs without an estimate stand"};
}

Choice<Order> fifo_choice() {
  return {"fifo", "by arrival", {skip_parameter("false")}, make_fifo};
}

Choice<Order> sjf_choice() {
  return {"sjf",
          "shortest estimated run time first",
          {skip_parameter("true"), unknown_parameter()},
          make_sjf};
}

Choice<Order> srtf_choice() {
  return {
      "srtf",
      "shortest remaining time first",
      {skip_parameter("true"), unknown_parameter()},
      [](YamlReader& reader) { return make_remaining(reader, ShortestRemaining::Measure::time); }};
}

Choice<Order> srsf_choice() {
  return {"srsf",
          "shortest remaining time x GPUs first (Tiresias, NSDI'19)",
          {skip_parameter("true"), unknown_parameter()},
          [](YamlReader& reader) {
            return make_remaining(reader, ShortestRemaining::Measure::service);
          }};
}

Choice<Order> las_choice() {
  return {"las",
          "least attained service (GPUs x time) first: 2D-LAS (Tiresias, NSDI'19)",
          {{"limits", "list of durations", "[]", "ascending, > 0",
            "GPU time at which a job moves to the next queue; without, by service itself"},
           {"quantum", "duration", "0 s", ">= 0",
            "service counts up to the last multiple of this; 0 s is exact"},
           {"promote", "number", "-", "> 0",
            "back to the first queue after waiting this times the time executed; never without"},
           {"within", "text", "first_start", "first_start, entry or queue_order",
            "who goes first in a queue: the first to start, the first to come into it, or those "
            "that run and then those that wait, as in Tiresias' simulator"},
           skip_parameter("true")},
          make_las};
}

}  // namespace

Instant Order::next_change(const JobView&, Instant) const {
  return kNever;
}

std::int64_t Order::drift(const JobView&, Instant) const {
  return 0;
}

void Order::left(JobId) {}

void Order::refresh(const JobView&, Instant) {}

Instant Order::overtaken_at(const JobView& running, const JobView&, Instant now) const {
  return next_change(running, now);
}

const Registry<Order>& order_choices() {
  static const Registry<Order> table(
      "order", {fifo_choice(), sjf_choice(), srtf_choice(), srsf_choice(), las_choice()});
  return table;
}

}  // namespace mimus::scheduler
