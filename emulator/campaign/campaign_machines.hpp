// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/yaml_reader.hpp"

namespace mimus::emulator {

/// The campaign's own machine types: the entries of the files under `gpus:`, checked. Throws
/// ConfigError.
[[nodiscard]] std::vector<ConfigNode> own_machines(YamlReader& root);

/// The machine type that the command line names: a built-in type unchanged; "FILE" of one machine
/// type, or "FILE:TYPE" of several: its description. FILE ends in .yaml or .yml. Throws UsageError
/// naming `option`, and ConfigError for errors in the file.
[[nodiscard]] ConfigNode machine_named(const std::string& text, const std::string& option);

/// If a document's `cluster.gpu` names one of `machines`, adds its description as
/// `cluster.machine`, and replaces its name in `workload.duration_on` by it, so that a cell's
/// configuration contains all on which its results depend.
void describe_machines(ConfigNode& document, const std::vector<ConfigNode>& machines);

}  // namespace mimus::emulator
