// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The module `mimus` that scripts import.
#include "scheduler/python/module/script_types.hpp"

#include <cmath>
#include <limits>
#include <pybind11/embed.h>
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace py = pybind11;

namespace mimus::scheduler::python {
namespace {

template <auto Member>
auto of_row(const ScriptJob& job) {
  return job.row.*Member;
}

/// None if the value is not known.
template <auto Member>
std::optional<double> known(const ScriptJob& job) {
  const double value = job.row.*Member;
  return std::isnan(value) ? std::nullopt : std::optional(value);
}

/// None if there is no limit.
template <auto Member>
std::optional<std::int64_t> any_or(const ScriptJob& job) {
  const std::int64_t limit = job.row.*Member;
  return limit == std::numeric_limits<int>::max() ? std::nullopt : std::optional(limit);
}

SuspendedMemory suspended_memory(const std::string& keeps) {
  for (const auto memory :
       {SuspendedMemory::all, SuspendedMemory::state, SuspendedMemory::nothing}) {
    if (keeps == mimus::scheduler::name(memory)) return memory;
  }
  throw py::value_error("keeps: \"" + keeps + "\"; allowed: all, state, nothing");
}

void add_job(py::module_& module) {
  using Row = ScriptJobRow;
  py::class_<ScriptJob>(module, "Job")
      .def_property_readonly("id", &of_row<&Row::id>)
      .def_readonly("name", &ScriptJob::name)
      .def_readonly("user", &ScriptJob::user)
      .def_readonly("virtual_cluster", &ScriptJob::virtual_cluster)
      .def_readonly("group", &ScriptJob::group)
      .def_readonly("application", &ScriptJob::application)
      .def_readonly("model", &ScriptJob::model)
      .def_readonly("state", &ScriptJob::state)
      .def_readonly("data_set", &ScriptJob::data_set)
      .def_property_readonly("data_size", &known<&Row::data_size>)
      .def_property_readonly("data_rate", &known<&Row::data_rate>)
      .def_readonly("gpus", &ScriptJob::gpus)
      .def_readonly("suspended", &ScriptJob::suspended)
      .def_readonly("keeps", &ScriptJob::keeps)
      .def_readonly("reference_batch", &ScriptJob::reference_batch)
      .def_readonly("per_gpu_batch_min", &ScriptJob::per_gpu_batch_min)
      .def_readonly("per_gpu_batch_max", &ScriptJob::per_gpu_batch_max)
      .def_readonly("total_batch_max", &ScriptJob::total_batch_max)
      .def_property_readonly("gang", &of_row<&Row::gang>)
      .def_property_readonly("gang_min", &of_row<&Row::gang_min>)
      .def_property_readonly("gang_max", &any_or<&Row::gang_max>)
      .def_property_readonly("opportunistic", &of_row<&Row::opportunistic>)
      .def_property_readonly("gpu_share", &of_row<&Row::gpu_share>)
      .def_property_readonly("requested_batch", &of_row<&Row::requested_batch>)
      .def_property_readonly("per_gpu_batch", &of_row<&Row::per_gpu_batch>)
      .def_property_readonly("accumulation", &of_row<&Row::accumulation>)
      .def_property_readonly("attempts", &of_row<&Row::attempts>)
      .def_property_readonly("failures", &of_row<&Row::failures>)
      .def_property_readonly("arrival", &of_row<&Row::arrival>)
      .def_property_readonly("queued_since", &of_row<&Row::queued_since>)
      .def_property_readonly("first_start", &known<&Row::first_start>)
      .def_property_readonly("user_estimate", &known<&Row::user_estimate>)
      .def_property_readonly("deadline", &known<&Row::deadline>)
      .def_property_readonly("estimated_run_time", &known<&Row::estimated_run_time>)
      .def_property_readonly("active_since", &known<&Row::active_since>)
      .def_property_readonly("cap", &of_row<&Row::cap>)
      .def_property_readonly("memory_limit", &known<&Row::memory_limit>)
      .def_property_readonly("memory", &of_row<&Row::memory>)
      .def_property_readonly("state_memory", &of_row<&Row::state_memory>)
      .def_property_readonly("service", &of_row<&Row::service>)
      .def_property_readonly("samples_done", &of_row<&Row::samples_done>)
      .def_property_readonly("noise_scale", &known<&Row::noise_scale>)
      .def_property_readonly("throughput", &known<&Row::throughput>)
      .def_property_readonly("target_loss", &known<&Row::target_loss>)
      .def("__repr__", [](const ScriptJob& job) {
        return "<mimus.Job " + std::to_string(job.row.id) + ", " + job.state + ">";
      });
}

void add_node(py::module_& module) {
  py::class_<ScriptNode>(module, "Node")
      .def_readonly("id", &ScriptNode::id)
      .def_readonly("rack", &ScriptNode::rack)
      .def_readonly("gpus", &ScriptNode::gpus)
      .def_readonly("free", &ScriptNode::free);
}

void add_plan(py::module_& module) {
  py::class_<ScriptTarget>(module, "Target")
      .def(py::init([](const py::object& job, py::object gpus,
                       std::optional<std::pair<std::int64_t, int>> batch, bool suspended,
                       double cap, std::optional<double> memory_limit, const std::string& keeps) {
             return ScriptTarget{job_id(job),  std::move(gpus),        batch, suspended, cap,
                                 memory_limit, suspended_memory(keeps)};
           }),
           py::arg("job"), py::arg("gpus"), py::arg("batch") = py::none(),
           py::arg("suspended") = false, py::arg("cap") = 1.0, py::arg("memory_limit") = py::none(),
           py::arg("keeps") = "all")
      .def_readonly("job", &ScriptTarget::job)
      .def_readonly("gpus", &ScriptTarget::gpus)
      .def_readonly("batch", &ScriptTarget::batch)
      .def_readonly("suspended", &ScriptTarget::suspended)
      .def_readonly("cap", &ScriptTarget::cap)
      .def_readonly("memory_limit", &ScriptTarget::memory_limit)
      .def_property_readonly("keeps", [](const ScriptTarget& target) {
        return std::string(mimus::scheduler::name(target.keeps));
      });
  py::class_<ScriptPlan>(module, "Plan")
      .def(py::init([](std::vector<ScriptTarget> targets, std::optional<double> next) {
             return ScriptPlan{std::move(targets), next};
           }),
           py::arg("targets"), py::arg("next") = py::none())
      .def_readonly("targets", &ScriptPlan::targets)
      .def_readonly("next", &ScriptPlan::next);
}

void add_query(py::module_& module) {
  py::class_<LiveQuery, std::shared_ptr<LiveQuery>>(module, "Query")
      .def_property_readonly("now", &LiveQuery::now)
      .def_property_readonly("gpu_type", &LiveQuery::gpu_type)
      .def_property_readonly("random", &LiveQuery::random)
      .def_property_readonly("jobs", &LiveQuery::jobs)
      .def_property_readonly("nodes", &LiveQuery::nodes)
      .def_property_readonly("job_array", &LiveQuery::job_array)
      .def_property_readonly("gpu_array", &LiveQuery::gpu_array)
      .def_property_readonly("gpus_left", &LiveQuery::gpus_left)
      .def("place", &LiveQuery::place, py::arg("job"), py::arg("gpus"))
      .def("release", &LiveQuery::release, py::arg("job"))
      .def("give", &LiveQuery::give, py::arg("job"), py::arg("gpus"))
      .def("throughput", &LiveQuery::throughput, py::arg("job"), py::arg("gpus"),
           py::arg("batch") = py::none())
      .def("loss", &LiveQuery::loss, py::arg("job"), py::arg("samples") = py::none())
      .def("samples_left", &LiveQuery::samples_left, py::arg("job"));
}

}  // namespace
}  // namespace mimus::scheduler::python

// NOLINTNEXTLINE: pybind11's way to add a module to an embedded interpreter
PYBIND11_EMBEDDED_MODULE(mimus, module) {
  using namespace mimus::scheduler;
  PYBIND11_NUMPY_DTYPE(ScriptJobRow, id, gang, gang_min, gang_max, gpus, per_gpu_batch,
                       accumulation, requested_batch, attempts, failures, group, opportunistic,
                       gpu_share, arrival, queued_since, first_start, user_estimate,
                       estimated_run_time, deadline, active_since, cap, memory_limit, memory,
                       state_memory, service, samples_done, noise_scale, throughput, target_loss,
                       data_size, data_rate);
  PYBIND11_NUMPY_DTYPE(ScriptGpuRow, id, node, rack, job, tenants, usable);
  python::add_job(module);
  python::add_node(module);
  python::add_plan(module);
  python::add_query(module);
}
