// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "emulator/campaign/schema/schema_value.hpp"

namespace mimus::emulator {

/// The schema of each value of a key that is declared by its limits and words.
[[nodiscard]] Json scalar_schema(const ValueSpec& spec);
/// Whether it contains the whole description of the range.
[[nodiscard]] bool is_range_in_schema(const ValueSpec& spec);

/// The default as JSON; nothing where the table has words for it ("by gang, else 1196 s").
[[nodiscard]] std::optional<Json> default_value(const ParameterInfo& field);

}  // namespace mimus::emulator
