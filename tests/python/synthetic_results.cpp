// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0

// Writes result files of three cells into a folder, for tests of the Python package: the same
// eighteen jobs on 2 × 4 GPUs, first come first served, with one and with two lanes per GPU, and a
// third file of a cell that was cut off before anything happened.

#include <algorithm>
#include <array>
#include <cstdio>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/random.hpp"
#include "results/recorder.hpp"

namespace mimus::results {
namespace {

constexpr int kNodes = 2;
constexpr int kGpusPerNode = 4;
constexpr int kGpus = kNodes * kGpusPerNode;
constexpr int kJobs = 18;

struct Model {
  const char* name;
  double step;      ///< without co-tenants [s]
  double slowdown;  ///< of its step beside a co-tenant
};
constexpr std::array<Model, 4> kModels{{{"resnet50", 0.20, 1.7},
                                        {"bert-base", 0.35, 1.4},
                                        {"dlrm", 0.05, 1.15},
                                        {"vgg16", 0.28, 1.9}}};

struct SyntheticJob {
  const Model* model;
  int gang;
  double arrival;
  std::int64_t steps;
};

std::vector<SyntheticJob> make_jobs() {
  RandomStream random(7, "synthetic results");
  std::vector<SyntheticJob> jobs;
  double arrival = 2.0;
  for (int i = 0; i < kJobs; ++i) {
    const Model& model = kModels[static_cast<std::size_t>(random.below(4))];
    const int gang = 1 << random.below(3);
    const auto steps = static_cast<std::int64_t>(random.uniform(30, 90) / model.step);
    jobs.push_back({&model, gang, arrival, steps});
    arrival += random.uniform(1, 14);
  }
  return jobs;
}

/// When each lane becomes free, and which job used it last.
class Lanes {
 public:
  explicit Lanes(int per_gpu)
      : per_gpu_(per_gpu), free_at_(static_cast<std::size_t>(kGpus * per_gpu)) {}

  /// The `gang` lanes that become free first, on different GPUs.
  [[nodiscard]] std::vector<int> earliest(int gang) const {
    std::vector<int> order(free_at_.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return at(a) < at(b); });
    std::vector<int> chosen;
    for (const int lane : order) {
      const bool gpu_taken = std::any_of(chosen.begin(), chosen.end(),
                                         [&](int other) { return gpu(other) == gpu(lane); });
      if (!gpu_taken && static_cast<int>(chosen.size()) < gang) chosen.push_back(lane);
    }
    std::sort(chosen.begin(), chosen.end());
    return chosen;
  }
  [[nodiscard]] double at(int lane) const { return free_at_[static_cast<std::size_t>(lane)]; }
  [[nodiscard]] int gpu(int lane) const { return lane / per_gpu_; }
  void hold(int lane, double until) { free_at_[static_cast<std::size_t>(lane)] = until; }

