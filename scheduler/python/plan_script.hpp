// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scheduler/planner/planner.hpp"

namespace mimus::scheduler {

/// A user's planner as a campaign states it.
struct PlanScript {
  std::string text;        ///< of the file
  std::string file;        ///< by which tracebacks name it
  std::string class_name;  ///< of the planner, defined in the file
  ConfigNode arguments;    ///< of its constructor, by name; null for none
  std::uint64_t seed = 0;  ///< of `query.random`
};

/// What a script may know of one job as numbers: a row of `query.job_array`. Times in s since the
/// run began; NaN where a value is not known.
struct ScriptJobRow {
  std::int64_t id, gang, gang_min, gang_max, gpus, per_gpu_batch, accumulation, requested_batch,
      attempts, failures;
  std::int64_t group;  ///< that admission counts it in
  bool opportunistic;
  double gpu_share, arrival, queued_since, first_start, user_estimate, estimated_run_time;
  double deadline;      ///< until when its user wants it to have ended
  double cap;           ///< share of its GPUs' time that the present attempt may use
  double memory_limit;  ///< device memory that a replica may use [B]
  double memory;        ///< that a replica is believed to need with its batch [B]
  double state_memory;  ///< of that: without activations, as SuspendedMemory::state says [B]
  double active_since;  ///< when it last began to make steps, and has not been suspended since
  double service;       ///< attained [GPU·s], the present attempt included
  double samples_done;  ///< at M₀, over all attempts
  double noise_scale, throughput;
  double target_loss;  ///< at which its owner ends the training
  double data_size;    ///< of the data set that each epoch reads [B]
  double data_rate;    ///< at which it reads while it never waits for samples [B/s]
};

/// A row of `query.gpu_array`.
struct ScriptGpuRow {
  std::int64_t id, node, rack;
  std::int64_t job;  ///< that holds it, the first of several; -1 for none
  std::int64_t tenants;
  bool usable;  ///< up and awake
};

/// What a script may ask while it plans. Places are tried on a scratch copy of the cluster.
class ScriptTools {
 public:
  virtual ~ScriptTools() = default;
  /// Where the placement choice puts `gpus` GPUs of the job; they are kept from later questions.
  [[nodiscard]] virtual std::optional<std::vector<int>> place(std::size_t job, int gpus) = 0;
  /// Frees what a running job holds for later questions; false when that was done before, or when
  /// it holds nothing that it is to keep.
  virtual bool release(std::size_t job) = 0;
  /// Counts as many GPUs as given to the job; false when they are not left or over its quota.
  virtual bool give(std::size_t job, int gpus) = 0;
  [[nodiscard]] virtual int gpus_left() const = 0;
  /// Believed samples/s on these GPUs without co-tenants.
  [[nodiscard]] virtual std::optional<double> throughput(std::size_t job, std::span<const int> gpus,
                                                         const BatchPlan& batch) const = 0;
  /// Believed training loss after so many samples at M₀, by default those that it has done.
  [[nodiscard]] virtual std::optional<double> loss(std::size_t job,
                                                   std::optional<double> samples) const = 0;
  /// Believed samples at M₀ from now to the end of the job.
  [[nodiscard]] virtual std::optional<double> samples_left(std::size_t job) const = 0;
  /// The job's requested batch on so many GPUs.
  [[nodiscard]] virtual BatchPlan split(std::size_t job, int gpus) const = 0;
};

struct ScriptQuery {
  double now = 0.0;  ///< [s]
  std::span<const PlanJob> jobs;
  std::span<const ScriptJobRow> job_rows;  ///< as `jobs`
  std::span<const ScriptGpuRow> gpu_rows;
  const std::string& gpu_type;
  ScriptTools& tools;
};

/// What a script says of itself.
struct ScriptTraits {
  Wakes wakes;
  bool keeps_gangs = false;
  bool resizes_in_place = false;
  bool moves = false;
};

/// An object of the user's class.
class ScriptedPlanner {
 public:
  virtual ~ScriptedPlanner() = default;
  [[nodiscard]] virtual ScriptTraits traits() const = 0;
  /// std::runtime_error with Python's traceback when it raises, or returns something else than
  /// targets. `longest`: it is interrupted then.
  [[nodiscard]] virtual Plan plan(const ScriptQuery& query, Duration longest) = 0;
};

/// File name of the module, beside the program, and the variable that names another place.
inline constexpr const char* kPythonModuleFile = "libmimus_python.so";
inline constexpr const char* kPythonModuleVariable = "MIMUS_PYTHON_MODULE";
/// What the module exports besides the stamp of its build. std::runtime_error with Python's
/// traceback when the file cannot be executed, lacks the class, or its constructor raises.
using MakeScriptedPlanner = ScriptedPlanner* (*)(const PlanScript&);  ///< the caller owns it
inline constexpr const char* kPythonModuleStamp = "mimus_python_stamp";
inline constexpr const char* kPythonModuleEntry = "mimus_make_scripted_planner";

}  // namespace mimus::scheduler
