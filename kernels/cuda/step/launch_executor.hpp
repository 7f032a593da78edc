// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "kernels/cuda/libraries/convolutions.hpp"
#include "kernels/cuda/libraries/matrix_product.hpp"
#include "kernels/cuda/runtime/region_addresses.hpp"
#include "kernels/plan/launch_plan.hpp"

namespace mimus::kernels::cuda {

/// Puts launches of every kind on a stream: products through cuBLASLt, convolutions through what
/// was found at build time, all others as Mimus's own kernels.
class LaunchExecutor {
 public:
  /// `measures_convolutions`: their algorithms are chosen by trying them on the device.
  explicit LaunchExecutor(bool measures_convolutions)
      : measures_convolutions_(measures_convolutions) {}

  /// Chooses algorithms for every shape of the plan, so that none is chosen while a step runs.
  /// `regions`: of the plan's tensors, which measuring overwrites.
  void prepare(const LaunchPlan& plan, const RegionAddresses& regions, cudaStream_t stream);
  void enqueue(const Launch& launch, const RegionAddresses& regions, cudaStream_t stream);
  /// Commands of a stream that enqueue() makes of a launch, at most.
  [[nodiscard]] static std::int64_t most_commands(const Launch& launch);
  /// What depends on the plan that was prepared is given back.
  void give_back() noexcept {
    products_.give_back();
    convolutions_.give_back();
  }
  /// Device memory that the libraries were given.
  [[nodiscard]] std::int64_t workspace_bytes() const;
  /// What the launches of a prepared plan would take of PyTorch's memory.
  [[nodiscard]] WorkSpaces work_spaces(const LaunchPlan& plan) const;

 private:
  bool measures_convolutions_;
  MatrixProducts products_;
  Convolutions convolutions_;
  Arithmetic halves_ = Arithmetic::bf16;  ///< type of the plan's elements of two bytes
};

}  // namespace mimus::kernels::cuda
