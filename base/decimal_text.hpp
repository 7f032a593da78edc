// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace mimus {

/// Decimals such as "12", "-3.25" or "0.001", without rounding, as a count of units of
/// 10^-`places`: at most 18 places, and no digit behind the last of them. Nothing for any other
/// text, "010" (octal in YAML 1.1) and exponents included, and for what does not fit.
[[nodiscard]] std::optional<std::int64_t> parse_decimal(std::string_view text, int places);

}  // namespace mimus
