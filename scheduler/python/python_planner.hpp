// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "scheduler/python/plan_script.hpp"

namespace mimus::scheduler {

/// A planner that the user has written in Python. The interpreter and the script are loaded when it
/// is first asked for something, so that ranks that never plan have neither.
class PythonPlanner final : public Planner {
 public:
  struct Settings {
    std::string file;
    std::string class_name;
    ConfigNode arguments{};
    Duration timeout = std::chrono::minutes(1);
    int residents = 1;       ///< most jobs that hold a GPU
    std::string source{};    ///< text of the file
    SourceLocation where{};  ///< of the choice
    std::uint64_t seed = 0;
  };
  explicit PythonPlanner(Settings settings) : settings_(std::move(settings)) {}

  /// Error (run_failed) with Python's traceback when the script raises or takes too long.
  [[nodiscard]] Plan plan(const PlanQuery& query) override;
  [[nodiscard]] Wakes wakes() const override { return traits().wakes; }
  [[nodiscard]] bool keeps_gangs() const override { return traits().keeps_gangs; }
  /// A plan that does not is refused.
  [[nodiscard]] bool keeps_to_ranges() const override { return true; }
  [[nodiscard]] bool resizes_in_place() const override { return traits().resizes_in_place; }
  [[nodiscard]] bool moves() const override { return traits().moves; }
  /// The script is not asked: every rank has to know.
  [[nodiscard]] int residents() const override { return settings_.residents; }
  [[nodiscard]] bool names_gpus() const override { return settings_.residents > 1; }
  [[nodiscard]] bool asks_estimate() const override { return true; }
  void load() const override { (void)traits(); }

 private:
  /// Loads the script. ConfigError with Python's words when it cannot be; NotCompiledError in a
  /// build without Python.
  [[nodiscard]] ScriptedPlanner& script() const;
  [[nodiscard]] const ScriptTraits& traits() const;

  Settings settings_;
  mutable std::unique_ptr<ScriptedPlanner> script_;
  mutable std::optional<ScriptTraits> traits_;
};

/// `planner: {name: python, …}`; `seed` is that of `query.random`.
[[nodiscard]] Choice<Planner> python_planner_choice(std::uint64_t seed);

}  // namespace mimus::scheduler
