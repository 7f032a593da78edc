// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

#include <gtest/gtest.h>

#include "base/random.hpp"
#include "builders.hpp"

namespace mimus::scheduler::test {
namespace {

// Tiresias and Optimus+Oracle as decided by Pollux's simulator, round by round, compared with
// simple transcriptions of their rules on random workloads. After every round the same jobs must be
// on the same nodes in the same rank order.

constexpr int kNodes = 6;
constexpr int kGpusPerNode = 4;
constexpr int kRound = 60;  ///< s

struct SimulatedJob {
  int id = 0;
  int gang = 1;
  int arrival_round = 0;
  int rounds_left = 1;  ///< rounds that it still must run
};

using Nodes = std::vector<int>;            ///< one entry per replica, in rank order
using Placements = std::map<int, Nodes>;   ///< by job
using Jobs = std::map<int, SimulatedJob>;  ///< jobs in the system, by arrival

std::vector<SimulatedJob> random_jobs(std::uint64_t seed, int count) {
  RandomStream random(seed, "pollux rounds");
  std::vector<SimulatedJob> jobs;
  int round = 0;
  for (int id = 0; id < count; ++id) {
    round += random.uniform() < 0.4 ? 0 : static_cast<int>(random.below(4));
    const int gang = static_cast<int>(1 + random.below(random.uniform() < 0.3 ? 20 : 5));
    jobs.push_back({id, gang, round, static_cast<int>(1 + random.below(40))});
  }
  return jobs;
}

/// Common to both references: nodes with the most free GPUs first, ties by number.
class Reference {
 public:
  virtual ~Reference() = default;
  virtual void round(const Jobs& jobs) = 0;
  [[nodiscard]] const Placements& placements() const { return placements_; }

 protected:
  void drop_left(const Jobs& jobs) {
    std::erase_if(placements_, [&](const auto& entry) { return !jobs.contains(entry.first); });
  }
  void place(int job, int gpus) {
    std::vector<int> free(kNodes, kGpusPerNode);
    for (const auto& [id, nodes] : placements_) {
      for (const int node : nodes) --free[static_cast<std::size_t>(node)];
    }
    Nodes& nodes = placements_[job];
    while (static_cast<int>(nodes.size()) < gpus) {
      const auto most = std::max_element(free.begin(), free.end());
      const int taken = std::min(*most, gpus - static_cast<int>(nodes.size()));
      nodes.insert(nodes.end(), static_cast<std::size_t>(taken),
                   static_cast<int>(most - free.begin()));
      *most -= taken;
    }
  }

  Placements placements_;
};

/// Two queues; demotion at `limit` GPU-seconds to the end of the second one.
class TiresiasReference final : public Reference {
 public:
  explicit TiresiasReference(int limit) : limit_(limit) {}

  void round(const Jobs& jobs) override {
    drop_left(jobs);
    for (auto& queue : queues_) {
      std::erase_if(queue, [&](int job) { return !jobs.contains(job); });
    }
    for (const auto& [id, job] : jobs) {
      if (known_.emplace(id, 0).second) queues_[0].push_back(id);
    }
    for (const auto& [id, job] : jobs) {
      if (!placements_.contains(id)) continue;
      known_[id] += kRound * job.gang;
      const auto found = std::find(queues_[0].begin(), queues_[0].end(), id);
      if (known_[id] < limit_ || found == queues_[0].end()) continue;
      queues_[0].erase(found);
      queues_[1].push_back(id);
    }
    std::vector<int> run;
    int free = kNodes * kGpusPerNode;
    for (const auto& queue : queues_) {
      for (const int id : queue) {
        if (jobs.at(id).gang <= free) {
          free -= jobs.at(id).gang;
          run.push_back(id);
        } else {
          placements_.erase(id);
        }
      }
    }
    for (const int id : run) {
      if (!placements_.contains(id)) place(id, jobs.at(id).gang);
    }
  }

 private:
  int limit_;
  std::vector<int> queues_[2];
  std::map<int, int> known_;  ///< service of every job that has arrived [GPU s]
};

/// Steps left and step times for both sides: T(n) = 0.05 + a/n + 0.01·n s.
class RoundOracle final : public Oracle {
 public:
  void set(const Jobs& jobs) { jobs_ = jobs; }
  [[nodiscard]] std::optional<Duration> run_time(JobId) const override { return std::nullopt; }
  [[nodiscard]] std::optional<double> steps_left(JobId job) const override {
    return 37.0 * jobs_.at(static_cast<int>(job.value())).rounds_left;
  }
  [[nodiscard]] std::optional<Duration> step_time(JobId job, int gpus) const override {
    const double work = 0.5 + 0.1 * static_cast<double>(job.value() % 5);
    return from_seconds(0.05 + work / gpus + 0.01 * gpus);
  }
  [[nodiscard]] int most_gpus(JobId job) const override {
    return static_cast<int>(1 + job.value() % 9);
  }

 private:
  Jobs jobs_;
};

class OptimusReference final : public Reference {
 public:
  explicit OptimusReference(const RoundOracle& oracle) : oracle_(oracle) {}

