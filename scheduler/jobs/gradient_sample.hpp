// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::scheduler {

/// What a job knows of its gradients at no extra cost: the mean squared norms of the gradients of
/// its micro-batches before they are averaged, and of their average. A job with one micro-batch per
/// step compares its gradient with the mean of this one and the previous one (AdaScale, Johnson et
/// al., ICML'20; AdaptDL's differenced estimator). Norms are in the job's own units.
struct GradientSample {
  double small_batch = 0.0;  ///< b: samples of one gradient
  double large_batch = 0.0;  ///< B > b: samples of the average; 0 where nothing was measured
  double small_sqr = 0.0;    ///< ‖g_b‖², mean
  double large_sqr = 0.0;    ///< ‖g_B‖²
  double loss = 0.0;
  double learning_rate = 0.0;  ///< in use

  [[nodiscard]] bool measured() const { return large_batch > small_batch && small_batch > 0.0; }
  /// Squared norm of the true gradient: G = (B‖g_B‖² − b‖g_b‖²)/(B − b), AdaScale's μ². An estimate
  /// without bias, and so sometimes negative. Defined where it was measured, as below.
  [[nodiscard]] double squared_norm() const {
    return (large_batch * large_sqr - small_batch * small_sqr) / (large_batch - small_batch);
  }
  /// Variance of the gradient of one sample, summed over its components:
  /// S = (‖g_b‖² − ‖g_B‖²)/(1/b − 1/B); AdaScale's σ² is that of M₀ samples, S/M₀.
  [[nodiscard]] double variance() const {
    return (small_sqr - large_sqr) / (1.0 / small_batch - 1.0 / large_batch);
  }
};

}  // namespace mimus::scheduler
