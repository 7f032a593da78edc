// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "emulator/campaign/machine/machine_type.hpp"

namespace mimus::emulator {

/// The YAML of a machine type with the rates of `gpu`, its name and source included. Models that
/// were not measured get what `base` says of them, which they would lose under another name.
[[nodiscard]] std::string machine_type_text(const MachineType& machine, const kernels::GpuSpec& gpu,
                                            const kernels::GpuSpec& base,
                                            const workloads::ModelCatalogue& models);

}  // namespace mimus::emulator
