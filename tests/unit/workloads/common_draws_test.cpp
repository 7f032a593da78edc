// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
// Workloads that differ in one option have the same jobs except for the effect of that option.
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "tests/unit/workloads/support.hpp"

namespace mimus::workloads {
namespace {

constexpr int kGpus = 256;  // all default gangs fit

Workload workload_of(const std::string& parameters, std::uint64_t seed, int gpus = kGpus) {
  return test::make_workload("{" + parameters + "}", gpus, seed);
}

const std::string kPoisson = "source: poisson, jobs: 150, ";
const std::string kPhilly =
    "source: philly-like, jobs: 150, arrivals: poisson, estimate_error: 1, failing_attempts: 2, ";
const std::string kPai = "source: pai-like, jobs: 150, arrivals: poisson, estimate_error: 1, ";

using Trait = std::function<std::string(const Job&)>;

std::string failures_of(const Job& job) {
  std::string text;
  for (const auto& failure : job.failures.failures) {
    text += fmt::format("{} {};", failure.at_progress, failure.reason);
  }
  return text;
}

/// Traits by name. Each is drawn independently.
const std::map<std::string, Trait>& traits() {
  static const std::map<std::string, Trait> all{
      {"arrival",
       [](const Job& j) { return fmt::format("{}", j.arrival.time_since_epoch().count()); }},
      {"model", [](const Job& j) { return j.model; }},
      {"gang", [](const Job& j) { return fmt::format("{} {}", j.gang, j.gpu_share); }},
      {"work",
       [](const Job& j) { return fmt::format("{} {}", j.work_samples, j.run_time.count()); }},
      {"user", [](const Job& j) { return j.user + " " + j.virtual_cluster; }},
      {"group", [](const Job& j) { return j.group; }},
      {"estimate", [](const Job& j) { return fmt::format("{}", j.user_estimate.count()); }},
      {"outcome", [](const Job& j) { return std::string(name(j.recorded)); }},
      {"failures", failures_of}};
  return all;
}

void expect_same_but(const Workload& one, const Workload& other,
                     const std::vector<std::string>& changed) {
  RC_ASSERT(one.jobs.size() == other.jobs.size());
  for (const auto& [trait, of] : traits()) {
    if (std::find(changed.begin(), changed.end(), trait) != changed.end()) continue;
    for (std::size_t i = 0; i < one.jobs.size(); ++i) {
      if (of(one.jobs[i]) == of(other.jobs[i])) continue;
      RC_FAIL(fmt::format("{} of job {}: {} and {}", trait, i, of(one.jobs[i]), of(other.jobs[i])));
    }
  }
}

// Each gap is rounded to a nanosecond, i.e. by at most half a nanosecond.
RC_GTEST_PROP(CommonDraws, AnotherLoadIsTheSameJobsOnAnotherClock, ()) {
  const auto base = *rc::gen::element(kPoisson, kPhilly, kPai);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const double factor = *rc::gen::inRange(2, 40) / 10.0;

  const auto slow = workload_of(base + "load: 0.5", seed);
  const auto fast = workload_of(fmt::format("{}load: {}", base, 0.5 * factor), seed);

  expect_same_but(slow, fast, {"arrival"});
  for (std::size_t i = 0; i < slow.jobs.size(); ++i) {
    const double expected = to_seconds(slow.jobs[i].arrival) / factor;
    const double rounding = 1e-9 * (1.0 + 1.0 / factor) * static_cast<double>(i + 1);
    RC_ASSERT(std::abs(to_seconds(fast.jobs[i].arrival) - expected) <= rounding + 1e-12 * expected);
  }
}

RC_GTEST_PROP(CommonDraws, BusyHoursChangeArrivalsOnly, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  expect_same_but(workload_of("source: diurnal, jobs: 150, load: 0.5", seed),
                  workload_of("source: diurnal, jobs: 150, load: 0.9, start: 3 d", seed),
                  {"arrival"});
  expect_same_but(workload_of("source: diurnal, jobs: 150, load: 0.5", seed),
                  workload_of("source: poisson, jobs: 150, load: 0.5", seed), {"arrival"});
}

RC_GTEST_PROP(CommonDraws, AnyClusterThatFitsAllGangsGetsTheSameJobs, ()) {
  const auto base = *rc::gen::element(kPoisson, kPhilly, kPai) + "mean_interarrival: 30 s";
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const int gpus = *rc::gen::inRange(kGpus, 10 * kGpus);
  expect_same_but(workload_of(base, seed), workload_of(base, seed, gpus), {});
}

RC_GTEST_PROP(CommonDraws, OnASmallerClusterGangsThatFitStay, ()) {
  const auto base = *rc::gen::element(kPoisson, kPhilly, kPai) + "mean_interarrival: 30 s";
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const int gpus = *rc::gen::inRange(2, kGpus);

  const auto large = workload_of(base, seed).jobs;
  const auto small = workload_of(base, seed, gpus).jobs;

  for (std::size_t i = 0; i < large.size(); ++i) {
    RC_ASSERT(small[i].arrival == large[i].arrival);
    RC_ASSERT(small[i].gang <= gpus);
    if (large[i].gang <= gpus) RC_ASSERT(small[i].gang == large[i].gang);
  }
}

RC_GTEST_PROP(CommonDraws, AKeyOfPoissonChangesWhatItIsAbout, ()) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> keys{
      {"mix: {gpt: 1, bert-base: 2}", {"model", "work"}},
      {"mix: {gpt: 1, bert-base: 2}, duration: 3 h", {"model", "work", "estimate"}},
      {"gangs: {1: 0.1, 2: 0.9}", {"gang", "work"}},
      {"duration: 2 h, duration_sigma: 2", {"work", "estimate"}},
      {"work_fraction: 0.1", {"work", "estimate"}},
      {"estimate_error: 2", {"estimate"}},
      {"failure_rate: 0.7", {"failures"}},
      {"users: 70, virtual_clusters: 7", {"user"}}};
  const auto& [key, changed] = *rc::gen::elementOf(keys);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::string base = kPoisson + "mean_interarrival: 30 s";
  expect_same_but(workload_of(base, seed), workload_of(base + ", " + key, seed), changed);
}

RC_GTEST_PROP(CommonDraws, AKeyOfPhillyLikeChangesWhatItIsAbout, ()) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> keys{
      {"mix: {gpt: 1, bert-base: 2}", {"model", "work"}},
      {"median_run_time: 1 h, mean_run_time: 2 h, max_run_time: 30 h",
       {"work", "estimate", "failures", "outcome"}},
      {"estimate_error: 2", {"estimate"}},
      {"failing_attempts: 5", {"failures"}},
      {"failure_classes: acme, failures_by_gang: true", {"failures"}},
      {"users: 600, virtual_clusters: 3", {"user"}}};
  const auto& [key, changed] = *rc::gen::elementOf(keys);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const auto replaced = [&](const std::string& text) {
    // Every key may be given only once.
    std::string base = "source: philly-like, jobs: 150, mean_interarrival: 30 s, ";
    if (text.find("estimate_error") == std::string::npos) base += "estimate_error: 1, ";
    if (text.find("failing_attempts") == std::string::npos) base += "failing_attempts: 2, ";
    return base + text;
  };
  expect_same_but(workload_of(replaced("burst: 2.66"), seed), workload_of(replaced(key), seed),
                  changed);
}

