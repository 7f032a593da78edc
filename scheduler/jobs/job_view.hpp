// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
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
  /// Of a replica without activations, and of the per-GPU batch. Set by the scheduler on arrival
  /// where the policy's estimate believes otherwise than the owner states.
  Bytes base_memory{};
  Bytes memory_per_sample{};
  double target_loss = 0.0;  ///< at which its owner ends the training; 0 where not stated
  double tensor_skew = 0.0;  ///< largest of its tensors over all of them; 0 where not stated
  ModelGraph graph;
  [[nodiscard]] Bytes memory(std::int64_t per_gpu_batch) const {
    return base_memory + static_cast<double>(per_gpu_batch) * memory_per_sample;
  }
  /// What a suspended replica with these limits keeps on its device.
  [[nodiscard]] Bytes kept_memory(std::int64_t per_gpu_batch, const DeviceLimits& limits,
                                  SuspendedMemory keeps) const;
};

enum class JobState { queued, starting, running, stopping, finished, failed, rejected, killed };
[[nodiscard]] const char* name(JobState state);

/// Whether a running attempt makes steps. In between it has been asked to stop or to begin.
enum class Suspension { none, asked, suspended, resuming };

/// Why a queued job is not running; every queued second is charged to one cause.
enum class WaitCause {
  none,           ///< it runs
  capacity,       ///< fewer free GPU slots than it needs
  fragmentation,  ///< enough slots in all, but not at the locality or sharing it asks for
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
  std::string reason;  ///< as its log says
  Duration after{};    ///< it had got its GPUs
};

/// Everything a scheduler may know of a job. Work left, failures and true curves are not here:
/// a choice that needs them takes an oracle, which the results name.
struct JobView {
  JobId id;
  std::string name;
  std::string user;
  std::string virtual_cluster;
  std::string group;        ///< tag that recurring runs share; empty when there is none
  std::string application;  ///< that it is a part of; empty: it is one by itself
  ModelFacts model;
  /// GPUs of the next attempt; what the user asked for unless resized. 0: it needs cores only.
  int gang = 1;
  int requested_gang = 1;  ///< GPUs that the user asked for; set by the scheduler on arrival
  /// Policies may not change the number of GPUs or the batch that its user asked for.
  bool rigid = false;
  /// It uses what guaranteed jobs leave, and what it holds counts against no quota.
  bool opportunistic = false;
  /// GPU types that it may use, by name; empty: any.
  std::vector<std::string> gpu_types;
  /// Of the cluster's types those that it may use and that have the memory that it needs, each for
  /// all of its gang; all where the cluster has one type. Set by the scheduler on arrival.
  GpuTypes types = kAllTypes;
  /// Iterations/s of its gang alone on GPUs of a type, by name, as a profiler has found them; the
  /// user's estimate holds on the first. Empty: not stated.
  std::vector<std::pair<std::string, double>> rates;
  std::shared_ptr<const EpochProfile> epochs;  ///< null: its batch does not change by itself
  double gpu_share = 1.0;  ///< of each of its GPUs that its user asked for, (0, 1]
  DataNeed data;           ///< that it reads
  HostNeed host;           ///< cores and memory of nodes that its whole gang takes
  /// Of each of its GPUs that it occupies or asks for: what its user asked for where the sharing
  /// choice divides GPUs, else all. A placement may give it all. Set by the scheduler.
  MilliGpus share = kWholeGpu;
  std::int64_t requested_batch = 1;  ///< total [samples]
  double epoch_samples = 0.0;        ///< of its data set; 0 where it has none
  std::optional<StageTimes> stages;  ///< of an iteration, as profiled; nothing where not known
  Instant arrival{};
  Duration user_estimate{};  ///< zero when the user gave none
  /// What the policy's estimate believes of its whole run time on the gang it asked for, alone;
  /// zero when it believes nothing. Set by the scheduler on arrival.
  Duration estimated_run_time{};
  /// The share of the time in which it believes that a replica keeps its GPU busy when it is alone
  /// there, 0..1; 1 when it believes nothing. Set by the scheduler on arrival.
  double estimated_utilisation = 1.0;

