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

/// Gives a document whose `cluster.gpu` names one of `machines` its description as
/// `cluster.machine`, and puts it in the place of its name in `workload.duration_on`, so that a
/// cell's configuration says all that its results depend on.
void describe_machines(ConfigNode& document, const std::vector<ConfigNode>& machines);

}  // namespace mimus::emulator
