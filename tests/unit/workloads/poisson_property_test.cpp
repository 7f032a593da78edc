// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Properties of every Poisson workload, whatever its parameters, seed and cluster.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

struct Drawn {
  std::string yaml;
  int cluster_gpus;
  std::uint64_t seed;
};

Drawn draw() {
  const int jobs = *rc::gen::inRange(1, 60);
  const int gap = *rc::gen::inRange(1, 5000);
  const int sigma = *rc::gen::inRange(0, 30);
  const int failures = *rc::gen::inRange(0, 11);
  const int users = *rc::gen::inRange(1, 20);
  const bool scaled = *rc::gen::arbitrary<bool>();
  return {
      fmt::format("{{source: poisson, jobs: {}, mean_interarrival: {} ms, duration_sigma: {}, "
                  "failure_rate: {}, users: {}, batch: {}}}",
                  jobs, gap, sigma / 10.0, failures / 10.0, users, scaled ? "scaled" : "reference"),
      *rc::gen::inRange(1, 100), *rc::gen::arbitrary<std::uint64_t>()};
}

Workload make(const Drawn& drawn) {
  return test::make_workload(drawn.yaml, drawn.cluster_gpus, drawn.seed);
}

/// All fields of a job as text.
std::string described(const Job& job) {
  std::string text =
      fmt::format("{} {} {} {} {} {} {} {} {} {}", job.id.value(), job.name, job.user,
                  job.virtual_cluster, job.model, job.gang, job.total_batch, job.work_samples,
                  job.arrival.time_since_epoch().count(), job.user_estimate.count());
  for (const auto& failure : job.failures.failures) {
    text += fmt::format(" {} {}", failure.at_progress, failure.reason);
  }
  return text;
}

std::string described(const Workload& workload) {
  std::string text = workload.source_hash + "\n";
  for (const Job& job : workload.jobs) text += described(job) + "\n";
  return text;
}

RC_GTEST_PROP(PoissonProperty, EqualSeedsGiveEqualWorkloads, ()) {
  const Drawn drawn = draw();
  RC_ASSERT(described(make(drawn)) == described(make(drawn)));
}

RC_GTEST_PROP(PoissonProperty, IdsAreDenseAndArrivalsSorted, ()) {
  const auto jobs = make(draw()).jobs;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    RC_ASSERT(jobs[i].id.index() == i);
    if (i > 0) RC_ASSERT(jobs[i - 1].arrival <= jobs[i].arrival);
  }
}

RC_GTEST_PROP(PoissonProperty, JobsFitTheClusterAndAskForSomething, ()) {
  const Drawn drawn = draw();
  for (const Job& job : make(drawn).jobs) {
    RC_ASSERT(job.gang >= 1 && job.gang <= drawn.cluster_gpus);
    RC_ASSERT(job.total_batch >= job.gang);
    RC_ASSERT(job.work_samples >= 1.0);
    RC_ASSERT(job.user_estimate > Duration{});
  }
}

RC_GTEST_PROP(PoissonProperty, FailuresLieWithinTheWork, ()) {
  for (const Job& job : make(draw()).jobs) {
    RC_ASSERT(job.failures.failures.size() <= 1U);
    for (const auto& failure : job.failures.failures) {
      RC_ASSERT(failure.at_progress >= 0.0 && failure.at_progress < 1.0);
      RC_ASSERT(!failure.reason.empty());
    }
  }
}

RC_GTEST_PROP(PoissonProperty, DifferentSeedsGiveDifferentArrivals, ()) {
  Drawn drawn = draw();
  const auto first = make(drawn).jobs.front().arrival;
  drawn.seed += 1;
  RC_ASSERT(make(drawn).jobs.front().arrival != first);
}

}  // namespace
}  // namespace mimus::workloads
