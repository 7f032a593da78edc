// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <numeric>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>
#include <stdexcept>

#include "scheduler/python/module/script_types.hpp"

namespace py = pybind11;

namespace mimus::scheduler::python {
namespace {

ScriptJob job_of(const JobView& view, const ScriptJobRow& row) {
  ScriptJob job{.row = row,
                .name = view.name,
                .user = view.user,
                .virtual_cluster = view.virtual_cluster,
                .group = view.group,
                .application = view.application,
                .model = view.model.name,
                .state = mimus::scheduler::name(view.state),
                .data_set = view.data.set,
                .reference_batch = view.model.reference_batch,
                .per_gpu_batch_min = view.model.per_gpu_batch_min,
                .per_gpu_batch_max = view.model.per_gpu_batch_max,
                .total_batch_max = view.model.total_batch_max,
                .suspended = view.suspension == Suspension::suspended,
                .keeps = mimus::scheduler::name(view.keeps),
                .gpus = {}};
  job.gpus.reserve(view.allocation.slots.size());
  for (const Slot& slot : view.allocation.slots) job.gpus.push_back(slot.gpu.value());
  return job;
}

/// A structured array that owns its rows.
template <class Row>
py::object array_of(std::span<const Row> rows) {
  return py::array_t<Row>(static_cast<py::ssize_t>(rows.size()), rows.data());
}

}  // namespace

std::int64_t job_id(const py::object& job) {
  if (py::isinstance<ScriptJob>(job)) return job.cast<const ScriptJob&>().row.id;
  return job.cast<std::int64_t>();
}

const ScriptQuery& LiveQuery::asked() const {
  if (query_ != nullptr) return *query_;
  throw std::runtime_error("this query has ended: use it only while plan() runs");
}

py::list LiveQuery::jobs() {
  const ScriptQuery& query = asked();
  if (jobs_) return jobs_;
  py::list list(query.jobs.size());
  for (std::size_t i = 0; i < query.jobs.size(); ++i) {
    list[i] = py::cast(job_of(*query.jobs[i].view, query.job_rows[i]));
  }
  jobs_ = list;
  return list;
}

py::list LiveQuery::nodes() {
  const ScriptQuery& query = asked();
  if (nodes_) return nodes_;
  std::vector<ScriptNode> nodes;
  for (const ScriptGpuRow& gpu : query.gpu_rows) {  // by node
    if (nodes.empty() || nodes.back().id != gpu.node) nodes.push_back({gpu.node, gpu.rack, {}, {}});
    if (!gpu.usable) continue;
    nodes.back().gpus.push_back(gpu.id);
    if (gpu.tenants == 0) nodes.back().free.push_back(gpu.id);
  }
  py::list list;
  for (ScriptNode& node : nodes) list.append(py::cast(std::move(node)));
  nodes_ = list;
  return list;
}

py::object LiveQuery::job_array() {
  const ScriptQuery& query = asked();
  if (!job_array_) job_array_ = array_of(query.job_rows);
  return job_array_;
}

py::object LiveQuery::gpu_array() {
  const ScriptQuery& query = asked();
  if (!gpu_array_) gpu_array_ = array_of(query.gpu_rows);
  return gpu_array_;
}

std::size_t LiveQuery::index_of(const py::object& job) {
  const ScriptQuery& query = asked();
  if (index_.empty()) {
    for (std::size_t i = 0; i < query.job_rows.size(); ++i) index_[query.job_rows[i].id] = i;
  }
  const auto found = index_.find(job_id(job));
  if (found == index_.end()) {
    throw py::key_error("job " + std::to_string(job_id(job)) + " is not a job that waits or runs");
  }
  return found->second;
}

std::optional<std::vector<int>> LiveQuery::place(const py::object& job, int gpus) {
  const std::size_t index = index_of(job);
  if (gpus < 1) throw py::value_error("a placement needs at least 1 GPU");
  return asked().tools.place(index, gpus);
}

bool LiveQuery::release(const py::object& job) {
  return asked().tools.release(index_of(job));
}

bool LiveQuery::give(const py::object& job, int gpus) {
  const std::size_t index = index_of(job);
  if (gpus < 0) throw py::value_error("a job is given 0 GPUs or more");
  return asked().tools.give(index, gpus);
}

std::vector<int> LiveQuery::some_gpus(const py::object& gpus) const {
  const auto all = static_cast<int>(asked().gpu_rows.size());
  if (PyIndex_Check(gpus.ptr()) == 0) {
    auto ids = gpus.cast<std::vector<int>>();
    for (const int id : ids) {
      if (id < 0 || id >= all) throw py::index_error("there is no GPU " + std::to_string(id));
    }
    return ids;
  }
  const int count = gpus.cast<int>();
  if (count < 1 || count > all) {
    throw py::value_error("of 1 to " + std::to_string(all) + " GPUs, got " + std::to_string(count));
  }
  std::vector<int> ids(static_cast<std::size_t>(count));
  std::iota(ids.begin(), ids.end(), 0);
  return ids;
}

std::optional<double> LiveQuery::throughput(const py::object& job, const py::object& gpus,
                                            std::optional<std::pair<std::int64_t, int>> batch) {
  const std::size_t index = index_of(job);
  const std::vector<int> ids = some_gpus(gpus);
  const BatchPlan plan = batch ? BatchPlan{batch->first, batch->second}
                               : asked().tools.split(index, static_cast<int>(ids.size()));
  return asked().tools.throughput(index, ids, plan);
}

std::optional<double> LiveQuery::loss(const py::object& job, std::optional<double> samples) {
  return asked().tools.loss(index_of(job), samples);
}

std::optional<double> LiveQuery::samples_left(const py::object& job) {
  return asked().tools.samples_left(index_of(job));
}

}  // namespace mimus::scheduler::python
