// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Accuracy of predicted run times on weeks that were not used for learning. A job is predicted when
// it is submitted, from the jobs that had ended by then.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <queue>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

std::filesystem::path philly_table() {
  const char* shared = std::getenv("MIMUS_SHARED");
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  const std::filesystem::path root =
      shared ? shared : std::filesystem::path(source ? source : ".") / ".." / "shared";
  return root / "data" / "philly" / "philly_jobs.csv";
}

struct PastJob {
  JobView view;
  double end;  ///< as if it had started at its submission [s]
  double run_time;
};

/// job_id, submit, duration, num_gpus, vc, in order of submission. The table names no users, groups
/// or models, so virtual clusters take the place of users.
std::vector<PastJob> read_philly() {
  std::vector<PastJob> jobs;
  std::ifstream file(philly_table());
  std::string line;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::replace(line.begin(), line.end(), ',', ' ');
    std::istringstream fields(line);
    int id = 0, gpus = 0;
    double submit = 0.0, run_time = 0.0;
    std::string virtual_cluster;
    fields >> id >> submit >> run_time >> gpus >> virtual_cluster;
    JobView view = job(id, gpus, submit);
    view.user = virtual_cluster;
    view.attained_time = seconds(run_time) * gpus;
    jobs.push_back({std::move(view), submit + run_time, run_time});
  }
  return jobs;
}

struct Errors {
  double within_quarter;  ///< share of jobs predicted with an error of at most 25 %
  double median_factor;   ///< factor by which a prediction is too high or too low
};

/// Of the jobs submitted from `first` on [s].
Errors errors_of(const std::string& estimate, double first) {
  const Policy row = policy("{order: sjf, estimate: " + estimate + "}");
  const std::vector<PastJob> jobs = read_philly();
  const auto later = [](const PastJob* a, const PastJob* b) { return a->end > b->end; };
  std::priority_queue<const PastJob*, std::vector<const PastJob*>, decltype(later)> running(later);
  std::vector<double> factors;
  double near = 0.0;
  for (const PastJob& next : jobs) {
    const double now = to_seconds(next.view.arrival);
    for (; !running.empty() && running.top()->end <= now; running.pop()) {
      row.estimate->learn(running.top()->view, at(running.top()->end));
    }
    running.push(&next);
    if (now < first) continue;
    const double predicted = to_seconds(row.estimate->run_time(next.view).value_or(Duration{1}));
    const double actual = std::max(next.run_time, 1.0);
    near += std::abs(predicted / actual - 1.0) <= 0.25;
    factors.push_back(std::exp(std::abs(std::log(std::max(predicted, 1.0) / actual))));
  }
  std::nth_element(factors.begin(),
                   factors.begin() + static_cast<std::ptrdiff_t>(factors.size() / 2),
                   factors.end());
  const Errors errors{near / static_cast<double>(factors.size()), factors[factors.size() / 2]};
  fmt::print("{}: {} jobs, {:.2f} % within 25 %, median factor {:.3f}\n", estimate, factors.size(),
             100 * errors.within_quarter, errors.median_factor);
  return errors;
}

// The last four weeks of the 18 that the table spans.
TEST(PredictedRunTimes, OfTheLastWeeksOfPhilly) {
  if (!std::filesystem::exists(philly_table())) GTEST_SKIP() << "skipped: no shared data";
  constexpr double kFirst = 11'180'111.0 - 28 * 86'400.0;
  const Errors of_all = errors_of("{name: history, by: []}", kFirst);
  const Errors mean = errors_of("{name: history, by: [user, gang]}", kFirst);
  const Errors tree = errors_of("tree", kFirst);
  const Errors qssf = errors_of("qssf", kFirst);

  EXPECT_LT(mean.median_factor, of_all.median_factor);
  EXPECT_LT(qssf.median_factor, mean.median_factor);
  EXPECT_LT(tree.median_factor, qssf.median_factor);
}

}  // namespace
}  // namespace mimus::scheduler::test
