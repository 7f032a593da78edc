// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "emulator/bench/engine_bench.hpp"

namespace mimus::emulator {
namespace {

constexpr const char* kSrtf =
    "{order: srtf, estimate: oracle, placement: counting, preemption: {name: checkpoint, min_run: "
    "0 s}}";
constexpr const char* kLas =
    "{order: {name: las, limits: [3250 s, 7200 s, 18000 s]}, placement: counting, preemption: "
    "{name: checkpoint, min_run: 0 s}}";
constexpr const char* kFifoSkip = "{order: {name: fifo, skip: true}, placement: counting}";
constexpr const char* kSjf = "{order: sjf, estimate: oracle, placement: counting}";
constexpr const char* kFgd = "{preset: fgd, admission: accept_all}";
constexpr const char* kConsolidated = "{order: {name: fifo, skip: true}, placement: consolidated}";

std::string campaign(int nodes, int gpus_per_node, const std::string& workload,
                     const std::string& policy,
                     const std::string& engine = "step_time: duration, interference: none") {
  return fmt::format(
      "schema: 1\nname: bench\nrecord: summary\n"
      "cluster: {{nodes: {}, gpus_per_node: {}, gpu: P100, network: 100 Gbit/s}}\n"
      "workload: {}\npolicy: {}\nengine: {{kind: virtual, {}}}\n",
      nodes, gpus_per_node, workload, policy, engine);
}

/// 100,000 GPUs of four types. At load 0.8, ten million jobs with the statistics of PAI's arrive in
/// a month; 6 % of them may only use V100s.
std::string on_four_types(std::int64_t jobs, const std::string& policy) {
  std::string groups;
  for (const char* gpu : {"T4", "P100", "V100", "A100"}) {
    groups += fmt::format("    - {{nodes: 3125, gpus_per_node: 8, gpu: {}}}\n", gpu);
  }
  return fmt::format(
      "schema: 1\nname: bench\nrecord: summary\ncluster:\n  groups:\n{}"
      "workload: {{source: pai-like, jobs: {}, load: 0.8, arrivals: poisson, gpu_types: {{V100: "
      "0.06}}}}\npolicy: {}\n"
      "engine: {{kind: virtual, step_time: duration, interference: none}}\n",
      groups, jobs, policy);
}

/// Offered load is the requested GPU time per GPU and time. Below 1 the queue stays short. Far
/// above 1 nearly all jobs wait at once.
std::string generated(std::int64_t jobs, double load) {
  return fmt::format("{{source: philly-like, jobs: {}, load: {}, arrivals: poisson}}", jobs, load);
}

std::string shared(const std::string& path) {
  return "\"${MIMUS_SHARED}/data/" + path + "\"";
}

bool have_shared_data() {
  const char* folder = std::getenv("MIMUS_SHARED");
  return std::filesystem::exists(std::filesystem::path(folder ? folder : "../shared") / "data");
}

void add_pollux(std::vector<BenchCase>& cases) {
  const std::string engine = fmt::format(
      "mode: rounds, round: 60 s, replay: pollux-artifact, step_time: {{name: measured, path: {}}}",
      shared("pollux"));
  const std::string workload =
      fmt::format("{{source: pollux, path: {}}}", shared("pollux/workloads/workload-1.csv"));
  cases.push_back({"Pollux workload 1", "Tiresias, replayed",
                   campaign(16, 4, workload, "tiresias-pollux", engine), 0.05,
                   "Pollux' simulator 18"});
  cases.push_back({"Pollux workload 1", "Optimus, replayed",
                   campaign(16, 4, workload, "optimus-oracle", engine), 0.2,
                   "Pollux' simulator 58"});
}

}  // namespace

namespace {

/// Of a run whose cost per job must not grow with the cluster.
void add_four_types(std::int64_t most_jobs, std::vector<BenchCase>& cases) {
  struct Series {
    const char* name;
    const char* policy;
    double bound;  ///< of ten million jobs [CPU s]
  };
  constexpr std::array kSeries{
      Series{"four types, 100,000 GPUs, FIFO skip", "fifo-skip", 300.0},
      Series{"four types, 100,000 GPUs, FGD", kFgd, 900.0},
      Series{"four types, 100,000 GPUs, load balancing", "pai-load-balance", 900.0}};
  for (const Series& series : kSeries) {
    for (std::int64_t jobs = 1000; jobs <= most_jobs; jobs *= 10) {
      cases.push_back({series.name, fmt::format("{} jobs", jobs),
                       on_four_types(jobs, series.policy), jobs == 10'000'000 ? series.bound : 0.0,
                       ""});
    }
  }
}

}  // namespace

std::vector<BenchCase> growth_cases(std::int64_t most_jobs) {
  struct Series {
    const char* name;
    const char* policy;
    double load;
    std::int64_t most;
  };
  constexpr std::array kSeries{
      Series{"FIFO skip, counting, load 0.9", kFifoSkip, 0.9, 10'000'000},
      Series{"SJF, counting, load 0.9", kSjf, 0.9, 10'000'000},
      Series{"SJF, counting, all at once", kSjf, 1e4, 10'000'000},
      Series{"FIFO skip, consolidated, load 0.9", kConsolidated, 0.9, 10'000'000},
      Series{"SRTF, counting, load 0.9", kSrtf, 0.9, 10'000'000},
      Series{"2D-LAS, counting, load 0.9", kLas, 0.9, 10'000'000},
      Series{"2D-LAS, counting, all at once", kLas, 1e4, 10'000'000}};
  std::vector<BenchCase> cases;
  for (const Series& series : kSeries) {
    for (std::int64_t jobs = 1000; jobs <= std::min(most_jobs, series.most); jobs *= 10) {
      const bool bounded = jobs == 10'000'000 && series.policy == kFifoSkip;
      cases.push_back({series.name, fmt::format("{} jobs", jobs),
                       campaign(64, 8, generated(jobs, series.load), series.policy),
                       bounded ? 60.0 : 0.0, ""});
    }
  }
  add_four_types(most_jobs, cases);
  return cases;
}

std::vector<BenchCase> trace_cases() {
  std::vector<BenchCase> cases;
  if (!have_shared_data()) return cases;
  const std::string ten_thousand =
      fmt::format("{{source: philly, path: {}}}", shared("bench/philly10000.csv"));
  const std::string all =
      fmt::format("{{source: philly, path: {}}}", shared("philly/philly_jobs.csv"));
  cases.push_back({"10,000 Philly jobs, 512 GPUs", "SJF", campaign(64, 8, ten_thousand, kSjf), 0.05,
                   "PAI's simulator 41.6"});
  cases.push_back({"10,000 Philly jobs, 512 GPUs", "FIFO skip",
                   campaign(64, 8, ten_thousand, kFifoSkip), 0.0,
                   "PAI's 79.5, Tiresias' (strict) 25.1"});
  cases.push_back({"10,000 Philly jobs, 512 GPUs", "2D-LAS", campaign(64, 8, ten_thousand, kLas),
                   0.2, "Tiresias' 48.2"});
  cases.push_back({"109,570 Philly jobs, 2,816 GPUs", "FIFO skip, consolidated",
                   campaign(352, 8, all, kConsolidated), 1.0, "Helios' FIFO 171.5 (89,392 jobs)"});
  add_pollux(cases);
  return cases;
}

}  // namespace mimus::emulator
