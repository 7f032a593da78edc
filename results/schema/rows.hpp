// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "results/schema/cluster_rows.hpp"
#include "results/schema/device_rows.hpp"
#include "results/schema/profile_rows.hpp"
#include "results/schema/trial_rows.hpp"

namespace mimus::results {

// Rows of the result tables: one struct per table, one member per column. Times are emulated
// seconds since the cell began unless a name says otherwise; spans are half-open [begin, end). Ids
// are the integers of base/ids.hpp; -1 is none. Units and meaning of each column are in
// results/schema/schema.cpp and are stored in the file.

struct JobRow {
  std::int64_t job = -1;
  std::string name;
  std::string user;
  std::string virtual_cluster;
  std::string group;        ///< what its workload sorted it into
  std::string application;  ///< that it is a part of
  std::string job_class;    ///< guaranteed | opportunistic; empty in files of earlier versions
  std::string model;
  std::int64_t gang = 0;
  std::string data_set;
  double data_size = 0;
  double gpu_share = 1;  ///< requested share of each GPU
  std::int64_t requested_batch = 0;
  double work_samples = 0;
  double arrival = 0;
  double deadline = -1;     ///< until when it should have ended; -1: it has none
  double first_start = -1;  ///< -1: never started
  double end = -1;          ///< -1: not ended when the cell ended
  std::string outcome;      ///< finished | failed | rejected | killed | unfinished
  std::string detail;
  double jct = -1;      ///< end − arrival of finished jobs
  double queueing = 0;  ///< all waits together: the sum of the eight below
  double wait_capacity = 0;
  double wait_fragmentation = 0;
  double wait_order = 0;
  double wait_quota = 0;
  double wait_backoff = 0;
  double wait_restart = 0;
  double wait_round = 0;
  double wait_boot = 0;
  double running = 0;          ///< Σ attempt spans, without suspensions
  double suspended = 0;        ///< Σ spans of its suspensions
  double gpu_seconds = 0;      ///< Σ span × replicas × gpu_share of the attempt
  double replica_seconds = 0;  ///< Σ span × replicas: GPU time without sharing
  std::string gpu_type;        ///< of the GPUs of its last attempt; empty: never started
  std::int64_t attempts = 0;
  std::int64_t preemptions = 0;
  std::int64_t failures = 0;
  double samples_processed = 0;
  double progress_samples = 0;  ///< in samples at M₀
  double lost_samples = 0;      ///< of this progress, which failures have undone
  double lost_seconds = 0;      ///< that this progress takes alone, at the modelled speed
};

struct AttemptRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  double begin = 0;        ///< allocation granted
  double first_step = -1;  ///< end of start-up and restore
  double end = 0;          ///< allocation freed
  /// finished | preempted | resized | failed | out_of_memory | node_down | worker_lost | cut_off
  std::string reason;
  std::string detail;
  std::int64_t replicas = 0;
  double gpu_share = 1;     ///< of each GPU, held
  double cap = 1;           ///< share of their time that it may use, at its end
  double memory_limit = 0;  ///< device memory of a replica, at its end; 0 for none
  std::string shape;        ///< replicas per node, e.g. "2+2"
  std::string locality;
  std::string gpu_type;            ///< of its GPUs
  std::int64_t per_gpu_batch = 0;  ///< at its end
  std::int64_t accumulation = 0;
  std::int64_t retunes = 0;
  double samples_processed = 0;
  double progress_samples = 0;
};

/// One row per replica of an attempt: the timeline of every GPU lane.
struct PlacementRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  std::int64_t replica = 0;
  std::int64_t node = -1;
  std::int64_t gpu = -1;
  std::int64_t lane = -1;
  double begin = 0;
  double end = 0;
};

/// A pause of an attempt that keeps its GPUs.
struct SuspensionRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  double begin = 0;
  double end = 0;
  std::string keeps;  ///< all | state | nothing
};

/// A span for which an attempt had limits on its devices.
struct LimitRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  double begin = 0;
  double end = 0;
  double cap = 1;           ///< share of the time of its GPUs
  double memory_limit = 0;  ///< device memory of a replica; 0 for none
};

/// Steps of one attempt over a stretch of time with one batch.
struct StepRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  double begin = 0;
  double end = 0;
  std::int64_t steps = 0;
  std::int64_t total_batch = 0;
  double samples = 0;
  double progress_samples = 0;
  double noise_scale = 0;
  double loss = -1;
  double learning_rate = -1;
  double step_mean = 0;
  double step_modelled = 0;
  double exposed_communication = 0;
  double device_busy = 0;
  double late = 0;
  std::int64_t co_tenants = 0;
};

struct EventRow {
  double time = 0;
  std::string kind;  ///< job_arrived | attempt_started | attempt_ended | job_ended | …
  std::int64_t job = -1;
  std::int64_t attempt = -1;
  std::string detail;
};

