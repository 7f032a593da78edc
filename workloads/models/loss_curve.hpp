// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::workloads {

/// Training loss over a job's life, l(p) = 1/(a·p + b) + c at a fraction p of its work, 0..1. This
/// is the form that Optimus fits (Peng et al., EuroSys'18 §3.1), written as the losses at both
/// ends.
class LossCurve {
 public:
  /// The defaults are normalised, because published losses of the catalogue's models were not found
  /// and the policies that look at losses scale them. The last tenth of the training lowers the
  /// loss by 1 % of its first value: trainings end when their loss has levelled off.
  struct Shape {
    double initial = 1.0;  ///< before the first step, > 0
    double end = 0.2;      ///< at the end of the training, of `initial`; > limit, < 1
    double limit = 0.1;    ///< to which it falls if trained for ever, of `initial`; >= 0
    /// Standard deviation of the loss of one sample over its mean. 1 is that of an exponential
    /// distribution.
    double spread = 1.0;
    bool operator==(const Shape&) const = default;
  };

  LossCurve() : LossCurve(Shape{}) {}
  /// InternalError unless 0 <= limit < end < 1 and initial > 0.
  explicit LossCurve(const Shape& shape);

  [[nodiscard]] double at(double progress) const;
  [[nodiscard]] const Shape& shape() const { return shape_; }

 private:
  Shape shape_;
  double a_;
  double b_;
};

}  // namespace mimus::workloads