  void round(const Jobs& jobs) override {
    drop_left(jobs);
    std::map<int, int> size;
    std::map<int, double> gain;
    int free = kNodes * kGpusPerNode;
    for (const auto& [id, job] : jobs) {
      size[id] = free > 0 ? 1 : 0;
      free -= size[id];
      gain[id] = size[id] > 0 ? gain_of(id, 1) : 0.0;
    }
    while (free > 0 && !gain.empty()) {
      const auto best =
          std::max_element(gain.begin(), gain.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (best->second <= 0.0) break;
      best->second = gain_of(best->first, ++size[best->first]);
      --free;
    }
    std::erase_if(placements_, [&](const auto& entry) {
      return static_cast<int>(entry.second.size()) != size.at(entry.first);
    });
    for (int gpus = 1; gpus <= kNodes * kGpusPerNode; ++gpus) {
      for (const auto& [id, wanted] : size) {
        if (wanted == gpus && !placements_.contains(id)) place(id, gpus);
      }
    }
  }

 private:
  [[nodiscard]] double gain_of(int id, int gpus) const {
    const JobId job{id};
    if (gpus >= oracle_.most_gpus(job)) return 0.0;
    const Duration saved = *oracle_.step_time(job, gpus) - *oracle_.step_time(job, gpus + 1);
    return to_seconds(saved) * *oracle_.steps_left(job);
  }

  const RoundOracle& oracle_;
};

/// Carries out a scheduler's decisions: stops take effect at once, starts in the next round.
class InRounds {
 public:
  explicit InRounds(Policy policy) : scheduler_(shape(kNodes, kGpusPerNode), std::move(policy)) {}

  void arrive(const SimulatedJob& job_in, Instant now) {
    JobView view = job(job_in.id, job_in.gang);
    view.arrival = now;
    events_.emplace_back(JobArrived{view});
  }
  void finish(int id) {
    events_.emplace_back(AttemptEnded{attempts_.at(id), EndReason::finished, "", 0.0});
    attempts_.erase(id);
    placements_.erase(id);
  }
  void decide(Instant now) {
    events_.emplace_back(Timer{});
    while (!events_.empty()) {
      const Decision decision = scheduler_.on_events(std::exchange(events_, {}), now);
      for (const auto& stop : actions_of<StopAttempt>(decision)) end(stop.attempt);
      for (const auto& start : actions_of<StartAttempt>(decision)) begin(start);
    }
    for (const AttemptId started : begun_) events_.emplace_back(AttemptStarted{started});
    begun_.clear();
  }
  [[nodiscard]] const Placements& placements() const { return placements_; }

 private:
  void end(AttemptId attempt) {
    const auto found = std::find_if(attempts_.begin(), attempts_.end(),
                                    [&](const auto& entry) { return entry.second == attempt; });
    events_.emplace_back(AttemptEnded{attempt, EndReason::preempted, "", 0.0});
    placements_.erase(found->first);
    attempts_.erase(found);
  }
  void begin(const StartAttempt& start) {
    const int id = static_cast<int>(start.job.value());
    attempts_[id] = start.attempt;
    begun_.push_back(start.attempt);
    for (const int gpu : gpus_of(start.allocation)) placements_[id].push_back(gpu / kGpusPerNode);
  }

  Scheduler scheduler_;
  std::vector<Event> events_;
  std::map<int, AttemptId> attempts_;
  std::vector<AttemptId> begun_;
  Placements placements_;
};

/// Runs both until all jobs have ended. `on_round` sees the jobs before each decision.
void compare(std::uint64_t seed, Policy policy, Reference& reference,
             const std::function<void(const Jobs&)>& on_round) {
  const auto workload = random_jobs(seed, 60);
  InRounds scheduler(std::move(policy));
  Jobs jobs;
  std::size_t arrived = 0;
  for (int round = 0; arrived < workload.size() || !jobs.empty(); ++round) {
    ASSERT_LT(round, 5000) << "the run does not end";
    for (auto& [id, nodes] : reference.placements()) {
      if (--jobs.at(id).rounds_left > 0) continue;
      jobs.erase(id);
      scheduler.finish(id);
    }
    for (; arrived < workload.size() && workload[arrived].arrival_round <= round; ++arrived) {
      jobs[workload[arrived].id] = workload[arrived];
      scheduler.arrive(workload[arrived], at(round * kRound));
    }
    on_round(jobs);
    reference.round(jobs);
    scheduler.decide(at(round * kRound));
    ASSERT_EQ(scheduler.placements(), reference.placements()) << "round " << round;
  }
}

class PolluxRounds : public ::testing::TestWithParam<std::uint64_t> {};

TEST_P(PolluxRounds, TiresiasRunsTheSameJobsOnTheSameNodes) {
  TiresiasReference reference(6000);

  compare(GetParam(), policy("{preset: tiresias-pollux, planner: {order: {limits: [6000 s]}}}"),
          reference, [](const Jobs&) {});
}

TEST_P(PolluxRounds, OptimusRunsTheSameSizesOnTheSameNodes) {
  const auto oracle = std::make_shared<RoundOracle>();
  OptimusReference reference(*oracle);
  const PolicyInputs inputs{.throughput = nullptr, .oracle = oracle, .seed = 0};

  compare(GetParam(), read_policy(ConfigNode::text("optimus-oracle"), "policy", inputs), reference,
          [&](const Jobs& jobs) { oracle->set(jobs); });
}

INSTANTIATE_TEST_SUITE_P(Seeds, PolluxRounds, ::testing::Range<std::uint64_t>(1, 21));

}  // namespace
}  // namespace mimus::scheduler::test
