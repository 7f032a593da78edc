// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace mimus::kernels::cuda {

/// Norms write kCentre + kSpread · x̂ for the normalised x̂, as if these were the learned scale and
/// shift. A row or column that varies gets this mean and deviation, whatever its own were.
inline constexpr float kCentre = 0.5F;
inline constexpr float kSpread = 0.25F;
inline constexpr float kVarianceFloor = 1e-5F;

}  // namespace mimus::kernels::cuda
