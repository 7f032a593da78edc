// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
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
#include "scheduler/jobs/allocation.hpp"
#include "scheduler/jobs/data_need.hpp"
#include "scheduler/jobs/device_limits.hpp"
#include "scheduler/jobs/epoch_profile.hpp"
#include "scheduler/jobs/gpu_types.hpp"
#include "scheduler/jobs/host_need.hpp"
#include "scheduler/jobs/model_graph.hpp"
#include "scheduler/jobs/stage_times.hpp"
#include "scheduler/jobs/suspended_memory.hpp"

namespace mimus::scheduler {

/// What is publicly known of a model: its name and the limits its owner states.
struct ModelFacts {
  std::string name;
  std::int64_t reference_batch = 1;  ///< M₀ [samples]
  std::int64_t per_gpu_batch_min = 1;
  std::int64_t per_gpu_batch_max = 1;
  std::int64_t total_batch_max = 1;
  std::int64_t epoch_samples = 1;  ///< of the data set that it is trained on
  /// Memory of a replica without activations, and per sample of the per-GPU batch. Set by the
  /// scheduler on arrival if the policy's estimate differs from the owner's statement.
  Bytes base_memory{};
  Bytes memory_per_sample{};
  double target_loss = 0.0;  ///< at which its owner ends the training; 0: not stated
  double tensor_skew = 0.0;  ///< largest tensor over the sum of all; 0: not stated
  ModelGraph graph;
  [[nodiscard]] Bytes memory(std::int64_t per_gpu_batch) const {
    return base_memory + static_cast<double>(per_gpu_batch) * memory_per_sample;
  }
  /// Memory that a suspended replica with these limits keeps on its device.
  [[nodiscard]] Bytes kept_memory(std::int64_t per_gpu_batch, const DeviceLimits& limits,
                                  SuspendedMemory keeps) const;
};

enum class JobState { queued, starting, running, stopping, finished, failed, rejected, killed };
[[nodiscard]] const char* name(JobState state);

/// Whether a running attempt makes steps. The states in between: it has been asked to suspend or to
/// resume.
enum class Suspension { none, asked, suspended, resuming };

/// Why a queued job is not running; every queued second is charged to one cause.
enum class WaitCause {
  none,           ///< it runs
  capacity,       ///< fewer free GPU slots than it needs
  fragmentation,  ///< enough slots, but not with its locality or sharing
  order,          ///< it would fit, but a job ranked before it is waiting
  quota,          ///< its virtual cluster is at its quota
  backoff,        ///< a recovery policy holds it back
  restart,        ///< its previous attempt is still being stopped (state stopping, not queued)
  boot,           ///< it would fit if no node slept or booted
};
inline constexpr int kWaitCauses = 8;
[[nodiscard]] const char* name(WaitCause cause);

/// Time by cause of waiting, indexed by WaitCause; exact.
using WaitTimes = std::array<Duration, kWaitCauses>;

/// What the job's own agent reports while it runs, as a training script can measure it.
struct ProgressBelief {
  double samples_done = 0.0;  ///< in samples at M₀, over all attempts
  double noise_scale = 0.0;   ///< φ as measured by the job [samples]; 0 before the first report
  double throughput = 0.0;    ///< samples/s of the last report
  std::optional<EpochReport> epochs{};  ///< of a job with an EpochProfile
};

/// How an attempt failed.
struct Failure {
  std::string reason;  ///< from its log
  Duration after{};    ///< it got its GPUs
};

/// Iterations/s by the name of a GPU type.
using TypeRates = std::vector<std::pair<std::string, double>>;
/// Those of jobs of the first kind that share all their GPUs with one of the second.
using PairRates = std::map<std::pair<std::string, std::string>, TypeRates>;

/// Everything that a scheduler may know of a job. Work left, failures and true curves are not here:
/// a choice that needs them uses an oracle, which the results name.
struct JobView {
  JobId id;
  std::string name;
  std::string user;
  std::string virtual_cluster;
  std::string group;        ///< tag that recurring runs share; empty when there is none
  std::string application;  ///< that it is a part of; empty: it is one by itself
  ModelFacts model;
  /// GPUs of the next attempt: the user's request unless resized. 0: it needs cores only.
  int gang = 1;
  int requested_gang = 1;  ///< GPUs that the user asked for; set by the scheduler on arrival
  /// Numbers of GPUs that its user allows in place of these.
  int gang_min = 1, gang_max = std::numeric_limits<int>::max();
  /// GPUs of one replica of its model, which is split over them: its gangs are multiples of it.
  int replica_gpus = 1;
  /// Policies may not change the number of GPUs or the batch that its user asked for. Set by the
  /// scheduler on arrival where replicas have several GPUs and the planner does not count them.
  bool rigid = false;
  /// It uses what guaranteed jobs leave, and quotas do not count its GPUs.
  bool opportunistic = false;
  /// GPU types that it may use, by name; empty: any.
  std::vector<std::string> gpu_types;
  /// The cluster's types that it may use and that have enough memory for it, each for its whole
  /// gang; all types if the cluster has only one. Set by the scheduler on arrival.
  GpuTypes types = kAllTypes;
  /// Iterations/s of its gang alone on GPUs of a type, by name, as measured by a profiler. The
  /// user's estimate holds on the first type. Empty: not stated.
  TypeRates rates;
  /// The same of jobs with this gang that share their GPUs in pairs. Null: not measured.
  std::shared_ptr<const PairRates> pair_rates;
  std::string kind;                            ///< its own there
  std::shared_ptr<const EpochProfile> epochs;  ///< null: its own code does not change its batch
  double gpu_share = 1.0;                      ///< requested share of each of its GPUs, (0, 1]
  DataNeed data;                               ///< that it reads
  HostNeed host;  ///< cores and memory of nodes that its whole gang takes
  /// Share of each of its GPUs that it occupies or requests: the user's request if the sharing
  /// choice divides GPUs, else all. A placement may give it all. Set by the scheduler.
  MilliGpus share = kWholeGpu;
  std::int64_t requested_batch = 1;  ///< total [samples]
  /// Numbers of epochs from which on its user plans a total batch, ascending. Empty: no plan.
  std::vector<std::pair<double, std::int64_t>> batch_plan;
  double epoch_samples = 0.0;        ///< of its data set; 0: it has none
  std::optional<StageTimes> stages;  ///< of an iteration, as profiled; nothing: not known
  Instant arrival{};
  Duration user_estimate{};   ///< zero: the user gave none
  Instant deadline = kNever;  ///< until when its user wants it to have ended
  /// Estimated whole run time on the requested gang, alone; zero without an estimate. Set by the
  /// scheduler on arrival.
  Duration estimated_run_time{};
  /// Estimated share of the time in which a replica alone keeps its GPU busy, 0..1; 1 without an
  /// estimate. Set by the scheduler on arrival.
  double estimated_utilisation = 1.0;

