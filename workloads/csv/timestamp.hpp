// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/time.hpp"

namespace mimus::workloads {

/// Decimal seconds such as "12", "-3.25" or "0.000000001", without rounding: at most ten digits
/// before the point and nine after it. Nothing for any other text, even if it is a number.
[[nodiscard]] std::optional<Duration> parse_seconds(std::string_view text);

/// Seconds in the form that parse_seconds() reads back as the same duration.
[[nodiscard]] std::string format_seconds(Duration d);

/// A date and time as it is written.
struct Timestamp {
  Duration time{};          ///< since 1970; in UTC if it has an offset
  bool has_offset = false;  ///< "Z" and "UTC" are offsets
};

/// As parse_timestamp(), and whether the text says the offset.
[[nodiscard]] std::optional<Timestamp> read_timestamp(std::string_view text);

/// "YYYY-mm-dd HH:MM:SS" or with a "T" between, with an optional fraction of the second and an
/// optional "Z", "UTC", "+HH:MM" or "+HHMM", with or without a blank before it, from 1970 to 2099.
/// A time without an offset is taken as it stands, as
/// if it were UTC, so the hour that a change to winter time repeats counts once. Nothing for any
/// other text. Time since 1970.
[[nodiscard]] std::optional<Duration> parse_timestamp(std::string_view text);

}  // namespace mimus::workloads
