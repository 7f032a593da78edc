// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "base/config_tree.hpp"
#include "base/registry.hpp"
#include "emulator/campaign/engine_keys.hpp"

namespace mimus::emulator {

/// One key of a campaign file: its entry in the key reference and, if `default_value` is YAML, its
/// default; "= key" copies a sibling. Keys of policies and workload sources come from their
/// registries.
struct ConfigKey : ParameterInfo {
  std::string path;  ///< its section and name
  KeyReader reader = KeyReader::every_cell;
};

/// All keys outside `policy` and the sources of `workload`, in the order of the reference.
[[nodiscard]] const std::vector<ConfigKey>& config_keys();

/// A choice that an engine key names, e.g. `engine.step_time: {name: measured, …}`.
struct EngineChoice {
  std::string key;
  std::string name;
  std::string summary;
  std::vector<ParameterInfo> parameters;
};
[[nodiscard]] std::vector<EngineChoice> engine_choices();

/// The parts of a campaign document that make a cell (cluster, workload, policy, engine, record),
/// in that order, with the defaults of all but the workload filled in; shorthand choices (`order:
/// fifo`) become mappings. A workload's keys stay as given, because leaving one out can mean more
/// than its default (see Workload::source_hash, which covers their effect). Wrong content is left
/// unchanged: reading it gives the error.
[[nodiscard]] ConfigNode resolved_cell(const ConfigNode& document);

}  // namespace mimus::emulator
