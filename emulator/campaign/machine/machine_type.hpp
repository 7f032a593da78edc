// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/machine/effective_links.hpp"
#include "emulator/campaign/machine/host_fit.hpp"
#include "kernels/footprint/gpu_spec.hpp"
#include "workloads/models/model_catalogue.hpp"

namespace mimus::emulator {

/// The sources of a machine type.
struct MachineTypeRequest {
  std::string profile;  ///< path of a finished profile
  std::string name{};   ///< of the type; "" for "<base>-measured"
  std::string like{};   ///< built-in type that it is based on; "" for the one of the profile
};

/// A machine type from a profile: datasheet, kernels' efficiencies and what was not measured are
/// those of the base, host times are fitted to the steps on one GPU, and the effective rates of
/// links are the measured ones of GPUs.
struct MachineType {
  struct ModelFit {
    std::string model;
    std::vector<SoloStep> steps;
    HostFit fit;
  };
  std::string name;
  std::string base;
  std::string provenance;            ///< when, where and by which command it was measured
  std::vector<ModelFit> fits;        ///< of the measured models, by name
  std::vector<EffectiveLink> links;  ///< that were taken
  std::vector<std::string> notes;    ///< measurements that are not used, and why
  std::string yaml;                  ///< the file, which `gpus:` of a campaign names
};

/// Throws IoError, ConfigError if a footprint has changed since it was measured, and UsageError if
/// the profile has nothing to use.
[[nodiscard]] MachineType machine_type_of(const MachineTypeRequest& request,
                                          const workloads::ModelCatalogue& models);

/// Writes the file and reads it back. Throws IoError, also if the file exists.
void write_machine_type(const MachineType& machine, const std::string& path);

}  // namespace mimus::emulator
