// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/machine/machine_type.hpp"

namespace mimus::emulator {

/// The YAML of a machine type with the rates of `gpu`, including its name and source. Models that
/// were not measured get the values of `base`, which they would lose under another name.
[[nodiscard]] std::string machine_type_text(const MachineType& machine, const kernels::GpuSpec& gpu,
                                            const kernels::GpuSpec& base,
                                            const workloads::ModelCatalogue& models);

}  // namespace mimus::emulator
