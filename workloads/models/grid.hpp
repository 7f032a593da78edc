// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "base/units.hpp"

namespace mimus::workloads {

/// Points along each side.
inline constexpr std::int64_t kFewestPoints = 8;
inline constexpr std::int64_t kMostPoints = 16384;

/// A cube of points with as many along each side, on which a solver works instead of training. Its
/// numbers are fp32.
struct Grid {
  std::int64_t points = 0;  ///< along each side; 0: the model trains and has no grid
  double fields = 0.0;      ///< numbers per point that are kept through a step
  int slabs = 1;            ///< equal parts along one side, of which this is one

  [[nodiscard]] bool used() const { return points > 0; }
  [[nodiscard]] double cells() const {
    const auto side = static_cast<double>(points);
    return side * side * side;
  }
  /// One number per point of the whole grid.
  [[nodiscard]] Bytes field() const { return Bytes{4.0 * cells()}; }
  [[nodiscard]] Bytes memory() const { return fields * field() / slabs; }
  /// One number per point of a side.
  [[nodiscard]] Bytes plane() const {
    return Bytes{4.0 * static_cast<double>(points) * static_cast<double>(points)};
  }
  /// The Fourier coefficients of one field: n · n · (n/2 + 1) complex numbers, as those of a real
  /// field come in pairs.
  [[nodiscard]] Bytes spectrum() const {
    const auto side = static_cast<double>(points);
    return Bytes{8.0 * side * side * (0.5 * side + 1.0)};
  }
};

/// What the kernels of a layer on a grid do.
enum class GridKernel {
  none,           ///< the layer is not one of a grid
  fft,            ///< of real fields, in one direction
  interpolation,  ///< at points that are not those of the grid, cubic
  stencil,        ///< derivatives by finite differences of 8th order
  pointwise,      ///< sums and products
};

/// A layer on a grid. Members that its kernels do not have keep their defaults.
struct GridLayer {
  GridKernel kernel = GridKernel::none;
  std::int64_t fields = 0;  ///< that are transformed or interpolated
  std::int64_t reads = 0;   ///< fields that a stencil or a pointwise kernel reads
  std::int64_t writes = 0;
  std::int64_t planes = 0;  ///< of each neighbour that a slab needs
  std::int64_t sums = 0;    ///< over the whole grid, as scalar products
};

}  // namespace mimus::workloads
