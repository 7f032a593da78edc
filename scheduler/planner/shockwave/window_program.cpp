// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/planner/shockwave/window_program.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "scheduler/solve/linear_program.hpp"

namespace mimus::scheduler {
namespace {

using Term = LinearProgram::Term;

constexpr double kGapOfWindow = 1e-3;
constexpr int kMostNodesOfWindow = 2000;  ///< of the search, after which its best plan is taken

/// log(share), where the artifact takes 10⁻⁶ for a share of 0.
double log_share(double share) {
  static const std::array<double, 6> at{std::log(1e-6), std::log(0.2), std::log(0.4),
                                        std::log(0.6),  std::log(0.8), 0.0};
  const double in_fifths = std::clamp(share, 0.0, 1.0) * 5.0;
  const auto below = std::min(static_cast<std::size_t>(in_fifths), std::size_t{4});
  const double part = in_fifths - static_cast<double>(below);
  return at[below] + (at[below + 1] - at[below]) * part;
}

/// So many rounds of a job, one after the other, of the same worth.
struct Run {
  std::size_t job;
  double gain;  ///< of each
  double time;  ///< of its training that each makes [s]
  int rounds;
  int least = 0;
};

double share_after(const WindowJob& job, double time) {
  return job.rest > 0.0 ? job.made + (1.0 - job.made) * time / job.rest : 1.0;
}

void add_runs(std::vector<Run>& runs, std::size_t index, const WindowJob& job,
              const Window& window) {
  double time = 0.0;
  double worth = log_share(job.made);
  const std::size_t first = runs.size();
  for (int round = 1; round <= window.rounds && time < job.rest; ++round) {
    const double until = std::min(round * window.round, job.rest);
    const double then = log_share(share_after(job, until));
    const Run run{index, job.weight * (then - worth), until - time, 1,
                  round <= job.least_rounds ? 1 : 0};
    constexpr double kSameWorth = 1e-9;
    const bool is_alike = runs.size() > first &&
                          std::abs(runs.back().gain - run.gain) <= kSameWorth * runs.back().gain &&
                          std::abs(runs.back().time - run.time) <= kSameWorth * run.time;
    if (is_alike) {
      ++runs.back().rounds;
      runs.back().least += run.least;
    } else {
      runs.push_back(run);
    }
    time = until;
    worth = then;
  }
}

/// The longest time left that no plan of the window can avoid [s].
double unavoidable(std::span<const WindowJob> jobs, const Window& window) {
  double longest = 0.0;
  for (const WindowJob& job : jobs) {
    longest = std::max(longest, job.left - std::min(window.rounds * window.round, job.rest));
  }
  return longest;
}

}  // namespace

std::vector<int> rounds_of_window(std::span<const WindowJob> jobs, const Window& window) {
  std::vector<Run> runs;
  for (std::size_t i = 0; i < jobs.size(); ++i) add_runs(runs, i, jobs[i], window);
  LinearProgram program;
  const double scale = static_cast<double>(jobs.size()) * window.rounds;
  const double base = unavoidable(jobs, window);
  // In rounds, beyond what is unavoidable.
  const int longest = program.add_variable(-window.makespan * scale * window.round);
  std::vector<Term> gpus;
  std::vector<std::vector<Term>> left(jobs.size());
  for (const Run& run : runs) {
    const int variable = program.add_whole_variable(run.gain, run.rounds);
    gpus.push_back({variable, static_cast<double>(jobs[run.job].gang)});
    left[run.job].push_back({variable, run.time / window.round});
    const Term only{variable, 1.0};
    if (run.least > 0) {
      (void)program.add_row(run.least, std::span(&only, 1), LinearProgram::kUnbounded);
    }
  }
  (void)program.add_row(-LinearProgram::kUnbounded, gpus,
                        static_cast<double>(window.gpus) * window.rounds);
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (jobs[i].left <= base) continue;
    left[i].push_back({longest, 1.0});
    (void)program.add_row((jobs[i].left - base) / window.round, left[i], LinearProgram::kUnbounded);
  }
  const auto solution = program.maximise_whole(kGapOfWindow, kMostNodesOfWindow);
  ensure(solution.has_value(), "a window has no plan that gives jobs their least rounds");
  std::vector<int> rounds(jobs.size(), 0);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    rounds[runs[i].job] += static_cast<int>(std::lround(solution->values[i + 1]));
  }
  return rounds;
}

}  // namespace mimus::scheduler
