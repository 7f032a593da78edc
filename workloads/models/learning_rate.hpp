// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::workloads {

// What a learning rate is worth in a noisy quadratic model of training (McCandlish et al. 2018): a
// step moves by lr along a gradient whose squared norm is G and whose variance is φ·G/M, so that it
// gains lr·G − lr²·h/2·G·(1 + φ/M) of a loss with curvature h.

/// AdaScale's gain r(M) = (φ/M₀ + 1)/(φ/M + 1): how much more a step with total batch M gains than
/// one with M₀, both with their best learning rates, and how much larger that one is (Johnson et
/// al., ICML'20). Equal to M/M₀ × statistical_efficiency(). Batches in samples, > 0; φ > 0
/// [samples], may be infinite.
[[nodiscard]] double adascale_gain(double noise_scale, double reference_batch, double total_batch);

/// Share of AdaScale's gain that a step keeps when its learning rate is `x` times the user's
/// instead of r times: q·(2 − z₀·q)/(2 − z₀) with q = x/r. 1 at x = r; at most 0 where the step
/// gains nothing. `initial`: z₀ in (0, 1], the user's learning rate at M₀ over the best one there.
[[nodiscard]] double learning_rate_share(double x, double gain, double initial);

/// Progress of an optimiser step in steps at M₀ with the user's learning rate:
/// p = x·(2 − z₀·x/r)/(2 − z₀); at most 0 where the step gains nothing.
[[nodiscard]] double learning_progress(double x, double gain, double initial);

}  // namespace mimus::workloads
