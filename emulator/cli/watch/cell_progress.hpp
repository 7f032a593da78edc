// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "results/file/reader.hpp"

namespace mimus::emulator::cli {

/// Numbers of GPUs by their type.
using GpusByType = std::map<std::string, std::int64_t>;

/// A cell as its provenance describes it.
struct WatchedCell {
  std::string campaign, cell, label, policy, engine;
  std::string hardware;  ///< "2 x 4 V100 + 3 x 2 T4": nodes, GPUs of each, their type
  /// By node the number of its first GPU, and of all GPUs at the end.
  std::vector<std::int64_t> first_gpus{0};
  std::vector<std::string> gpu_types;  ///< by node
  std::int64_t most_per_node = 0;
  std::optional<std::int64_t> jobs;  ///< in all, where that is known before the end
  [[nodiscard]] std::int64_t nodes() const {
    return static_cast<std::int64_t>(first_gpus.size()) - 1;
  }
  [[nodiscard]] std::int64_t gpus() const { return first_gpus.back(); }
  GpusByType gpus_by_type;
  /// The type of a GPU by its number, which has to be one of the cluster's.
  [[nodiscard]] const std::string& type_of(std::int64_t gpu) const;
};

/// A job that holds GPUs. Times in emulated seconds since the cell began.
struct WatchedAttempt {
  std::int64_t job = -1;
  std::string model;
  std::vector<std::int64_t> gpus;  ///< of the cluster; the first ones, where the file cut the list
  std::int64_t gang = 1;           ///< GPUs that it holds
  double begin = 0;
  std::int64_t total_batch = 0;  ///< of the last window of steps; 0: none yet
  bool is_suspended = false;
  double samples_per_second = 0;     ///< work done in it, at M₀
  std::optional<double> normalised;  ///< useful step time over time in it; 1 is ideal
};

/// A job that waits, for the first time or again.
struct WaitingJob {
  std::string model;
  std::int64_t gang = 1;
  double since = 0;
};

/// Why a node takes no jobs. Of several reasons the first counts.
enum class NodeMark { down, quarantined, asleep, booting };

/// What a growing result file says of its cell so far. Each update reads only new rows.
class CellProgress {
 public:
  static constexpr std::size_t kDecisions = 8;

  /// `grows`: a process is writing the file.
  CellProgress(const results::Reader& reader, bool grows);
  /// `reader` must have been opened again: an open file does not see what is written later.
  void update(const results::Reader& reader, bool grows);

  [[nodiscard]] const WatchedCell& cell() const { return cell_; }
  [[nodiscard]] const std::string& status() const { return status_; }
  [[nodiscard]] const std::string& status_reason() const { return status_reason_; }
  /// Whether the file keeps events; without them the placement of jobs is unknown.
  [[nodiscard]] bool knows_jobs() const { return knows_jobs_; }
  [[nodiscard]] double now() const { return now_; }
  [[nodiscard]] const std::map<std::int64_t, WatchedAttempt>& running() const { return running_; }
  [[nodiscard]] const std::map<std::int64_t, WaitingJob>& waiting() const { return waiting_; }
  /// Jobs that ran or waited when the cell stopped.
  [[nodiscard]] const std::map<std::int64_t, WaitingJob>& cut_off() const { return cut_off_; }
  [[nodiscard]] const std::map<std::string, std::int64_t>& outcomes() const { return outcomes_; }
  [[nodiscard]] double mean_jct() const { return finished_ > 0 ? jct_sum_ / finished_ : 0.0; }
  /// The last decisions, oldest first; those without an action are left out.
  [[nodiscard]] const std::deque<results::DecisionRow>& decisions() const { return decisions_; }
  /// Nodes that take no jobs; none in a cell that has ended.
  [[nodiscard]] const std::map<std::int64_t, std::set<NodeMark>>& marked_nodes() const {
    return marked_nodes_;
  }
  /// GPUs with a job, by type; none for a cell that has ended.
  [[nodiscard]] GpusByType gpus_held() const;
  /// Useful GPU time per GPU of the cluster, from the last window of every running attempt.
  [[nodiscard]] std::optional<double> goodput() const;

 private:
  void read_events(const results::Reader& reader);
  void read_steps(const results::Reader& reader);
  void read_jobs(const results::Reader& reader);
  void read_decisions(const results::Reader& reader);
  void stop();
  void take(const results::EventRow& event);
  void end_attempt(const results::EventRow& event);
  void take_of_node(const results::EventRow& event);
  void see(double time) { now_ = time > now_ ? time : now_; }

  WatchedCell cell_;
  std::string status_, status_reason_;
  bool knows_jobs_ = false;
  double now_ = 0;
  std::map<std::int64_t, WatchedAttempt> running_;  ///< by attempt
  std::map<std::int64_t, WaitingJob> waiting_;      ///< by job
  std::map<std::int64_t, WaitingJob> requests_;     ///< of jobs that run, by job
  std::map<std::int64_t, WaitingJob> cut_off_;      ///< by job
  std::map<std::int64_t, std::set<NodeMark>> marked_nodes_;
  std::map<std::string, std::int64_t> outcomes_;
  double jct_sum_ = 0, finished_ = 0;
  std::deque<results::DecisionRow> decisions_;
  std::size_t events_ = 0, steps_ = 0, jobs_ = 0, decided_ = 0, intervals_ = 0;  ///< rows read
};

}  // namespace mimus::emulator::cli