RC_GTEST_PROP(CommonDraws, AKeyOfPaiLikeChangesWhatItIsAbout, ()) {
  const std::vector<std::pair<std::string, std::vector<std::string>>> keys{
      {"mix: {gpt: 1, bert-base: 2}", {"model", "work"}},
      {"gangs: {1: 1, 16: 3}", {"gang", "work"}},
      {"gpu_shares: {0.1: 1}", {"gang"}},
      {"max_run_time: 6 h, median_run_time: 10 min, mean_run_time: 30 min", {"work", "estimate"}},
      {"group_spread: 1", {"work", "estimate"}},
      {"users: 20", {"user"}},
      {"gpu_types: {T4: 0.5}, cores_per_gpu: 4, host_memory_per_gpu: 8 GB", {"hosts"}}};
  const auto& [key, changed] = *rc::gen::elementOf(keys);
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::string base = kPai + "mean_interarrival: 30 s";
  expect_same_but(workload_of(base, seed), workload_of(base + ", " + key, seed), changed);
}

RC_GTEST_PROP(CommonDraws, RecurringGroupsLeaveEachOtherAlone, ()) {
  const auto seed = *rc::gen::arbitrary<std::uint64_t>();
  const std::string head = "source: recurring, jobs: 60, estimate_error: 1, groups: [";
  const std::string group = "{tag: a, period: 7 min, jitter: 5 min, copies: 3, run_time: 1 h}";
  const auto alone = workload_of(head + group + "]", seed).jobs;
  const auto beside =
      workload_of(head + "{tag: b, period: 1 h, copies: 2, run_time: 5 min}, " + group + "]", seed)
          .jobs;
  std::vector<Job> of_group;
  for (const Job& job : beside) {
    if (job.group.starts_with("a-")) of_group.push_back(job);
  }
  RC_ASSERT(of_group.size() > 40U);
  for (std::size_t i = 0; i < of_group.size(); ++i) {
    RC_ASSERT(of_group[i].group == alone[i].group);
    RC_ASSERT(of_group[i].arrival == alone[i].arrival);
    RC_ASSERT(of_group[i].run_time == alone[i].run_time);
    RC_ASSERT(of_group[i].user_estimate == alone[i].user_estimate);
  }
}

}  // namespace
}  // namespace mimus::workloads
