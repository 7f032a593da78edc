// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <deque>
#include <map>
#include <set>

#include <gtest/gtest.h>

#include "pollux_cluster.hpp"

namespace mimus::emulator::test {
namespace {

constexpr int kGpus = PolluxCluster::kNodes * PolluxCluster::kGpusPerNode;

/// Tiresias as in the Pollux artifact (tiresias.py): two queues by attained service, which are
/// walked in order. Whatever fits runs.
class Tiresias final : public RoundPolicy {
 public:
  [[nodiscard]] NodeLists decide(const std::vector<const TraceJob*>& jobs,
                                 const NodeLists& now) override {
    std::map<JobId, const TraceJob*> active;
    for (const TraceJob* job : jobs) active[job->id] = job;
    for (auto& queue : queues_)
      std::erase_if(queue, [&](JobId id) { return !active.contains(id); });
    for (const TraceJob* job : jobs) {
      if (known_.insert(job->id).second) queues_[0].push_back(job->id);
    }
    charge(active);
    return place(choose(active), active, now);
  }

 private:
  static constexpr std::int64_t kLimit = 3600 * 16;  ///< GPU s

  void charge(const std::map<JobId, const TraceJob*>& active) {
    std::deque<JobId> kept;
    for (const JobId id : queues_[0]) {
      if (running_.contains(id)) executed_[id] += 60;
      (executed_[id] * active.at(id)->gpus >= kLimit ? queues_[1] : kept).push_back(id);
    }
    queues_[0] = kept;
  }

  std::vector<JobId> choose(const std::map<JobId, const TraceJob*>& active) {
    std::vector<JobId> chosen;
    int free = kGpus;
    for (const auto& queue : queues_) {
      for (const JobId id : queue) {
        if (active.at(id)->gpus > free) continue;
        free -= active.at(id)->gpus;
        chosen.push_back(id);
      }
    }
    running_ = {chosen.begin(), chosen.end()};
    return chosen;
  }

  NodeLists place(const std::vector<JobId>& chosen, const std::map<JobId, const TraceJob*>& active,
                  const NodeLists& now) const {
    NodeLists wanted;
    for (const JobId id : chosen) {
      if (now.contains(id)) wanted[id] = now.at(id);
    }
    std::vector<int> free = free_beside(wanted);
    for (const JobId id : chosen) {
      if (!wanted.contains(id)) wanted[id] = take_most_free(free, active.at(id)->gpus);
    }
    return wanted;
  }

  std::deque<JobId> queues_[2];
  std::set<JobId> known_;
  std::set<JobId> running_;
  std::map<JobId, std::int64_t> executed_;  ///< s
};

struct Published {
  int workload;
  double average_jct;
  std::int64_t makespan;
};

/// Published with one decimal.
void expect_published(const PolluxCluster::Result& result, const Published& published) {
  EXPECT_NEAR(result.average_jct, published.average_jct, 0.05 + 1e-9);
  EXPECT_EQ(result.makespan, published.makespan);
}

class TiresiasReplay : public testing::TestWithParam<Published> {};

TEST_P(TiresiasReplay, GivesThePublishedFigures) {
  const auto folder = pollux_folder();
  if (!folder) GTEST_SKIP() << "skipped: no shared data";
  const workloads::PolluxProfiles profiles(*folder);
  PolluxCluster cluster(profiles);
  Tiresias policy;

  const auto result = cluster.run(read_trace(*folder, GetParam().workload), policy);

  expect_published(result, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Workloads, TiresiasReplay,
                         testing::Values(Published{1, 2473.7, 83751}, Published{2, 5145.0, 85625},
                                         Published{3, 3876.3, 55541}, Published{4, 3280.3, 98885}));

/// Optimus as in the Pollux artifact (optimus.py): one GPU for each job, then one more for the job
/// that saves the most time, according to an oracle.
class Optimus final : public RoundPolicy {
 public:
  explicit Optimus(const scheduler::Oracle& oracle) : oracle_(oracle) {}

  [[nodiscard]] NodeLists decide(const std::vector<const TraceJob*>& jobs,
                                 const NodeLists& now) override {
    return place(sizes_of(jobs), now);
  }

 private:
  struct Size {
    JobId job;
    int gpus = 0;
  };

  [[nodiscard]] double saved(JobId job, int gpus) const {
    const auto now = oracle_.step_time(job, gpus);
    const auto more = oracle_.step_time(job, gpus + 1);
    if (!now || !more) return 0.0;
    return (to_seconds(*now) - to_seconds(*more)) * oracle_.steps_left(job).value();
  }

  [[nodiscard]] std::vector<Size> sizes_of(const std::vector<const TraceJob*>& jobs) const {
    std::vector<Size> sizes;
    std::vector<double> gains;
    int free = kGpus;
    for (const TraceJob* job : jobs) {
      const int gpus = free > 0 ? 1 : 0;
      free -= gpus;
      sizes.push_back({job->id, gpus});
      gains.push_back(gpus == 1 ? saved(job->id, 1) : 0.0);
    }
    while (free > 0) {
      const auto best = std::max_element(gains.begin(), gains.end());
      if (best == gains.end() || *best <= 0.0) break;
      Size& size = sizes[static_cast<std::size_t>(best - gains.begin())];
      *best = saved(size.job, ++size.gpus);
      --free;
    }
    return sizes;
  }

  [[nodiscard]] static NodeLists place(std::vector<Size> sizes, const NodeLists& now) {
    NodeLists wanted;
    for (const auto& [job, gpus] : sizes) {
      const auto held = now.find(job);
      const bool unchanged = held != now.end() && static_cast<int>(held->second.size()) == gpus;
      if (unchanged) wanted[job] = held->second;
    }
    std::vector<int> free = free_beside(wanted);
    std::stable_sort(sizes.begin(), sizes.end(),
                     [](const Size& a, const Size& b) { return a.gpus < b.gpus; });
    for (const auto& [job, gpus] : sizes) {
      if (!wanted.contains(job)) wanted[job] = take_most_free(free, gpus);
    }
    return wanted;
  }

  const scheduler::Oracle& oracle_;
};

class OptimusReplay : public testing::TestWithParam<Published> {};

TEST_P(OptimusReplay, GivesThePublishedFigures) {
  const auto folder = pollux_folder();
  if (!folder) GTEST_SKIP() << "skipped: no shared data";
  const workloads::PolluxProfiles profiles(*folder);
  const auto trace = read_trace(*folder, GetParam().workload);
  PolluxCluster cluster(profiles);
  const auto oracle = cluster.oracle(trace);
  Optimus policy(oracle);

  const auto result = cluster.run(trace, policy);

  expect_published(result, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Workloads, OptimusReplay,
                         testing::Values(Published{1, 4087.1, 72422}, Published{2, 6913.9, 64224},
                                         Published{3, 3944.0, 45299}, Published{4, 5967.8, 68486}));

}  // namespace
}  // namespace mimus::emulator::test
