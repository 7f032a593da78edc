// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "emulator/live/doctor/doctor.hpp"

#include <memory>

#include "emulator/cli/text/number_range.hpp"
#include "emulator/cli/verbs.hpp"

namespace mimus::emulator::cli {
namespace {

constexpr const char* kDoctorExamples =
    "  mimus doctor                      a small world on this machine\n"
    "  mimus doctor -n 17                the world of configs/quickstart.yaml\n"
    "  srun mimus doctor                 the world of a batch job";

}  // namespace

Verb add_doctor(CLI::App& app, Session& session) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* verb =
      add_verb(app, session, "doctor", "Check in stages whether this machine can run a campaign.",
               kDoctorExamples);
  verb->add_option("-n,--ranks", options->ranks, "size of the world to try")
      ->option_text("N")
      ->check(CLI::Range(2, 1'000'000))
      ->group("Checks");
  verb->add_option("--timeout", options->timeout_s, "seconds that each stage may take (20)")
      ->option_text("SECONDS")
      ->check(number_between(0.1, 3600.0))
      ->group("Checks");
  verb->add_flag("--json", options->json, "findings as JSON on stdout")->group("Output");
  return {verb, [options, &session] {
            options->verbosity = session.verbosity;
            options->command_line = session.argv;
            return run_doctor(*options);
          }};
}

}  // namespace mimus::emulator::cli
