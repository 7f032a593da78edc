// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#include "workloads/models/loss_curve.hpp"

#include "base/error.hpp"

namespace mimus::workloads {

LossCurve::LossCurve(const Shape& shape) : shape_(shape) {
  ensure(shape.initial > 0.0, "losses begin above zero");
  ensure(shape.limit >= 0.0 && shape.limit < shape.end && shape.end < 1.0,
         "a loss falls from its first value, but never to its limit");
  b_ = 1.0 / (shape.initial * (1.0 - shape.limit));
  a_ = 1.0 / (shape.initial * (shape.end - shape.limit)) - b_;
}

double LossCurve::at(double progress) const {
  return 1.0 / (a_ * progress + b_) + shape_.initial * shape_.limit;
}

}  // namespace mimus::workloads