/// One call of the scheduler.
struct DecisionRow {
  double time = 0;
  double latency_us = 0;  ///< wall time of the call
  std::int64_t actions = 0;
  std::int64_t starts = 0;
  std::int64_t stops = 0;
  std::int64_t retunes = 0;
  std::int64_t resizes = 0;
  std::int64_t moves = 0;
  std::int64_t limits = 0;
  std::int64_t suspensions = 0;
  std::int64_t resumptions = 0;
  std::int64_t queued = 0;   ///< jobs waiting afterwards
  std::int64_t running = 0;  ///< jobs holding GPUs afterwards, suspended ones included
};

/// The cluster between two changes of allocation.
struct UtilisationRow {
  double begin = 0;
  double end = 0;
  std::int64_t gpus = 0;       ///< up
  std::int64_t gpus_held = 0;  ///< with at least one tenant
  std::int64_t tenants = 0;
  std::int64_t queued_jobs = 0;
  std::int64_t running_jobs = 0;  ///< holding GPUs, not suspended
  std::int64_t suspended_jobs = 0;
  double gpus_allocated = -1;  ///< shares held, at most 1 per GPU; -1: as gpus_held
  double memory_used = -1;     ///< in units of the memory of a GPU; -1: not known
};

/// Device time of one GPU over the cell.
struct GpuRow {
  std::int64_t gpu = -1;
  std::int64_t node = -1;
  std::string type;
  double held = 0;       ///< with at least one tenant
  double shared = 0;     ///< with at least two
  double busy = 0;       ///< device time executed by its tenants
  double allocated = 0;  ///< GPU time of the shares held
  double powered = 0;    ///< while its node did not sleep
  double price = -1;     ///< of an hour; -1: not stated
};

/// The allocation when the jobs that have arrived request this number of GPUs.
struct AllocationRow {
  double time = 0;
  double requested = 0;   ///< GPUs that all jobs so far have requested
  double allocated = 0;   ///< GPUs held, by shares
  double fragmented = 0;  ///< idle GPUs that the likely jobs cannot use
  std::int64_t gpus = 0;  ///< of the cluster
  std::int64_t arrived = 0;
  std::int64_t rejected = 0;
};

/// A measured solo step time, to which slowdowns are relative.
struct BaselineRow {
  std::string model;
  std::string shape;
  std::string gpu_type;
  std::int64_t per_gpu_batch = 0;
  std::int64_t accumulation = 0;
  double step_solo = 0;              ///< median
  double exposed_communication = 0;  ///< mean, per step
  double device_busy = 0;            ///< likewise; 0 in files of versions that did not measure it
  double step_modelled = 0;
  std::int64_t steps = 0;  ///< measured steps
  std::string origin;      ///< measured | cache
};

/// Bytes that the table `pairs` keeps of each model name.
inline constexpr std::size_t kModelBytes = 48;
inline constexpr std::size_t kCoModelsBytes = 128;

/// One co-location period: an attempt beside the same co-tenants with one batch.
struct PairRow {
  std::int64_t attempt = -1;
  std::int64_t job = -1;
  std::string model;
  std::string co_models;        ///< of the co-tenants, sorted, joined by "+"
  std::int64_t co_tenants = 0;  ///< on the GPU that has most; the gang may have others elsewhere
  std::string shape;
  std::string gpu_type;
  std::int64_t per_gpu_batch = 0;
  double begin = 0;
  double end = 0;
  std::int64_t steps = 0;
  double step_shared = 0;  ///< mean step time in the period
  double step_solo = 0;    ///< baseline; 0 when none could be measured
  double slowdown = 0;     ///< step_shared ÷ step_solo; 0 without baseline
};

/// One wait of a job with one cause.
struct QueueDelayRow {
  std::int64_t job = -1;
  std::string cause;  ///< see scheduler::WaitCause
  double begin = 0;
  double end = 0;
};

/// One process of the run: its role and place.
struct RankRow {
  std::int64_t rank = 0;
  std::string role;  ///< scheduler | worker
  std::string host;
  std::int64_t pid = 0;
  std::int64_t local_rank = 0;
  std::int64_t node = -1;
  std::int64_t gpu = -1;
  std::int64_t lane = -1;
  std::string device;
};

/// One sum or extreme over a group of rows, which a summary needs when the rows are not recorded.
struct TotalRow {
  std::string metric;  ///< see results/totals/cell_totals.hpp
  std::string group;   ///< all, a gang class (1 | 2-4 | 5-8 | >8), or a pair of models
  double value = 0;

  bool operator==(const TotalRow&) const = default;
};

/// One quantile over a group of rows.
struct QuantileRow {
  std::string metric;   ///< jct | queueing | decision_latency | job_slowdown | rho
  std::string group;    ///< all, or a gang class
  double fraction = 0;  ///< of the rows that are at most `value`
  double value = 0;     ///< [s], or a plain number

  bool operator==(const QuantileRow&) const = default;
};

/// Fairness of one finished job; see metrics/fairness.hpp. NaN: not known.
struct FairnessRow {
  std::int64_t job = -1;
  double solo = 0;
  double service = 0;
  double mean_active = 0;
  double slowdown = 0;
  double bounded_slowdown = 0;
  double rho = 0;
};

/// One figure of the cell, of those in metrics/metric.hpp.
struct FigureRow {
  std::string metric;
  double value = 0;  ///< NaN: not known
  std::string unit;
};

}  // namespace mimus::results
