// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/ids.hpp"
#include "base/time.hpp"
#include "base/units.hpp"
#include "workloads/jobs/batch_course.hpp"
#include "workloads/jobs/planned_batch.hpp"

namespace mimus::workloads {

/// When a job's attempts fail; hidden from policies. `failures[k]` ends the attempt after k others
/// have failed by the plan. Attempts beyond the list do not fail.
struct FailurePlan {
  struct Failure {
    double at_progress = 0.0;  ///< share of the job's work, 0..1, unless a time is given
    std::string reason;        ///< e.g. "illegal memory access"
    /// Alternatively the time for which the attempt has its GPUs, whatever its progress. Zero: not
    /// given.
    Duration after{};
    /// The failure ends every attempt from this one on; later entries of the list have no effect. A
    /// time is then the mean of an exponential distribution, from which each attempt draws.
    bool recurs = false;
  };
  std::vector<Failure> failures;
  /// The failure that ends the attempt after this many others; null: none.
  [[nodiscard]] const Failure* strikes(int others) const;
};

/// How the job ended when the trace was recorded. Only statistics use it.
enum class RecordedOutcome { unknown, passed, killed, failed };
[[nodiscard]] const char* name(RecordedOutcome outcome);

/// Time that one iteration of a job spends on each resource of its gang, one after the other,
/// measured while the job runs alone.
struct StageTimes {
  Duration input{};      ///< reading and preparing samples: storage and CPU
  Duration compute{};    ///< on the GPU
  Duration network{};    ///< between GPUs
  Duration iteration{};  ///< the whole; less than the sum if stages overlap
  bool operator==(const StageTimes&) const = default;
};

/// Iterations/s of a job that runs alone on GPUs of a type, by the name of the type.
using TypeRates = std::vector<std::pair<std::string, double>>;

/// Iterations/s of jobs that share all their GPUs with another one of the same gang: those of the
/// first kind beside the second, by GPU type. Pairs that cannot run there are left out.
using PairRates = std::map<std::pair<std::string, std::string>, TypeRates>;

/// A user's request to train a model: the truth. Policies see a scheduler::JobView instead.
struct Job {
  JobId id;
  std::string name;
  std::string user = "user";
  std::string virtual_cluster = "default";
  std::string group;  ///< tag that recurring runs share; empty when there is none
  /// What it is a part of, such as a hyper-parameter search; empty: nothing, or it is all of it.
  std::string application;
  std::string model;  ///< name in the catalogue; empty for a job that is only a run time
  int gang = 1;       ///< GPUs, all or nothing; 0: it needs cores only
  /// Numbers of GPUs that policies may give it in place of `gang`, which is one of them.
  int gang_min = 1, gang_max = std::numeric_limits<int>::max();
  std::int64_t total_batch = 1;          ///< as the user set it [samples]
  std::vector<PlannedBatch> batch_plan;  ///< ascending by epoch; only for jobs with a model
  bool rigid = false;                    ///< policies must not change gang and batch
  bool opportunistic = false;            ///< uses what guaranteed jobs leave; not counted by quotas
  double gpu_share = 1.0;  ///< of each of its GPUs, (0, 1]; below 1 only for a gang of 1
  double cores = 0.0;      ///< of nodes, for all of its gang, to a thousandth
  /// Share of its run time, alone, for which its cores work, while its GPUs work in parallel [0,
  /// 1].
  double host_share = 0.0;
  Bytes host_memory{};                 ///< of nodes, for all of its gang
  std::string data_set;                ///< each epoch reads all of it; empty: none that matters
  Bytes data_size{};                   ///< size of the data set; zero: as the workload states
  std::vector<std::string> gpu_types;  ///< the whole gang uses one of them; empty: any
  /// Samples to process at the reference batch M₀; seconds of run time for a job without a model.
  /// Hidden.
  double work_samples = 0.0;
  Instant arrival{};
  Duration run_time{};       ///< recorded time on the gang, alone; zero: unknown; hidden
  Duration user_estimate{};  ///< run time that the user states; zero: none
  Duration deadline{};       ///< after its arrival, until when it should have ended; zero: none
  /// As measured by a profiler; known to policies. The job has run_time ÷ iteration of them.
  std::optional<StageTimes> stages;
  /// As measured by a profiler; known to policies. The run time holds on the first type. Empty: it
  /// holds on all types. Only for jobs without a model.
  TypeRates rates;
  /// As measured by a profiler for jobs with this gang; known to policies. Null: not measured. Only
  /// for jobs with rates.
  std::shared_ptr<const PairRates> pair_rates;
  std::string kind;  ///< its own there
  /// How the job's own code changes its batch; null: it does not, or this is not known. The run
  /// time is that of the profiled course, and the rate on the first type is that of the first mode.
  std::shared_ptr<const BatchCourse> course;
  RecordedOutcome recorded = RecordedOutcome::unknown;
  FailurePlan failures;  ///< hidden
  /// Share of its progress that counts for its loss, because of its hyper-parameters, (0, 1].
  /// Hidden.
  double loss_pace = 1.0;
};

/// "guaranteed" or "opportunistic".
[[nodiscard]] inline const char* class_name(const Job& job) {
  return job.opportunistic ? "opportunistic" : "guaranteed";
}

/// A job with stated rates may only use the types that they name.
inline void limit_to_rated_types(Job& job) {
  if (!job.gpu_types.empty()) return;
  for (const auto& rate : job.rates) job.gpu_types.push_back(rate.first);
}

/// Jobs in order of arrival, and their origin.
struct Workload {
  std::vector<Job> jobs;           ///< jobs[i].id == i; arrivals do not decrease
  std::string source;              ///< "generator poisson" or the file's path
  std::string source_hash;         ///< of the file or of the generator's parameters; 16 hex digits
  std::vector<std::string> notes;  ///< what was changed or left out on import
};

}  // namespace mimus::workloads
