// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "emulator/campaign/machine/machine_type.hpp"

namespace mimus::emulator::cli {

/// What is printed to stdout.
enum class MachineOutput { table, json, nothing };

/// Writes the machine type of a profile to the file at `path` and prints how near its modelled
/// steps are to the measured ones. `models`: files and folders of the user's own models. Throws
/// like machine_type_of() and write_machine_type().
void write_machine_of(const MachineTypeRequest& request, const std::string& path,
                      const std::vector<std::string>& models, MachineOutput output);

}  // namespace mimus::emulator::cli
