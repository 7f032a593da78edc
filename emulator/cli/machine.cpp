// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "emulator/cli/machine_report.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kMachineExamples =
    "  mimus machine profile.h5 -o my-a100.yaml              gpus: [my-a100.yaml] in a campaign\n"
    "  mimus machine profile.h5 --name my-a100 --like A100 -o my-a100.yaml";

struct MachineArguments {
  MachineTypeRequest request;
  std::string output;
  std::vector<std::string> models;
  bool json = false;
};

}  // namespace

Verb add_machine(CLI::App& app, Session& session) {
  auto arguments = std::make_shared<MachineArguments>();
  MachineTypeRequest& request = arguments->request;
  CLI::App* verb = add_verb(
      app, session, "machine",
      "Write a machine type from a profile of mimus calibrate, for campaigns.", kMachineExamples);
  verb->add_option("PROFILE", request.profile, "profile that mimus calibrate has written")
      ->required();
  verb->add_option("--name", request.name,
                   "name of the type; the name of its base and -measured if not given")
      ->option_text("NAME")
      ->group("Machine");
  verb->add_option("--like", request.like,
                   "built-in type whose datasheet is used; the profile's if not given")
      ->option_text("TYPE")
      ->group("Machine");
  add_models_option(*verb, arguments->models);
  verb->add_option("-o,--output", arguments->output, "the file")
      ->option_text("FILE")
      ->required()
      ->group("Output");
  verb->add_flag("--json", arguments->json, "fit and links as JSON on stdout")->group("Output");
  return {verb, [arguments] {
            write_machine_of(arguments->request, arguments->output, arguments->models,
                             arguments->json ? MachineOutput::json : MachineOutput::table);
            return 0;
          }};
}

}  // namespace mimus::emulator::cli
