// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/time_fractions.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"
#include "scheduler/planner/gavel/fraction_rows.hpp"
#include "scheduler/planner/gavel/spare_time.hpp"

namespace mimus::scheduler {
namespace {

using Term = LinearProgram::Term;
using Solution = LinearProgram::Solution;

double gpus_of(const SharedTypes& shared) {
  return std::accumulate(shared.gpus.begin(), shared.gpus.end(), 0.0);
}

/// The largest z for which factor × rate ≥ z for every job of `growing`, and ≥ `floors` for all.
struct Equal {
  double least = 0.0;
  TimeFractions fractions;
  std::vector<bool> limited;  ///< jobs of `growing` that can have no more in any optimum
  std::vector<int> corner;    ///< of the program's solution
};

/// Returns the row of each job's rate.
std::vector<int> add_equal_rows(FractionRows& rows, const SharedTypes& shared,
                                const std::vector<double>& factors,
                                const std::vector<bool>& growing,
                                const std::vector<double>& floors) {
  LinearProgram& program = rows.program();
  const int least = program.add_variable(1.0);
  std::vector<int> row_of;
  for (std::size_t job = 0; job < shared.jobs.size(); ++job) {
    std::vector<Term> terms = rows.rate(job, factors[job]);
    // A floor is what an optimum before gave, which rounding must not put out of reach.
    constexpr double kRounding = 1.0 - 1e-9;
    if (floors[job] > 0.0) {
      (void)program.add_row(floors[job] * kRounding, terms, LinearProgram::kUnbounded);
    }
    if (growing[job]) terms.push_back({least, -1.0});
    row_of.push_back(program.add_row(0.0, terms, LinearProgram::kUnbounded));
  }
  return row_of;
}

Equal equal(const SharedTypes& shared, const std::vector<double>& factors,
            const std::vector<bool>& growing, const std::vector<double>& floors,
            const std::vector<int>& corner = {}) {
  FractionRows rows(shared);
  const std::vector<int> row_of = add_equal_rows(rows, shared, factors, growing, floors);
  const auto solution = rows.program().maximise(corner);
  ensure(solution.has_value(), "jobs cannot share types equally");
  Equal result{solution->objective, rows.fractions(*solution), {}, solution->corner};
  for (std::size_t job = 0; job < shared.jobs.size(); ++job) {
    constexpr double kNone = 1e-9;
    result.limited.push_back(growing[job] &&
                             solution->prices[static_cast<std::size_t>(row_of[job])] < -kNone);
  }
  return result;
}

/// The same for all jobs, in the interior of the optimum.
TimeFractions equal_inside(const SharedTypes& shared, const std::vector<double>& factors) {
  FractionRows rows(shared);
  const std::size_t jobs = shared.jobs.size();
  (void)add_equal_rows(rows, shared, factors, std::vector<bool>(jobs, true),
                       std::vector<double>(jobs, 0.0));
  const auto solution = rows.program().maximise_inside();
  ensure(solution.has_value(), "jobs cannot share types equally");
  return rows.fractions(*solution);
}

/// What a job would make on all types for as much of the time as they have of all GPUs.
double proportional_rate(const SharedTypes& shared, const SharedTypes::Jobs& job) {
  double rate = 0.0;
  for (std::size_t type = 0; type < shared.gpus.size(); ++type) {
    rate += job.rates[type] * shared.gpus[type];
  }
  return rate / gpus_of(shared);
}

/// By which rates of jobs are compared.
double equal_factor(const SharedTypes& shared, const SharedTypes::Jobs& job) {
  return job.gang / (job.weight * proportional_rate(shared, job));
}

double largest_rho(const SharedTypes& shared, const TimeFractions& fractions) {
  double largest = 0.0;
  for (std::size_t i = 0; i < shared.jobs.size(); ++i) {
    const auto& job = shared.jobs[i];
    largest =
        std::max(largest, (job.age + job.remaining / rate_of(shared, fractions, i)) / job.alone);
  }
  return largest;
}

std::optional<TimeFractions> most_work(const SharedTypes& shared, const std::vector<double>& prices,
                                       bool keep_least_rates) {
  FractionRows rows(shared, &prices);
  for (std::size_t job = 0; keep_least_rates && job < shared.jobs.size(); ++job) {
    const double least = shared.jobs[job].least_rate;
    if (least > 0.0)
      (void)rows.program().add_row(1.0, rows.rate(job, 1.0 / least), LinearProgram::kUnbounded);
  }
  const auto solution = rows.program().maximise();
  return solution ? std::optional(rows.fractions(*solution)) : std::nullopt;
}

/// Where a bisection of 100 to 10⁶ s for a time that is at least `least` stops.
double bisected(double least, double precision) {
  double low = 100.0;
  double high = 1e6;
  while (precision > 0.0 && (1.0 + precision) * low < high) {
    const double middle = (low + high) / 2.0;
    (middle >= least ? high : low) = middle;
  }
  return precision > 0.0 ? std::max(high, least) : least;
}

}  // namespace

double rate_of(const SharedTypes& shared, const TimeFractions& fractions, std::size_t job) {
  double rate = 0.0;
  for (std::size_t type = 0; type < shared.gpus.size(); ++type) {
    rate += shared.jobs[job].rates[type] * fractions[job][type];
    for (std::size_t i = 0; i < shared.pairs.size(); ++i) {
      const auto& pair = shared.pairs[i];
      for (std::size_t member = 0; member < pair.jobs.size(); ++member) {
        if (pair.jobs[member] != job) continue;
        rate += pair.rates[member][type] * fractions[shared.jobs.size() + i][type] /
                shared.jobs[job].count;
      }
    }
  }
  return rate;
}

double time_alone(const SharedTypes& shared, const SharedTypes::Jobs& job, int jobs) {
  const double all = gpus_of(shared) / jobs / job.gang;  // of the time, on any type
  const double rate = proportional_rate(shared, job) * std::min(all, 1.0);
  return job.remaining / rate;
}

TimeFractions most_equal(const SharedTypes& shared, Spare fill) {
  std::vector<double> factors;
  for (const auto& job : shared.jobs) factors.push_back(equal_factor(shared, job));
  if (fill == Spare::interior) return equal_inside(shared, factors);
  std::vector<bool> growing(shared.jobs.size(), true);
  std::vector<double> floors(shared.jobs.size(), 0.0);
  Equal result = equal(shared, factors, growing, floors);
  if (fill == Spare::equal) {
    std::vector<double> needed;
    for (const double factor : factors) needed.push_back(result.least / factor);
    return share_spare(shared, std::move(result.fractions), needed);
  }
  for (std::size_t left = shared.jobs.size(); fill == Spare::least && left > 0;) {
    const std::size_t before = left;
    for (std::size_t job = 0; job < shared.jobs.size(); ++job) {
      if (!result.limited[job]) continue;
      growing[job] = false;
      floors[job] = result.least;
      --left;
    }
    if (left == 0 || left == before) break;
    result = equal(shared, factors, growing, floors);
  }
  return result.fractions;
}

TimeFractions shortest_makespan(const SharedTypes& shared, Spare fill, double precision) {
  double unit = 0.0;  // of time, so that all numbers are about 1
  for (const auto& job : shared.jobs) {
    unit = std::max(unit, job.remaining / *std::ranges::max_element(job.rates));
  }
  FractionRows rows = FractionRows::within_duration(shared);
  for (std::size_t job = 0; job < shared.jobs.size(); ++job) {
    const double remaining = shared.jobs[job].remaining;
    if (remaining <= 0.0) continue;
    (void)rows.program().add_row(1.0, rows.rate(job, unit / remaining), LinearProgram::kUnbounded);
  }
  const auto solution = rows.program().maximise();
  ensure(solution.has_value(), "jobs that can run on no type have no makespan");
  TimeFractions fractions = rows.fractions(*solution);
  const double shortest = solution->values[static_cast<std::size_t>(rows.duration())] * unit;
  const double makespan = bisected(shortest, precision);
  for (std::vector<double>& of_job : fractions) {
    for (double& fraction : of_job) fraction *= shortest / makespan;
  }
  if (fill != Spare::equal) return fractions;
  std::vector<double> needed;
  for (const auto& job : shared.jobs) needed.push_back(job.remaining / makespan);
  return share_spare(shared, std::move(fractions), needed);
}

/// With the fractions of ρ, every job makes what remains of it within ρ·alone − age. The largest z
/// for which all make z times that gives better fractions, of a smaller ρ, until z is 1: a few
/// programs instead of a bisection.
TimeFractions fairest_finish(const SharedTypes& shared, Spare fill) {
  const std::vector<bool> growing(shared.jobs.size(), true);
  const std::vector<double> floors(shared.jobs.size(), 0.0);
  TimeFractions fractions = most_equal(shared, Spare::any);
  double rho = largest_rho(shared, fractions);
  std::vector<double> factors(shared.jobs.size());
  std::vector<int> corner;
  constexpr int kMostPrograms = 50;
  for (int program = 0; program < kMostPrograms; ++program) {
    for (std::size_t i = 0; i < factors.size(); ++i) {
      const auto& job = shared.jobs[i];
      factors[i] = (rho * job.alone - job.age) / job.remaining;
    }
    Equal better = equal(shared, factors, growing, floors, corner);
    const double next = largest_rho(shared, better.fractions);
    constexpr double kAlike = 1.0 - 1e-9;
    if (next > rho * kAlike) break;
    rho = next;
    fractions = std::move(better.fractions);
    corner = std::move(better.corner);
  }
  if (fill == Spare::any) return fractions;
  if (fill == Spare::interior) return equal_inside(shared, factors);
  std::vector<double> needed;
  std::vector<double> enough;
  for (std::size_t i = 0; i < factors.size(); ++i) {
    const auto& job = shared.jobs[i];
    needed.push_back(job.remaining / (rho * job.alone - job.age));
    factors[i] = equal_factor(shared, job);
    enough.push_back(factors[i] * needed.back());
  }
  if (fill == Spare::equal) return share_spare(shared, std::move(fractions), needed);
  return equal(shared, factors, growing, enough).fractions;
}

TimeFractions most_work(const SharedTypes& shared, const std::vector<double>& prices) {
  if (auto kept = most_work(shared, prices, true)) return std::move(*kept);
  auto all = most_work(shared, prices, false);
  ensure(all.has_value(), "a program without rows of jobs has no optimum");
  return std::move(*all);
}

}  // namespace mimus::scheduler
