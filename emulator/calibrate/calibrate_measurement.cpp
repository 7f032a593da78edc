// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/calibrate/calibrate_measurement.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <variant>

#include <fmt/format.h>

#include "base/error.hpp"

namespace mimus::emulator {
namespace {

/// Means of a device's readings, over the values that it gave.
class ReadingMean {
 public:
  void add(const DeviceReading& reading, double steps) {
    for (std::size_t i = 0; i < kFigures.size(); ++i) {
      const double value = reading.*kFigures[i];
      if (value < 0.0) continue;
      sums_[i] += steps * value;
      weights_[i] += steps;
    }
    peak_ = std::max(peak_, reading.memory_peak);
  }
  [[nodiscard]] DeviceReading mean() const {
    DeviceReading out;
    for (std::size_t i = 0; i < kFigures.size(); ++i) {
      if (weights_[i] > 0.0) out.*kFigures[i] = sums_[i] / weights_[i];
    }
    out.memory_peak = peak_;
    return out;
  }

 private:
  static constexpr std::array kFigures{&DeviceReading::sync, &DeviceReading::kernels,
                                       &DeviceReading::sm_activity, &DeviceReading::dram_activity,
                                       &DeviceReading::tensor_activity};
  std::array<double, kFigures.size()> sums_{};
  std::array<double, kFigures.size()> weights_{};
  double peak_ = -1.0;
};

/// One attempt while it is measured.
class Tenant {
 public:
  Tenant(Attempt attempt, const StoppingLimits& limits)
      : attempt_(std::move(attempt)), rule_(limits) {}

  [[nodiscard]] const Attempt& attempt() const { return attempt_; }
  [[nodiscard]] const StoppingRule& rule() const { return rule_; }
  [[nodiscard]] bool ended() const { return ended_; }
  [[nodiscard]] const std::string& failure() const { return failure_; }

  void take(const StepWindow& window, int beside) {
    if (window.co_tenants < beside || window.steps <= 0) return;
    const bool counts = rule_.counts();
    rule_.add(to_seconds(window.step_mean));
    if (!counts) return;
    const auto steps = static_cast<double>(window.steps);
    steps_ += window.steps;
    modelled_ += steps * to_seconds(window.step_modelled);
    exposed_ += steps * to_seconds(window.exposed_communication);
    busy_ += steps * to_seconds(window.device_busy);
    late_ += steps * to_seconds(window.late);
    reading_.add(window.reading, steps);
  }

  void end(const scheduler::AttemptEnded& ended) {
    ended_ = true;
    const bool as_asked = ended.reason == scheduler::EndReason::finished ||
                          ended.reason == scheduler::EndReason::preempted;
    if (!as_asked) failure_ = ended.detail.empty() ? name(ended.reason) : ended.detail;
  }

  [[nodiscard]] Measured result() const {
    Measured out;
    out.step = rule_.interval();
    out.converged = rule_.converged();
    out.steps = steps_;
    if (steps_ == 0) return out;
    const auto steps = static_cast<double>(steps_);
    out.modelled = modelled_ / steps;
    out.exposed_communication = exposed_ / steps;
    out.device_busy = busy_ / steps;
    out.late = late_ / steps;
    out.reading = reading_.mean();
    return out;
  }

 private:
  Attempt attempt_;
  StoppingRule rule_;
  bool ended_ = false;
  std::string failure_;
  std::int64_t steps_ = 0;
  double modelled_ = 0.0, exposed_ = 0.0, busy_ = 0.0, late_ = 0.0;  ///< sums over steps [s]
  ReadingMean reading_;
};

/// All attempts of one measurement.
class Tenants {
 public:
  Tenants(std::vector<Attempt> attempts, const StoppingLimits& limits) {
    for (Attempt& attempt : attempts) all_.emplace_back(std::move(attempt), limits);
  }

  void take(const TimedEvent& happened) {
    if (const auto* progress = std::get_if<AttemptProgress>(&happened.event)) {
      for (const StepWindow& window : progress->windows) {
        of(progress->attempt).take(window, static_cast<int>(all_.size()) - 1);
      }
    } else if (const auto* ended = std::get_if<scheduler::AttemptEnded>(&happened.event)) {
      of(ended->attempt).end(*ended);
    }
  }

  [[nodiscard]] const std::vector<Tenant>& all() const { return all_; }
  [[nodiscard]] bool done() const {
    return std::all_of(all_.begin(), all_.end(), [](const Tenant& t) { return t.rule().done(); });
  }
  [[nodiscard]] bool any_ended() const {
    return std::any_of(all_.begin(), all_.end(), [](const Tenant& t) { return t.ended(); });
  }
  [[nodiscard]] bool all_ended() const {
    return std::all_of(all_.begin(), all_.end(), [](const Tenant& t) { return t.ended(); });
  }
  [[nodiscard]] std::int64_t fewest_steps() const {
    auto fewest = std::numeric_limits<std::int64_t>::max();
    for (const Tenant& tenant : all_) fewest = std::min(fewest, tenant.rule().measured());
    return fewest;
  }
  /// Why nothing was measured, or "".
  [[nodiscard]] std::string failure(Duration timeout) const {
    for (const Tenant& tenant : all_) {
      if (!tenant.failure().empty()) return tenant.failure();
    }
    if (fewest_steps() >= 2) return "";
    return fmt::format("fewer than two steps in {:.3g} emulated seconds; raise --timeout",
                       to_seconds(timeout));
  }

 private:
  Tenant& of(AttemptId id) {
    const auto found = std::find_if(all_.begin(), all_.end(),
                                    [&](const Tenant& t) { return t.attempt().id == id; });
    ensure(found != all_.end(), "an event of an attempt that is not being measured");
    return *found;
  }

  std::vector<Tenant> all_;
};

}  // namespace

std::vector<Measured> Measurement::measure(std::vector<Attempt> attempts) {
  for (Attempt& attempt : attempts) {
    attempt.id = AttemptId{next_id_};
    attempt.job = JobId{next_id_++};
    attempt.work_samples = 1e18;  // it never finishes and has to be stopped
    attempt.probe_steps = std::numeric_limits<std::int64_t>::max();
  }
  Tenants tenants(std::move(attempts), limits_.steps);
  for (const Tenant& tenant : tenants.all()) engine_.start(tenant.attempt());
  const Instant give_up = engine_.now() + limits_.timeout;
  std::vector<TimedEvent> happened;
  std::optional<Instant> first;
  bool stopping = false;
  while (!tenants.all_ended()) {
    happened.clear();
    const Instant now = engine_.next(stopping ? kNever : give_up, happened);
    for (const TimedEvent& what : happened) tenants.take(what);
    watcher_(tenants.fewest_steps());
    if (!first && tenants.fewest_steps() > 0) first = now;
    const bool done = tenants.done() && first && now >= *first + limits_.least;
    if (stopping || !(done || tenants.any_ended() || now >= give_up)) continue;
    stopping = true;
    for (const Tenant& tenant : tenants.all()) engine_.stop(tenant.attempt().id);
  }
  const std::string failure = tenants.failure(limits_.timeout);
  std::vector<Measured> out;
  for (const Tenant& tenant : tenants.all()) {
    out.push_back(tenant.result());
    out.back().failure = failure;
  }
  return out;
}

}  // namespace mimus::emulator
