// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "scheduler/python/python_planner.hpp"

#include <utility>

#include <fmt/format.h>

#include "base/fields.hpp"
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
          "make the Python library that it was built with visible, for example through "
          "LD_LIBRARY_PATH",
      .stamp_symbol = kPythonModuleStamp,
      .symbols = SharedLibrary::Symbols::global};  // extension modules use Python's symbols from it
  return facts;
}

MakeScriptedPlanner loaded_module() {
  if (!ProgramModule::exists(python_module())) {
    throw NotCompiledError("planner python", "MIMUS_WITH_PYTHON");
  }
  static const ProgramModule module(python_module());  // stays loaded until the process ends
  return module.function<MakeScriptedPlanner>(kPythonModuleEntry);
}

/// Arguments of any name and value, which the class checks itself.
Field<PythonPlanner::Settings> arguments_field() {
  const ValueSpec spec{.type = ValueSpec::Type::anything, .form = ValueSpec::Form::mapping};
  return {{"arguments", spec, "-", "arguments of the class's constructor, by name"},
          [](YamlReader& reader, PythonPlanner::Settings& settings) {
            if (reader.has("arguments")) settings.arguments = reader.node("arguments");
          }};
}

/// Not shown in labels.
Field<PythonPlanner::Settings> source_field() {
  return {{"source",
           {.type = ValueSpec::Type::script},
           "-",
           "text of the file, which results keep in place of the file"},
          [](YamlReader& reader, PythonPlanner::Settings& settings) {
            settings.source = reader.get_or("source", std::string{});
          }};
}

}  // namespace

ScriptedPlanner& PythonPlanner::script() const {
  if (script_ != nullptr) return *script_;
  const MakeScriptedPlanner make = loaded_module();
  try {
    std::unique_ptr<ScriptedPlanner> made(make({.text = settings_.source,
                                                .file = settings_.file,
                                                .class_name = settings_.class_name,
                                                .arguments = settings_.arguments,
                                                .seed = settings_.seed}));
    traits_ = made->traits();
    script_ = std::move(made);
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
    throw Error(ExitCode::run_failed, fmt::format("planner {} of {}: {}", settings_.class_name,
                                                  settings_.file, error.what()));
  }
}

Choice<Planner> python_planner_choice(std::uint64_t seed) {
  using S = PythonPlanner::Settings;
  return choice<Planner, PythonPlanner>(
      "python", "a class in the user's Python file (docs/write-a-policy.md)",
      {required_field("file", &S::file, {}, "the file, relative to the file that names it"),
       required_field("class", &S::class_name, {},
                      "name of the class, which has the method plan(query)"),
       arguments_field(),
       field("timeout", &S::timeout, kAtLeastOne, "maximum time that one plan may take"),
       field("residents", &S::residents, kResidents,
             "maximum number of jobs that hold a GPU; above 1, targets name GPUs"),
       source_field()},
      [seed](S settings, const YamlReader& reader) {
        settings.where = reader.mapping().where;
        settings.seed = seed;
        return std::make_unique<PythonPlanner>(std::move(settings));
      });
}

}  // namespace mimus::scheduler
