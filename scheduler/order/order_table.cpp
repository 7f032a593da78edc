// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/order/fifo.hpp"
#include "scheduler/order/least_attained_service.hpp"
#include "scheduler/order/shortest_job_first.hpp"

namespace mimus::scheduler {
namespace {

std::unique_ptr<Order> make_fifo(YamlReader& reader) {
  return std::make_unique<Fifo>(reader.get_or("skip", false));
}

std::unique_ptr<Order> make_sjf(YamlReader& reader) {
  ShortestJobFirst::Settings settings;
  settings.skip = reader.get_or("skip", true);
  if (reader.choice_or("unknown", {"first", "last"}, "first") == "last") {
    settings.unknown = ShortestJobFirst::Unknown::last;
  }
  return std::make_unique<ShortestJobFirst>(settings);
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
  return std::make_unique<LeastAttainedService>(std::move(settings));
}

Choice<Order> fifo_choice() {
  return {"fifo",
          "by arrival",
          {{"skip", "boolean", "false", "true or false",
            "later jobs that fit may pass one that does not"}},
          make_fifo};
}

Choice<Order> sjf_choice() {
  return {"sjf",
          "shortest run time first, as the user states it",
          {{"skip", "boolean", "true", "true or false",
            "later jobs that fit may pass one that does not"},
           {"unknown", "text", "first", "first or last", "where jobs without an estimate stand"}},
          make_sjf};
}

Choice<Order> las_choice() {
  return {"las",
          "least attained service (GPUs x time) first: 2D-LAS (Tiresias, NSDI'19)",
          {{"limits", "list of durations", "[]", "ascending, > 0",
            "GPU time at which a job moves to the next queue; without, by service itself"},
           {"quantum", "duration", "0 s", ">= 0",
            "service counts up to the last multiple of this; 0 s is exact"},
           {"promote", "number", "", "> 0",
            "back to the first queue after waiting this times the time executed; never without"}},
          make_las};
}

}  // namespace

Instant Order::next_change(const JobView&, Instant) const {
  return kNever;
}

void Order::refresh(const JobView&, Instant) {}

Instant Order::overtaken_at(const JobView& running, const JobView&, Instant now) const {
  return next_change(running, now);
}

const Registry<Order>& order_choices() {
  static const Registry<Order> table("order", {fifo_choice(), sjf_choice(), las_choice()});
  return table;
}

}  // namespace mimus::scheduler
