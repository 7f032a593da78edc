// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/launch/launch_cost.hpp"

#include "kernels/launch/launch_operands.hpp"

namespace mimus::kernels {
namespace {

double product_of(std::initializer_list<std::int64_t> factors) {
  double all = 1.0;
  for (const std::int64_t factor : factors) all *= static_cast<double>(factor);
  return all;
}

/// The footprint counts no operations of kernels that are bound by memory.
template <class Shape>
double flop_of(const Shape& /*shape*/) {
  return 0.0;
}

double flop_of(const Product& p) {
  return 2.0 * product_of({p.count, p.rows, p.columns, p.inner});
}

double flop_of(const Convolution& c) {
  const double outputs = product_of({c.batch, c.height, c.width, c.out});
  return 2.0 * outputs * product_of({c.in, c.kernel_height, c.kernel_width});
}

/// Two products in the forward pass; five in the backward pass, which computes the scores again.
double flop_of(const FusedAttention& a) {
  const double product = 2.0 * product_of({a.batch, a.heads, a.rows, a.rows, a.features});
  return (a.gradient ? 5.0 : 2.0) * product;
}

}  // namespace

Flop flop(const Launch& launch) {
  return Flop{std::visit([](const auto& shape) { return flop_of(shape); }, launch)};
}

Bytes traffic(const Launch& launch) {
  double bytes = 0.0;
  for (const Operand& operand : operands(launch)) {
    bytes += static_cast<double>(operand.bytes) * operand.crossings;
  }
  return Bytes{bytes};
}

}  // namespace mimus::kernels
