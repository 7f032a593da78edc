// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/units.hpp"

namespace mimus {

/// Strict readers of numbers and of quantities with a unit, such as "90 s" or "25 Gbit/s". They
/// return nothing in any doubtful case: trailing text, missing or unknown unit, octal or hex forms,
/// leading '+', infinities and NaN. The caller knows the position and writes the error message.
[[nodiscard]] std::optional<std::int64_t> parse_integer(std::string_view text);
[[nodiscard]] std::optional<double> parse_number(std::string_view text);
[[nodiscard]] std::optional<Duration> parse_duration(std::string_view text);
[[nodiscard]] std::optional<Bytes> parse_bytes(std::string_view text);
[[nodiscard]] std::optional<BytesPerSecond> parse_byte_rate(std::string_view text);
[[nodiscard]] std::optional<FlopPerSecond> parse_flop_rate(std::string_view text);

/// Units each reader accepts, for messages: "ns, us, ms, s, min, h, d".
inline constexpr std::string_view kDurationUnits = "ns, us, ms, s, min, h, d";
inline constexpr std::string_view kByteUnits = "B, kB, MB, GB, TB, KiB, MiB, GiB, TiB";
inline constexpr std::string_view kByteRateUnits =
    "B/s, kB/s, MB/s, GB/s, TB/s, MiB/s, GiB/s, Mbit/s, Gbit/s, Tbit/s";
inline constexpr std::string_view kFlopRateUnits = "GFLOP/s, TFLOP/s, PFLOP/s";

/// Text for people: three significant digits and a fitting unit, e.g. "1.5 h", "312 ms", "25.6 MB".
[[nodiscard]] std::string format_duration(Duration d);
[[nodiscard]] std::string format_bytes(Bytes b);

}  // namespace mimus
