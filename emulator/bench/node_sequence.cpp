// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/bench/node_sequence.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.hpp"
#include "workloads/csv/csv_reader.hpp"
#include "workloads/csv/timestamp.hpp"

namespace mimus::emulator {
namespace {

using scheduler::CesRule;

constexpr int kMostNodes = 1'000'000;
constexpr Duration kDay = std::chrono::hours(24);

/// A time of a row, which must not come before the row before.
Duration time_of(const workloads::CsvReader& table, Duration before) {
  const auto column = table.column("time");
  const auto time = workloads::parse_timestamp(table.text(column));
  if (!time) table.fail(column, "must be a date and time like 2017-12-01 00:00:00");
  if (*time < before) table.fail(column, "lies before that of the row before");
  return *time;
}

/// Sums of what the rule does, step by step.
class Tally {
 public:
  void add(int before, int active, int used, int nodes) {
    changes_ += active != before ? 1 : 0;
    if (active > before) woken_.push_back(active - before);
    off_ += nodes - active;
    share_ += static_cast<double>(used) / active;
    ++steps_;
  }
  void fall_short(int nodes) {
    ++figures_.short_steps;
    figures_.short_nodes += nodes;
  }
  /// Steps in which the rule only observes.
  void observe(int active, int used, int nodes) { add(active, active, used, nodes); }

  [[nodiscard]] CesFigures figures(Duration step) const {
    CesFigures out = figures_;
    const double days = steps_ * to_seconds(step) / to_seconds(kDay);
    out.changes_per_day = changes_ / days;
    out.wake_ups_per_day = static_cast<double>(woken_.size()) / days;
    for (const int size : woken_) out.wake_up_size += size / static_cast<double>(woken_.size());
    out.nodes_off = off_ / steps_;
    out.used_share = share_ / steps_;
    return out;
  }

 private:
  CesFigures figures_;
  double changes_ = 0.0, off_ = 0.0, share_ = 0.0, steps_ = 0.0;
  std::vector<int> woken_;
};

}  // namespace

NodeSequence read_node_sequence(std::string_view text, const std::string& name, Duration step) {
  workloads::CsvReader table(text, name, {"time", "active", "total"});
  NodeSequence sequence;
  sequence.step = step;
  Duration before = Duration::min();
  while (table.next()) {
    before = time_of(table, before);
    if (sequence.used.empty()) sequence.begin = before / step * step;
    const auto index = static_cast<std::size_t>((before - sequence.begin) / step);
    const auto used = table.get<std::int64_t>("active", between(0, kMostNodes));
    const auto nodes = table.get<std::int64_t>("total", between(1, kMostNodes));
    while (sequence.used.size() <= index) {
      const bool is_new = sequence.used.size() == index;
      sequence.used.push_back(is_new ? 0 : sequence.used.back());
      sequence.nodes.push_back(static_cast<int>(nodes));
    }
    sequence.used[index] = std::max(sequence.used[index], static_cast<int>(used));
  }
  if (sequence.used.empty()) throw ConfigError({name, 0, 0}, "", "has no rows");
  return sequence;
}

StepRange steps_of(const NodeSequence& sequence, const std::string& from, int days) {
  auto begin = workloads::parse_timestamp(from);
  if (!begin) begin = workloads::parse_timestamp(from + " 00:00:00");
  if (!begin) {
    throw UsageError(fmt::format("\"{}\" is not a date; write it as 2017-12-01", from));
  }
  const Duration offset = *begin - sequence.begin;
  const auto steps = static_cast<std::size_t>(days * (kDay / sequence.step));
  const auto first = static_cast<std::size_t>(std::max(offset, Duration{}) / sequence.step);
  if (offset < Duration{} || first + steps > sequence.used.size()) {
    throw UsageError(fmt::format(
        "the sequence has {:.1f} days, but {} days are requested, from {:.1f} days after its start",
        to_seconds(sequence.step) * static_cast<double>(sequence.used.size()) / to_seconds(kDay),
        days, to_seconds(offset) / to_seconds(kDay)));
  }
  return {first, first + steps};
}

CesFigures replay_ces(const NodeSequence& sequence, StepRange range,
                      const CesRule::Settings& settings, const SequenceForecast& forecast) {
  const int nodes = sequence.nodes[range.first];
  CesRule rule(settings, nodes);
  Tally tally;
  double error = 0.0, errors = 0.0;
  for (std::size_t i = range.first; i < range.last; ++i) {
    const int before = rule.active(), used = sequence.used[i];
    const auto mean = [&](int steps) {
      return forecast(i, std::min(range.last, i + static_cast<std::size_t>(steps)));
    };
    const bool warms_up = rule.warming_up();
    if (!warms_up && used > before) tally.fall_short(used - before);
    rule.end_step(used, mean);
    warms_up ? tally.observe(rule.active(), used, nodes)
             : tally.add(before, rule.active(), used, nodes);
    const std::size_t end = i + static_cast<std::size_t>(settings.future);
    if (end > range.last) continue;
    double truth = 0.0;
    for (std::size_t k = i; k < end; ++k)
      truth += sequence.used[k] / static_cast<double>(settings.future);
    error += std::abs(mean(settings.future) - truth);
    errors += 1.0;
  }
  CesFigures figures = tally.figures(sequence.step);
  if (errors > 0.0) figures.forecast_error = error / errors;
  return figures;
}

CesFigures replay_ces(const NodeSequence& sequence, StepRange range,
                      const scheduler::Ces::Settings& settings) {
  const auto forecast = scheduler::make_forecast(settings.forecast_of_steps());
  std::size_t known = 0;
  return replay_ces(sequence, range, settings.rule, [&](std::size_t begin, std::size_t end) {
    for (; known <= begin; ++known) forecast->observe(sequence.used[known]);
    return forecast->mean(static_cast<int>(end - begin));
  });
}

CesFigures replay_all_on(const NodeSequence& sequence, StepRange range) {
  Tally tally;
  const int nodes = sequence.nodes[range.first];
  for (std::size_t i = range.first; i < range.last; ++i) {
    tally.observe(nodes, sequence.used[i], nodes);
  }
  return tally.figures(sequence.step);
}

}  // namespace mimus::emulator
