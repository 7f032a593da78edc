// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// Schedules that Shockwave's simulator (NSDI'23) has recorded, replayed round by round: folder
// data/shockwave of MIMUS_SHARED has who ran when, and what came of it.
#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

#include "emulator/replay/gavel_replay_engine.hpp"
#include "tests/unit/workloads/support.hpp"
#include "workloads/csv/csv_reader.hpp"
#include "workloads/traces/input/input_file.hpp"

namespace mimus::emulator::test {
namespace {

constexpr int kGpus = 32;
constexpr int kJobs = 120;

ClusterConfig v100s() {
  ClusterConfig cluster;
  cluster.shape = {.nodes = 8, .gpus_per_node = 4, .gpus_per_island = 4, .gpu_type = "V100"};
  return cluster;
}

using Schedule = std::vector<std::set<int>>;

class ShockwaveReplay : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    folder_ = workloads::test::shared_folder() / "data" / "shockwave";
    if (!std::filesystem::exists(folder_)) GTEST_SKIP() << "skipped: no shared data";
    const std::string yaml = "{source: shockwave, path: \"" + (folder_ / "120.trace").string() +
                             "\", throughputs: \"" + (folder_ / "tacc_throughputs.json").string() +
                             "\"}";
    const auto source = workloads::make_workload_source(parse_yaml(yaml, "w.yaml"), "workload");
    for (auto& job : source->make({workloads::test::catalogue(), 1, kGpus}).jobs) {
      jobs_.push_back(job);
      truths_.arrive(std::move(job), true);
    }
  }

  [[nodiscard]] Schedule recorded() const {
    const std::string path = (folder_ / "shockwave_schedules.csv").string();
    const std::string text = workloads::read_input_file(path);
    workloads::CsvReader csv(text, path, {"policy", "round", "jobs"});
    const auto policy = csv.column("policy");
    const auto jobs = csv.column("jobs");
    Schedule schedule;
    while (csv.next()) {
      if (csv.text(policy) != GetParam()) continue;
      std::istringstream words{std::string(csv.text(jobs))};
      std::set<int> round;
      for (int job = 0; words >> job;) round.insert(job);
      schedule.push_back(std::move(round));
    }
    return schedule;
  }

  /// Of each job that ended [s].
  std::map<int, double> ends(const Schedule& schedule) {
    std::map<int, double> ends;
    std::set<int> running;
    for (const std::set<int>& round : schedule) {
      for (const int job : running) {
        if (round.contains(job)) continue;
        engine_.stop(AttemptId{job});
        release(job);
      }
      for (const int job : round) {
        if (!running.contains(job)) begin(job);
      }
      running = round;
      for (const int job : leases_end(round.size(), ends)) {
        running.erase(job);
        release(job);
      }
    }
    return ends;
  }

  std::filesystem::path folder_;
  std::vector<workloads::Job> jobs_;

 private:
  void begin(int job) {
    Attempt attempt;
    attempt.id = AttemptId{job};
    attempt.job = JobId{job};
    std::vector<int>& gpus = gpus_of_[job];
    for (int i = 0; i < jobs_[static_cast<std::size_t>(job)].gang; ++i) {
      gpus.push_back(*free_.begin());
      free_.erase(free_.begin());
      attempt.allocation.slots.push_back({GpuId{gpus.back()}, LaneId{gpus.back()}});
    }
    engine_.start(attempt);
  }

  void release(int job) {
    free_.insert(gpus_of_[job].begin(), gpus_of_[job].end());
    gpus_of_.erase(job);
  }

  [[nodiscard]] static std::set<int> all_gpus() {
    std::set<int> gpus;
    for (int gpu = 0; gpu < kGpus; ++gpu) gpus.insert(gpu);
    return gpus;
  }

  /// Goes on until so many jobs have reported; returns those that have ended.
  std::set<int> leases_end(std::size_t jobs, std::map<int, double>& ends) {
    std::set<int> reported;
    std::set<int> ended;
    while (reported.size() < jobs) {
      std::vector<TimedEvent> happened;
      (void)engine_.next(kNever, happened);
      for (const TimedEvent& what : happened) {
        if (const auto* report = std::get_if<AttemptProgress>(&what.event)) {
          reported.insert(static_cast<int>(report->attempt.value()));
        }
        const auto* end = std::get_if<scheduler::AttemptEnded>(&what.event);
        if (end == nullptr || end->reason != scheduler::EndReason::finished) continue;
        const int job = static_cast<int>(end->attempt.value());
        ends[job] = to_seconds(what.at);
        ended.insert(job);
      }
    }
    return ended;
  }

  std::set<int> free_ = all_gpus();
  std::map<int, std::vector<int>> gpus_of_;  ///< by running job
  ClusterConfig cluster_ = v100s();
  JobTruths truths_{workloads::test::catalogue()};
  GavelReplayEngine engine_{cluster_,
                            truths_,
                            {.simulator = "shockwave",
                             .length = std::chrono::seconds{120},
                             .start = std::chrono::seconds{20}}};
};

/// Completion times to the microsecond, and ρ = completion time ÷ (profiled run time × jobs ÷
/// GPUs) to the five digits that are recorded.
TEST_P(ShockwaveReplay, EveryJobEndsWhenItDid) {
  const std::map<int, double> found = ends(recorded());
  ASSERT_EQ(found.size(), static_cast<std::size_t>(kJobs));
  const std::string path = (folder_ / "shockwave_jct.csv").string();
  const std::string text = workloads::read_input_file(path);
  workloads::CsvReader csv(text, path, {"policy", "job", "jct", "rho"});
  const auto policy = csv.column("policy");
  const auto id = csv.column("job");
  const auto jct = csv.column("jct");
  const auto rho = csv.column("rho");
  int compared = 0;
  while (csv.next()) {
    if (csv.text(policy) != GetParam()) continue;
    const auto number = static_cast<int>(csv.get<std::int64_t>(id));
    const workloads::Job& job = jobs_[static_cast<std::size_t>(number)];
    const double took = found.at(number) - to_seconds(job.arrival);
    const double alone = to_seconds(job.run_time) * kJobs / kGpus;
    EXPECT_NEAR(took, csv.get<double>(jct), 1e-6) << number;
    EXPECT_NEAR(took / alone, csv.get<double>(rho), 6e-6) << number;
    ++compared;
  }
  EXPECT_EQ(compared, kJobs);
}

INSTANTIATE_TEST_SUITE_P(Policies, ShockwaveReplay,
                         testing::Values("allox", "finish_time_fairness", "gandiva_fair",
                                         "max_min_fairness", "max_sum_throughput_perf",
                                         "min_total_duration", "new_orig_hyperparam_shockwave",
                                         "old_shockwave", "shockwave"),
                         [](const auto& policy) { return std::string(policy.param); });

}  // namespace
}  // namespace mimus::emulator::test
