// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "results/totals/cell_totals.hpp"

#include <algorithm>
#include <cmath>
#include <span>

#include <fmt/format.h>

#include "results/schema/fixed_text.hpp"
#include "results/totals/percentile.hpp"

namespace mimus::results {

namespace {

void append_quantiles_of(std::vector<QuantileRow>& rows, const std::string& metric,
                         const std::string& group, std::span<const double> sorted) {
  if (sorted.empty()) return;
  for (const double fraction : quantile_fractions()) {
    rows.push_back({metric, group, fraction, percentile_of_sorted(sorted, fraction)});
  }
}

}  // namespace

const std::vector<double>& quantile_fractions() {
  static const std::vector<double> fractions = [] {
    constexpr int kParts = 200;
    std::vector<double> all;
    for (int i = 0; i < kParts; ++i) all.push_back(static_cast<double>(i) / kParts);
    all.push_back(0.999);
    all.push_back(1.0);
    return all;
  }();
  return fractions;
}

void CellTotals::arrived(double time) {
  last_arrival_ = time;
  gpu_time_.arrived(time);
}

void CellTotals::add(const JobRow& row, double mean_active) {
  const std::size_t group = gang_class(row.gang);
  jobs_[group].add(row);
  classes_.add(row);
  types_.add(row);
  queueing_[group].push_back(row.queueing);
  if (row.outcome == "finished") jct_[group].push_back(row.jct);
  first_arrival_ = std::min(first_arrival_, row.arrival);
  last_end_ = std::max(last_end_, row.end);
  all_ended_ = all_ended_ && row.end >= 0;
  fairness_.add(row, mean_active);
  if (!span_) applications_.add(row);
}

void CellTotals::add(const GpuRow& row) {
  gpus_ += 1;
  gpu_busy_seconds_ += row.busy;
  types_.add(row);
  costs_.add(row);
}

void CellTotals::add(const DecisionRow& row) {
  const double seconds = row.latency_us * 1e-6;
  decision_seconds_ += seconds;
  latencies_.add(seconds);
}

void CellTotals::add_energy(double joules, double of_jobs) {
  const auto sum = [](std::optional<double>& of, double more) {
    of = more < 0 || of.value_or(0) < 0 ? -1 : of.value_or(0) + more;
  };
  sum(energy_, joules);
  sum(energy_of_jobs_, of_jobs);
}

void CellTotals::add(const NodeRow& row) {
  nodes_.add(row);
  if (row.joules < 0) return;
  add_energy(row.joules, row.joules);
  energy_modelled_ += row.joules;
}

void CellTotals::close() {
  judged_ = {};
  each_fairness([&](const FairnessRow& row) {
    judged_.slowdown.push_back(row.bounded_slowdown);
    judged_.slowdowns += row.bounded_slowdown;
    if (std::isnan(row.rho)) return;
    judged_.rho.push_back(row.rho);
    judged_.rhos += row.rho;
    judged_.rho_squares += row.rho * row.rho;
    judged_.unfair += row.rho > kUnfairAbove ? 1 : 0;
  });
  judge_classes();
  judge_applications();
}

void CellTotals::each_application(const std::function<void(const ApplicationRow&)>& act) const {
  applications_.each(
      gpus_, [this](std::int64_t job) { return fairness_.lost_gpu_seconds(job); }, act);
}

void CellTotals::judge_applications() {
  each_application([&](const ApplicationRow& row) {
    judged_.applications += 1;
    judged_.application_jct += row.end - row.arrival;
    judged_.application_rho += row.rho;
    judged_.application_rho_max = std::max(judged_.application_rho_max, row.rho);
  });
}

void CellTotals::judge_classes() {
  std::array<ClassedRun, 2> runs;
  fairness_.each_run([&](const ClassedRun& run) {
    ClassedRun& sum = runs[ClassTotals::index(run.opportunistic)];
    sum.running += run.running;
    sum.solo += run.solo;
    sum.slow += run.slow;
  });
  classes_.set_runs(runs);
}

void CellTotals::add(const PairRow& row) {
  if (row.slowdown <= 0) return;
  fairness_.add(row);
  Pair& pair = pair_of(row);
  const double time = row.end - row.begin;
  pair.periods += 1;
  pair.seconds += time;
  pair.slowdown_seconds += row.slowdown * time;
}

void CellTotals::add(const QueueDelayRow& row) {
  const std::string metric = "wait_" + row.cause;
  const auto found = std::find_if(job_metrics().begin(), job_metrics().end(),
                                  [&](const JobMetric& known) { return known.name == metric; });
  if (found != job_metrics().end()) elsewhere_.*found->sum += row.end - row.begin;
}

// Two look-ups avoid a copy of the names, because there are many periods but few pairs. Pairs that
// a file cannot distinguish are one pair: a wide gang may have more co-tenants than their column
// can hold.
CellTotals::Pair& CellTotals::pair_of(const PairRow& row) {
  const std::string_view model = fitting(row.model, kModelBytes);
  const std::string_view co_models = fitting(row.co_models, kCoModelsBytes);
  auto of_model = pair_index_.find(model);
  if (of_model == pair_index_.end()) of_model = pair_index_.try_emplace(std::string(model)).first;
  auto& others = of_model->second;
  const auto found = others.find(co_models);
  if (found != others.end()) return pairs_[found->second];
  others.emplace(co_models, pairs_.size());
  Pair& pair = pairs_.emplace_back();
  pair.name = fmt::format("{} beside {}", model, co_models);
  return pair;
}

TimeWindow CellTotals::window() const {
  const bool no_job = first_arrival_ == std::numeric_limits<double>::infinity();
  if (no_job) return {-1, -1};
  const double end = all_ended_ ? last_end_ : std::max(last_end_, gpu_time_.observed_end());
  return {first_arrival_, end};
}

std::vector<TotalRow> CellTotals::totals() const {
  std::vector<TotalRow> rows;
  append_jobs(rows);
  classes_.append(rows);
  append_cell(rows);
  types_.append(rows);
  append_pairs(rows);
  return rows;
}

void CellTotals::append_jobs(std::vector<TotalRow>& rows) const {
  JobSums all = elsewhere_;
  for (const auto& group : jobs_) all.add(group);
  for (const auto& metric : job_metrics()) {
    const std::string name(metric.name);
    rows.push_back({name, kAll, all.*metric.sum});
    for (std::size_t i = 0; i < kClasses; ++i) {
      rows.push_back({name, std::string(kGangClasses[i]), jobs_[i].*metric.sum});
    }
  }
}

void CellTotals::append_cell(std::vector<TotalRow>& rows) const {
  const TimeWindow span = window();
  const GpuTime::Sums gpu_time = gpu_time_.within(span_.value_or(span));
  const auto add = [&](const char* metric, double value) { rows.push_back({metric, kAll, value}); };
  add("first_arrival", span.begin);
  add("last_end", span.end);
  add("gpu_held_seconds", gpu_time.held);
  add("gpu_up_seconds", gpu_time.up);
  add("memory_used_seconds", gpu_time.memory);
  add("memory_up_seconds", gpu_time.memory_known);
  add("last_arrival", last_arrival_);
  add("arriving_held_seconds", gpu_time_.while_arriving().held);
  add("arriving_up_seconds", gpu_time_.while_arriving().up);
  add("gpus", gpus_);
  add("gpu_busy_seconds", gpu_busy_seconds_);
  add("decisions", static_cast<double>(latencies_.count()));
  add("decision_seconds", decision_seconds_);
  add("job_slowdown", judged_.slowdowns);
  add("rho_jobs", static_cast<double>(judged_.rho.size()));
  add("rho", judged_.rhos);
  add("rho_squares", judged_.rho_squares);
  add("rho_unfair", judged_.unfair);
  add("applications", judged_.applications);
  add("application_jct", judged_.application_jct);
  add("application_rho", judged_.application_rho);
  add("application_rho_max", judged_.application_rho_max);
  add("energy", energy_.value_or(-1));
  add("energy_of_jobs", energy_of_jobs_.value_or(-1));
  add("energy_modelled", energy_modelled_);
  nodes_.each(add);
  allocation_.each(add);
  reading_.each(add);
  trials_.each(add);
  costs_.each(add);
}

void CellTotals::append_pairs(std::vector<TotalRow>& rows) const {
  Pair all{kAll};
  for (const auto& pair : pairs_) {
    all.periods += pair.periods;
    all.seconds += pair.seconds;
    all.slowdown_seconds += pair.slowdown_seconds;
  }
  const auto append = [&](const Pair& pair) {
    rows.push_back({"pair_periods", pair.name, pair.periods});
    rows.push_back({"pair_seconds", pair.name, pair.seconds});
    rows.push_back({"slowdown_seconds", pair.name, pair.slowdown_seconds});
  };
  append(all);
  for (const auto& pair : pairs_) append(pair);
}

std::vector<QuantileRow> CellTotals::quantiles() const {
  std::vector<QuantileRow> rows;
  rows.reserve((2 * (kClasses + 1) + 2) * quantile_fractions().size());
  append_quantiles(rows, "jct", jct_);
  append_quantiles(rows, "queueing", queueing_);
  append_latencies(rows);
  const auto append = [&](const char* metric, const std::vector<double>& values, double fraction) {
    if (!values.empty()) rows.push_back({metric, kAll, fraction, percentile(values, fraction)});
  };
  append("job_slowdown", judged_.slowdown, 0.99);
  append("rho", judged_.rho, 0.5);
  append("rho", judged_.rho, 1.0);
  return rows;
}

// Each class is sorted once. Merging the classes gives the order of all values.
void CellTotals::append_quantiles(std::vector<QuantileRow>& rows, const std::string& metric,
                                  const ValuesByClass& values) {
  std::vector<double> sorted;
  std::size_t count = 0;
  for (const auto& group : values) count += group.size();
  sorted.reserve(count);
  const auto first = static_cast<std::ptrdiff_t>(rows.size());
  for (std::size_t i = 0; i < kClasses; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(sorted.size());
    sorted.insert(sorted.end(), values[i].begin(), values[i].end());
    std::sort(sorted.begin() + begin, sorted.end());
    append_quantiles_of(rows, metric, std::string(kGangClasses[i]),
                        std::span<const double>(sorted).subspan(static_cast<std::size_t>(begin)));
    std::inplace_merge(sorted.begin(), sorted.begin() + begin, sorted.end());
  }
  const auto classes_end = static_cast<std::ptrdiff_t>(rows.size());
  append_quantiles_of(rows, metric, kAll, sorted);
  std::rotate(rows.begin() + first, rows.begin() + classes_end, rows.end());  // all jobs come first
}

void CellTotals::append_latencies(std::vector<QuantileRow>& rows) const {
  if (latencies_.count() == 0) return;
  for (const double fraction : quantile_fractions()) {
    rows.push_back({"decision_latency", kAll, fraction, latencies_.quantile(fraction)});
  }
}

}  // namespace mimus::results