  JobState state = JobState::queued;
  Instant queued_since{};  ///< start of the current wait
  std::optional<Instant> first_start;
  int attempts = 0;
  int failures = 0;
  int memory_failures = 0;              ///< of these, out-of-memory failures
  std::optional<Failure> last_failure;  ///< except for lack of memory
  WideDuration attained_time{};         ///< time with an allocation × replicas, of ended attempts
  /// Time from the first step to the stop × replicas, of ended attempts whose work was kept.
  WideDuration kept_training{};
  /// When the current attempt got its allocation, and when it ran its first step; both are later by
  /// the time for which it has been suspended since.
  Instant running_since{};
  Instant stepping_since{kNever};
  Suspension suspension = Suspension::none;  ///< of the present attempt
  /// Memory that it keeps on its GPUs while it is suspended or has been asked to suspend; else all.
  SuspendedMemory keeps = SuspendedMemory::all;
  Instant suspended_since{kNever};  ///< likewise; kNever while it makes steps
  Instant active_since{kNever};     ///< when it last began to make steps
  Instant asked_to_stop{kNever};    ///< when the current or last attempt was asked to stop
  AttemptId attempt;                ///< current attempt, else none
  AttemptId last_attempt;           ///< the current one, else the last one
  Allocation allocation;            ///< of the present attempt
  DeviceLimits limits;              ///< last given to the current attempt
  bool limits_asked = false;        ///< they are not in force yet
  BatchPlan batch;                  ///< of the current or last attempt
  ProgressBelief progress;
  WaitCause waits_for = WaitCause::none;
  /// Time in the queue by cause, up to the last time it left the queue. Kept only with
  /// set_wait_accounting, else all zero. Being stopped counts as running.
  WaitTimes waited{};

  /// True while an attempt holds GPUs, from the decision to start it until it has ended.
  [[nodiscard]] bool holds_gpus() const { return static_cast<bool>(attempt); }
  /// GPUs that the current attempt holds, or that the next one requests.
  [[nodiscard]] int gpus() const {
    return holds_gpus() && !allocation.slots.empty() ? static_cast<int>(allocation.slots.size())
                                                     : gang;
  }
  /// What an attempt may have, if any GPUs.
  [[nodiscard]] int fewest_gpus() const {
    const int replicas = (gang_min + replica_gpus - 1) / replica_gpus;
    return rigid ? requested_gang : replicas * replica_gpus;
  }
  [[nodiscard]] int most_gpus() const { return rigid ? requested_gang : gang_max; }
  /// GPUs for accounting of time: a job without GPUs counts as one.
  [[nodiscard]] int replicas() const { return std::max(1, gpus()); }
  /// Micro-batch of the requested batch on the requested gang.
  [[nodiscard]] std::int64_t requested_per_gpu() const { return requested_per_gpu(requested_gang); }
  /// The same on a number of GPUs. A plan may use more and smaller micro-batches.
  [[nodiscard]] std::int64_t requested_per_gpu(int gpus) const {
    const int replicas = std::max(1, gpus);
    return std::clamp((requested_batch + replicas - 1) / replicas, model.per_gpu_batch_min,
                      model.per_gpu_batch_max);
  }
  /// Estimated device memory of a replica with this batch, within its limits.
  [[nodiscard]] Bytes memory(const BatchPlan& with) const {
    return limits.on_device(model.memory(with.per_gpu));
  }
  /// GPUs times the share of each.
  [[nodiscard]] MilliGpus demand() const { return gpus() * share; }
  /// Time with an allocation × replicas, including the current attempt, but not while suspended.
  [[nodiscard]] WideDuration replica_time(Instant now) const;
  /// True while the current attempt makes steps: not while it starts up, is suspended or writes a
  /// checkpoint.
  [[nodiscard]] bool trains() const {
    return holds_gpus() && stepping_since != kNever && suspended_since == kNever &&
           asked_to_stop == kNever;
  }
  /// Time of steps that count × replicas, including the current attempt.
  [[nodiscard]] WideDuration training_time(Instant now) const;
  /// Attained service including the current attempt [GPU × time]: a share s of a GPU counts s.
  [[nodiscard]] WideDuration service(Instant now) const;
};

}  // namespace mimus::scheduler
