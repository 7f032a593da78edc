// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/gavel/fraction_rows.hpp"

#include <algorithm>

namespace mimus::scheduler {
namespace {

using Term = LinearProgram::Term;
constexpr double kUnbounded = LinearProgram::kUnbounded;

bool can_run(const SharedTypes& shared, std::size_t row, std::size_t type) {
  if (row < shared.jobs.size()) return shared.jobs[row].rates[type] > 0.0;
  const auto& rates = shared.pairs[row - shared.jobs.size()].rates;
  return rates[0][type] > 0.0 && rates[1][type] > 0.0;
}

/// One term for each variable: two jobs of a pair may be alike.
std::vector<Term> summed(std::vector<Term> terms) {
  std::ranges::stable_sort(terms, {}, &Term::variable);
  std::vector<Term> sums;
  for (const Term& term : terms) {
    if (!sums.empty() && sums.back().variable == term.variable) {
      sums.back().factor += term.factor;
    } else {
      sums.push_back(term);
    }
  }
  return sums;
}

}  // namespace

FractionRows::FractionRows(const SharedTypes& shared, const std::vector<double>* prices)
    : FractionRows(shared, prices, false) {}

FractionRows FractionRows::within_duration(const SharedTypes& shared) {
  return FractionRows(shared, nullptr, true);
}

FractionRows::FractionRows(const SharedTypes& shared, const std::vector<double>* prices,
                           bool within_duration)
    : shared_(&shared) {
  if (within_duration) {
    duration_ = program_.add_variable(-1.0);
    first_ = 1;
  }
  add_times(prices);
  bound_jobs();
  bound_types();
}

void FractionRows::add_times(const std::vector<double>* prices) {
  const std::size_t jobs = shared_->jobs.size();
  for (std::size_t row = 0; row < jobs + shared_->pairs.size(); ++row) {
    for (std::size_t type = 0; type < shared_->gpus.size(); ++type) {
      double rate = 0.0;
      if (row < jobs) {
        rate = shared_->jobs[row].rates[type] * shared_->jobs[row].count;
      } else {
        const auto& rates = shared_->pairs[row - jobs].rates;
        rate = rates[0][type] + rates[1][type];
      }
      const double most = can_run(*shared_, row, type) ? kUnbounded : 0.0;
      (void)program_.add_variable(prices == nullptr ? 0.0 : rate / (*prices)[type], most);
    }
  }
}

/// A job is on one type at a time, alone or in a pair.
void FractionRows::bound_jobs() {
  std::vector<std::vector<Term>> rows(shared_->jobs.size());
  for (std::size_t type = 0; type < shared_->gpus.size(); ++type) {
    for (std::size_t job = 0; job < rows.size(); ++job) {
      rows[job].push_back({variable(job, type), 1.0});
    }
    for (std::size_t pair = 0; pair < shared_->pairs.size(); ++pair) {
      for (const std::size_t job : shared_->pairs[pair].jobs) {
        rows[job].push_back({variable(rows.size() + pair, type), 1.0 / shared_->jobs[job].count});
      }
    }
  }
  for (std::vector<Term>& row : rows) {
    if (duration_ >= 0) row.push_back({duration_, -1.0});
    if (!shared_->pairs.empty()) row = summed(std::move(row));
    (void)program_.add_row(-kUnbounded, row, duration_ >= 0 ? 0.0 : 1.0);
  }
}

/// A pair needs as many GPUs as each of its jobs.
void FractionRows::bound_types() {
  const std::size_t jobs = shared_->jobs.size();
  for (std::size_t type = 0; type < shared_->gpus.size(); ++type) {
    std::vector<Term> row;
    for (std::size_t job = 0; job < jobs; ++job) {
      const auto& of = shared_->jobs[job];
      row.push_back({variable(job, type), static_cast<double>(of.gang) * of.count});
    }
    for (std::size_t pair = 0; pair < shared_->pairs.size(); ++pair) {
      const int gang = shared_->jobs[shared_->pairs[pair].jobs[0]].gang;
      row.push_back({variable(jobs + pair, type), static_cast<double>(gang)});
    }
    const double gpus = shared_->gpus[type];
    if (duration_ >= 0) row.push_back({duration_, -gpus});
    (void)program_.add_row(-kUnbounded, row, duration_ >= 0 ? 0.0 : gpus);
  }
}

std::vector<Term> FractionRows::rate(std::size_t job, double factor) const {
  std::vector<Term> terms;
  for (std::size_t type = 0; type < shared_->gpus.size(); ++type) {
    const double alone = shared_->jobs[job].rates[type];
    if (alone > 0.0) terms.push_back({variable(job, type), factor * alone});
    for (std::size_t i = 0; i < shared_->pairs.size(); ++i) {
      const auto& pair = shared_->pairs[i];
      for (std::size_t member = 0; member < pair.jobs.size(); ++member) {
        if (pair.jobs[member] != job || !can_run(*shared_, shared_->jobs.size() + i, type))
          continue;
        const double each = pair.rates[member][type] / shared_->jobs[job].count;
        terms.push_back({variable(shared_->jobs.size() + i, type), factor * each});
      }
    }
  }
  return shared_->pairs.empty() ? terms : summed(std::move(terms));
}

TimeFractions FractionRows::fractions(const LinearProgram::Solution& solution) const {
  const double whole = duration_ < 0 ? 1.0 : solution.values[static_cast<std::size_t>(duration_)];
  TimeFractions fractions(shared_->jobs.size() + shared_->pairs.size(),
                          std::vector<double>(shared_->gpus.size(), 0.0));
  for (std::size_t row = 0; row < fractions.size(); ++row) {
    for (std::size_t type = 0; type < shared_->gpus.size(); ++type) {
      const double time = solution.values[static_cast<std::size_t>(variable(row, type))];
      // A corner is exact but for rounding, which must not look like a share.
      constexpr double kRounding = 1e-11;
      const double share = whole > 0.0 ? time / whole : 0.0;
      const double most = row < shared_->jobs.size() ? 1.0 : share;
      fractions[row][type] = share < kRounding ? 0.0 : std::min(share, most);
    }
  }
  return fractions;
}

}  // namespace mimus::scheduler
