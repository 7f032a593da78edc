// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "emulator/campaign/schema/schema_value.hpp"

namespace mimus::emulator {

/// Of a number, quantity or text, as the field tables name types and ranges. InternalError for a
/// type that is none of these.
[[nodiscard]] Json scalar_schema(const std::string& type, const std::string& range);

/// Of each value of a key that is declared by its limits and words.
[[nodiscard]] Json scalar_schema(const ValueSpec& spec);
[[nodiscard]] bool is_range_in_schema(const ValueSpec& spec);

/// Whether scalar_schema() says all that `range` says; otherwise readers need its words.
[[nodiscard]] bool is_range_in_schema(const std::string& type, const std::string& range);

/// The default as JSON; nothing where the table has words for it ("by gang, else 1196 s").
[[nodiscard]] std::optional<Json> default_value(const ParameterInfo& field);

}  // namespace mimus::emulator
