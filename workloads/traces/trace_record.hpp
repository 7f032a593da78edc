// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/csv/csv_reader.hpp"
#include "workloads/jobs/job.hpp"

namespace mimus::workloads {

/// One job as its trace tells of it, before any rule is applied. Views need to live only until the
/// record has been added. Times are counted from the trace's own zero, in the order of a minute or
/// of 1970.
struct TraceRecord {
  int row = 0;  ///< line, or number of the entry in its list; from 1
  std::string_view name, user, virtual_cluster, group;
  std::string_view model;         ///< in the catalogue; empty where the trace names none of them
  double gpus = 0.0;              ///< of all instances together
  double own_gpus = 0.0;          ///< when each instance has whole GPUs of its own
  int gang_min = Job{}.gang_min;  ///< see Job
  int gang_max = Job{}.gang_max;
  std::int64_t instances = 0;    ///< that run together and ask for GPUs
  std::int64_t total_batch = 0;  ///< samples; 0 where unknown
  std::vector<PlannedBatch> batch_plan{};
  double gpu_share = 1.0;  ///< stated share of each GPU
  Duration submit{};
  bool dated = false;                   ///< they were dates: the zero is 1970
  bool tells_of_start = true;           ///< else a missing start is nothing odd
  std::optional<Duration> start, end;   ///< as recorded
  std::optional<Duration> run_time;     ///< where the trace states it
  Duration deadline{};                  ///< after it was submitted; zero: none
  double samples = 0.0;                 ///< work of a job with a model; 0 where unknown
  std::span<const Duration> estimates;  ///< in the order of TraceTraits::estimates; 0 for none
  std::optional<StageTimes> stages;     ///< of an iteration
  bool opportunistic = false;
  double cores = 0.0;                  ///< of nodes
  Bytes host_memory{};                 ///< likewise
  double host_share = 0.0;             ///< see Job
  bool needs_cores_only = false;       ///< it is no oddity that it asks for no GPU
  std::string data_set;                ///< that it reads; empty: none
  Bytes data_size{};                   ///< of it; zero: not stated
  std::string application;             ///< that it is a part of; empty: none
  std::vector<std::string> gpu_types;  ///< that it may use; empty: any
  TypeRates rates;                     ///< iterations/s by GPU type, the one of run_time first
  std::shared_ptr<const PairRates> pair_rates;  ///< of jobs with this gang; null: not measured
  std::string kind;                             ///< its own there
  std::shared_ptr<const BatchCourse> course;    ///< where its batch changes
  RecordedOutcome outcome = RecordedOutcome::unknown;
  FailurePlan failures;
  Place gpus_at, model_at;  ///< for messages

  /// Adds `count` instances that ask for `each` GPUs; parts of a GPU are fine.
  void add_gpus(double each, std::int64_t count = 1) {
    if (each <= 0.0 || count <= 0) return;
    gpus += each * static_cast<double>(count);
    own_gpus += std::ceil(each) * static_cast<double>(count);
    instances += count;
  }
};

}  // namespace mimus::workloads
