// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/python_planner.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/program_module.hpp"
#include "scheduler/python/script_query.hpp"

namespace mimus::scheduler {
namespace {

constexpr const char* kPath = "policy.planner";

const ModuleFacts& python_module() {
  static const ModuleFacts facts{
      .title = "Python module",
      .file = kPythonModuleFile,
      .variable = kPythonModuleVariable,
      .advice =
          "the Python library that it was built with must be found, for example through "
          "LD_LIBRARY_PATH",
      .stamp_symbol = kPythonModuleStamp,
      .symbols = SharedLibrary::Symbols::global};  // extension modules take Python's from it
  return facts;
}

MakeScriptedPlanner loaded_module() {
  if (!ProgramModule::exists(python_module())) {
    throw NotCompiledError("planner python", "MIMUS_WITH_PYTHON");
  }
  static const ProgramModule module(python_module());  // stays loaded until the process ends
  return module.function<MakeScriptedPlanner>(kPythonModuleEntry);
}

}  // namespace

ScriptedPlanner& PythonPlanner::script() const {
  if (script_ != nullptr) return *script_;
  const MakeScriptedPlanner make = loaded_module();
  try {
    script_.reset(make(settings_.script));
    traits_ = script_->traits();
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw ConfigError(settings_.where, kPath, error.what());
  }
  return *script_;
}

const ScriptTraits& PythonPlanner::traits() const {
  (void)script();
  return *traits_;
}

Plan PythonPlanner::plan(const PlanQuery& query) {
  ScriptedPlanner& script = this->script();
  const ScriptView view(query);
  try {
    return script.plan(view.query(), settings_.timeout);
  } catch (const Error&) {
    throw;
  } catch (const std::runtime_error& error) {
    throw Error(ExitCode::run_failed,
                fmt::format("planner {} of {}: {}", settings_.script.class_name,
                            settings_.script.file, error.what()));
  }
}

Choice<Planner> python_planner_choice(std::uint64_t seed) {
  return {"python",
          "a class in a file of the user's (docs/write-a-policy.md)",
          {{"file", "text", "", "", "the file, relative to the one that names it"},
           {"class", "text", "", "", "its class with the method plan(query)"},
           {"arguments", "arguments", "-", "", "of the class's constructor, by name"},
           {"timeout", "duration", "1 min", ">= 1 s", "longest that one plan may take"},
           {"source", "script", "-", "", "text of the file; results hold it in its place"}},
          [seed](YamlReader& reader) {
            PythonPlanner::Settings settings;
            settings.where = reader.mapping().where;
            settings.script.file = reader.get<std::string>("file");
            settings.script.class_name = reader.get<std::string>("class");
            if (reader.has("arguments")) settings.script.arguments = reader.node("arguments");
            settings.timeout = reader.get_or("timeout", settings.timeout, kAtLeastOne);
            settings.script.text = reader.get_or("source", std::string{});
            settings.script.seed = seed;
            return std::make_unique<PythonPlanner>(std::move(settings));
          }};
}

}  // namespace mimus::scheduler
