// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
//
// The functions that the module provides to the program.
#include <filesystem>
#include <pybind11/embed.h>
#include <pybind11/stl.h>
#include <stdexcept>

#include "base/program_module.hpp"
#include "scheduler/python/module/arguments.hpp"
#include "scheduler/python/module/interpreter.hpp"
#include "scheduler/python/module/script_types.hpp"
#include "scheduler/python/module/time_limit.hpp"
#include "scheduler/python/plan_script.hpp"

namespace py = pybind11;

namespace mimus::scheduler::python {
namespace {

/// Runs `call`. A Python exception becomes a std::runtime_error with its traceback.
template <class Call>
auto translated(Call&& call) {
  try {
    return call();
  } catch (const py::error_already_set& error) {
    throw std::runtime_error(traceback_of(error));
  }
}

/// Lets tracebacks show lines of the script even if its file has moved or changed.
void remember_lines(const PlanScript& script) {
  const py::str text(script.text);
  py::module_::import("linecache").attr("cache")[py::str(script.file)] =
      py::make_tuple(script.text.size(), py::none(), text.attr("splitlines")(true), script.file);
}

/// Executes the file as a separate module, so that two cells share nothing.
py::module_ executed(const PlanScript& script) {
  static int count = 0;
  const std::string name = "mimus_script_" + std::to_string(count++);
  const py::module_ sys = py::module_::import("sys");
  const std::string folder = std::filesystem::path(script.file).parent_path().string();
  if (!sys.attr("path").contains(folder)) sys.attr("path").attr("append")(folder);
  remember_lines(script);
  py::module_ module = py::module_::import("types").attr("ModuleType")(name);
  module.attr("__file__") = script.file;
  sys.attr("modules")[py::str(name)] = module;
  const py::module_ builtins = py::module_::import("builtins");
  const py::object code = builtins.attr("compile")(script.text, script.file, "exec");
  builtins.attr("exec")(code, module.attr("__dict__"));
  return module;
}

py::object made_planner(const PlanScript& script) {
  const py::module_ module = executed(script);
  if (!py::hasattr(module, script.class_name.c_str())) {
    throw std::runtime_error(script.file + " has no class \"" + script.class_name +
                             "\"; name the one that has the method plan(query)");
  }
  py::object planner =
      module.attr(script.class_name.c_str())(**keyword_arguments(script.arguments));
  if (py::hasattr(planner, "plan")) return planner;
  throw std::runtime_error("class \"" + script.class_name + "\" of " + script.file +
                           " has no method plan(query)");
}

Wakes wakes_of(const py::object& planner) {
  Wakes wakes;
  const bool in_rounds = py::hasattr(planner, "every");
  if (in_rounds) {
    const auto every = planner.attr("every").cast<double>();
    if (!(every >= 1.0)) throw std::runtime_error("every: seconds between plans, at least 1");
    wakes.every = from_seconds(every);
  }
  wakes.arrivals = wakes.ends = !in_rounds && !py::hasattr(planner, "wakes");
  if (!py::hasattr(planner, "wakes")) return wakes;
  for (const py::handle name : planner.attr("wakes")) {
    const auto event = name.cast<std::string>();
    if (event == "arrivals")
      wakes.arrivals = true;
    else if (event == "ends")
      wakes.ends = true;
    else if (event == "reports")
      wakes.reports = true;
    else if (event == "starts")
      wakes.starts = true;
    else if (event == "failures")
      wakes.failures = true;
    else
      throw std::runtime_error("wakes: \"" + event +
                               "\" is no event; allowed: arrivals, ends, reports, starts, "
                               "failures");
  }
  return wakes;
}

bool flag(const py::object& planner, const char* name) {
  return py::hasattr(planner, name) && planner.attr(name).cast<bool>();
}

std::variant<GpuCount, TypeCounts, Allocation> gpus_of(const py::object& gpus) {
  if (py::isinstance<py::dict>(gpus)) return gpus.cast<TypeCounts>();
  if (PyIndex_Check(gpus.ptr()) != 0) return gpus.cast<GpuCount>();
  Allocation place;
  for (const auto id : gpus.cast<std::vector<std::int32_t>>())
    place.slots.push_back({GpuId{id}, {}});
  return place;
}

Plan plan_of(const py::object& returned) {
  const auto script =
      py::isinstance<ScriptPlan>(returned)
          ? returned.cast<ScriptPlan>()
          : ScriptPlan{.targets = returned.cast<std::vector<ScriptTarget>>(), .next = std::nullopt};
  Plan plan;
  if (script.next) plan.next = Instant{from_seconds(*script.next)};
  plan.targets.reserve(script.targets.size());
  for (const ScriptTarget& target : script.targets) {
    Target& out = plan.targets.emplace_back(
        Target{JobId{static_cast<std::int32_t>(target.job)}, gpus_of(target.gpus)});
    out.suspended = target.suspended;
    out.keeps = target.keeps;
    out.limits.cap = target.cap;
    if (target.memory_limit) out.limits.memory = Bytes{*target.memory_limit};
    if (target.batch) out.batch = BatchPlan{target.batch->first, target.batch->second};
  }
  return plan;
}

Plan checked_plan(const py::object& returned) {
  try {
    return plan_of(returned);
  } catch (const py::cast_error&) {
    throw std::runtime_error(
        "plan() returned " + py::repr(returned).cast<std::string>() +
        "; it returns a list of mimus.Target(job, gpus, batch=None, suspended=False, cap=1, "
        "memory_limit=None, keeps='all'), or mimus.Plan(targets, next=seconds); gpus is a number, "
        "{type: number} or a list of GPU ids");
  }
}

class LoadedScript final : public ScriptedPlanner {
 public:
  explicit LoadedScript(const PlanScript& script)
      : planner_(made_planner(script)),
        random_(py::module_::import("random").attr("Random")(script.seed)) {}

