// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mimus {

/// Reads decimals such as "12", "-3.25" or "0.001" without rounding, as a count of units of
/// 10^-`places`. At most 18 places are allowed, and no digit may follow the last of them. Returns
/// nothing for any other text, including "010" (octal in YAML 1.1) and exponents, and for values
/// that do not fit.
[[nodiscard]] std::optional<std::int64_t> parse_decimal(std::string_view text, int places);

}  // namespace mimus
