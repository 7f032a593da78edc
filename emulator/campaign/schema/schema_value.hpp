// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "base/registry.hpp"

namespace mimus::emulator {

using Json = nlohmann::ordered_json;

// JSON Schema (draft 7) of what the field tables describe. What a table says only in words, e.g.
// "divides gpus_per_node", becomes part of the description: a schema never refuses what the program
// accepts, except an optional key that is left empty.

/// Whether the keys without default must be there. They need not where the rest of a mapping can
/// come from elsewhere: a base file, a preset, a sweep.
enum class Completeness { whole, part };

/// The schema of one value. Types: integer, number, fraction, boolean, text, extent, duration,
/// memory, bandwidth, compute rate; "list of" their plurals, of mappings, paths or layers; mapping;
/// path or list. Ranges: ">= 1", "> 0 and <= 1", "1 to 64", one integer, and words that are the
/// only values: "first, last" or "first or last". Throws InternalError for another type.
[[nodiscard]] Json value_schema(const ParameterInfo& field, Completeness completeness);

/// The schema of a mapping with these keys and no others, or with any other name if a field "*"
/// describes them.
[[nodiscard]] Json mapping_schema(const std::vector<ParameterInfo>& fields,
                                  Completeness completeness);

/// The schema of a mapping whose `key` names one of `choices`, with that choice's parameters.
/// `nameless`: the schema of the mapping without `key`.
[[nodiscard]] Json choice_schema(const std::string& key, const std::vector<ChoiceInfo>& choices,
                                 const Json& nameless, Completeness completeness);

/// One of the names, each with its summary.
[[nodiscard]] Json name_schema(const std::vector<ChoiceInfo>& choices);

/// Names of the fields that must be given.
[[nodiscard]] Json required_names(const std::vector<ParameterInfo>& fields);

/// {"$ref": "#/definitions/<name>"}
[[nodiscard]] Json reference(const std::string& name);

}  // namespace mimus::emulator
