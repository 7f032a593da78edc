// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

namespace mimus::emulator {

/// A kind of YAML file that Mimus reads.
struct SchemaKind {
  std::string name;
  std::string summary;  ///< one line: which files are of this kind
};

/// campaign, base, policy, workload, model, gpus.
[[nodiscard]] const std::vector<SchemaKind>& schema_kinds();

/// The JSON Schema (draft 7, which editors understand) of a kind of file, made from the tables that
/// describe keys and choices; ends in a newline. UsageError names the nearest kind when unknown.
[[nodiscard]] std::string json_schema(const std::string& kind);

}  // namespace mimus::emulator
