// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace mimus::results {

/// Three significant digits, never an exponent: "0.00312", "4.07", "1280".
[[nodiscard]] std::string significant(double value);
/// A mean and the half-width of its interval, to two digits of the latter: "166 ±12", "0.494
/// ±0.021".
[[nodiscard]] std::string plus_minus(double mean, double half_width);
/// A fraction as a percentage with one decimal, without the sign: "93.4".
[[nodiscard]] std::string percent(double fraction);

}  // namespace mimus::results