 private:
  int per_gpu_;
  std::vector<double> free_at_;
};

struct Run {
  std::int64_t id;
  const SyntheticJob* job;
  std::vector<int> lanes;
  double begin;
  double end;
};

std::vector<Run> simulate(const std::vector<SyntheticJob>& jobs, Lanes& lanes, double slowdown) {
  std::vector<Run> runs;
  for (const auto& job : jobs) {
    Run run{static_cast<std::int64_t>(runs.size()), &job, lanes.earliest(job.gang), job.arrival, 0};
    for (const int lane : run.lanes) run.begin = std::max(run.begin, lanes.at(lane));
    const double step = job.model->step * (slowdown > 1 ? job.model->slowdown : 1.0);
    run.end = run.begin + 1.0 + static_cast<double>(job.steps) * step;
    for (const int lane : run.lanes) lanes.hold(lane, run.end);
    runs.push_back(run);
  }
  return runs;
}

void record_job(Recorder& recorder, const Run& run) {
  JobRow row;
  row.job = run.id;
  row.name = "job-" + std::to_string(run.id) + "-ü";
  row.model = run.job->model->name;
  row.gang = run.job->gang;
  row.arrival = run.job->arrival;
  row.first_start = run.begin;
  row.end = run.end;
  row.outcome = run.id == 11 ? "failed" : "finished";
  row.jct = run.id == 11 ? -1 : run.end - run.job->arrival;
  row.queueing = run.begin - run.job->arrival;
  row.wait_capacity = row.queueing * 0.6;
  double& other = run.id % 3 == 0 ? row.wait_fragmentation : row.wait_order;
  other = row.queueing - row.wait_capacity;
  row.running = run.end - run.begin;
  row.gpu_seconds = row.running * run.job->gang;
  row.attempts = 1;
  row.samples_processed = static_cast<double>(run.job->steps) * 64;
  row.progress_samples = row.samples_processed * 0.9;
  recorder.add(row);
  const double half = run.job->arrival + row.wait_capacity;
  if (row.queueing <= 0) return;
  recorder.add(QueueDelayRow{run.id, "capacity", run.job->arrival, half});
  recorder.add(QueueDelayRow{run.id, run.id % 3 == 0 ? "fragmentation" : "order", half, run.begin});
}

void record_attempt(Recorder& recorder, const Run& run, const Lanes& lanes) {
  AttemptRow row;
  row.attempt = row.job = run.id;
  row.begin = run.begin;
  row.first_step = run.begin + 1;
  row.end = run.end;
  row.reason = "finished";
  row.replicas = run.job->gang;
  recorder.add(row);
  for (std::size_t replica = 0; replica < run.lanes.size(); ++replica) {
    const int lane = run.lanes[replica];
    const int gpu = lanes.gpu(lane);
    recorder.add(PlacementRow{run.id, run.id, static_cast<std::int64_t>(replica),
                              gpu / kGpusPerNode, gpu, lane, run.begin, run.end});
  }
}

void record_steps(Recorder& recorder, const Run& run, double slowdown) {
  constexpr int kWindows = 8;
  const double step = (run.end - run.begin - 1) / static_cast<double>(run.job->steps);
  const double span = (run.end - run.begin - 1) / kWindows;
  for (int i = 0; i < kWindows; ++i) {
    StepRow row;
    row.attempt = row.job = run.id;
    row.begin = run.begin + 1 + i * span;
    row.end = row.begin + span;
    row.steps = run.job->steps / kWindows;
    row.total_batch = i < kWindows / 2 ? 64 : 128;
    row.samples = static_cast<double>(row.steps) * 64;
    row.progress_samples = row.samples * (0.8 + 0.02 * i);
    row.loss = 1.0 - 0.1 * i;
    row.step_mean = step;
    row.step_modelled = run.job->model->step;
    row.co_tenants = slowdown > 1 ? 1 : 0;
    recorder.add(row);
  }
}

// Every overlap on a GPU is one co-location period.
void record_pairs(Recorder& recorder, const std::vector<Run>& runs, const Lanes& lanes) {
  const auto meet = [&](const Run& a, const Run& b) {
    for (const int x : a.lanes) {
      for (const int y : b.lanes) {
        if (lanes.gpu(x) == lanes.gpu(y))
          return std::min(a.end, b.end) - std::max(a.begin, b.begin);
      }
    }
    return 0.0;
  };
  for (const auto& a : runs) {
    for (const auto& b : runs) {
      if (a.id == b.id || meet(a, b) <= 0) continue;
      PairRow row;
      row.attempt = row.job = a.id;
      row.model = a.job->model->name;
      row.co_models = b.job->model->name;
      row.co_tenants = 1;
      row.begin = std::max(a.begin, b.begin);
      row.end = row.begin + meet(a, b);
      row.step_solo = a.job->model->step;
      row.step_shared = row.step_solo * a.job->model->slowdown;
      row.slowdown = a.job->model->slowdown;
      recorder.add(row);
    }
  }
}

/// What two physical GPUs would measure, each of which stands for a node. The second one reports
/// neither activity nor energy.
void record_devices(Recorder& recorder, double end) {
  constexpr double kPower = 300.0;
  constexpr int kSamples = 200;
  for (int sample = 0; sample <= kSamples; ++sample) {
    for (int device = 0; device < kNodes; ++device) {
      DeviceSampleRow row;
      row.time = end * sample / kSamples;
      row.gpu = device * kGpusPerNode;
      row.host = "machine";
      row.device = device;
      row.sm_utilisation = 90;
      row.power = device == 0 ? kPower : 100.0;
      row.clock_events = "none";
      if (device == 0) {
        row.energy = kPower * row.time;
        row.sm_activity = sample % 2 == 0 ? 40 : 60;
        row.dram_activity = 30;
      }
      recorder.add(row);
    }
  }
  recorder.add(EnergyRow{.gpu = 0,
                         .node = 0,
                         .host = "machine",
                         .device = 0,
                         .span = end,
                         .joules = kPower * end,
                         .mean_power = kPower,
                         .source = "counter"});
  recorder.add(EnergyRow{.gpu = kGpusPerNode,
                         .node = 1,
                         .host = "machine",
                         .device = 1,
                         .span = end,
                         .source = "none"});
}

void write_cell(const std::string& path, const std::string& label, int lanes_per_gpu) {
  Recorder recorder(path, {{{"cell", "synthetic-" + label}, {"label", label}}, "a: 1\n", "test"},
                    RecordLevel::full);
  Lanes lanes(lanes_per_gpu);
  const double slowdown = lanes_per_gpu > 1 ? 2.0 : 1.0;
  const auto jobs = make_jobs();
  const auto runs = simulate(jobs, lanes, slowdown);
  double end = 0;
  for (const auto& run : runs) {
    record_job(recorder, run);
    record_attempt(recorder, run, lanes);
    record_steps(recorder, run, slowdown);
    end = std::max(end, run.end);
  }
  record_pairs(recorder, runs, lanes);
  for (int gpu = 0; gpu < kGpus; ++gpu) {
    recorder.add(GpuRow{gpu, gpu / kGpusPerNode, "V100", end * 0.8, 0, end * 0.7});
  }
  for (int call = 0; call < kJobs; ++call) {
    recorder.add(DecisionRow{.time = end * call / kJobs, .latency_us = 20.0 + 3 * call});
  }
  recorder.add(UtilisationRow{0, end, kGpus, kGpus, kGpus, 0, 0});
  if (lanes_per_gpu > 1) record_devices(recorder, end);
  recorder.complete();
}

}  // namespace
}  // namespace mimus::results

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: synthetic_results FOLDER\n", stderr);
    return 2;
  }
  const std::string folder = argv[1];
  try {
    mimus::results::write_cell(folder + "/000-exclusive.h5", "pack / exclusive", 1);
    mimus::results::write_cell(folder + "/001-shared.h5", "pack / shared", 2);
    mimus::results::Recorder(folder + "/002-cut-off.h5", {{{"label", "cut off"}}, "", ""},
                             mimus::results::RecordLevel::full);
  } catch (const mimus::Error& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
