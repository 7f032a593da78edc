// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cuda/libraries/convolutions.hpp"
#include "kernels/cuda/libraries/matrix_product.hpp"
#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/plan/launch_plan.hpp"

namespace mimus::kernels::cuda {

/// Puts launches of every kind on a stream: products by cuBLASLt, convolutions by the
/// implementation found at build time, all others by Mimus's own kernels.
class LaunchExecutor {
 public:
  /// `measures_convolutions`: their algorithms are chosen by trying them on the device.
  explicit LaunchExecutor(bool measures_convolutions)
      : measures_convolutions_(measures_convolutions) {}

  /// Chooses algorithms for every shape of the plan, so that none is chosen while a step runs.
  /// `regions` are those of the plan's tensors, which measuring overwrites.
  void prepare(const LaunchPlan& plan, const RegionAddresses& regions, cudaStream_t stream);
  void enqueue(const Launch& launch, const RegionAddresses& regions, cudaStream_t stream);
  /// The largest number of commands that enqueue() puts on a stream for a launch.
  [[nodiscard]] static std::int64_t most_commands(const Launch& launch);
  /// Frees what depends on the prepared plan.
  void give_back() noexcept {
    products_.give_back();
    convolutions_.give_back();
  }
  /// Device memory given to the libraries.
  [[nodiscard]] std::int64_t workspace_bytes() const;
  /// The PyTorch work space for the launches of a prepared plan.
  [[nodiscard]] WorkSpaces work_spaces(const LaunchPlan& plan) const;

 private:
  bool measures_convolutions_;
  MatrixProducts products_;
  Convolutions convolutions_;
  Arithmetic halves_ = Arithmetic::bf16;  ///< type of the plan's elements of two bytes
};

}  // namespace mimus::kernels::cuda
