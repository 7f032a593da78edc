// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml_reader.hpp"

namespace mimus::emulator {

/// The machine types that a campaign brings along: the entries of the files under `gpus:`, checked.
/// Throws ConfigError.
[[nodiscard]] std::vector<ConfigNode> own_machines(YamlReader& root);

/// What the command line names: a built-in type, as it stands; "FILE" of one machine type, or
/// "FILE:TYPE" of several: its description. FILE ends in .yaml or .yml. Throws UsageError naming
/// `option`, and ConfigError of what is wrong in the file.
[[nodiscard]] ConfigNode machine_named(const std::string& text, const std::string& option);

/// Gives a document whose `cluster.gpu` names one of `machines` its description as
/// `cluster.machine`, and puts it in the place of its name in `workload.duration_on`, so that a
/// cell's configuration says all that its results depend on.
void describe_machines(ConfigNode& document, const std::vector<ConfigNode>& machines);

}  // namespace mimus::emulator
