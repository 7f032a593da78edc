// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/application_fairness.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace mimus::results {

namespace {

constexpr double kNotLeft = std::numeric_limits<double>::infinity();

}  // namespace

class ApplicationFairness::Active {
 public:
  explicit Active(const ApplicationFairness& of) {
    for (const auto& [begin, end] : of.others_) add({begin, end});
    for (const auto& [name, application] : of.applications_) {
      for (const Span& span : united(application.spans)) add(span);
    }
    std::sort(changes_.begin(), changes_.end());
    double active = 0, since = 0, integral = 0;
    for (auto& [time, change] : changes_) {
      integral += active * (time - since);
      since = time;
      active += change;
      integrals_.push_back({time, integral, active});
    }
  }

  [[nodiscard]] double mean(const Span& span) const {
    return (until(span.end) - until(span.begin)) / (span.end - span.begin);
  }

 private:
  struct Integral {
    double time, value, active;
  };

  void add(const Span& span) {
    changes_.emplace_back(span.begin, 1.0);
    if (span.end != kNotLeft) changes_.emplace_back(span.end, -1.0);
  }
  static std::vector<Span> united(std::vector<Span> spans) {
    std::ranges::sort(spans, {}, &Span::begin);
    std::vector<Span> all;
    for (const Span& span : spans) {
      if (all.empty() || span.begin > all.back().end) {
        all.push_back(span);
      } else {
        all.back().end = std::max(all.back().end, span.end);
      }
    }
    return all;
  }
  [[nodiscard]] double until(double time) const {
    const auto after = std::ranges::upper_bound(integrals_, time, {}, &Integral::time);
    if (after == integrals_.begin()) return 0;
    const Integral& last = *std::prev(after);
    return last.value + last.active * (time - last.time);
  }

  std::vector<std::pair<double, double>> changes_;
  std::vector<Integral> integrals_;
};

void ApplicationFairness::add(const JobRow& row) {
  const double end = row.end >= 0 ? row.end : kNotLeft;
  if (row.application.empty()) {
    others_.emplace_back(static_cast<float>(row.arrival), static_cast<float>(end));
    return;
  }
  Application& application = applications_[row.application];
  application.spans.push_back({row.arrival, end});
  application.jobs += 1;
  application.all_left = application.all_left && row.end >= 0;
  application.finished += row.outcome == "finished" ? 1 : 0;
  application.killed += row.outcome == "killed" ? 1 : 0;
  application.asked += static_cast<double>(row.gang) * row.gpu_share * (row.end - row.arrival);
  application.service += row.replica_seconds * row.gpu_share;
  if (row.attempts > 0) application.shares.emplace_back(row.job, row.gpu_share);
}

void ApplicationFairness::each(double gpus, const std::function<double(std::int64_t)>& lost,
                               const std::function<void(const ApplicationRow&)>& act) const {
  if (applications_.empty()) return;
  const Active active(*this);
  for (const auto& [name, application] : applications_) {
    if (!application.all_left || application.finished == 0) continue;
    ApplicationRow row{.application = name};
    row.jobs = static_cast<std::int64_t>(application.jobs);
    row.finished = static_cast<std::int64_t>(application.finished);
    row.killed = static_cast<std::int64_t>(application.killed);
    row.arrival = std::ranges::min_element(application.spans, {}, &Span::begin)->begin;
    row.end = std::ranges::max_element(application.spans, {}, &Span::end)->end;
    row.service = application.service;
    for (const auto& [job, share] : application.shares) row.service -= lost(job) * share;
    const double time = row.end - row.arrival;
    if (time <= 0 || row.service <= 0 || gpus <= 0) continue;
    row.demand = application.asked / time;
    row.mean_active = active.mean({row.arrival, row.end});
    row.rho = time * std::min(gpus / row.mean_active, row.demand) / row.service;
    act(row);
  }
}

}  // namespace mimus::results
