// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "pollux_cluster.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "base/text_file.hpp"
#include "workloads/csv/csv_reader.hpp"

namespace mimus::emulator::test {

std::optional<std::string> pollux_folder() {
  const char* shared = std::getenv("MIMUS_SHARED");
  const char* source = std::getenv("MIMUS_SOURCE_DIR");
  const std::filesystem::path root =
      shared ? shared : std::filesystem::path(source ? source : ".") / ".." / "shared";
  const auto folder = root / "data" / "pollux";
  return std::filesystem::exists(folder) ? std::optional(folder.string()) : std::nullopt;
}

std::vector<TraceJob> read_trace(const std::string& folder, int number) {
  const std::string path = folder + "/workloads/workload-" + std::to_string(number) + ".csv";
  const std::string text = read_text_file(path);
  workloads::CsvReader row(text, path, {"time", "application", "num_replicas", "batch_size"});
  std::vector<TraceJob> jobs;
  while (row.next()) {
    jobs.push_back({JobId{static_cast<std::int64_t>(jobs.size())},
                    workloads::pollux_application(row.get<std::string>("application")),
                    row.get<std::int64_t>("time"),
                    static_cast<int>(row.get<std::int64_t>("num_replicas")),
                    row.get<std::int64_t>("batch_size")});
  }
  return jobs;
}

PolluxCluster::PolluxCluster(const workloads::PolluxProfiles& profiles) : profiles_(profiles) {
  cluster_.shape.nodes = kNodes;
  cluster_.shape.gpus_per_node = kGpusPerNode;
  cluster_.shape.gpus_per_island = kGpusPerNode;
  cluster_.shape.nodes_per_rack = kNodes;
  engine_ =
      std::make_unique<PolluxReplayEngine>(cluster_, profiles, PolluxReplayEngine::Settings{});
}

PolluxOracle PolluxCluster::oracle(const std::vector<TraceJob>& trace) {
  truths_.clear();
  for (const TraceJob& job : trace) {
    workloads::Job truth;
    truth.id = job.id;
    truth.model = job.application->model;
    truth.gang = job.gpus;
    truth.total_batch = job.batch;
    truths_.push_back(truth);
  }
  return {cluster_, profiles_,
          JobLookup{[this](JobId job) -> const workloads::Job& { return truths_.at(job.index()); },
                    [this](JobId job) { return engine_->samples_done(job); }}};
}

PolluxCluster::Result PolluxCluster::run(const std::vector<TraceJob>& trace, RoundPolicy& policy) {
  std::map<JobId, const TraceJob*> jobs;
  for (const TraceJob& job : trace) jobs[job.id] = &job;
  std::vector<TimedEvent> happened;
  for (Instant round{}; completed_.size() < trace.size();) {
    round += std::chrono::seconds{60};
    while (engine_->now() < round) {
      happened.clear();
      (void)engine_->next(round, happened);
      take(happened);
    }
    std::vector<const TraceJob*> active;
    for (const TraceJob& job : trace) {
      const bool submitted = Instant{std::chrono::seconds{job.submit}} <= round;
      if (submitted && !completed_.contains(job.id)) active.push_back(&job);
    }
    apply(policy.decide(active, held_), jobs);
  }
  Result result;
  for (const TraceJob& job : trace) {
    const auto end = static_cast<std::int64_t>(to_seconds(completed_.at(job.id)));
    result.average_jct += static_cast<double>(end - job.submit) / static_cast<double>(trace.size());
    result.makespan = std::max(result.makespan, end);
  }
  return result;
}

void PolluxCluster::take(const std::vector<TimedEvent>& happened) {
  for (const auto& [at, event] : happened) {
    const auto* ended = std::get_if<scheduler::AttemptEnded>(&event);
    if (ended == nullptr || ended->reason != scheduler::EndReason::finished) continue;
    const JobId job = jobs_of_.at(ended->attempt);
    completed_[job] = at;
    held_.erase(job);
    attempts_.erase(job);
  }
}

/// Stops and restarts every attempt, so the engine must detect which jobs did not change.
void PolluxCluster::apply(const NodeLists& wanted, const std::map<JobId, const TraceJob*>& jobs) {
  for (const auto& [job, attempt] : attempts_) engine_->stop(attempt);
  attempts_.clear();
  std::vector<TimedEvent> happened;
  if (!held_.empty()) (void)engine_->next(engine_->now(), happened);
  held_.clear();
  for (const auto& [job, nodes] : wanted) {
    if (!nodes.empty()) start(*jobs.at(job), nodes);
  }
}

void PolluxCluster::start(const TraceJob& job, const std::vector<int>& nodes) {
  Attempt attempt;
  attempt.id = AttemptId{next_attempt_++};
  attempt.job = job.id;
  attempt.model = models_.find(std::string(job.application->model));
  // The replay does not distinguish the GPUs of a node.
  for (const int node : nodes) {
    attempt.allocation.slots.push_back({GpuId{node * kGpusPerNode}, LaneId{node * kGpusPerNode}});
  }
  const auto replicas = static_cast<std::int64_t>(nodes.size());
  const std::int64_t local = (job.batch + replicas - 1) / replicas;
  const std::int64_t most = job.application->per_gpu_max;
  attempt.batch.accumulation = static_cast<int>((local + most - 1) / most);
  attempt.batch.per_gpu = (local + attempt.batch.accumulation - 1) / attempt.batch.accumulation;
  engine_->start(attempt);
  held_[job.id] = nodes;
  attempts_[job.id] = attempt.id;
  jobs_of_[attempt.id] = job.id;
}

std::vector<int> take_most_free(std::vector<int>& free, int gpus) {
  std::vector<int> nodes;
  while (gpus > 0) {
    const auto most = std::max_element(free.begin(), free.end());
    const int taken = std::min(*most, gpus);
    if (taken <= 0) break;
    nodes.insert(nodes.end(), static_cast<std::size_t>(taken),
                 static_cast<int>(most - free.begin()));
    *most -= taken;
    gpus -= taken;
  }
  return nodes;
}

std::vector<int> free_beside(const NodeLists& held) {
  std::vector<int> free(PolluxCluster::kNodes, PolluxCluster::kGpusPerNode);
  for (const auto& [job, nodes] : held) {
    for (const int node : nodes) --free[static_cast<std::size_t>(node)];
  }
  return free;
}

}  // namespace mimus::emulator::test