  [[nodiscard]] ScriptTraits traits() const override {
    return translated([&] {
      return ScriptTraits{.wakes = wakes_of(planner_),
                          .keeps_gangs = flag(planner_, "keeps_gangs"),
                          .resizes_in_place = flag(planner_, "resizes_in_place"),
                          .moves = flag(planner_, "moves")};
    });
  }

  [[nodiscard]] Plan plan(const ScriptQuery& query, Duration longest) override {
    const auto live = std::make_shared<LiveQuery>(query, random_);
    const auto end = std::unique_ptr<LiveQuery, void (*)(LiveQuery*)>(
        live.get(), [](LiveQuery* ended) { ended->end(); });
    return translated([&] { return checked_plan(asked(live, longest)); });
  }

 private:
  [[nodiscard]] py::object asked(const std::shared_ptr<LiveQuery>& query, Duration longest) const {
    const TimeLimit limit(longest);
    try {
      return planner_.attr("plan")(query);
    } catch (const py::error_already_set& error) {
      if (!limit.has_passed()) throw;
      throw std::runtime_error(traceback_of(error) +
                               "; the plan takes longer than policy.planner.timeout allows: make "
                               "it faster, or raise the limit");
    }
  }

  py::object planner_;
  py::object random_;
};

}  // namespace
}  // namespace mimus::scheduler::python

extern "C" {
__attribute__((visibility("default"))) const char* mimus_python_stamp();
__attribute__((visibility("default"))) mimus::scheduler::ScriptedPlanner*
mimus_make_scripted_planner(const mimus::scheduler::PlanScript& script);

const char* mimus_python_stamp() {
  return mimus::build_stamp();
}

mimus::scheduler::ScriptedPlanner* mimus_make_scripted_planner(
    const mimus::scheduler::PlanScript& script) {
  using namespace mimus::scheduler::python;
  start_interpreter();
  return translated([&] { return new LoadedScript(script); });
}
}
