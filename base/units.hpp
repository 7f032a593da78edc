// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>

#include "base/time.hpp"

namespace mimus {

/// A physical quantity that only mixes with its own kind. Stored as double: footprints multiply
/// per-sample constants with batches and scales, and 2^53 bytes is far above any of them.
template <class Unit>
struct Quantity {
  double value = 0.0;

  constexpr Quantity() = default;
  constexpr explicit Quantity(double v) : value(v) {}

  constexpr auto operator<=>(const Quantity&) const = default;
  constexpr Quantity& operator+=(Quantity o) { return value += o.value, *this; }
  constexpr Quantity& operator-=(Quantity o) { return value -= o.value, *this; }
  constexpr Quantity& operator*=(double f) { return value *= f, *this; }
  friend constexpr Quantity operator+(Quantity a, Quantity b) { return a += b; }
  friend constexpr Quantity operator-(Quantity a, Quantity b) { return a -= b; }
  friend constexpr Quantity operator*(Quantity a, double f) { return a *= f; }
  friend constexpr Quantity operator*(double f, Quantity a) { return a *= f; }
  friend constexpr Quantity operator/(Quantity a, double f) { return Quantity{a.value / f}; }
  friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Bytes = Quantity<struct ByteUnit>;
using Flop = Quantity<struct FlopUnit>;  ///< one multiply-add is 2 FLOP
using BytesPerSecond = Quantity<struct BytesPerSecondUnit>;
using FlopPerSecond = Quantity<struct FlopPerSecondUnit>;

[[nodiscard]] inline Duration operator/(Bytes amount, BytesPerSecond rate) {
  return from_seconds(amount.value / rate.value);
}
[[nodiscard]] inline Duration operator/(Flop amount, FlopPerSecond rate) {
  return from_seconds(amount.value / rate.value);
}

inline constexpr double kKi = 1024.0;
inline constexpr double kMi = kKi * kKi;
inline constexpr double kGi = kMi * kKi;

}  // namespace mimus
