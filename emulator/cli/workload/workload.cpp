// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <vector>

#include "base/error.hpp"
#include "emulator/cli/workload/workload_verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kWorkloadExamples =
    "  mimus workload describe trace.csv --gpus 512         what is in a trace\n"
    "  mimus workload check trace.csv                       every row that is odd or wrong\n"
    "  mimus workload get philly                            where a public trace lives\n"
    "  mimus workload generate philly-like --set jobs=10000 --set load=0.8 --gpus 512 -o jobs.csv";

}  // namespace

Verb add_workload(CLI::App& app, Session& session) {
  CLI::App* verb =
      add_verb(app, session, "workload",
               "Describe, check, convert, sample, scale, generate, predict or find workloads.",
               kWorkloadExamples);
  verb->require_subcommand(1);
  const std::vector<Verb> verbs{
      add_workload_describe(*verb, session), add_workload_check(*verb, session),
      add_workload_convert(*verb, session),  add_workload_sample(*verb, session),
      add_workload_scale(*verb, session),    add_workload_generate(*verb, session),
      add_workload_predict(*verb, session),  add_workload_get(*verb, session)};
  return {verb, [verbs] {
            for (const Verb& each : verbs) {
              if (each.app->parsed()) return each.action();
            }
            throw UsageError("which command? see mimus workload --help");
          }};
}

}  // namespace mimus::emulator::cli
