// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <pybind11/pybind11.h>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "scheduler/python/plan_script.hpp"

namespace mimus::scheduler::python {

/// mimus.Job: what is known of a job when the planner is asked; may be kept beyond that.
struct ScriptJob {
  ScriptJobRow row{};
  std::string name, user, virtual_cluster, group, application, model, state, data_set;
  std::int64_t reference_batch, per_gpu_batch_min, per_gpu_batch_max, total_batch_max;
  bool suspended = false;
  std::string keeps;               ///< of its memory while suspended
  std::vector<std::int64_t> gpus;  ///< that it holds
};

/// mimus.Node
struct ScriptNode {
  std::int64_t id, rack;
  std::vector<std::int64_t> gpus;  ///< that are up and awake
  std::vector<std::int64_t> free;  ///< of these, without a tenant
};

/// mimus.Target
struct ScriptTarget {
  std::int64_t job;
  pybind11::object gpus;  ///< a number, {type: number}, or GPU ids
  std::optional<std::pair<std::int64_t, int>> batch;
  bool suspended = false;
  double cap = 1.0;
  std::optional<double> memory_limit;  ///< [B]
  SuspendedMemory keeps = SuspendedMemory::all;
};

/// mimus.Plan
struct ScriptPlan {
  std::vector<ScriptTarget> targets;
  std::optional<double> next;
};

/// mimus.Query: of use while plan() runs.
class LiveQuery {
 public:
  LiveQuery(const ScriptQuery& query, pybind11::object random)
      : query_(&query), random_(std::move(random)) {}
  /// What scripts have kept of it answers no more.
  void end() { query_ = nullptr; }

  [[nodiscard]] double now() const { return asked().now; }
  [[nodiscard]] std::string gpu_type() const { return asked().gpu_type; }
  [[nodiscard]] pybind11::object random() const { return random_; }
  [[nodiscard]] pybind11::list jobs();
  [[nodiscard]] pybind11::list nodes();
  [[nodiscard]] pybind11::object job_array();
  [[nodiscard]] pybind11::object gpu_array();
  [[nodiscard]] int gpus_left() const { return asked().tools.gpus_left(); }
  [[nodiscard]] std::optional<std::vector<int>> place(const pybind11::object& job, int gpus);
  bool release(const pybind11::object& job);
  bool give(const pybind11::object& job, int gpus);
  [[nodiscard]] std::optional<double> throughput(const pybind11::object& job,
                                                 const pybind11::object& gpus,
                                                 std::optional<std::pair<std::int64_t, int>> batch);
  [[nodiscard]] std::optional<double> loss(const pybind11::object& job,
                                           std::optional<double> samples);
  [[nodiscard]] std::optional<double> samples_left(const pybind11::object& job);

 private:
  /// std::runtime_error once plan() has returned.
  [[nodiscard]] const ScriptQuery& asked() const;
  [[nodiscard]] std::size_t index_of(const pybind11::object& job);
  [[nodiscard]] std::vector<int> some_gpus(const pybind11::object& gpus) const;

  const ScriptQuery* query_;
  pybind11::object random_;
  pybind11::object jobs_, nodes_, job_array_, gpu_array_;
  std::unordered_map<std::int64_t, std::size_t> index_;  ///< by job
};

/// The id of a job, given as one or as a mimus.Job.
[[nodiscard]] std::int64_t job_id(const pybind11::object& job);

}  // namespace mimus::scheduler::python
