// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "kernels/pytorch/gradient_flow.hpp"

namespace mimus::kernels {

/// Adds to the present gradient if nothing else holds it, otherwise makes a new tensor.
void GradientFlow::deliver(std::size_t layer, Tensor gradient) {
  if (layer == kInput || gradient == kNone) return log_.drop(gradient);
  Tensor& sum = tape_.node(layer).gradient;
  if (sum == kNone) {
    sum = gradient;
  } else if (log_.has_one_owner(sum)) {
    log_.drop(gradient);
  } else {
    sum = log_.replace(sum, log_.bytes(gradient));
    log_.drop(gradient);
  }
}

AllocationLog::Tensor GradientFlow::cast(Tensor gradient, std::size_t i, std::int64_t width) {
  if (i == kInput || tape_.node(i).width == width || gradient == kNone) return gradient;
  return log_.replace(gradient, log_.bytes(gradient) / width * tape_.node(i).width);
}

/// Keeps the gradient of a parameter, cast to fp32 if its product was in 16 bits.
void GradientFlow::keep(Tensor gradient, std::int64_t bytes) {
  if (gradient == kNone) return;
  log_.keep(tape_.mixed() ? log_.replace(gradient, bytes) : gradient);
}

}  // namespace mimus::kernels
