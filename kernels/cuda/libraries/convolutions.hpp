// SPDX-FileCopyrightText: 2026 The Mimus authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <cuda_runtime_api.h>
#include <memory>
#include <string>

#include "kernels/cuda/runtime/region_addresses.hpp"

namespace mimus::kernels::cuda {

/// Convolution passes on the current device, multiplied by convolution_scale(). There are two
/// implementations, and the build links one: convolution_cudnn.cpp where cuDNN was found, else
/// convolution_products.cpp, which makes them out of matrix products.
///
/// Belongs to one stream at a time, and every shape has to be prepared before the first step is
/// captured into a graph: preparing may move the workspace.
class Convolutions {
 public:
  Convolutions();
  ~Convolutions();
  Convolutions(const Convolutions&) = delete;
  Convolutions& operator=(const Convolutions&) = delete;

  /// Chooses an algorithm for this shape, once: the one that is expected to be the fastest.
  void prepare(const Convolution& convolution);
  /// The one that is the fastest on these tensors, of which the result is overwritten. Only where
  /// can_measure().
  void prepare_measured(const Convolution& convolution, const RegionAddresses& regions,
                        cudaStream_t stream);
  void enqueue(const Convolution& convolution, const RegionAddresses& regions, cudaStream_t stream);

  /// Commands of a stream that enqueue() makes, at most.
  [[nodiscard]] static std::int64_t most_commands(const Convolution& convolution);

  /// Gives the workspace back. Shapes have to be prepared again, which is quick.
  void give_back() noexcept;
  /// Device memory that this object holds.
  [[nodiscard]] std::int64_t workspace_bytes() const;
  /// Of that, what the algorithm of a prepared shape needs.
  [[nodiscard]] std::int64_t workspace_bytes(const Convolution& convolution) const;

  /// Whether there are several algorithms to choose from.
  [[nodiscard]] static bool can_measure();
  /// What computes them: "cuDNN" or "cuBLASLt products".
  [[nodiscard]] static const char* name();
  /// Of cuDNN as found at run time, "9.19.0"; empty where it is not used.
  [[nodiscard]] static std::string library_version();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
};

}  // namespace mimus::kernels::cuda
