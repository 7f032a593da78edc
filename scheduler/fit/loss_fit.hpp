// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "scheduler/fit/loss_model.hpp"

namespace mimus::scheduler {

struct LossPoint {
  double samples = 0.0;  ///< trained on, at M₀, > 0
  double loss = 0.0;
  double weight = 1.0;  ///< of its squared error, > 0
};

struct FittedLoss {
  LossModel model;
  double explained = 0.0;  ///< R²: of the weighted variance of the losses, 0..1
};

/// Each is the weighted least-squares fit with all parameters >= 0. Drop and floor are linear and
/// follow in closed form; the others are searched for on a logarithmic grid and refined by Brent's
/// method (Boost.Math), so that no starting point is needed. InternalError without points.
///
/// 1 ÷ (a·x + b) + c (Optimus, EuroSys'18 §3.1).
[[nodiscard]] FittedLoss fit_reciprocal_loss(std::span<const LossPoint> points);
/// 1 ÷ (a·x² + b·x + c) + d, for methods that converge sublinearly (SLAQ, SoCC'17 §3).
[[nodiscard]] FittedLoss fit_square_loss(std::span<const LossPoint> points);
/// μ^(x−b) + c, for methods that converge linearly or faster (likewise).
[[nodiscard]] FittedLoss fit_exponential_loss(std::span<const LossPoint> points);
/// A straight line through the points that does not rise.
[[nodiscard]] FittedLoss fit_loss_line(std::span<const LossPoint> points);

}  // namespace mimus::scheduler
