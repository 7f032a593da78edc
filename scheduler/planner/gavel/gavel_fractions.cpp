// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>

#include "scheduler/planner/gavel/allox.hpp"
#include "scheduler/planner/gavel/gavel.hpp"

namespace mimus::scheduler {
namespace {

/// Of which nothing is believed, before it has trained.
constexpr double kUnknownRunTime = 60.0;

std::vector<std::size_t> by_name(const ClusterShape& shape) {
  std::vector<std::size_t> types(static_cast<std::size_t>(shape.types()));
  std::iota(types.begin(), types.end(), std::size_t{0});
  std::ranges::sort(types, {},
                    [&](std::size_t type) { return shape.type_name(static_cast<int>(type)); });
  return types;
}

/// As profiled [s].
double run_time_of(const EpochProfile& profile) {
  double sum = 0.0;
  for (const std::size_t mode : profile.of_epoch) sum += profile.modes[mode].epoch_time;
  return sum;
}

}  // namespace

/// Iterations. A job of which no run time is believed is taken to need as long again as it has had.
double Gavel::remaining(const JobView& job, const Course& course) const {
  if (job.epochs) {
    // Of a job that does not report, only the time that it has trained is known.
    const bool reports = job.progress.epochs || course.done == 0.0;
    const double whole = reports ? job.epochs->iterations
                                 : run_time_of(*job.epochs) * job.epochs->modes.front().rate;
    return std::max(whole - course.done, 1.0);
  }
  double first_rate = 0.0;
  if (!job.rates.empty()) {
    first_rate = job.rates.front().second;
  } else {
    first_rate = *std::ranges::find_if(course.rates, [](double rate) { return rate > 0.0; });
  }
  const double run_time = to_seconds(job.estimated_run_time);
  const double left = run_time > 0.0 ? run_time * first_rate - course.done
                                     : std::max(course.done, kUnknownRunTime * first_rate);
  return std::max(left, 1.0);
}

SharedTypes Gavel::shared(const PlanQuery& query) {
  const ClusterShape& shape = query.cluster.shape();
  SharedTypes shared;
  for (int type = 0; type < shape.types(); ++type) shared.gpus.push_back(shape.gpus_of_type(type));
  for (const PlanJob& job : query.jobs) {
    Course& course = courses_.at(job.view->id);
    SharedTypes::Jobs entry;
    entry.rates = course.rates;
    entry.gang = job.view->requested_gang;
    entry.remaining = remaining(*job.view, course);
    if (settings_.rates != Rates::by_type) {
      const double fastest = *std::ranges::max_element(course.rates);
      for (double& rate : entry.rates) rate = rate > 0.0 ? 1.0 : 0.0;
      if (settings_.rates == Rates::none) entry.remaining /= fastest;
    }
    entry.age = to_seconds(query.now - job.view->arrival);
    const bool is_late = job.view->deadline <= query.now;
    if (job.view->deadline != kNever && !is_late) {
      entry.least_rate = entry.remaining / to_seconds(job.view->deadline - query.now);
    }
    shared.jobs.push_back(std::move(entry));
  }
  return shared;
}

/// Sets what ρ depends on.
void Gavel::isolate(const PlanQuery& query, SharedTypes& all) {
  const auto jobs = static_cast<int>(all.jobs.size());
  for (std::size_t i = 0; i < all.jobs.size(); ++i) {
    Course& course = courses_.at(query.jobs[i].view->id);
    if (course.rate_alone > 0.0) {
      course.isolated += (course.done - course.done_before) / course.rate_alone;
    }
    const double left = time_alone(all, all.jobs[i], jobs);
    course.rate_alone = remaining(*query.jobs[i].view, course) / left;
    course.done_before = course.done;
    // Where iterations count as seconds, those that have been made are no time.
    const bool counts_age = settings_.rates == Rates::one;
    all.jobs[i].alone = (counts_age ? all.jobs[i].age : course.isolated) + left;
  }
}

TimeFractions Gavel::assign(const PlanQuery& query, const SharedTypes& all) {
  if (settings_.objective == Objective::allox) return lines(query, all);
  if (settings_.objective == Objective::fifo) return first_come_.fractions(query.jobs, all);
  if (settings_.objective == Objective::artifact_fifo) {
    return artifact_queue_.fractions(query.jobs, all, by_name(query.cluster.shape()));
  }
  if (settings_.objective == Objective::gandiva) return random_pairs_.fractions(query.jobs, all);
  return solve(all, query.cluster.shape());
}

TimeFractions Gavel::solve(const SharedTypes& all, const ClusterShape& shape) const {
  switch (settings_.objective) {
    case Objective::makespan:
      return shortest_makespan(all, settings_.fill, settings_.precision);
    case Objective::ftf:
      return fairest_finish(all, settings_.fill);
    case Objective::max_sum:
      return most_work(all, prices(shape));
    case Objective::max_min:
      return most_equal(all, settings_.fill);
    case Objective::equal:
    case Objective::allox:
    case Objective::fifo:
    case Objective::artifact_fifo:
    case Objective::gandiva:
      break;
  }
  return same_time(all);
}

UnitFractions Gavel::fractions(const PlanQuery& query) {
  if (query.jobs.empty()) return {};
  SharedTypes all = shared(query);
  if (settings_.objective == Objective::ftf) isolate(query, all);
  // Several equal jobs in one entry would weigh as one job in the interior.
  const bool is_inside = settings_.fill == Spare::interior;
  auto alike = PackedJobs::Alike::none;
  if (!is_inside &&
      (settings_.objective == Objective::max_min || settings_.objective == Objective::max_sum)) {
    alike = settings_.residents > 1 ? PackedJobs::Alike::same_kind_and_speed
                                    : PackedJobs::Alike::same_speed;
  }
  PackedJobs jobs(query.jobs, std::move(all), alike);
  if (settings_.residents > 1) {
    const bool has_all = is_inside || settings_.objective == Objective::gandiva;
    jobs.add_pairs(query.cluster.shape(),
                   has_all ? PackedJobs::Pairs::all : PackedJobs::Pairs::that_gain);
  }
  UnitFractions found = jobs.fractions(assign(query, jobs.shared()));
  replace_pairs(jobs.pairs(found));
  return found;
}

/// Pairs have no clocks before they have fractions.
void Gavel::replace_pairs(PackedPairs pairs) {
  for (const auto& [unit, pair] : pairs_) {
    if (!pairs.contains(unit)) shares_->remove(unit);
  }
  for (const auto& [unit, pair] : pairs) shares_->add(unit);
  pairs_ = std::move(pairs);
}

std::vector<double> Gavel::prices(const ClusterShape& shape) const {
  std::vector<double> prices;
  for (int type = 0; type < shape.types(); ++type) {
    const auto stated = settings_.prices.find(shape.type_name(type));
    prices.push_back(stated == settings_.prices.end() ? 1.0 : stated->second);
  }
  return prices;
}

/// The type on which a job had all of its time when fractions were last computed.
std::optional<std::size_t> Gavel::type_held(JobId job) const {
  const std::vector<double>* before = shares_->fractions_of(RoundShares::alone(job));
  if (before == nullptr) return std::nullopt;
  const auto held = std::ranges::find(*before, 1.0);
  if (held == before->end()) return std::nullopt;
  return static_cast<std::size_t>(held - before->begin());
}

/// AlloX: a job that has come first in a line stays there until it ends. Of the others those that
/// have waited longest are lined up again, a share of them, but at least as many as GPUs are left.
/// The artifact takes a gang for a job of one GPU, gives it the reciprocal of its size, and lines
/// it up again.
TimeFractions Gavel::lines(const PlanQuery& query, const SharedTypes& shared) const {
  const std::size_t types = shared.gpus.size();
  TimeFractions fractions(shared.jobs.size(), std::vector<double>(types, 0.0));
  std::vector<int> gpus(shared.gpus.begin(), shared.gpus.end());
  std::vector<std::size_t> waiting;
  for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
    const JobView& view = *query.jobs[i].view;
    const std::vector<double>* before = shares_->fractions_of(RoundShares::alone(view.id));
    if (before != nullptr) fractions[i] = *before;
    if (const auto held = type_held(view.id)) {
      --gpus[*held];
    } else {
      waiting.push_back(i);
    }
  }
  const int left = std::accumulate(gpus.begin(), gpus.end(), 0);
  const double share = settings_.considered * static_cast<double>(waiting.size());
  const auto most = static_cast<std::size_t>(std::max(static_cast<int>(share), std::max(left, 0)));
  if (waiting.size() > most) waiting.resize(most);  // they are in the order of their arrival
  std::vector<LinedJob> lined;
  for (const std::size_t i : waiting) {
    LinedJob& job = lined.emplace_back();
    for (const double rate : shared.jobs[i].rates) {
      job.times.push_back(rate > 0.0 ? shared.jobs[i].remaining / rate
                                     : std::numeric_limits<double>::infinity());
    }
  }
  const auto first = first_in_line(lined, gpus);
  for (std::size_t i = 0; i < waiting.size(); ++i) {
    if (!first[i]) continue;
    std::vector<double>& of_job = fractions[waiting[i]];
    of_job.assign(types, 0.0);
    of_job[*first[i]] = 1.0 / shared.jobs[waiting[i]].gang;
  }
  return fractions;
}

}  // namespace mimus::scheduler
