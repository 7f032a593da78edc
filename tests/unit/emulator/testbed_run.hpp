// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "emulator/testbed/testbed.hpp"
#include "results/file/reader.hpp"
#include "scheduler/policy/policy.hpp"
#include "tests/support/temporary_folder.hpp"

namespace mimus::emulator::test {

/// An engine whose attempts take one second per step of ten windows, in order of time: enough to
/// drive the testbed without ranks.
class ScriptedEngine : public Engine {
 public:
  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] Instant now() const override { return now_; }

  void start(const Attempt& attempt) override {
    const double rate = static_cast<double>(attempt.allocation.slots.size());
    const double end_at =
        attempt.fail_at_samples >= 0 ? attempt.fail_at_samples : attempt.work_samples;
    const Duration run = from_seconds(std::max(1.0, (end_at - attempt.samples_done) / rate));
    const auto reason = attempt.fail_at_samples >= 0 ? scheduler::EndReason::failed
                                                     : scheduler::EndReason::finished;
    started.push_back(attempt);
    push(now_ + std::chrono::milliseconds{1}, scheduler::AttemptStarted{attempt.id});
    AttemptProgress progress{attempt.id, {}, end_at};
    progress.windows.push_back(window(attempt, now_, now_ + run, end_at - attempt.samples_done));
    push(now_ + run, progress);
    const double kept =
        reason == scheduler::EndReason::finished ? attempt.work_samples : attempt.samples_done;
    push(now_ + run, scheduler::AttemptEnded{attempt.id, reason, attempt.fail_reason, kept});
  }
  void stop(AttemptId attempt) override {
    const auto belongs = [&](const Pending& p) { return id_of(p.event) == attempt; };
    std::erase_if(events_, belongs);
    push(now_, scheduler::AttemptEnded{attempt, scheduler::EndReason::preempted, "", 0.0});
  }
  void retune(AttemptId, const scheduler::BatchPlan&) override {}
  void resize(AttemptId, const Attempt&) override {}
  void limit(AttemptId, const scheduler::DeviceLimits&) override {}
  void suspend(AttemptId, scheduler::SuspendedMemory) override {}
  void resume(AttemptId) override {}

  [[nodiscard]] Instant next(Instant deadline, std::vector<TimedEvent>& happened) override {
    const bool something_first = !events_.empty() && events_.front().at < interrupt_at;
    if (interrupt_at != kNever && deadline >= interrupt_at && !something_first) {
      now_ = interrupt_at;
      throw InterruptedError("stopped by the test");
    }
    if (events_.empty() || events_.front().at > deadline) {
      EXPECT_NE(deadline, kNever) << "the testbed waits for something that never comes";
      if (deadline == kNever) throw InternalError("stuck");
      now_ = std::max(now_, deadline + late);
      return now_;
    }
    now_ = std::max(now_, events_.front().at);
    while (!events_.empty() && events_.front().at <= now_) {
      happened.push_back({now_, events_.front().event});
      events_.erase(events_.begin());
    }
    return now_;
  }

  std::vector<Attempt> started;
  Instant interrupt_at = kNever;
  Duration late{};  ///< after a deadline, as on the wall clock

 private:
  struct Pending {
    Instant at;
    EngineEvent event;
  };
  static AttemptId id_of(const EngineEvent& event) {
    if (const auto* e = std::get_if<scheduler::AttemptStarted>(&event)) return e->attempt;
    if (const auto* e = std::get_if<AttemptProgress>(&event)) return e->attempt;
    if (const auto* e = std::get_if<scheduler::AttemptEnded>(&event)) return e->attempt;
    return {};
  }
  static StepWindow window(const Attempt& attempt, Instant begin, Instant end, double samples) {
    StepWindow out;
    out.begin = begin;
    out.end = end;
    out.steps = 10;
    out.batch = attempt.batch;
    out.samples = samples;
    out.progress_samples = samples;
    out.samples_done = attempt.samples_done + samples;
    out.noise_scale = 100.0;
    out.step_mean = (end - begin) / 10;
    out.step_modelled = out.step_mean;
    out.device_busy = out.step_mean / 2;
    return out;
  }
  void push(Instant at, EngineEvent event) {
    const auto place = std::upper_bound(events_.begin(), events_.end(), at,
                                        [](Instant t, const Pending& p) { return t < p.at; });
    events_.insert(place, Pending{at, std::move(event)});
  }

  Instant now_{};
  std::vector<Pending> events_;
};

/// A testbed on two GPUs of one node, and what it records.
struct TestbedTest : testing::Test {
  const TemporaryFolder folder;
  const std::string path = folder.file("cell.h5");
  workloads::ModelCatalogue models = workloads::ModelCatalogue::built_in();
  workloads::Workload workload;
  ScriptedEngine engine;
  TestbedSettings settings;
  results::RecordLevel level = results::RecordLevel::full;

  void add_job(int gang, double seconds_alone, int arrival_s) {
    workloads::Job job;
    job.id = JobId{static_cast<std::int64_t>(workload.jobs.size())};
    job.name = "job";
    job.model = "resnet18";
    job.gang = gang;
    job.total_batch = 128 * gang;
    job.work_samples = seconds_alone * gang;  // the engine gives one sample per GPU and second
    job.arrival = Instant{} + std::chrono::seconds{arrival_s};
    workload.jobs.push_back(job);
  }

  scheduler::Scheduler make_scheduler(const std::string& policy, int lanes = 1) const {
    scheduler::ClusterShape shape;
    shape.gpus_per_node = 2;
    shape.gpus_per_island = 2;
    shape.lanes_per_gpu = lanes;
    shape.gpu_type = "T4";
    shape.gpu_memory = Bytes{16e9};
    return {shape, scheduler::read_policy(parse_yaml(policy, "policy"), "policy", {})};
  }

  void run(const std::string& policy = "{order: fifo}", int lanes = 1) {
    auto scheduler = make_scheduler(policy, lanes);
    results::Recorder recorder(path, {}, level);
    workloads::WorkloadStream jobs(workload);
    JobTruths truths(models);
    Testbed testbed(jobs, truths, scheduler, engine, recorder, settings);
    try {
      testbed.run([](const RunProgress&) {});
    } catch (const InterruptedError&) {
      recorder.set_status("interrupted", "test");
      return;
    }
    recorder.complete();
  }

  template <class Row>
  std::vector<Row> rows(const std::string& suffix = "") const {
    return results::Reader(path + suffix).rows<Row>();
  }
};

}  // namespace mimus::emulator::test
