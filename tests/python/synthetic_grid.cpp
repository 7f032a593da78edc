// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0

// Writes the cells of a campaign that sweeps six policies and three cluster sizes: jobs of one
// seed through a work-conserving list scheduler, recorded by the results library.
//   synthetic_grid FOLDER full|jobs|summary

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <functional>
#include <queue>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/random.hpp"
#include "results/recorder.hpp"

namespace mimus::results {
namespace {

constexpr int kJobs = 2500;
constexpr double kFragmentedShare = 0.3;  ///< fraction of the gangs' waits

struct GridJob {
  std::int64_t id = 0;
  double arrival = 0;
  double length = 0;
  std::int64_t gang = 1;
};

struct Policy {
  const char* name;
  std::function<double(const GridJob&)> rank;  ///< the job with the lowest rank goes first
};

std::vector<Policy> policies() {
  return {{"fifo", [](const GridJob& job) { return job.arrival; }},
          {"shortest-job-first", [](const GridJob& job) { return job.length; }},
          {"longest-job-first", [](const GridJob& job) { return -job.length; }},
          {"smallest-gang", [](const GridJob& job) { return static_cast<double>(job.gang); }},
          {"largest-gang", [](const GridJob& job) { return -static_cast<double>(job.gang); }},
          {"least-service",
           [](const GridJob& job) { return job.length * static_cast<double>(job.gang); }}};
}

// Sizes and run times span three decades, as in the traces of large clusters.
std::vector<GridJob> make_jobs() {
  RandomStream random(21, "synthetic grid");
  std::vector<GridJob> jobs;
  double at = 0;
  for (int i = 0; i < kJobs; ++i) {
    at += -600.0 * std::log(1.0 - random.uniform(0, 1));
    const auto gang = std::int64_t{1} << std::min<std::int64_t>(random.below(7), random.below(7));
    jobs.push_back({i, at, std::pow(10.0, random.uniform(2, 5)), gang});
  }
  return jobs;
}

/// Runs the jobs on `gpus` GPUs and records the run.
class ListScheduler {
 public:
  ListScheduler(Recorder& recorder, const Policy& policy, std::int64_t gpus)
      : recorder_(recorder), policy_(policy), gpus_(gpus), free_(gpus) {}

  void run(const std::vector<GridJob>& jobs) {
    for (const auto& job : jobs) {
      while (!ends_.empty() && ends_.top().first <= job.arrival) end_one();
      go_to(job.arrival);
      waiting_.push_back(job);
      start_what_fits();
    }
    while (!ends_.empty()) end_one();
    for (std::int64_t gpu = 0; gpu < gpus_; ++gpu) {
      recorder_.add(GpuRow{gpu, gpu / 8, "V100", now_ * 0.6, 0, now_ * 0.5});
    }
  }

 private:
  void go_to(double time) {
    const auto queued = static_cast<std::int64_t>(waiting_.size());
    const auto running = static_cast<std::int64_t>(ends_.size());
    recorder_.add(UtilisationRow{now_, time, gpus_, gpus_ - free_, gpus_ - free_, queued, running});
    now_ = time;
  }

  void end_one() {
    const auto [end, gang] = ends_.top();
    go_to(end);
    ends_.pop();
    free_ += gang;
    start_what_fits();
  }

  void start_what_fits() {
    const auto by_rank = [&](const GridJob& a, const GridJob& b) {
      return policy_.rank(a) < policy_.rank(b);
    };
    std::stable_sort(waiting_.begin(), waiting_.end(), by_rank);
    while (!waiting_.empty() && waiting_.front().gang <= free_) {
      record(waiting_.front());
      waiting_.erase(waiting_.begin());
    }
  }

  void record(const GridJob& job) {
    free_ -= job.gang;
    ends_.emplace(now_ + job.length, job.gang);
    JobRow row;
    row.job = job.id;
    row.model = "resnet50";
    row.gang = job.gang;
    row.arrival = job.arrival;
    row.first_start = now_;
    row.end = now_ + job.length;
    row.outcome = "finished";
    row.jct = row.end - row.arrival;
    row.queueing = now_ - job.arrival;
    row.wait_fragmentation = job.gang > 1 ? kFragmentedShare * row.queueing : 0;
    row.wait_order = 0.25 * row.queueing;
    row.wait_capacity = row.queueing - row.wait_fragmentation - row.wait_order;
    row.running = job.length;
    row.gpu_seconds = job.length * static_cast<double>(job.gang);
    row.attempts = 1;
    recorder_.add(row);
    recorder_.add(PlacementRow{job.id, job.id, 0, 0, 0, 0, row.first_start, row.end});
  }

  Recorder& recorder_;
  const Policy& policy_;
  std::int64_t gpus_;
  std::int64_t free_;
  double now_ = 0;
  std::vector<GridJob> waiting_;
  using End = std::pair<double, std::int64_t>;
  std::priority_queue<End, std::vector<End>, std::greater<>> ends_;
};

void write_grid(const std::string& folder, RecordLevel level) {
  const auto jobs = make_jobs();
  int number = 0;
  for (const auto& policy : policies()) {
    for (const int nodes : {16, 24, 48}) {
      const std::string label = fmt::format("{} / nodes-{}", policy.name, nodes);
      const std::string path =
          fmt::format("{}/{:03}-{}-{}.h5", folder, number++, policy.name, nodes);
      Recorder recorder(path, {{{"cell", label}, {"label", label}, {"engine", "virtual"}}, "", ""},
                        level);
      ListScheduler(recorder, policy, nodes * 8).run(jobs);
      recorder.complete();
    }
  }
}

}  // namespace
}  // namespace mimus::results

int main(int argc, char** argv) {
  using mimus::results::RecordLevel;
  if (argc != 3) {
    std::fputs("usage: synthetic_grid FOLDER full|jobs|summary\n", stderr);
    return 2;
  }
  const std::string level = argv[2];
  try {
    mimus::results::write_grid(argv[1], level == "full"   ? RecordLevel::full
                                        : level == "jobs" ? RecordLevel::jobs
                                                          : RecordLevel::summary);
  } catch (const mimus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