  JobState state = JobState::queued;
  Instant queued_since{};  ///< start of the present wait
  std::optional<Instant> first_start;
  int attempts = 0;
  int failures = 0;
  int memory_failures = 0;              ///< of these, out-of-memory failures
  std::optional<Failure> last_failure;  ///< that was not for lack of memory
  WideDuration attained_time{};         ///< time with an allocation × replicas, of ended attempts
  /// Time from the first step to the stop × replicas, of ended attempts whose work was kept.
  WideDuration kept_training{};
  /// When the present attempt got its allocation, and when it ran its first step; both are later by
  /// the time for which it has been suspended since.
  Instant running_since{};
  Instant stepping_since{kNever};
  Suspension suspension = Suspension::none;  ///< of the present attempt
  /// On its GPUs, while it is suspended or has been asked to be; else all.
  SuspendedMemory keeps = SuspendedMemory::all;
  Instant suspended_since{kNever};  ///< likewise; kNever while it makes steps
  Instant active_since{kNever};     ///< when it last began to make steps
  Instant asked_to_stop{kNever};    ///< when the present or last attempt was asked to stop
  AttemptId attempt;                ///< present attempt, else none
  AttemptId last_attempt;           ///< the present one, or the last one when there is none
  Allocation allocation;            ///< of the present attempt
  DeviceLimits limits;              ///< that the present attempt was last given
  bool limits_asked = false;        ///< they do not hold yet
  BatchPlan batch;                  ///< of the present or last attempt
  ProgressBelief progress;
  WaitCause waits_for = WaitCause::none;
  /// Time in the queue by cause, up to the last time it left the queue. Kept when the scheduler is
  /// asked for it (set_wait_accounting), else all zero. Being stopped counts as running.
  WaitTimes waited{};

  /// True while an attempt holds GPUs, from the decision to start it until it has ended.
  [[nodiscard]] bool holds_gpus() const { return static_cast<bool>(attempt); }
  /// GPUs that the present attempt holds, or that the next one asks for.
  [[nodiscard]] int gpus() const {
    return holds_gpus() && !allocation.slots.empty() ? static_cast<int>(allocation.slots.size())
                                                     : gang;
  }
  /// That take time: a job without GPUs counts as one.
  [[nodiscard]] int replicas() const { return std::max(1, gpus()); }
  /// Micro-batch that the batch asked for means on the gang asked for.
  [[nodiscard]] std::int64_t requested_per_gpu() const { return requested_per_gpu(requested_gang); }
  /// Or on so many GPUs. A plan may have a smaller one, in more of them.
  [[nodiscard]] std::int64_t requested_per_gpu(int gpus) const {
    const int replicas = std::max(1, gpus);
    return std::clamp((requested_batch + replicas - 1) / replicas, model.per_gpu_batch_min,
                      model.per_gpu_batch_max);
  }
  /// Device memory that a replica is believed to take with this batch, within its limits.
  [[nodiscard]] Bytes memory(const BatchPlan& with) const {
    return limits.on_device(model.memory(with.per_gpu));
  }
  /// GPUs times the share of each.
  [[nodiscard]] MilliGpus demand() const { return gpus() * share; }
  /// Time with an allocation × replicas, the present attempt included, but not while suspended.
  [[nodiscard]] WideDuration replica_time(Instant now) const;
  /// True while the present attempt makes steps: not while it starts up, is suspended or writes a
  /// checkpoint.
  [[nodiscard]] bool trains() const {
    return holds_gpus() && stepping_since != kNever && suspended_since == kNever &&
           asked_to_stop == kNever;
  }
  /// Time in which steps were made that count × replicas, the present attempt included.
  [[nodiscard]] WideDuration training_time(Instant now) const;
  /// Attained service including the present attempt [GPU × time]: a share s of a GPU counts s.
  [[nodiscard]] WideDuration service(Instant now) const;
};

}  // namespace mimus::scheduler
