// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include "kernels/launch/launch.hpp"

namespace mimus::kernels {

/// How attention is computed: score matrices in memory, or one fused kernel that keeps them on chip
/// (scaled dot-product attention, as FlashAttention).
enum class Attention { eager, sdpa };
/// Launches of the optimiser: one kernel over all tensors; a sequence of simple ones over all
/// tensors (PyTorch's default); or that sequence for every tensor.
enum class OptimiserLaunches { fused, foreach, per_tensor };

/// Arguments a multi-tensor kernel may take: 4 KB, or 32 KB where the framework is built for CUDA
/// 13 and newer. Longer lists of tensors take several launches.
enum class KernelArguments { small, large };

/// The settings of a framework that determine a model's kernels.
struct LaunchOptions {
  Attention attention = Attention::eager;
  OptimiserLaunches optimiser = OptimiserLaunches::foreach;
  KernelArguments arguments = KernelArguments::small;
  /// Replaces the model's own precision; 16 bits mean mixed precision, as in autocast.
  std::optional<Arithmetic> arithmetic{};
  bool operator==(const LaunchOptions&) const = default;
};

}  // namespace mimus::kernels
