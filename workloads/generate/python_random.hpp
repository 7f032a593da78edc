// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>

namespace mimus::workloads {

/// Draws what Python's random.Random(seed) draws, to the bit, for generators of which the paper's
/// artifact is a Python script (CPython 3: MT19937 seeded by an array of 32-bit words).
class PythonRandom {
 public:
  explicit PythonRandom(std::uint64_t seed);

  /// random(): [0, 1) with 53 bits.
  [[nodiscard]] double uniform();
  /// uniform(low, high).
  [[nodiscard]] double uniform(double low, double high) { return low + (high - low) * uniform(); }
  /// The position that choice() of so many draws.
  [[nodiscard]] std::size_t choice(std::size_t count);

 private:
  std::mt19937 words_;
};

}  // namespace mimus::workloads
