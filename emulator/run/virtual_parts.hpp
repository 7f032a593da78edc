// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "emulator/campaign/campaign.hpp"
#include "emulator/testbed/job_truth.hpp"
#include "emulator/virtual/contention/interference_model.hpp"
#include "emulator/virtual/virtual_engine.hpp"
#include "scheduler/estimate/oracle.hpp"

namespace mimus::emulator {

/// The parts of a virtual cell, chosen by its configuration.
struct VirtualParts {
  std::unique_ptr<StepTimeModel> steps;
  std::unique_ptr<InterferenceModel> interference;
  std::shared_ptr<const void> data;  ///< measured tables that the engine and the oracle use
  std::unique_ptr<Engine> engine;
  std::shared_ptr<const scheduler::Oracle> oracle;  ///< looks at the engine and at `truths`
};

/// All arguments must outlive the parts. Throws ConfigError.
[[nodiscard]] VirtualParts make_virtual_parts(const CellConfig& config,
                                              const workloads::ModelCatalogue& models,
                                              const JobTruths& truths, std::uint64_t seed);

}  // namespace mimus::emulator
